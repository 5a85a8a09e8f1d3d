// The API of maintenance windows: schemas and routes.

import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { windowStates } from '../../../domain/maintenance/window.ts'
import type { WindowChanges } from '../../../services/maintenance/window-fields.ts'
import type { WindowRecord } from '../../../services/maintenance/windows.ts'
import { timeIn } from '../../input/times.ts'
import { exampleMaintenance } from '../../openapi/examples.ts'
import { withTimes } from '../../output/times.ts'
import {
  type BodyRules,
  del,
  get,
  list,
  patch,
  post,
  resource,
  wirePage,
} from '../../routing/route.ts'
import { name, tag } from '../monitors/monitor-input-schemas.ts'

const nameIn = s.described(name, 'The name in lists and, if it is public, on status pages.')

/** Monitors that a maintenance window names; tags, or none, choose more. */
const maintenanceMonitorsMax = 1_000
/** The longest time of each occurrence of a recurring window, and of an extension. */
const maintenanceMinutesMax = 10_080

const fields = {
  description: s.optionalOrNull(
    s.text({ charsMax: limits.descriptionCharsMax }),
    "What is done, for people, in Markdown; status pages show it if the window is public. Null or `''`: none.",
  ),
  monitorIds: s.optionalOrNull(
    s.listOf(s.idOf('monitor'), maintenanceMonitorsMax),
    'The monitors that it is for. Empty, with `tags` also empty: every monitor, unless `isForAll` is false.',
  ),
  tags: s.optionalOrNull(
    s.listOf(tag, limits.tagsMax),
    'It is also for every monitor with one of these tags.',
  ),
  startsAt: s.optional(
    s.described(
      s.nullable(timeIn),
      'When it begins. A time in the past begins it now. Not with `cron`.',
      '2026-03-28T22:00:00Z',
    ),
  ),
  endsAt: s.optional(
    s.described(
      s.nullable(timeIn),
      `When it ends: in the future, and at most ${limits.maintenanceDaysMax} days after startsAt.`,
      '2026-03-29T02:00:00Z',
    ),
  ),
  cron: s.optionalOrNull(
    s.text({ charsMax: limits.cronCharsMax, example: '30 2 * * 0' }),
    'When each occurrence of a recurring window begins: a cron expression of five fields that ' +
      'names one minute of the hour, or a nickname such as `@weekly`. It needs durationMinutes.',
  ),
  durationMinutes: s.optional(
    s.described(
      s.nullable(s.integer(1, maintenanceMinutesMax)),
      'How long each occurrence lasts, also where the clock changes meanwhile. Occurrences that ' +
        'touch each other are one.',
      90,
    ),
  ),
  timezone: s.optionalOrNull(
    s.text({ charsMax: limits.timezoneCharsMax, example: 'Europe/Berlin' }),
    'The time zone of `cron`, by its IANA name. Absent: that of the organization.',
  ),
  isPublic: s.optionalOrNull(
    s.flag,
    'Whether status pages announce it, with name, description and times, from ' +
      `${limits.maintenanceAnnouncedDays} days before it. Default: false.`,
  ),
}

const WindowIn = s.object({
  name: nameIn,
  ...fields,
  isForAll: s.optionalOrNull(
    s.flag,
    'Whether every monitor is meant. With true, `monitorIds` and `tags` must be empty; with false, ' +
      'one of them must not be. Absent: it follows from them.',
  ),
})

/** A window in an exported document, and in one that is imported. */
export const windowItem = {
  out: s.object({ id: s.idOf('maintenance'), name: nameIn, ...fields }),
  in: s.object({ id: s.optional(s.idInDocument('maintenance')), name: nameIn, ...fields }),
}

const stateOut = s.described(
  s.oneOf(windowStates),
  '`active`: it is on. `scheduled`: it will be. `ended`: it will not be on again.',
)

const WindowOut = s.revised({
  id: s.idOf('maintenance'),
  orgId: s.idOf('org'),
  name: s.described(s.anyText, 'Its name.'),
  description: s.nullable(s.anyText, 'What is done; null: nothing is said.'),
  monitorIds: s.described(
    s.listOf(s.idOf('monitor'), maintenanceMonitorsMax),
    'The monitors that it is for, also deleted ones. Empty, with `tags` also empty: every monitor.',
  ),
  tags: s.described(s.listOf(s.anyText, limits.tagsMax), 'It is for monitors with one of these.'),
  isForAll: s.described(s.flag, 'Whether it is for every monitor.'),
  startsAt: s.nullable(s.isoTime, 'When it begins; null if it recurs.'),
  endsAt: s.nullable(s.isoTime, 'When it ends; null if it recurs.'),
  cron: s.nullable(s.anyText, 'When its occurrences begin; null if it is on once.'),
  durationMinutes: s.nullable(
    s.anyNumber,
    'How long each occurrence lasts; null if it is on once.',
  ),
  timezone: s.nullable(s.anyText, 'The time zone of `cron`; null if it is on once.'),
  isPublic: s.described(s.flag, 'Whether status pages announce it.'),
  state: stateOut,
  occurrences: s.described(
    s.listOf(
      s.object({
        startsAt: s.described(s.isoTime, 'When it begins.'),
        endsAt: s.described(s.isoTime, 'When it ends.'),
      }),
      limits.maintenanceOccurrencesShown,
    ),
    'The occurrence that is on, then the next ones.',
  ),
  ...s.revisionFields,
})

const WindowQuery = s.object({
  state: s.optional(s.oneOf(windowStates), 'Only windows in this state.'),
})

const ExtensionIn = s.object({
  minutes: s.described(
    s.integer(1, maintenanceMinutesMax),
    'How much longer the occurrence that is on lasts.',
  ),
})

const CancellationIn = s.object({
  startsAt: s.described(timeIn, 'When the occurrence would begin, as `occurrences` tells.'),
})

const windowTimes = withTimes('startsAt', 'endsAt', 'createdAt', 'updatedAt')

const toWire = (window: WindowRecord) => ({
  ...windowTimes(window),
  occurrences: window.occurrences.map(({ fromMs, toMs }) => ({
    startsAt: s.toIso(fromMs),
    endsAt: s.toIso(toMs),
  })),
})

/** Rules that are also judged for requests with other problems; otherwise the service refuses the same. */
const rules: BodyRules = (changes: WindowChanges, { scope, services }) =>
  scope ? services.maintenance.problems(scope, changes) : []

const member = { role: 'member' } as const
const viewer = { role: 'viewer' } as const

export const maintenanceWindows = resource('/orgs/:orgId/maintenance-windows', {
  about:
    'Planned work, once or recurring. Meanwhile checks run, but no incident opens, nobody is alerted, ' +
    'and uptime does not count the time.',
  create: post('/', {
    who: member,
    summary: 'Create a maintenance window',
    description:
      'On once, with startsAt and endsAt, or again and again, with cron and durationMinutes. While ' +
      'it is on, checks run, but no incident opens, nobody is alerted, and uptime does not count ' +
      'the time. A monitor that still fails afterwards opens an incident then.',
    example: exampleMaintenance,
    body: WindowIn,
    rules,
    out: WindowOut,
    message: 'Maintenance window created',
  }).createdBy(({ scope, body }, { maintenance }) => maintenance.create(scope, body), toWire),
  list: list('/', {
    who: viewer,
    summary: 'Maintenance windows, newest first',
    query: WindowQuery,
    out: WindowOut,
  }).handledBy(({ scope, page, query }, { maintenance }) =>
    wirePage(maintenance.list(scope, { ...page, ...query }), toWire),
  ),
  get: get('/:maintenanceId', {
    who: viewer,
    summary: 'One maintenance window',
    out: WindowOut,
  }).handledBy(({ scope, params }, { maintenance }) =>
    toWire(maintenance.get(scope, params.maintenanceId)),
  ),
  change: patch('/:maintenanceId', {
    who: member,
    summary: 'Change a maintenance window',
    description:
      'What it covered so far stays out of every uptime. Changing when it recurs forgets which of ' +
      'its occurrences were cancelled or changed.',
    example: { durationMinutes: 120 },
    body: s.patchOf(WindowIn),
    rules,
    out: WindowOut,
    message: 'Maintenance window updated',
  }).handledBy(async ({ scope, params, body, expectedRevision }, { maintenance }) =>
    toWire(await maintenance.change(scope, params.maintenanceId, body, expectedRevision)),
  ),
  remove: del('/:maintenanceId', {
    who: member,
    summary: 'Delete a maintenance window; one that is on ends',
    message: 'Maintenance window deleted',
  }).handledBy(async ({ scope, params, expectedRevision }, { maintenance }) => {
    await maintenance.remove(scope, params.maintenanceId, expectedRevision)
  }),
  end: post('/:maintenanceId/end', {
    who: member,
    summary: 'End the occurrence that is on',
    out: WindowOut,
    problems: [409],
    message: 'Maintenance ended',
  }).handledBy(async ({ scope, params, expectedRevision }, { maintenance }) =>
    toWire(await maintenance.end(scope, params.maintenanceId, expectedRevision)),
  ),
  extend: post('/:maintenanceId/extend', {
    who: member,
    summary: 'Let the occurrence that is on last longer',
    example: { minutes: 30 },
    body: ExtensionIn,
    out: WindowOut,
    problems: [409],
    message: 'Maintenance extended',
  }).handledBy(async ({ scope, params, body, expectedRevision }, { maintenance }) => {
    const { minutes } = body
    return toWire(await maintenance.extend(scope, params.maintenanceId, minutes, expectedRevision))
  }),
  cancel: post('/:maintenanceId/cancel', {
    who: member,
    summary: 'Cancel one coming occurrence of a recurring window',
    example: { startsAt: '2027-01-03T01:30:00.000Z' },
    body: CancellationIn,
    out: WindowOut,
    problems: [409],
    message: 'Occurrence cancelled',
  }).handledBy(async ({ scope, params, body, expectedRevision }, { maintenance }) => {
    const atMs = Date.parse(body.startsAt)
    return toWire(await maintenance.cancel(scope, params.maintenanceId, atMs, expectedRevision))
  }),
})
