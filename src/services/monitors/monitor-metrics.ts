// What Prometheus gets of monitors: metrics of each, and the targets that they look at.

import { Fault } from '../../base/fault.ts'
import { createGaugeLines, labelOf, openMetricsEnd } from '../../base/formats/exposition.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { recordOf } from '../../base/nouns.ts'
import { createSharedTurns } from '../../base/waiting/shared-turns.ts'
import { createYielder } from '../../base/yielding.ts'
import { reaches } from '../../domain/access.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import { phaseNames } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import { isCovered, isOn } from '../../domain/maintenance/coverage.ts'
import { secretMask } from '../../domain/secret-mask.ts'
import { urlForViewers } from '../../probes/viewer-url.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { Readings } from '../checks/readings.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { type BoardRow, createMonitorBoards, listed, type ToldUptime } from './monitor-boards.ts'
import { monitorStateOf, stateOf } from './monitor-view.ts'

/** The operator reads all organizations, and of their monitors what viewers may read. */
export type MetricsReader = OrgScope | 'operator'

/** Monitors that one answer tells of; each takes about 2 KB. */
const metricsMonitorsMax = 50_000
const sliceMonitors = 100

/** Rows that are written between two looks at the time that is left of a slice. */
const rowsPerLook = 20

/** How old an uptime may be, of 24 hours and of 30 days. */
const dayUptimeMs = 5 * 60_000
const monthUptimeMs = 60 * 60_000
/** How long one answer computes uptimes: again, and for the first time. What is left comes with the next one. */
const againMsMax = 20
const firstMsMax = 1_000

interface MonitorMetricsDeps {
  readonly readings: Pick<Readings, 'uptime' | 'uptimeOfDay'>
}

export function createMonitorMetrics(core: Core, { readings }: MonitorMetricsDeps) {
  const { store, clock } = core
  const boards = createMonitorBoards(core)
  /** Large answers are made one at a time; callers that wait for the same one share it. */
  const takeTurn = createSharedTurns((orgId: OrgId | null) => textOf(orgId))

  /** The organizations of a reader. Throws conflict where they have too many monitors. */
  function orgsOf(orgId: OrgId | null): readonly OrgId[] {
    const orgIds = orgId === null ? orgsThatRun() : [orgId]
    const count = orgIds.reduce((sum, id) => sum + store.monitors.count(id), 0)
    if (count <= metricsMonitorsMax) return orgIds
    throw new Fault(
      'conflict',
      `These are ${count} monitors, and one answer tells of at most ${metricsMonitorsMax}. ` +
        'A key of an organization reads those of the organization.',
    )
  }

  function orgsThatRun(): OrgId[] {
    return store.orgs
      .list(limits.systemCountMax)
      .map(({ id }) => id)
      .filter((id) => !isOrgOff(store, id))
  }

  async function textOf(orgId: OrgId | null): Promise<Uint8Array> {
    const gauges = createGauges()
    const yielder = createYielder(clock, limits.historySliceMs)
    const uptimes = createUptimes()
    for (const id of orgsOf(orgId)) {
      const write = rowWriter(gauges, id, orgId === null)
      let written = 0
      for (const row of await boards.rowsOf(id)) {
        uptimes.refresh(row)
        write(row)
        written += 1
        // A look at the clock takes as long as some lines.
        if (written % rowsPerLook === 0 && yielder.isDue()) await yielder.pause()
      }
    }
    const lines = Object.values(gauges).flatMap((gauge) => gauge.bytes())
    return Buffer.concat([...lines, openMetricsEnd])
  }

  /** Writes the lines of a monitor. */
  function rowWriter(gauges: Gauges, orgId: OrgId, isOfAll: boolean) {
    const nowMs = clock.nowMs()
    const on = store.windows.coverings(orgId).filter((one) => isOn(one, nowMs))
    const of = isOfAll ? `,${labelOf('organization', orgId)}` : ''
    const more = moreLabels(of)
    if (isOfAll) {
      const named = [labelOf('organization', orgId), labelOf('name', nameOf(orgId))]
      gauges.organization.add(1, Buffer.from(named.join(',')))
    }
    return (row: BoardRow): void => {
      const { monitor, labels, tags, state, uptimes } = row
      const { health, lastAtMs } = state
      const shown = stateOf(monitor, state, isCovered(on, monitor, nowMs))
      gauges.info.add(1, labels, more.plain, tags)
      gauges.state.add(1, labels, more.state[shown])
      const up = upOf(shown)
      if (up !== null) gauges.up.add(up, labels, more.plain)
      gauges.incidents.add(health.openIncidentId === null ? 0 : 1, labels, more.plain)
      gauges.interval.add(monitor.intervalSeconds, labels, more.plain)
      if (lastAtMs !== null) gauges.lastCheck.add(lastAtMs / 1_000, labels, more.plain)
      if (uptimes && uptimes.day.ratio !== null) {
        gauges.uptime.add(uptimes.day.ratio, labels, more.day)
      }
      if (uptimes && uptimes.month.ratio !== null) {
        gauges.uptime.add(uptimes.month.ratio, labels, more.month)
      }
      // What was seen of a paused one may be otherwise by now.
      if (monitor.isActive) writeSeen(gauges, row, more)
    }
  }

  function nameOf(orgId: OrgId): string {
    return store.orgs.readable(orgId)?.name ?? ''
  }

  /** Keeps the uptimes of rows young, as far as the time of one answer goes. */
  function createUptimes() {
    const nowMs = clock.nowMs()
    let spentMs = 0

    function computed(row: BoardRow): BoardRow['uptimes'] {
      const { sinceMs, state } = row.state.health
      const monitor = store.monitors.readable(row.monitor.orgId, row.monitor.id)
      if (!monitor) return undefined
      const monitorState = monitorStateOf(store, monitor, false)
      // What is whole stays whole until it fails.
      const worked = state === 'up' || state === 'degraded'
      const told = (ratio: number | null, forMs: number): ToldUptime => ({
        ratio,
        untilMs: worked && ratio === 1 ? Number.POSITIVE_INFINITY : nowMs + forMs,
      })
      const before = row.uptimes
      if (before?.sinceMs === sinceMs && nowMs < before.month.untilMs) {
        const day = told(readings.uptimeOfDay(monitor, monitorState), dayUptimeMs)
        return { ...before, day }
      }
      const { '24h': day, '30d': month } = readings.uptime(monitor, monitorState, false)
      return { sinceMs, day: told(day, dayUptimeMs), month: told(month, monthUptimeMs) }
    }

    return {
      refresh(row: BoardRow): void {
        const { uptimes } = row
        const isYoung =
          uptimes?.sinceMs === row.state.health.sinceMs &&
          nowMs < Math.min(uptimes.day.untilMs, uptimes.month.untilMs)
        if (isYoung || spentMs >= (uptimes ? againMsMax : firstMsMax)) return
        const beganMs = clock.monoMs()
        row.uptimes = computed(row)
        spentMs += clock.monoMs() - beganMs
      },
    }
  }

  async function targetsOf(reader: MetricsReader): Promise<string> {
    const showsSecrets = reader !== 'operator' && reaches(reader.role, 'member')
    const yielder = createYielder(clock, limits.historySliceMs)
    const groups: string[] = []
    for (const orgId of orgsOf(reader === 'operator' ? null : reader.orgId)) {
      const organization = nameOf(orgId)
      let after: MonitorId | undefined
      do {
        const slice = store.monitors.list(orgId, sliceMonitors, after)
        for (const monitor of slice) {
          const url = showsSecrets ? monitor.url : urlForViewers(monitor)
          // A masked address leads elsewhere.
          if (!monitor.isActive || url === null || url.includes(secretMask)) continue
          const labels = {
            __meta_stillup_monitor_id: monitor.id,
            __meta_stillup_monitor_name: monitor.name,
            __meta_stillup_monitor_type: monitor.checkType,
            __meta_stillup_monitor_tags: listed(monitor.tags),
            __meta_stillup_organization: orgId,
            __meta_stillup_organization_name: organization,
          }
          groups.push(JSON.stringify({ targets: [url], labels }))
        }
        if (yielder.isDue()) await yielder.pause()
        after = slice.length < sliceMonitors ? undefined : slice.at(-1)?.id
      } while (after)
    }
    return `[${groups.join(',\n')}]\n`
  }

  return {
    /** Metrics of each monitor, as OpenMetrics. Throws conflict. */
    text(reader: MetricsReader): Promise<Uint8Array> {
      const orgId = reader === 'operator' ? null : reader.orgId
      const isSmall = orgId !== null && store.monitors.count(orgId) <= limits.scanSlice
      return isSmall ? textOf(orgId) : takeTurn(orgId)
    },

    /** What active monitors look at, as Prometheus discovers it over HTTP. Throws conflict. */
    targets: targetsOf,
  }
}

/** What the newest results found. */
function writeSeen(gauges: Gauges, { monitor, labels, state }: BoardRow, more: MoreLabels): void {
  const { responseTimeMs, lastPhases, certificateExpiresAtMs, domainExpiresAtMs } = state
  // A report need not say how long its job took.
  const hasTime = responseTimeMs !== 0 || !waitsForReports(monitor)
  if (responseTimeMs !== null && hasTime) {
    gauges.response.add(responseTimeMs / 1_000, labels, more.plain)
  }
  if (lastPhases !== null) {
    for (const phase of phaseNames) {
      const ms = lastPhases[phase]
      if (ms !== undefined) gauges.phases.add(ms / 1_000, labels, more.phase[phase])
    }
  }
  if (certificateExpiresAtMs !== null) {
    gauges.certificate.add(certificateExpiresAtMs / 1_000, labels, more.plain)
  }
  if (domainExpiresAtMs !== null) {
    gauges.domain.add(domainExpiresAtMs / 1_000, labels, more.plain)
  }
}

const states = [
  ...(['pending', 'up', 'degraded', 'down'] as const),
  ...(['unknown', 'paused', 'maintenance'] as const),
]

/** Null: nobody looks, or knows. */
function upOf(state: (typeof states)[number]): 1 | 0 | null {
  if (state === 'down') return 0
  return state === 'up' || state === 'degraded' ? 1 : null
}

type Gauges = ReturnType<typeof createGauges>

function createGauges() {
  const gauge = (name: string, help: string) => createGaugeLines({ name: `stillup_${name}`, help })
  return {
    organization: gauge('organization_info', 'An organization and its name; always 1.'),
    info: gauge('monitor_info', 'A monitor with its tags; always 1.'),
    up: gauge(
      'monitor_up',
      '1 while the monitor is up, fast or slow; 0 while it is down; absent in other states.',
    ),
    state: gauge('monitor_state', '1 for the state that the monitor is in.'),
    response: gauge('monitor_response_seconds', 'How long the newest check took.'),
    phases: gauge('monitor_phase_seconds', 'How long a phase of the newest check took.'),
    uptime: gauge('monitor_uptime_ratio', 'The share of the time in which the monitor was up.'),
    certificate: gauge(
      'monitor_certificate_expiry_timestamp_seconds',
      'When the certificate of the target ends, in Unix time.',
    ),
    domain: gauge(
      'monitor_domain_expiry_timestamp_seconds',
      'When the registration of the domain ends, in Unix time.',
    ),
    incidents: gauge('monitor_open_incidents', 'Open incidents of the monitor.'),
    lastCheck: gauge(
      'monitor_last_check_timestamp_seconds',
      'When the newest check began, or the newest report came, in Unix time.',
    ),
    interval: gauge('monitor_interval_seconds', 'The time from one check or report to the next.'),
  }
}

type MoreLabels = ReturnType<typeof moreLabels>

/** The labels behind those of the monitor; `of` is that of its organization, or nothing. */
function moreLabels(of: string) {
  const bytes = (name: string, value: string) => Buffer.from(`${of},${labelOf(name, value)}`)
  return {
    plain: of === '' ? undefined : Buffer.from(of),
    state: recordOf(states, (state) => bytes('state', state)),
    phase: recordOf(phaseNames, (phase) => bytes('phase', phase)),
    day: bytes('window', '24h'),
    month: bytes('window', '30d'),
  }
}
