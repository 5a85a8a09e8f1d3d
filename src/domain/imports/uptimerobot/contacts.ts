// Alert contacts of UptimeRobot as channels.
import { limits } from '../../limits/limits.ts'
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  flagOf,
  type Note,
  type NotesOf,
  nameOf,
  textOf,
  within,
} from '../foreign.ts'
import { documentIdOf } from './ids.ts'

/** A contact in either version of the API. */
export interface RobotContact {
  readonly there: string
  readonly name: unknown
  /** The number that version 2 has for its type. */
  readonly type: number
  /** What version 3 calls a type without a number. */
  readonly typeName?: string
  readonly isActive: boolean
  readonly value: string
  /** Absent: all. */
  readonly events?: readonly string[]
  /** What version 3 tells of it besides. */
  readonly more?: ForeignFields
}

/** What a kind of contact becomes: `given` is made of what is told, and what is lacked is entered after the import. */
interface ContactKind {
  readonly type: string
  readonly lacked: readonly string[]
  given?(contact: RobotContact, note: Note): ForeignFields
}

const hooked = (type: string): ContactKind => ({
  type,
  lacked: ['webhookUrl'],
  given: ({ value }) => (/^https:\/\//.test(value) ? { webhookUrl: value } : {}),
})

/** By the numbers of getAlertContacts. */
const kinds: Readonly<Record<number, ContactKind>> = {
  1: { type: 'twilio', lacked: ['accountSid', 'authToken', 'to'] },
  2: {
    type: 'email',
    lacked: ['to'],
    given: ({ value }) => (/^\S+@\S+$/.test(value) ? { to: [value] } : {}),
  },
  5: { type: 'webhook', lacked: ['url'], given: webhookOf },
  8: { type: 'twilio', lacked: ['accountSid', 'authToken', 'to'] },
  9: {
    type: 'pushover',
    lacked: ['userKey', 'appToken'],
    given: ({ value }) => (/^[A-Za-z0-9]{30}$/.test(value) ? { userKey: value } : {}),
  },
  11: hooked('slack'),
  15: {
    type: 'splunk-oncall',
    lacked: ['url'],
    given: ({ value }) => (/^https:\/\//.test(value) ? { url: value } : {}),
  },
  16: {
    type: 'pagerduty',
    lacked: ['routingKey'],
    given: ({ value, more }) => ({
      ...(/^[A-Za-z0-9]{32}$/.test(value) ? { routingKey: value } : {}),
      ...(textOf(more?.customValue2) === 'eu'
        ? { url: 'https://events.eu.pagerduty.com/v2/enqueue' }
        : {}),
    }),
  },
  17: { type: 'opsgenie', lacked: ['apiKey'] },
  18: {
    type: 'telegram',
    lacked: ['botToken', 'chatId'],
    given: ({ more }) => {
      const chatId = textOf(more?.customValue)
      return /^(-?\d{1,20}|@\w{4,64})$/.test(chatId) ? { chatId } : {}
    },
  },
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
  12: 'push to a telephone (iOS)',
  13: 'push to a telephone (Android)',
  14: 'a voice call',
}

export interface Contacts {
  readonly channels: readonly ForeignItem[]
  readonly secretsOmitted: readonly string[]
  /** The channels in the document, by the id there and the minutes that they wait. */
  readonly ids: ReadonlyMap<string, string>
}

/** A channel waits as long for each monitor, so a contact becomes one for each of its times: `bound` are all of them. */
export function contactsOf(
  contacts: readonly RobotContact[],
  bound: readonly RobotBinding[],
  notesOf: NotesOf,
): Contacts {
  const waits = Map.groupBy(bound, ({ there }) => there)
  const channels: ForeignItem[] = []
  const secretsOmitted: string[] = []
  const ids = new Map<string, string>()
  for (const contact of contacts) {
    const { there, type, events } = contact
    const id = documentIdOf('chn', there)
    const origin = `contact/${there}`
    const kind = kinds[type]
    const word = others[type] ?? `a contact of type ${contact.typeName ?? type}`
    const name = nameOf(contact.name, kind?.type ?? others[type] ?? 'Contact')
    const note = notesOf(name, origin)
    if (!kind || id === undefined) {
      note(`${word} is no kind of channel here: left out`)
      continue
    }
    const config = kind.given?.(contact, note) ?? {}
    const lacked = kind.lacked.filter((field) => !(field in config))
    for (const minutes of new Set(waits.get(there)?.map(delayOf) ?? [0])) {
      const isDelayed = minutes > 0
      const own = isDelayed ? delayedId(id, minutes) : id
      ids.set(`${there} ${minutes}`, own)
      secretsOmitted.push(...lacked.map((field) => `/channels/${channels.length}/config/${field}`))
      channels.push({
        id: own,
        origin: isDelayed ? `${origin}/after/${minutes}` : origin,
        name: isDelayed ? nameOf(`${name}, after ${minutes} min`, name) : name,
        ...{ type: kind.type, config },
        ...(events === undefined ? {} : { events }),
        ...(isDelayed ? { delayMinutes: minutes } : {}),
        isActive: contact.isActive,
        isDefault: false,
      })
    }
  }
  return { channels, secretsOmitted, ids }
}

function delayOf({ waitMinutes }: RobotBinding): number {
  return within(waitMinutes, 0, limits.channelDelayMinutesMax)
}

/** The id of a contact has at most 20 digits, so the first ones are free. */
function delayedId(id: string, minutes: number): string {
  const mark = `1${String(minutes).padStart(4, '0')}`
  return `chn_${mark}${id.slice('chn_'.length + mark.length)}`
}

/** Words of a webhook there, and where a message here has them. */
const webhookWords: Readonly<Record<string, string>> = {
  monitorURL: '{{data.monitors.0.url}}',
  monitorFriendlyName: '{{data.monitors.0.name}}',
  alertDetails: '{{data.incident.cause}}',
  alertDateTime: '{{timestamp}}',
  monitorID: '{{data.monitors.0.id}}',
  alertType:
    '{{#data.incident.resolvedAt}}2{{/data.incident.resolvedAt}}{{^data.incident.resolvedAt}}1{{/data.incident.resolvedAt}}',
  alertTypeFriendlyName:
    '{{#data.incident.resolvedAt}}Up{{/data.incident.resolvedAt}}{{^data.incident.resolvedAt}}Down{{/data.incident.resolvedAt}}',
}

/**
 * Version 3 tells what a webhook sends, as a JSON text with `postValue`, `sendJSON`, `sendQuery` and `sendPost`, and
 * its headers. Names of values are `$monitorURL` there, or `*monitorURL*`.
 */
function webhookOf({ value, more }: RobotContact, note: Note): ForeignFields {
  const given = /^https?:\/\//.test(value) ? { url: value } : {}
  if (more === undefined) return given
  const { postValue, sendJSON, sendQuery, sendPost } = settingsIn(more.customValue)
  const headers = Object.entries(fieldsOf(more.customHeaders)).map(
    ([name, one]) => [name, textOf(one)] as const,
  )
  if (flagOf(sendQuery)) note('the query that it adds to the address: write it there')
  const text = typeof postValue === 'string' ? postValue : ''
  const unknown = new Set<string>()
  const bodyTemplate = text.replace(
    /\*(\w{1,40})\*|\$([A-Za-z]\w{0,40})/g,
    (all, starred, plain) => {
      const word = webhookWords[starred ?? plain]
      if (word === undefined) unknown.add(all)
      return word ?? ''
    },
  )
  const isBody = text !== '' && (flagOf(sendJSON) || flagOf(sendPost))
  if (isBody && text.includes('{{')) note('the text that it sends: {{ begins a name here')
  if (isBody && unknown.size > 0)
    note(`no value here is its ${[...unknown].slice(0, 10).join(', ')}`)
  if (isBody && !flagOf(sendJSON)) note('that it sends a form: here the same text is sent as JSON')
  return {
    ...given,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(isBody && !text.includes('{{') ? { bodyTemplate } : {}),
  }
}

function settingsIn(text: unknown): ForeignFields {
  try {
    return fieldsOf(JSON.parse(textOf(text)))
  } catch {
    return {}
  }
}

/** How a monitor alerts a contact; times are in minutes. */
export interface RobotBinding {
  readonly there: string
  readonly waitMinutes: number
  readonly againMinutes: number
}

/** A monitor of which no contact hears alerts nobody; absent: the answer does not have them. */
export function silentIf(bound: unknown): ForeignFields {
  return Array.isArray(bound) && bound.length === 0 ? { alertsNobody: true } : {}
}

/** The channels of a monitor, and how often they are told again. */
export function bindingsOf(bound: readonly RobotBinding[], ids: Contacts['ids']): ForeignFields {
  const again = bound.map(({ againMinutes }) => againMinutes).filter((one) => one > 0)
  const notifyChannelIds = bound.flatMap((one) => ids.get(`${one.there} ${delayOf(one)}`) ?? [])
  return {
    ...(notifyChannelIds.length === 0 ? {} : { notifyChannelIds }),
    ...(again.length === 0
      ? {}
      : { reminderMinutes: within(Math.min(...again), 1, limits.reminderMinutesMax) }),
  }
}
