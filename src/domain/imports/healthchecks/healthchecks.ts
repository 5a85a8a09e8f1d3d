// Checks of Healthchecks: answers of its Management API, in versions 1 to 3.
//
// The fields: hc/api/models.py, Check.to_dict, Channel.to_dict and Flip.to_dict.
import { hash } from 'node:crypto'
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import { cronProblem } from '../../schedule/cron.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignMonitor,
  type ForeignSource,
  fieldsOf,
  itemsOf,
  listOf,
  type Note,
  nameOf,
  numberOf,
  pushPace,
  tagsOf,
  textOf,
} from '../foreign.ts'
import { keptOf, type PingContext } from '../healthchecks-kept.ts'
import { cronOfCalendar } from './calendar.ts'
import { historiesOf } from './flips.ts'
import { integrationIdsOf, integrationsOf } from './integrations.ts'

/**
 * `document`: an object with `checks`, or the list itself. With it may be `channels`, the answer about the
 * integrations; `badges`, by which the project is known; `flips`, the answers about status changes by the UUID or the unique key of their check, read at
 * `readAt`, an ISO time; and `pingKey`, by which senders report to slugs.
 */
export function fromHealthchecks(document: unknown): ForeignDocument {
  const { checks, channels, badges, flips, readAt, pingKey: givenKey } = fieldsOf(document)
  const items = itemsOf(checks ?? document, 'checks')
  const notes = createNotes()
  const keys = distinctKeysOf(items)
  const found = items.map((item, index) => ({
    item,
    key: keys[index],
    name: nameOf(item.name, textOf(item.slug) || `Check ${keys[index]?.slice(0, 8) ?? index + 1}`),
  }))
  const integrations = integrationsOf(channels, checksByIntegration(found), notes.of)
  const pingKey = textOf(givenKey) || undefined
  const shared = sharedSlugs(items)
  const sharers = new Map<string, number>()
  const monitors = found.map(({ item, key, name }) => {
    const slug = textOf(item.slug)
    const isSlugShared = shared.has(slug)
    const nth = (sharers.get(slug) ?? 0) + 1
    sharers.set(slug, nth)
    const origin = key === undefined ? undefined : `check/${key}`
    const channelIds = integrationIdsOf(item).flatMap((id) => integrations.ids.get(id) ?? [])
    return {
      ...(origin === undefined ? {} : { origin }),
      ...monitorOf(item, name, {
        note: notes.of(name, origin),
        pingKey: nth > sharersMax ? undefined : pingKey,
        isSlugShared,
      }),
      ...(channelIds.length === 0 ? {} : { notifyChannelIds: channelIds }),
      // With a key that may only read, integrations are not told.
      ...(item.channels === '' ? { alertsNobody: true } : {}),
    }
  })
  noteAddresses(monitors, items, pingKey !== undefined, notes.of(null))
  noteWhole(items, channels !== undefined, notes.of(null))
  const source = sourceOf(items, badges)
  const readAtMs = Date.parse(textOf(readAt))
  const flipsByKey = fieldsOf(flips)
  const past = found.flatMap(({ item, key }) => {
    const answer = flipsByKey[textOf(item.uuid) || textOf(item.unique_key)]
    if (key === undefined || answer === undefined) return []
    return { origin: `check/${key}`, flips: answer, status: textOf(item.status) }
  })
  const unread = flips === undefined ? 0 : found.length - past.length
  if (unread > 0) notes.of(null)(`the status changes of ${unread} checks, which could not be read`)
  return {
    ...(source === undefined ? {} : { source }),
    ...(integrations.channels.length === 0
      ? {}
      : { channels: integrations.channels, secretsOmitted: integrations.secretsOmitted }),
    ...(pingKey === undefined ? {} : { keptPingKeys: [pingKey] }),
    monitors,
    ...(channels === undefined ? { untoldFields: untoldIn(items) } : {}),
    notes: notes.all(),
    ...(Number.isNaN(readAtMs) ? {} : { history: historiesOf(past, readAtMs) }),
  }
}

/** A file of checks tells no integrations; by a key that only reads, it does not tell either which checks have none. */
function untoldIn(items: readonly ForeignFields[]): readonly string[] {
  const isSaid = items.some(({ channels }) => channels !== undefined)
  return ['notifyChannelIds', ...(isSaid ? [] : ['alertsNobody'])]
}

/**
 * What both kinds of keys tell of a check: its unique key, which is made of the first half of its UUID
 * (Check.unique_key).
 */
function keyOf({ uuid, unique_key }: ForeignFields): string | undefined {
  const hex = textOf(uuid).replaceAll('-', '').toLowerCase()
  if (/^[0-9a-f]{32}$/.test(hex)) return hash('sha1', hex.slice(0, 16))
  const key = textOf(unique_key)
  return /^[0-9a-f]{40}$/.test(key) ? key : undefined
}

/** Keys that are equal tell nothing apart: then the UUID does, if it is told. */
function distinctKeysOf(items: readonly ForeignFields[]): readonly (string | undefined)[] {
  const keys = items.map(keyOf)
  const seen = new Set<string>()
  const again = new Set(keys.filter((key) => key !== undefined && seen.size === seen.add(key).size))
  return items.map(({ uuid }, index) => {
    const key = keys[index]
    if (!again.has(key)) return key
    return textOf(uuid) || undefined
  })
}

/** Checks that keep a slug of many: so many are enough for nobody to report by it. */
const sharersMax = 50

interface FoundCheck {
  readonly item: ForeignFields
  readonly name: string
}

function checksByIntegration(found: readonly FoundCheck[]) {
  const names = new Map<string, string[]>()
  for (const { item, name } of found) {
    for (const id of integrationIdsOf(item)) {
      const users = names.get(id) ?? []
      users.push(name)
      names.set(id, users)
    }
  }
  return names
}

/**
 * The host of the service: every address but that of pings is below its root. Where the badges are told, with a mark of
 * the project, whose key they all have in their addresses (hc/accounts/models.py, Project.badge_key).
 */
function sourceOf(items: readonly ForeignFields[], badges: unknown): ForeignSource | undefined {
  const [, key] = /\/badge\/([^/]{1,150})\//.exec(firstText(badges)) ?? []
  const project = key === undefined ? '' : ` ${hash('sha256', key).slice(0, 16)}`
  for (const { badge_url, update_url, ping_url } of items) {
    for (const address of [badge_url, update_url, ping_url]) {
      const host = URL.parse(textOf(address))?.host
      if (host) return { product: 'healthchecks', installation: `${host}${project}` }
    }
  }
  return undefined
}

/** The first address of the first badge. */
function firstText(badges: unknown): string {
  const [first] = listOf(badges)
  return textOf(listOf(first)[0]).slice(0, limits.urlCharsMax)
}

/** What concerns all checks alike. */
function noteWhole(items: readonly ForeignFields[], hasChannels: boolean, note: Note): void {
  if (items.length === 0) return
  if (items.some((item) => item.unique_key !== undefined)) {
    const why =
      'the key may only read, so which integrations a check has and its ping address are not told'
    note(`${why}: take a key that may write`)
  }
  if (items.some(({ channels }) => textOf(channels) !== '')) {
    note(
      hasChannels
        ? 'of integrations only name and kind are told: enter where each sends to, and choose its events'
        : 'the integrations: create alert channels for them',
    )
  }
  if (items.some(({ badge_url }) => textOf(badge_url) !== '')) {
    note('badges and members of the project: status pages have badges, and people are invited')
  }
}

function sharedSlugs(items: readonly ForeignFields[]): ReadonlySet<string> {
  const slugs = items.map(({ slug }) => textOf(slug))
  const seen = new Set<string>()
  return new Set(slugs.filter((slug) => seen.size === seen.add(slug).size))
}

/** At which addresses senders may go on reporting. */
function noteAddresses(
  monitors: readonly ForeignMonitor[],
  items: readonly ForeignFields[],
  hasPingKey: boolean,
  note: Note,
): void {
  const without = monitors.filter(({ keptAddresses }) => keptAddresses === undefined).length
  if (without > 0) {
    const which = `the ping addresses of ${without} of ${monitors.length} checks`
    note(`${which} are new ones: change them in the senders`)
  }
  if (!hasPingKey && items.some(({ slug }) => textOf(slug) !== '')) {
    note(
      'addresses by ping key and slug: add the key as `pingKey` beside `checks` of a file and import that, ' +
        'or change the senders that report there',
    )
  }
}

function monitorOf(item: ForeignFields, name: string, context: PingContext): ForeignMonitor {
  const { note } = context
  const pace = paceOf(item, note)
  const kept = keptOf(item, { ...context, isUnscheduled: !pace.isActive })
  const isPaused = textOf(item.status) === 'paused'
  const isResumedByPings = isPaused && item.manual_resume === false
  if (isResumedByPings && kept.keptAddresses === undefined)
    note('that a ping resumes it: here somebody does')
  noteWords(item, kept.keptAddresses !== undefined, note)
  const description = textOf(item.desc)
  const tags = textOf(item.tags).split(/\s+/)
  if (description.length > limits.descriptionCharsMax) {
    note(`the end of its description: it has at most ${limits.descriptionCharsMax} characters`)
  }
  if (tags.length > limits.tagsMax) note(`more than ${limits.tagsMax} tags`)
  return {
    name,
    checkType: 'push',
    ...pace,
    isActive: !isPaused && pace.isActive,
    tags: tagsOf(tags),
    ...(description === '' ? {} : { description: clip(description, limits.descriptionCharsMax) }),
    ...kept,
  }
}

const wordLists = ['start_kw', 'success_kw', 'failure_kw'] as const

/** What a ping must be like there to count, or to mean what it means. At kept addresses that holds for requests. */
function noteWords(item: ForeignFields, isKept: boolean, note: Note): void {
  if (textOf(item.methods) === 'POST' && !isKept) {
    note('that it takes POST only: any method is taken')
  }
  const filters = ['filter_subject', 'filter_body', 'filter_http_body'] as const
  const parts = ['the subject of mail', 'the body of mail', 'the body of requests']
  const asked = parts.filter((_, index) => {
    const filter = filters[index] ?? 'filter_body'
    return item[filter] === true && !(isKept && filter === 'filter_http_body')
  })
  // Former versions of the API know words of the subject only.
  const isSubject = textOf(item.subject) !== '' || textOf(item.subject_fail) !== ''
  if (asked.length === 0 && !isSubject) return
  const words = wordLists.map((list) => textOf(item[list])).filter((list) => list !== '')
  const where = asked.length === 0 ? parts[0] : asked.join(', ')
  const otherwise = item.filter_default_fail === true ? '; other pings are failures there' : ''
  const listed = words.length === 0 ? '' : ` ("${words.join('", "')}")`
  note(`its words in ${where}${listed}: report a failure at the address with /error${otherwise}`)
}

const daySeconds = 86_400

interface CheckPace extends ForeignFields {
  readonly isActive: boolean
}

function paceOf(item: ForeignFields, note: Note): CheckPace {
  const graceSeconds = numberOf(item.grace) ?? 3_600
  const limited = {
    // After a start, the end is awaited for the grace and no longer (Check.going_down_after).
    maxRunSeconds: Math.min(graceSeconds, limits.graceSecondsMax),
    isActive: true,
  }
  const schedule = textOf(item.schedule)
  if (schedule === '') return { ...periodOf(item, graceSeconds, note), ...limited }
  const timezone = textOf(item.tz) || 'UTC'
  const planned = plannedBy(schedule, timezone)
  if ('problem' in planned) {
    const became = 'it is paused, with a day as its period, until you give it one'
    note(`its schedule "${schedule}" (${timezone}) ${planned.problem}: ${became}`)
    return { ...pushPace(daySeconds, graceSeconds), ...limited, isActive: false }
  }
  const { cron, lateSeconds } = planned
  if (lateSeconds > 0) {
    note(`the seconds of its schedule "${schedule}": the grace is ${lateSeconds} s longer`)
  }
  return {
    schedule: cron,
    timezone: planned.timezone ?? timezone,
    graceSeconds: Math.min(graceSeconds + lateSeconds, limits.graceSecondsMax),
    ...limited,
  }
}

function periodOf(item: ForeignFields, graceSeconds: number, note: Note): ForeignFields {
  const timeout = numberOf(item.timeout) ?? daySeconds
  const pace = pushPace(timeout, graceSeconds)
  const lateSeconds = timeout + graceSeconds - pace.intervalSeconds - pace.graceSeconds
  if (lateSeconds > 0) {
    note(`its period of ${timeout} s and grace of ${graceSeconds} s: it is missed earlier`)
  } else if (timeout > limits.intervalSecondsMax) {
    note(
      `its period of ${timeout} s became one day and a longer grace: it is missed at the same time`,
    )
  }
  return pace
}

type Planned = ReturnType<typeof cronOfCalendar>

/** As in hc/api/views.py, guess_kind: one line of five fields is cron, and all else a calendar expression. */
function plannedBy(schedule: string, timezone: string): Planned {
  const isCron = !schedule.includes('\n') && schedule.split(/\s+/).length === 5
  const planned = isCron ? plannedByCron(schedule) : cronOfCalendar(schedule)
  if ('problem' in planned) return planned
  const found = cronProblem({ cron: planned.cron, timezone: planned.timezone ?? timezone })
  return found ? { problem: found.rule } : planned
}

/** The highest value of each field. */
const fieldMax = [59, 23, 31, 12, 7] as const

/** CronSim takes `5/15` for `5-59/15`, and both restrictions of days if one of them begins with a star. */
function plannedByCron(schedule: string): Planned {
  const fields = schedule.split(/\s+/).map((field, index) =>
    field
      .split(',')
      .map((term) => term.replace(/^(\d{1,2})\/(?=\d)/, `$1-${fieldMax[index]}/`))
      .join(','),
  )
  const [, , days = '*', , weekdays = '*'] = fields
  const isBoth = days !== '*' && weekdays !== '*' && `${days} ${weekdays}`.includes('*')
  if (isBoth) return { problem: 'restricts a day by date and by weekday' }
  return { cron: fields.join(' '), timezone: null, lateSeconds: 0 }
}
