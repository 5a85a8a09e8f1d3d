// Checks of Checkly: answers of its public API.
//
// The fields: https://www.checklyhq.com/docs/api-reference/
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignItem,
  type ForeignMonitor,
  fieldsOf,
  itemsOf,
  listOf,
  type Note,
  type NotesOf,
  nameOf,
  numberOf,
  tagsOf,
  textOf,
  within,
} from '../foreign.ts'
import { pointWindow } from '../point-windows.ts'
import { type ChecklyChannels, channelsOf } from './channels.ts'
import { type ChecklyWatched, pastOf } from './past.ts'
import { targetOf } from './target.ts'

const lists = [
  'checks',
  'groups',
  'alertChannels',
  'privateLocations',
  'maintenanceWindows',
] as const

/**
 * `answers`: the lists of checks, groups, alert channels, private locations, maintenance windows and variables, in any
 * order; or one object with all of them, as `checklyApi` reads them. `results` are those that failed, by the ids of checks.
 */
export function fromCheckly(answers: readonly unknown[]): ForeignDocument {
  const listed = answers.flatMap((answer) => (Array.isArray(answer) ? answer : [])).map(fieldsOf)
  const named = answers.filter((answer) => !Array.isArray(answer)).map(fieldsOf)
  const of = (list: string) => [
    ...named.flatMap((one) => listOf(one[list])).map(fieldsOf),
    ...named.filter((one) => listOfItem(one) === list),
    ...listed.filter((one) => listOfItem(one) === list),
  ]
  const [checks, groups, alertChannels, privateLocations, windows] = lists.map(of)
  const items = itemsOf(checks, 'checks')
  const notes = createNotes()
  const readAtMs = Math.max(...named.map(({ readAt }) => Date.parse(textOf(readAt)) || 0), 0)
  const channels = channelsOf(alertChannels ?? [], notes.of)
  const groupById = new Map((groups ?? []).map((group) => [textOf(group.id), group]))
  const places = new Map(
    (privateLocations ?? []).flatMap(({ id, slugName, name }) => [
      [textOf(id), textOf(name)],
      [textOf(slugName), textOf(name)],
    ]),
  )
  const context = {
    ...{ channels, groupById, places, notesOf: notes.of },
    subscribed: subscriptionsOf(alertChannels ?? []),
    variables: valuesOf(of('variables')),
  }
  const made = items.flatMap((item, index) => monitorIn(item, index, context) ?? [])
  noteWhole(items, notes.of(null))
  const results = Object.assign({}, ...named.map((one) => fieldsOf(one.results)))
  return {
    // The ids are those of the whole service.
    source: { product: 'checkly', installation: 'checklyhq.com' },
    ...(channels.channels.length === 0
      ? {}
      : { channels: channels.channels, secretsOmitted: channels.secretsOmitted }),
    monitors: made.map(({ monitor }) => monitor),
    maintenance: (windows ?? []).flatMap((one) => windowOf(one, made, readAtMs, notes.of) ?? []),
    history: pastOf(results, made, readAtMs, notes.of(null)),
    notes: notes.all(),
  }
}

/** What only the items of a list have. */
function listOfItem(item: ForeignFields): string | undefined {
  if ('checkType' in item) return 'checks'
  if ('apiCheckDefaults' in item) return 'groups'
  if ('sendFailure' in item) return 'alertChannels'
  if ('slugName' in item) return 'privateLocations'
  if ('startsAt' in item) return 'maintenanceWindows'
  return 'key' in item && 'value' in item ? 'variables' : undefined
}

function noteWhole(items: readonly ForeignFields[], note: Note): void {
  if (items.length === 0) return
  const places = new Set(items.flatMap(({ locations }) => listOf(locations).map(textOf)))
  if (places.size > 0) {
    note(
      `the places that it looks from (${clip([...places].join(', '), 150)}): set up probes, and choose them as locations`,
    )
  }
  const global = items.filter((item) => item.useGlobalAlertSettings === true).length
  if (global > 0) {
    note(
      `the alert settings of the account, which ${global} checks have, are not told: a failure is confirmed once`,
    )
  }
}

interface ChecklyContext {
  readonly channels: ChecklyChannels
  /** The channels that name a check or group themselves, by that: see `subscriptionsOf`. */
  readonly subscribed: ReadonlyMap<string, readonly string[]>
  readonly groupById: ReadonlyMap<string, ForeignFields>
  /** The names of private locations, by their ids and slugs. */
  readonly places: ReadonlyMap<string, string>
  /** The values of the account. */
  readonly variables: ReadonlyMap<string, string>
  readonly notesOf: NotesOf
}

interface ChecklyMonitor extends ChecklyWatched {
  readonly id: string
  readonly tags: readonly string[]
  readonly monitor: ForeignMonitor
}

function monitorIn(
  given: ForeignFields,
  index: number,
  context: ChecklyContext,
): ChecklyMonitor | undefined {
  const there = textOf(given.id)
  const origin = `check/${there}`
  const name = nameOf(given.name, `Check ${index + 1}`)
  const note = context.notesOf(name, origin)
  const group = context.groupById.get(textOf(given.groupId)) ?? {}
  const defaults = fieldsOf(group.apiCheckDefaults)
  const own = [group.environmentVariables, given.environmentVariables].flatMap(listOf)
  const filled = withVariables({ ...given, defaults }, [valuesOf(own), context.variables])
  const item = filled.item
  const target = targetOf(item, fieldsOf(item.defaults), note)
  if (target === undefined) return undefined
  if (filled.missing.length > 0) {
    note(
      `its variables ${clip(filled.missing.join(', '), 150)}, whose values are not told: write them into it; it is paused`,
    )
  }
  const tags = tagsOf([...listOf(given.tags), ...listOf(group.tags), group.name ?? ''])
  noteOthers(given, group, context, note)
  const id = `mon_${String(index + 1).padStart(26, '0')}`
  const description = clip(textOf(given.description), limits.descriptionCharsMax)
  const isActive = given.activated !== false && group.activated !== false
  const monitor: ForeignMonitor = {
    ...{ id, origin, name },
    // A heartbeat has a pace of its own.
    ...('intervalSeconds' in target ? {} : paceOf(given, group)),
    ...target,
    ...alertsOf(given, group, target, context),
    isActive: isActive && target.isActive !== false && filled.missing.length === 0,
    ...(tags.length === 0 ? {} : { tags }),
    ...(description === '' ? {} : { description }),
  }
  const intervalSeconds = numberOf(monitor.intervalSeconds) ?? 600
  const tagsThere = listOf(given.tags).map(textOf)
  return { id, there, origin, fields: given, intervalSeconds, tags: tagsThere, monitor }
}

const variableForm = /\{\{\{?\s?(\w{1,100})\s?\}?\}\}/g

/** The last one counts of those with the same name. */
function valuesOf(variables: readonly unknown[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const one of variables.map(fieldsOf)) {
    if (one.secret !== true && textOf(one.value) !== '')
      values.set(textOf(one.key), textOf(one.value))
  }
  return values
}

/** Puts the values of variables in, those of the check first; names the ones without a value. */
function withVariables(item: ForeignFields, scopes: readonly ReadonlyMap<string, string>[]) {
  const missing = new Set<string>()
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replace(variableForm, (all, name) => {
        if (name === 'GROUP_BASE_URL') return all
        const found = scopes.find((one) => one.has(name))?.get(name)
        if (found === undefined) missing.add(name)
        return found ?? all
      })
    }
    if (Array.isArray(value)) return value.map(filled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one)]))
  }
  const { request, defaults } = item
  return {
    item: { ...item, request: filled(request), defaults: filled(defaults) },
    missing: [...missing],
  }
}

/** A frequency of 0 means seconds, which are in the offset. */
function paceOf(item: ForeignFields, group: ForeignFields): ForeignFields {
  const minutes = numberOf(item.frequency) ?? 10
  const seconds = minutes > 0 ? minutes * 60 : (numberOf(item.frequencyOffset) ?? 30)
  const intervalSeconds = within(seconds, limits.intervalSecondsMin, limits.intervalSecondsMax)
  const timeoutMsMax = Math.min(limits.timeoutMsMax, intervalSeconds * 1_000)
  const timeoutMs = within(
    numberOf(item.maxResponseTime) ?? 30_000,
    limits.timeoutMsMin,
    timeoutMsMax,
  )
  const slowMs = numberOf(item.degradedResponseTime) ?? 0
  const retries = fieldsOf(item.retryStrategy ?? group.retryStrategy)
  const count = textOf(retries.type) === 'SINGLE_RETRY' ? 1 : (numberOf(retries.maxRetries) ?? 0)
  const backoff = numberOf(retries.baseBackoffSeconds) ?? 0
  const most = Math.max(limits.retryIntervalSecondsMin, intervalSeconds)
  return {
    intervalSeconds,
    timeoutMs,
    ...(slowMs > 0 && slowMs < timeoutMs ? { degradedThresholdMs: Math.round(slowMs) } : {}),
    failureThreshold: within(thresholdOf(item, group, minutes) + count, 1, limits.thresholdMax),
    recoveryThreshold: 1,
    ...(count > 0 && backoff > 0
      ? { retryIntervalSeconds: within(backoff, limits.retryIntervalSecondsMin, most) }
      : {}),
  }
}

/** Runs that fail before somebody is told. */
function thresholdOf(item: ForeignFields, group: ForeignFields, minutes: number): number {
  if (item.useGlobalAlertSettings === true) return 1
  const { escalationType, runBasedEscalation, timeBasedEscalation } = settingsOf(item, group)
  if (textOf(escalationType) !== 'TIME_BASED') {
    return numberOf(fieldsOf(runBasedEscalation).failedRunThreshold) ?? 1
  }
  const failing = numberOf(fieldsOf(timeBasedEscalation).minutesFailingThreshold) ?? 0
  return 1 + Math.ceil(failing / Math.max(1, minutes))
}

function settingsOf(item: ForeignFields, group: ForeignFields): ForeignFields {
  const isOfGroup = group.alertSettings && group.useGlobalAlertSettings === false
  return fieldsOf(isOfGroup ? group.alertSettings : item.alertSettings)
}

/** Subscriptions stand with the check, its group, or the channel. */
function alertsOf(
  item: ForeignFields,
  group: ForeignFields,
  target: ForeignFields,
  { channels, subscribed }: ChecklyContext,
): ForeignFields {
  const own = [item, group]
    .flatMap((one) => listOf(one.alertChannelSubscriptions).map(fieldsOf))
    .filter(({ activated }) => activated !== false)
    .map(({ alertChannelId }) => textOf(alertChannelId))
  const theirs = [`check/${textOf(item.id)}`, `group/${textOf(item.groupId)}`].flatMap(
    (one) => subscribed.get(one) ?? [],
  )
  const ids = [...new Set([...own, ...theirs])]
  const notifyChannelIds = ids.flatMap((id) => channels.ids.get(id) ?? [])
  const days = ids.flatMap((id) => channels.warnDays.get(id) ?? [])
  const reminders = fieldsOf(settingsOf(item, group).reminders)
  const again = (numberOf(reminders.amount) ?? 0) > 0 ? (numberOf(reminders.interval) ?? 0) : 0
  const warnDays = [...new Set(days)].map((one) => within(one, 1, limits.certificateWarnDaysMax))
  return {
    ...(ids.length === 0 && Array.isArray(item.alertChannelSubscriptions)
      ? { alertsNobody: true }
      : {}),
    ...(notifyChannelIds.length === 0
      ? {}
      : { notifyChannelIds: notifyChannelIds.slice(0, limits.notifyChannelsMax) }),
    ...(again > 0 ? { reminderMinutes: within(again, 1, limits.reminderMinutesMax) } : {}),
    ...('acceptedStatuses' in target ? { certificateWarnDays: warnDays.slice(0, 10) } : {}),
  }
}

/** What alerts a check or group, by `check/<id>` and `group/<id>`, as its channels say it. */
function subscriptionsOf(channels: readonly ForeignFields[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { id, subscriptions } of channels) {
    for (const one of listOf(subscriptions).map(fieldsOf)) {
      if (one.activated === false) continue
      for (const kind of ['check', 'group'] as const) {
        const there = textOf(one[`${kind}Id`])
        if (there === '') continue
        const known = found.get(`${kind}/${there}`) ?? []
        found.set(`${kind}/${there}`, known)
        known.push(textOf(id))
      }
    }
  }
  return found
}

function noteOthers(
  item: ForeignFields,
  group: ForeignFields,
  { places }: ChecklyContext,
  note: Note,
): void {
  const own = [...listOf(item.privateLocations), ...listOf(group.privateLocations)].map(textOf)
  if (own.length > 0) {
    const words = [...new Set(own)].map((one) => places.get(one) ?? one).join(', ')
    note(
      `its private locations ${clip(words, 150)}: set up probes there, and choose them as locations`,
    )
  }
  if (item.muted === true || group.muted === true) {
    note('that it is muted: pause it here, or give it a channel that is switched off')
  }
  const parallel = fieldsOf(settingsOf(item, group).parallelRunFailureThreshold)
  if (parallel.enabled === true) {
    note(
      `that ${textOf(parallel.percentage)} % of its places must fail: choose downWhen with its locations`,
    )
  }
  const trigger = fieldsOf(item.triggerIncident)
  if (Object.keys(trigger).length > 0) note('the incident on a status page that it begins')
}

function windowOf(
  item: ForeignFields,
  made: readonly ChecklyMonitor[],
  readAtMs: number,
  notesOf: NotesOf,
): ForeignItem | undefined {
  const there = textOf(item.id)
  const origin = `maintenance-window/${there}`
  const name = nameOf(item.name, `Window ${there}`)
  const note = notesOf(name, origin)
  const tags = new Set(listOf(item.tags).map(textOf))
  // Without tags, it is for all.
  const monitorIds = made
    .filter((one) => tags.size === 0 || one.tags.some((tag) => tags.has(tag)))
    .map(({ id }) => id)
  const timeOf = (value: unknown) => Date.parse(textOf(value)) || 0
  const times = {
    startMs: timeOf(item.startsAt),
    endMs: timeOf(item.endsAt),
    untilMs: timeOf(item.repeatEndsAt),
    readAtMs,
  }
  const every = textOf(item.repeatUnit).toLowerCase()
  const count = numberOf(item.repeatInterval) ?? 1
  const found =
    monitorIds.length === 0
      ? 'no check here has one of its tags'
      : pointWindow({ ...times, every, count }, note)
  if (typeof found !== 'string') return { name, origin, monitorIds, ...found }
  note(`this window was left out: ${found}`)
  return undefined
}
