// Whom Better Stack tells, and when: escalation policies as channels with a delay.
//
// A channel here waits for as long as an incident stays open and nobody acknowledges it, which is what a step of a policy
// does. So each person and service that a step tells becomes a channel. One that waits for two different times becomes two.
// Policies: https://betterstack.com/docs/uptime/api/policies-api-response-params/
// Calendars: https://betterstack.com/docs/uptime/api/on-call-calendar-api-response-params/
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  listOf,
  type NotesOf,
  nameOf,
  numberOf,
  textOf,
  within,
} from '../foreign.ts'
import { type StackTarget, stackKinds } from './integrations.ts'

export interface Escalation {
  readonly channels: readonly ForeignItem[]
  readonly secretsOmitted: readonly string[]
  /** By `monitor/<id>` and `heartbeat/<id>`: the fields of who hears of it. */
  readonly bound: ReadonlyMap<string, ForeignFields>
}

interface StackLists {
  readonly ofType: (...types: string[]) => readonly ForeignFields[]
  /** Rotations of calendars by their ids. */
  readonly rotations: ForeignFields
}

interface StackAlerted {
  readonly there: string
  readonly name: string
  readonly fields: ForeignFields
}

/** Somebody who may be told. */
interface Addressee extends StackTarget {
  readonly origin: string
  readonly name: string
  readonly digits: string
}

/** What a policy makes of its monitors. */
interface Told {
  readonly ids: readonly string[]
  readonly fields: ForeignFields
}

export function escalationOf(
  watched: readonly StackAlerted[],
  { ofType, rotations }: StackLists,
  notesOf: NotesOf,
): Escalation {
  const channels = new Map<string, ForeignItem>()
  const secretsOmitted: string[] = []
  const addressees = new Map<string, Addressee>()
  /** The first integrations of each type, of which a monitor has no more. */
  const ofKind = new Map<string, readonly Addressee[]>()
  const calendars = ofType('on_call_calendar')
  const users = usersOf(ofType, calendars)
  const idsOfMail = new Map([...users].map(([id, address]) => [address, id]))
  const severities = new Map(ofType('urgency').map((one) => [textOf(one.id), attributesOf(one)]))
  for (const calendar of calendars) addCalendar(calendar)
  for (const [id, address] of users) {
    const target = mailTo([address])
    addressees.set(`user/${id}`, { ...target, ...placed(`user/${id}`, '2', id, address) })
  }
  for (const [index, kind] of stackKinds.entries()) {
    for (const item of ofType(kind.type)) addIntegration(kind, index, item)
  }

  function addCalendar(calendar: ForeignFields): void {
    const id = textOf(calendar.id)
    const title = textOf(attributesOf(calendar).name)
    const name = nameOf(title === '' ? 'On call' : `On call (${title})`, 'On call')
    const origin = `on-call/${id}`
    const { data } = fieldsOf(fieldsOf(calendar.relationships).on_call_users)
    const now = listOf(data).map((one) => users.get(textOf(fieldsOf(one).id)) ?? '')
    const turns = listOf(fieldsOf(rotations[id]).users).map(textOf)
    const all = [...new Set([...now, ...turns].filter((address) => address !== ''))]
    const note = notesOf(name, origin)
    if (all.length > 1) note(`${all.length} people take turns there: here all of them are told`)
    if (all.length > limits.channelRecipientsMax)
      note(`its addresses beyond ${limits.channelRecipientsMax}`)
    const target = mailTo(all.slice(0, limits.channelRecipientsMax))
    addressees.set(origin, { ...target, ...placed(origin, '1', id, name) })
  }

  function addIntegration(
    { type, word, made }: (typeof stackKinds)[number],
    index: number,
    item: ForeignFields,
  ): void {
    const id = textOf(item.id)
    const origin = `${type.replaceAll('_', '-')}/${id}`
    const fields = attributesOf(item)
    const name = nameOf(fields.name ?? fields.slack_channel_name, `${word} ${id}`)
    const target = made(fields, notesOf(name, origin))
    if (!target) return
    const one = { ...target, ...placed(origin, `${3 + index}`, id, name) }
    addressees.set(origin, one)
    const others = ofKind.get(type) ?? []
    if (others.length < limits.notifyChannelsMax) ofKind.set(type, [...others, one])
  }

  /** The id of its channel with this delay; undefined if no document has a place for it. */
  function channelOf(one: Addressee, delayMinutes: number): string | undefined {
    if (!/^\d{1,20}$/.test(one.digits.slice(1))) return undefined
    const mark = `${one.digits[0]}${String(delayMinutes).padStart(4, '0')}`
    const id = `chn_${mark}${one.digits.slice(1).padStart(21, '0')}`
    if (channels.has(id)) return id
    secretsOmitted.push(...one.lacked.map((field) => `/channels/${channels.size}/config/${field}`))
    const isDelayed = delayMinutes > 0
    channels.set(id, {
      id,
      origin: isDelayed ? `${one.origin}/after/${delayMinutes}` : one.origin,
      name: nameOf(isDelayed ? `${one.name}, after ${delayMinutes} min` : one.name, one.name),
      type: one.type,
      config: one.config,
      ...(one.events === undefined ? {} : { events: one.events }),
      ...(isDelayed ? { delayMinutes } : {}),
      isDefault: false,
    })
    return id
  }

  /** The people and services that a member of a step names. Undefined: the API tells no address of them. */
  function membersOf(member: ForeignFields): readonly Addressee[] | undefined {
    const type = textOf(member.type)
    const id = textOf(member.id)
    if (type === 'current_on_call') return known(`on-call/${id || defaultCalendar({})}`)
    if (type === 'user') {
      return known(`user/${id || idsOfMail.get(textOf(member.email))}`)
    }
    const kind = stackKinds.find(({ one, every }) => one === type || every === type)
    if (!kind) return undefined
    if (type === kind.one && id !== '') return known(`${kind.type.replaceAll('_', '-')}/${id}`)
    return ofKind.get(kind.type) ?? []
  }

  function known(origin: string): readonly Addressee[] | undefined {
    const one = addressees.get(origin)
    return one && (one.type !== 'email' || listOf(one.config.to).length > 0) ? [one] : undefined
  }

  const usual = calendars.filter((one) => attributesOf(one).default_calendar === true)
  const usualOf = new Map(usual.map((one) => [textOf(attributesOf(one).team_name), one]))

  function defaultCalendar({ team_name }: ForeignFields): string {
    return textOf((usualOf.get(textOf(team_name)) ?? usual[0])?.id)
  }

  function policyOf(policy: ForeignFields): Told {
    const fields = attributesOf(policy)
    const steps = listOf(fields.steps ?? policy.steps).map(fieldsOf)
    const note = notesOf(nameOf(fields.name, 'Policy'), `policy/${textOf(policy.id)}`)
    const ids: string[] = []
    let seconds = 0
    for (const [index, step] of steps.entries()) {
      const which = `step ${index + 1}`
      const type = textOf(step.type)
      seconds += Math.max(0, numberOf(step.wait_before) ?? 0)
      if (textOf(step.wait_until_time) !== '')
        note(`${which} waits until ${clip(textOf(step.wait_until_time), 20)}: here it does not`)
      if (type !== 'escalation') {
        note(`${which} (${otherSteps[type] ?? clip(type, 40)})`)
        continue
      }
      const minutes = Math.ceil(seconds / 60)
      if (minutes > limits.channelDelayMinutesMax)
        note(`${which} comes after a day: here after a day`)
      const isMailed = severities.get(textOf(step.urgency_id))?.email !== false
      for (const member of listOf(step.step_members).map(fieldsOf)) {
        const found = membersOf(member)
        if (found === undefined) note(`${which} tells ${wordOf(member)}: create a channel for it`)
        for (const one of found ?? []) {
          const isQuiet = one.type === 'email' && !isMailed
          if (isQuiet)
            note(`${which} tells "${one.name}" by telephone alone: create a channel for it`)
          const id = isQuiet
            ? undefined
            : channelOf(one, within(minutes, 0, limits.channelDelayMinutesMax))
          if (id !== undefined) ids.push(id)
        }
      }
    }
    if (textOf(fields.fallback_policy_id) !== '') note('the policy that follows it')
    const again = numberOf(fields.repeat_count) ?? 0
    const round = Math.ceil((seconds + (numberOf(fields.repeat_delay) ?? 0)) / 60)
    if (again > 0) note(`that it is repeated ${again} times: here until somebody acknowledges`)
    return {
      ids: [...new Set(ids)],
      fields: {
        ...(again > 0 ? { reminderMinutes: within(round, 1, limits.reminderMinutesMax) } : {}),
        ...(steps.length === 0 ? { alertsNobody: true } : {}),
      },
    }
  }

  const policies = new Map(ofType('policy').map((one) => [textOf(one.id), one]))
  const named = new Set(watched.map(({ fields }) => textOf(fields.policy_id)))
  const told = new Map<string, Told>()
  for (const [id, policy] of policies) {
    if (named.has(id)) told.set(id, policyOf(policy))
    else notesOf(nameOf(attributesOf(policy).name, 'Policy'), `policy/${id}`)('no monitor has it')
  }
  const alongside = [...ofKind.values()].flat().filter(({ isAlongside }) => isAlongside)

  /** Who hears of what has no policy: the person on call, and integrations. */
  function withoutPolicy({ there, name, fields }: StackAlerted): Told {
    const note = notesOf(name, there)
    const wait = numberOf(fields.team_wait)
    if (wait !== undefined) note(`that its team is told after ${Math.ceil(wait / 60)} min`)
    const person = known(`on-call/${defaultCalendar(fields)}`) ?? []
    const ids = [...(fields.email === false ? [] : person), ...alongside].flatMap(
      (one) => channelOf(one, 0) ?? [],
    )
    const ways = [fields.email, fields.call, fields.sms, fields.push]
    const isSilent = ids.length === 0 && ways.every((way) => way === false) && wait === undefined
    return { ids, fields: isSilent ? { alertsNobody: true } : {} }
  }

  const bound = new Map(
    watched.map((one) => {
      const policy = textOf(one.fields.policy_id)
      const { ids, fields } =
        policy === '' ? withoutPolicy(one) : (told.get(policy) ?? { ids: [], fields: {} })
      const notifyChannelIds = ids.slice(0, limits.notifyChannelsMax)
      return [one.there, { ...fields, ...(ids.length === 0 ? {} : { notifyChannelIds }) }]
    }),
  )
  return { channels: [...channels.values()], secretsOmitted, bound }
}

const otherSteps: Readonly<Record<string, string>> = {
  time_branching: 'another policy at some times of the week',
  metadata_branching: 'another policy for some incidents',
  instructions: 'instructions for who is told',
}

const memberWords: Readonly<Record<string, string>> = {
  current_on_call: 'who is on call, whose address is not known',
  user: 'a person whose address is not known',
  entire_team: 'the whole team',
  policy: 'whom another policy tells',
  incident_metadata: 'whom an incident names',
}

function wordOf({ type }: ForeignFields): string {
  const word = textOf(type)
  return memberWords[word] ?? clip(word.replaceAll('_', ' '), 60)
}

function attributesOf(item: ForeignFields): ForeignFields {
  return fieldsOf(item.attributes)
}

function placed(origin: string, kind: string, id: string, name: string) {
  return { origin, name, digits: `${kind}${id}` }
}

function mailTo(to: readonly string[]): StackTarget {
  return { type: 'email', config: { to }, lacked: [], isAlongside: false }
}

/** Addresses of people by their ids: of those who are on call now, which is all that the API tells. */
function usersOf(
  ofType: StackLists['ofType'],
  calendars: readonly ForeignFields[],
): ReadonlyMap<string, string> {
  const people = [
    ...ofType('user', 'on_call_user').map((one) => [one.id, attributesOf(one).email] as const),
    ...calendars.flatMap(({ relationships }) =>
      listOf(fieldsOf(fieldsOf(relationships).on_call_users).data)
        .map(fieldsOf)
        .map(({ id, meta }) => [id, fieldsOf(meta).email] as const),
    ),
  ]
  const named = people.map(([id, email]) => [textOf(id), textOf(email)] as const)
  return new Map(named.filter(([id, email]) => id !== '' && /^\S+@\S+$/.test(email)))
}
