// The API of the overview: every monitor in one answer, and the newest hours of some.
import type { Static } from 'typebox'
import { perObject } from '../../../base/per-object.ts'
import * as s from '../../../base/schema/schema.ts'
import { Written, writerOf } from '../../../base/schema/write.ts'
import { verdictKinds } from '../../../domain/checks/verdict.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { isSilent } from '../../../domain/monitors/shadow.ts'
import { checkTypes } from '../../../probes/registry.ts'
import type {
  HourGlance,
  MonitorGlance,
  MonitorOverviews,
  RecentGlance,
} from '../../../services/monitors/monitor-overviews.ts'
import { get, resource, type Wire } from '../../routing/route.ts'
import { confirmingOut, failingFromOut, monitorStates } from './monitor-schemas.ts'
import { confirmingOf } from './monitor-wire.ts'

const viewer = { role: 'viewer' } as const

const MonitorGlanceOut = s.object({
  id: s.idOf('monitor'),
  name: s.anyText,
  checkType: s.oneOf(checkTypes),
  tags: s.listOf(s.anyText, limits.tagsMax),
  isPublic: s.flag,
  isShadow: s.described(s.flag, 'Nobody hears of it: it is in a shadow run.'),
  state: s.oneOf(monitorStates),
  stateSince: s.isoTime,
  confirming: confirmingOut,
  failingFrom: failingFromOut,
  lastOutcome: s.nullable(s.oneOf(verdictKinds)),
  lastError: s.nullable(s.anyText),
  responseTimeMs: s.nullable(s.anyNumber),
  openIncidentId: s.nullable(s.idOf('incident')),
})

const OverviewOut = s.object({
  monitors: s.described(
    s.listOf(MonitorGlanceOut, limits.monitorsQuotaMax),
    'Newest first. The fields mean what they mean in `GET …/monitors/{monitorId}`.',
  ),
})

type GlanceWire = Wire<Static<typeof MonitorGlanceOut>>
const writeGlance = writerOf(MonitorGlanceOut)
const readerOf = perObject((overviews: MonitorOverviews) =>
  overviews.reader((glance) => writeGlance(glanceToWire(glance))),
)
/** Callers that share a reading share its text. */
const listOf = perObject((written: readonly string[]) =>
  Written.list<'monitors', GlanceWire>('monitors', written),
)

function glanceToWire({
  monitor,
  monitorState,
  state,
  sinceMs,
  failingFrom,
}: MonitorGlance): GlanceWire {
  const { id, name, checkType, tags, isPublic } = monitor
  const { lastVerdict, lastError, responseTimeMs, health } = monitorState
  return {
    id,
    name,
    checkType,
    tags,
    isPublic,
    isShadow: isSilent(monitor),
    state,
    stateSince: s.toIso(sinceMs),
    confirming: confirmingOf(monitor, monitorState),
    failingFrom,
    lastOutcome: lastVerdict,
    lastError: lastError?.message ?? null,
    responseTimeMs,
    openIncidentId: health.openIncidentId,
  }
}

const hourStates = ['up', 'degraded', 'down', 'none'] as const

const RecentOut = s.object({
  monitorId: s.idOf('monitor'),
  uptime: s.nullable(
    s.anyNumber,
    'The same as `uptime.24h` in `GET …/monitors/{monitorId}`: of the current hour and the 24 before ' +
      'it; null while less than an hour of them counts.',
  ),
  from: s.described(s.isoTime, 'The beginning of the first hour.'),
  hours: s.described(
    s.listOf(s.oneOf(hourStates), limits.publicChartHours),
    'The worst state of each hour (UTC), oldest first; the last one is not over. `none`: no data.',
  ),
  medianMs: s.described(
    s.listOf(s.nullable(s.anyNumber), limits.publicChartHours),
    'The median response time of each of these hours.',
  ),
})

function hourState({ tally }: HourGlance): (typeof hourStates)[number] {
  if (tally === null) return 'none'
  if (tally.downMs > 0) return 'down'
  if (tally.degradedMs > 0) return 'degraded'
  return tally.upMs > 0 ? 'up' : 'none'
}

function recentToWire({ monitorId, hours, uptime }: RecentGlance) {
  return {
    monitorId,
    uptime,
    from: s.toIso(hours[0]?.startMs ?? 0),
    hours: hours.map(hourState),
    medianMs: hours.map(({ p50Ms }) => (p50Ms === null ? null : Math.round(p50Ms))),
  }
}

/** Monitors whose newest hours one request reads. */
const overviewRecentMax = 100

export const overview = resource('/orgs/:orgId/overview', {
  about: 'All monitors of an organization at a glance, for screens that show every one of them.',
  all: get('/', {
    who: viewer,
    out: OverviewOut,
    summary: 'Every monitor at a glance',
    description:
      'Little of each, for screens that show all of them. The list of monitors has everything.',
    isLarge: true,
  }).handledBy(async ({ scope }, { monitorOverviews }) =>
    listOf(await readerOf(monitorOverviews)(scope)),
  ),
  uptimes: get('/uptimes', {
    who: viewer,
    out: s.object({
      monitors: s.listOf(
        s.object({ monitorId: s.idOf('monitor'), uptime: s.anyNumber }),
        limits.monitorsQuotaMax,
      ),
    }),
    summary: 'The uptime of the last 24 hours of every monitor that has one',
    description:
      '`uptime` is the same as `uptime.24h` in `GET …/monitors/{monitorId}`; monitors of which less than an hour counts are left out.',
    isLarge: true,
  }).handledBy(async ({ scope }, { monitorOverviews }) => ({
    monitors: [...(await monitorOverviews.uptimes(scope))],
  })),
  recent: get('/recent', {
    who: viewer,
    query: s.object({
      monitorIds: s.optional(
        s.listOf(s.idOf('monitor'), overviewRecentMax),
        `At most ${overviewRecentMax}, separated by commas. Those that do not exist are left out.`,
      ),
    }),
    out: s.object({ monitors: s.listOf(RecentOut, overviewRecentMax) }),
    summary: 'The newest 24 hours of some monitors: states and response times',
    isLarge: true,
  }).handledBy(async ({ scope, query }, { monitorOverviews }) => ({
    monitors: (await monitorOverviews.recent(scope, query.monitorIds ?? [])).map(recentToWire),
  })),
})
