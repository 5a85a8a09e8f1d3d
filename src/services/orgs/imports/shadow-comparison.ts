// How the monitors of a shadow run compare with the product that they come from.
import type { ImportId, MonitorId } from '../../../base/ids.ts'
import { createYielder } from '../../../base/yielding.ts'
import type { CheckRow } from '../../../domain/checks/check-row.ts'
import type { ImportRecord, ImportShadow } from '../../../domain/imports/import-record.ts'
import {
  beganMs,
  type ShadowLine,
  type ShadowLineKind,
  type ShadowRunFacts,
  shadowLines,
  toleranceMs,
} from '../../../domain/imports/shadow-report.ts'
import { theirOutagesMax } from '../../../domain/imports/their-word.ts'
import { isOfHealth } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Interval } from '../../../domain/maintenance/interval.ts'
import type { Monitor } from '../../../domain/monitors/monitor.ts'
import { isSilent } from '../../../domain/monitors/shadow.ts'
import { leftOutOf } from '../../../store/left-out.ts'
import type { Readings } from '../../checks/readings.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'

export type OfOrg = Pick<OrgScope, 'orgId'>

/** An import whose monitors began in silence. */
export type ShadowImport = ImportRecord & { readonly shadow: ImportShadow }

export type ShadowCounts = Readonly<Record<ShadowLineKind, number>>

/** Monitors of one run: those of the import, and those that its ping keys make later. */
const shadowsMax = limits.monitorsQuotaMax
/** Incidents of one monitor that a report looks at: the newest. */
const incidentsMax = theirOutagesMax
/** Results that are looked through to find why ours saw nothing. */
const rowsMax = 100
/** Results that a line shows. */
const evidenceMax = 10
/** Lines that a report keeps while it is made. */
const linesMax = 20_000

export type ShadowComparison = ReturnType<typeof createShadowComparison>

export function createShadowComparison(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  readings: Pick<Readings, 'checks'>,
) {
  const leftOut = leftOutOf(store)

  /** The monitors of the run that can be read, also those that are live. */
  function* monitorsOf({ orgId }: OfOrg, importId: ImportId): Generator<Monitor> {
    for (const id of store.monitors.shadowsOf(orgId, importId, shadowsMax)) {
      const monitor = store.monitors.readable(orgId, id)
      if (monitor) yield monitor
    }
  }

  function incidentsOf({ orgId, id }: Monitor, { fromMs, toMs }: Interval) {
    return store.incidents
      .list(orgId, { monitorId: id, limit: incidentsMax })
      .filter((one) => isOfHealth(one) && one.importId === undefined)
      .filter(
        ({ startedAtMs, resolvedAtMs }) => startedAtMs < toMs && (resolvedAtMs ?? toMs) >= fromMs,
      )
      .reverse()
  }

  function rowsIn(scope: OfOrg, monitorId: MonitorId, { fromMs, toMs }: Interval, limit: number) {
    return readings.checks(scope, monitorId, { fromMs, toMs, limit }).items
  }

  function factsOf(scope: OfOrg, monitor: Monitor, told: ImportShadow): ShadowRunFacts | undefined {
    const { orgId, id, shadow } = monitor
    if (!shadow) return undefined
    const run = { fromMs: shadow.sinceMs, toMs: shadow.liveAtMs ?? clock.nowMs() }
    return {
      monitor,
      run,
      word: store.theirWords.get(orgId, id),
      incidents: incidentsOf(monitor, run),
      toldFromMs: told.toldFromMs ?? null,
      maintenanceIn: ({ fromMs, toMs }) => leftOut.maintenance(monitor, fromMs, toMs).length > 0,
      gapIn: ({ fromMs, toMs }) =>
        leftOut.gaps().some((gap) => gap.fromMs < toMs && gap.toMs > fromMs),
      rowsIn: (interval) => rowsIn(scope, id, interval, rowsMax),
    }
  }

  /** Our results around it, oldest first. */
  function evidenceOf(scope: OfOrg, line: ShadowLine): readonly CheckRow[] {
    const monitor = store.monitors.readable(scope.orgId, line.monitorId)
    if (!monitor) return []
    const slackMs = toleranceMs(monitor)
    const fromMs = beganMs(line)
    const around = { fromMs: fromMs - slackMs, toMs: fromMs + slackMs }
    return rowsIn(scope, monitor.id, around, evidenceMax).toReversed()
  }

  /** The lines of all its monitors, and how many there are of each kind. Yields to other work. */
  async function compare(scope: OfOrg, { id, shadow }: ShadowImport) {
    const yielder = createYielder(clock, limits.turnMs)
    const counts = { both: 0, onlyTheirs: 0, onlyOurs: 0, notCompared: 0 }
    const lines: ShadowLine[] = []
    let silent = 0
    let live = 0
    let isHeard = false
    for (const monitor of monitorsOf(scope, id)) {
      if (isSilent(monitor)) silent += 1
      else live += 1
      const facts = factsOf(scope, monitor, shadow)
      isHeard ||= facts?.word !== undefined
      const made = facts ? shadowLines(facts) : []
      for (const { kind } of made) counts[kind] += 1
      if (lines.length < linesMax) lines.push(...made)
      if (yielder.isDue()) await yielder.pause()
    }
    return { counts, lines, silent, live, isHeard }
  }

  return { monitorsOf, compare, evidenceOf }
}
