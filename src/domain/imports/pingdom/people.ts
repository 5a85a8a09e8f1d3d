// Teams and contacts of Pingdom as channels: the checks name them, and the list of contacts has their addresses.

import { limits } from '../../limits/limits.ts'
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  listOf,
  type NotesOf,
  nameOf,
  textOf,
} from '../foreign.ts'

export interface PingdomPeople {
  readonly channels: readonly ForeignItem[]
  readonly secretsOmitted: readonly string[]
  /** The ids of channels by `contact/<id>` and `team/<id>`. */
  readonly ids: ReadonlyMap<string, readonly string[]>
}

interface PeopleLists {
  readonly teams: readonly ForeignFields[]
  readonly contacts: readonly ForeignFields[]
}

export function peopleOf(
  checks: readonly ForeignFields[],
  { teams, contacts }: PeopleLists,
  notesOf: NotesOf,
): PingdomPeople {
  const byId = new Map(contacts.map((contact) => [textOf(contact.id), contact]))
  const named = new Set(checks.flatMap(namedBy))
  const groups = [
    ...teams.map((team) => ({
      origin: `team/${textOf(team.id)}`,
      name: nameOf(team.name, 'Team'),
      members: listOf(team.members)
        .map((one) => byId.get(textOf(fieldsOf(one).id)))
        .filter((one) => one !== undefined),
    })),
    ...contacts.map((contact) => ({
      origin: `contact/${textOf(contact.id)}`,
      name: nameOf(contact.name, 'Contact'),
      members: [contact],
    })),
  ].filter(({ origin }) => named.has(origin))
  const channels: ForeignItem[] = []
  const secretsOmitted: string[] = []
  const ids = new Map<string, string[]>()
  for (const { origin, name, members } of groups) {
    const note = notesOf(name, origin)
    const isActive = members.some(({ paused }) => paused !== true)
    const targets = members.map(({ notification_targets }) => fieldsOf(notification_targets))
    const of = (kind: string) => targets.flatMap((one) => listOf(one[kind])).map(fieldsOf)
    const mail = unique(of('email').map(({ address }) => textOf(address)))
    const numbers = unique(of('sms').map(phoneOf))
    const isUrgent = [...of('email'), ...of('sms')].map(({ severity }) => textOf(severity))
    if (new Set(isUrgent).size > 1) note('that some addresses are for alerts of low importance')
    if (of('apns').length + of('agcm').length > 0) note('push to telephones: only in their app')
    if (mail.length > limits.channelRecipientsMax)
      note(`its addresses beyond ${limits.channelRecipientsMax}`)
    const add = (kind: string, mark: string, config: object, lacked: readonly string[]): void => {
      const at = channels.length
      const id = `chn_${mark}${origin.replace(/\D/g, '').slice(0, 20).padStart(25, '0')}`
      secretsOmitted.push(...lacked.map((field) => `/channels/${at}/config/${field}`))
      ids.set(origin, [...(ids.get(origin) ?? []), id])
      channels.push({
        ...{ id, origin: `${origin}/${kind}`, name, type: kind, config },
        isActive: isActive && lacked.length === 0,
        isDefault: false,
      })
    }
    const isTeam = origin.startsWith('team/')
    if (mail.length > 0)
      add('email', isTeam ? '0' : '1', { to: mail.slice(0, limits.channelRecipientsMax) }, [])
    if (numbers.length > 0) {
      const to = numbers.slice(0, limits.channelRecipientsMax)
      add('twilio', isTeam ? '2' : '3', { to }, ['accountSid', 'authToken'])
    }
    if (mail.length + numbers.length === 0)
      note('no address of it is told: create an alert channel')
  }
  return { channels, secretsOmitted, ids }
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values.filter((value) => value !== ''))]
}

/** Nothing for what is no number. */
function phoneOf({ country_code, number }: ForeignFields): string {
  const digits = `${textOf(country_code)}${textOf(number)}`.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 7 && digits.length <= 15 ? `+${digits}` : ''
}

/** Its teams and its contacts. */
function namedBy({ teams, teamids, userids, contactids }: ForeignFields): readonly string[] {
  const ofTeams = [...listOf(teams), ...listOf(teamids)].map((one) =>
    textOf(typeof one === 'object' ? fieldsOf(one).id : one),
  )
  const ofContacts = [...listOf(userids), ...listOf(contactids)].map(textOf)
  return [...ofTeams.map((id) => `team/${id}`), ...ofContacts.map((id) => `contact/${id}`)]
}

export function alertedBy(item: ForeignFields, { ids }: PingdomPeople): ForeignFields {
  const channels = [...new Set(namedBy(item).flatMap((one) => ids.get(one) ?? []))]
  const integrations = listOf(item.integrationids)
  const isSilent = namedBy(item).length === 0 && integrations.length === 0
  // Only what is told of each check has its teams.
  if (isSilent && Array.isArray(item.teams)) return { alertsNobody: true }
  if (channels.length === 0) return {}
  return { notifyChannelIds: channels.slice(0, limits.notifyChannelsMax) }
}
