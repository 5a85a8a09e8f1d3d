// Alert contacts of UptimeRobot as channels.
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  type NotesOf,
  nameOf,
  numberOf,
  textOf,
} from '../foreign.ts'
import { documentIdOf } from './ids.ts'

/** What a kind of contact becomes: `given` is made of its value, and what is lacked is entered after the import. */
interface Contact {
  readonly type: string
  readonly lacked: readonly string[]
  given?(value: string): ForeignFields
}

const hooked = (type: string): Contact => ({
  type,
  lacked: ['webhookUrl'],
  given: (value) => (/^https:\/\//.test(value) ? { webhookUrl: value } : {}),
})

/** By the numbers of getAlertContacts. */
const contacts: Readonly<Record<number, Contact>> = {
  1: { type: 'twilio', lacked: ['accountSid', 'authToken', 'to'] },
  2: {
    type: 'email',
    lacked: ['to'],
    given: (value) => (/^\S+@\S+$/.test(value) ? { to: [value] } : {}),
  },
  5: {
    type: 'webhook',
    lacked: ['url'],
    given: (value) => (/^https?:\/\//.test(value) ? { url: value } : {}),
  },
  9: { type: 'pushover', lacked: ['userKey', 'appToken'] },
  11: hooked('slack'),
  15: { type: 'splunk-oncall', lacked: ['url'] },
  16: { type: 'pagerduty', lacked: ['routingKey'] },
  17: { type: 'opsgenie', lacked: ['apiKey'] },
  18: { type: 'telegram', lacked: ['botToken', 'chatId'] },
  20: hooked('teams'),
  21: hooked('googlechat'),
  23: hooked('discord'),
  24: hooked('mattermost'),
}

const others: Readonly<Record<number, string>> = {
  3: 'Twitter',
  4: 'Boxcar',
  6: 'Pushbullet',
  7: 'Zapier',
  10: 'HipChat',
  14: 'a voice call',
}

export interface Contacts {
  readonly channels: readonly ForeignItem[]
  readonly secretsOmitted: readonly string[]
  /** The ids there that became channels. */
  readonly ids: ReadonlySet<string>
}

export function contactsOf(items: readonly ForeignFields[], notesOf: NotesOf): Contacts {
  const channels: ForeignItem[] = []
  const secretsOmitted: string[] = []
  const ids = new Set<string>()
  for (const item of items) {
    const there = textOf(item.id)
    const id = documentIdOf('chn', there)
    const origin = `contact/${there}`
    const type = numberOf(item.type) ?? 0
    const value = textOf(item.value)
    const contact = contacts[type]
    const name = nameOf(item.friendly_name, contact?.type ?? others[type] ?? 'Contact')
    const note = notesOf(name, origin)
    if (!contact || id === undefined) {
      note(`${others[type] ?? `a contact of type ${type}`} is no kind of channel here: left out`)
      continue
    }
    ids.add(there)
    const given = contact.given?.(value) ?? {}
    const lacked = contact.lacked.filter((field) => !(field in given))
    secretsOmitted.push(...lacked.map((field) => `/channels/${channels.length}/config/${field}`))
    // 0: it was never activated; 1: it is paused.
    const isActive = numberOf(item.status) === 2
    channels.push({
      id,
      origin,
      name,
      type: contact.type,
      config: given,
      isActive,
      isDefault: false,
    })
  }
  return { channels, secretsOmitted, ids }
}

/** The contacts of a monitor that became channels; what is said of them otherwise is named. */
export function bindingsOf(
  item: ForeignFields,
  ids: ReadonlySet<string>,
  note: (text: string) => void,
) {
  const bound = (Array.isArray(item.alert_contacts) ? item.alert_contacts : []).map(fieldsOf)
  const waits = bound.map(({ threshold }) => numberOf(threshold) ?? 0).filter((one) => one > 0)
  if (waits.length > 0) {
    note(`that a contact is told after ${Math.max(...waits)} min: set the delay of its channel`)
  }
  const again = bound.map(({ recurrence }) => numberOf(recurrence) ?? 0).filter((one) => one > 0)
  const notifyChannelIds = bound
    .map(({ id }) => textOf(id))
    .filter((id) => ids.has(id))
    .flatMap((id) => documentIdOf('chn', id) ?? [])
  return {
    ...(notifyChannelIds.length === 0 ? {} : { notifyChannelIds }),
    ...(again.length === 0 ? {} : { reminderMinutes: Math.min(...again) }),
  }
}
