// The API of monitors: create, read, change, pause, resume, delete, check now, and results.

import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { MonitorFields } from '../../../domain/monitors/monitor-fields.ts'
import type { MonitorEdit } from '../../../services/monitors/monitors.ts'
import { exampleMonitor } from '../../openapi/examples.ts'
import { del, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'
import { MonitorIn, MonitorPatch } from './monitor-input-schemas.ts'
import {
  CheckFilter,
  CheckOut,
  LatestOut,
  MonitorFilter,
  MonitorOut,
  ofPlace,
  RunOut,
} from './monitor-schemas.ts'
import { checkToWire, latestToWire, monitorToWire, runToWire } from './monitor-wire.ts'

/** The limits of manual checks, in words. */
export const runLimitWords =
  `At most ${limits.runsOfMonitor.quota} manual checks per minute of one monitor and ` +
  `${limits.runsOfOrg.quota} of an organization, trials included; then \`rate_limited\`.`

const member = { role: 'member' } as const
const viewer = { role: 'viewer' } as const

const StateIn = s.object({
  state: s.described(
    s.oneOf(['up', 'degraded', 'down']),
    '`degraded` counts as up, and opens an incident only with degradedOpensIncident.',
  ),
  message: s.optional(
    s.text({ charsMin: 1, charsMax: limits.errorMessageCharsMax }),
    'Why, in a sentence for people: the cause of an incident, and in the results.',
  ),
})

/** The body of a whole monitor, even if JSON escapes each byte with six characters. */
export const monitorBytesMax = 512 * 1024

export const monitors = resource('/orgs/:orgId/monitors', {
  about:
    'What is watched: web pages, certificates, ports, names and jobs that report by themselves. ' +
    'A monitor has settings, a state and results.',
  list: list('/', {
    who: viewer,
    query: MonitorFilter,
    out: MonitorOut,
    summary: 'Monitors, newest first',
    description:
      'A page may have fewer monitors than `limit`, even none, and still have a nextCursor: if a filter ' +
      'skips many, or where bodies and authorities of monitors are long.',
  }).handledBy((call, { monitors }) =>
    wirePage(monitors.list(call.scope, { ...call.query, ...call.page }), monitorToWire),
  ),
  create: post('/', {
    who: member,
    example: exampleMonitor,
    body: MonitorIn,
    bodyBytesMax: monitorBytesMax,
    out: MonitorOut,
    message: 'Monitor created',
    summary: 'Create a monitor',
    description:
      'The first check follows at once. A field that does not apply to the kind is refused, ' +
      "unless it has its default. In an optional field, null and `''` mean the same as leaving " +
      'it out. The operator sets how many monitors an organization may have; ' +
      'beyond that: `conflict`.',
  }).createdBy(
    ({ scope, body }, { monitors }) => monitors.create(scope, body as MonitorFields),
    monitorToWire,
  ),
  get: get('/:monitorId', {
    who: viewer,
    summary: 'One monitor with its state and uptime',
    out: MonitorOut,
  }).handledBy((call, { monitors }) =>
    monitorToWire(monitors.get(call.scope, call.params.monitorId)),
  ),
  run: post('/:monitorId', {
    who: member,
    out: RunOut,
    message: 'Check completed',
    deadlineMs: 70_000,
    summary: 'Run a check now and wait for its result',
    description:
      'The result counts like that of any check. push: checks whether a report is overdue. ' +
      `Paused: \`conflict\`. ${runLimitWords}`,
  }).handledBy(async (call, { monitors }) =>
    runToWire(await monitors.run(call.scope, call.params.monitorId)),
  ),
  change: patch('/:monitorId', {
    who: member,
    example: { intervalMinutes: 5, failureThreshold: 2 },
    body: MonitorPatch,
    bodyBytesMax: monitorBytesMax,
    out: MonitorOut,
    message: 'Monitor updated',
    summary: 'Change a monitor',
    description:
      "Omitted fields stay as they are; null and `''` restore the default, except that " +
      'degradedThresholdMs null means never degraded. Lists and headers are replaced as a whole.',
  }).handledBy(async (call, { monitors }) => {
    const { monitorId } = call.params
    const fields = call.body as MonitorEdit
    return monitorToWire(
      await monitors.change(call.scope, monitorId, fields, call.expectedRevision),
    )
  }),
  remove: del('/:monitorId', {
    who: member,
    summary: 'Delete a monitor and its results',
    message: 'Monitor deleted',
  }).handledBy((call, { monitors }) =>
    monitors.remove(call.scope, call.params.monitorId, call.expectedRevision),
  ),
  pause: post('/:monitorId/pause', {
    who: member,
    summary: 'Pause a monitor; the time until it resumes is excluded from uptime',
    out: MonitorOut,
    message: 'Monitor paused',
  }).handledBy(async (call, { monitors }) =>
    monitorToWire(await monitors.pause(call.scope, call.params.monitorId)),
  ),
  resume: post('/:monitorId/resume', {
    who: member,
    summary: 'Resume a paused monitor',
    out: MonitorOut,
    message: 'Monitor resumed',
  }).handledBy(async (call, { monitors }) =>
    monitorToWire(await monitors.resume(call.scope, call.params.monitorId)),
  ),
  setState: post('/:monitorId/state', {
    who: member,
    example: { state: 'down', message: 'The lift is stuck on the second floor.' },
    body: StateIn,
    out: MonitorOut,
    message: 'State set',
    summary: 'Set the state of a manual monitor',
    description:
      'It holds at once, and until another one is set; incidents open and end as for every monitor. ' +
      'Other kinds, and paused: `conflict`.',
  }).handledBy(async (call, { monitors }) =>
    monitorToWire(await monitors.setState(call.scope, call.params.monitorId, call.body)),
  ),
  checks: list('/:monitorId/checks', {
    who: viewer,
    query: CheckFilter,
    out: CheckOut,
    summary: 'Results, newest first',
    description:
      `Kept for ${limits.checksKeptDays} days. If a filter skips many results, a page may be empty ` +
      'and still have a nextCursor.',
  }).handledBy((call, { readings }) => {
    const { from, to, outcome, errorKind, status, location } = call.query
    const filter = {
      ...call.page,
      place: location,
      ...(from === undefined ? {} : { fromMs: Date.parse(from) }),
      ...(to === undefined ? {} : { toMs: Date.parse(to) }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(errorKind === undefined ? {} : { errorKind }),
      ...(status === undefined ? {} : { status }),
    }
    const { scope, params } = call
    const page = readings.checks(scope, params.monitorId, filter)
    const placeOf = readings.placesOf(scope, params.monitorId, location, page.items)
    return wirePage(page, (row) => checkToWire(row, placeOf(row)))
  }),
  latest: get('/:monitorId/checks/latest', {
    who: viewer,
    query: s.object(ofPlace),
    out: LatestOut,
    summary: 'The newest result with its phases; members also see the response of the target',
  }).handledBy((call, { readings }) =>
    latestToWire(readings.latest(call.scope, call.params.monitorId, call.query.location)),
  ),
})
