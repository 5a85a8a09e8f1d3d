// Shadow runs: what an imported monitor would have told beside what the other product told, and the end of the silence.

import { LRUCache } from 'lru-cache'
import type { Consequences } from '../../../actors/monitor/consequences.ts'
import { notFound, refuseInvalid } from '../../../base/fault.ts'
import { asId, type ImportId, type MonitorId, type OrgId } from '../../../base/ids.ts'
import { createYielder } from '../../../base/yielding.ts'
import { reaches } from '../../../domain/access.ts'
import type { CheckRow } from '../../../domain/checks/check-row.ts'
import type { ImportRecord, ImportShadow } from '../../../domain/imports/import-record.ts'
import { type SaidAlert, saidAlerts } from '../../../domain/imports/shadow/their-alerts.ts'
import {
  beganMs,
  type ShadowLine,
  type ShadowLineKind,
  type ShadowRunFacts,
  shadowLines,
  toleranceMs,
} from '../../../domain/imports/shadow-report.ts'
import { theirOutagesMax, withAlert } from '../../../domain/imports/their-word.ts'
import { isHeld, isOfHealth } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Interval } from '../../../domain/maintenance/interval.ts'
import type { Monitor } from '../../../domain/monitors/monitor.ts'
import { isSilent } from '../../../domain/monitors/shadow.ts'
import type { ShadowTokens } from '../../../seal/id-token.ts'
import { leftOutOf } from '../../../store/left-out.ts'
import { isOrgOff } from '../../../store/org-state.ts'
import type { Readings } from '../../checks/readings.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'
import {
  type ChangesDeps,
  createChanges,
  type MonitorChange,
} from '../../monitors/monitor-changes.ts'

export interface ShadowRunsDeps extends ChangesDeps {
  readonly readings: Pick<Readings, 'checks'>
  readonly tokens: ShadowTokens
  /** Tells of an incident that began in silence, and returns it; null if there is none to tell of. */
  readonly tellLive: Consequences['tellLive']
}

/** Which lines of a report are shown. */
export interface ShadowFilter {
  readonly kind?: ShadowLineKind | undefined
  readonly monitorId?: MonitorId | undefined
  /** Only those that began before this time. */
  readonly beforeMs?: number | undefined
  readonly limit: number
}

export interface ShownShadowLine extends ShadowLine {
  /** Our results around it, oldest first. */
  readonly evidence: readonly CheckRow[]
}

type ShadowCounts = Readonly<Record<ShadowLineKind, number>>

export interface ShadowReport {
  readonly sinceMs: number
  /** Monitors of which nobody hears. */
  readonly monitors: number
  /** Monitors that went live since. */
  readonly live: number
  readonly counts: ShadowCounts
  /** Where the other product tells its alerts. */
  /** Null for whom it is not: whoever has it can add to the report. */
  readonly reportUrl: string | null
  /** When it told one last; null: it has not. */
  readonly toldAtMs: number | null
  /** Newest first. */
  readonly lines: readonly ShownShadowLine[]
  /** How many more match the filter. */
  readonly more: number
}

/** What was taken of a request of the other product. */
export interface HeardAlerts {
  /** Alerts that are in the report now. */
  readonly taken: number
  /** The names of those that are of no monitor of the run. */
  readonly unknown: readonly string[]
}

export interface WentLive {
  readonly live: number
  /** Monitors whose outage was told. */
  readonly toldNow: number
}

/** Monitors that one import makes at most. */
const shadowsMax = limits.importMonitorsMax
/** Incidents of one monitor that a report looks at: the newest. */
const incidentsMax = theirOutagesMax
/** Results that are looked through to find why ours saw nothing. */
const rowsMax = 100
/** Results that a line shows. */
const evidenceMax = 10
/** How long the names of the monitors of a run are kept for the alerts of the other product. */
const namesKeptMs = 60_000
const runsNamed = 100
/** Lines that a report keeps while it is made. */
const linesMax = 20_000

export function createShadowRuns(core: Core, deps: ShadowRunsDeps) {
  const { store, clock, audit, baseUrl } = core
  const changes = createChanges(core, deps)
  const leftOut = leftOutOf(store)
  const named = new LRUCache<ImportId, ReadonlyMap<string, MonitorId | null>>({
    max: runsNamed,
    ttl: namesKeptMs,
    perf: { now: clock.monoMs },
  })

  function found(
    { orgId }: Pick<OrgScope, 'orgId'>,
    text: string,
  ): ImportRecord & { readonly shadow: ImportShadow } {
    const id = asId('import', text)
    const record = id && store.imports.get(orgId, id)
    if (!record) throw notFound('import')
    const { shadow } = record
    if (!shadow) throw notFound('shadow run')
    return { ...record, shadow }
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

  function rowsIn(
    scope: OrgScope,
    monitorId: MonitorId,
    { fromMs, toMs }: Interval,
    limit: number,
  ) {
    return deps.readings.checks(scope, monitorId, { fromMs, toMs, limit }).items
  }

  function factsOf(
    scope: OrgScope,
    monitor: Monitor,
    told: ImportShadow,
  ): ShadowRunFacts | undefined {
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

  function evidenceOf(scope: OrgScope, line: ShadowLine): readonly CheckRow[] {
    const monitor = store.monitors.readable(scope.orgId, line.monitorId)
    if (!monitor) return []
    const slackMs = toleranceMs(monitor)
    const fromMs = beganMs(line)
    const around = { fromMs: fromMs - slackMs, toMs: fromMs + slackMs }
    return rowsIn(scope, monitor.id, around, evidenceMax).toReversed()
  }

  function monitorsOf({ orgId }: Pick<OrgScope, 'orgId'>, importId: ImportId): Monitor[] {
    return store.monitors
      .shadowsOf(orgId, importId, shadowsMax)
      .flatMap((id) => store.monitors.readable(orgId, id) ?? [])
  }

  /** Throws validation_failed for one that is not in the shadow run of the import. */
  function chosenOf(scope: OrgScope, importId: ImportId, chosen: readonly MonitorId[] | undefined) {
    const all = monitorsOf(scope, importId)
    if (chosen === undefined) return all
    const known = new Map(all.map((one) => [one.id, one]))
    const unknown = chosen.flatMap((id, index) => {
      const message = 'is not in the shadow run of this import'
      const problem = { pointer: `/monitorIds/${index}`, keyword: 'reference', message }
      return known.has(id) ? [] : [problem]
    })
    refuseInvalid(unknown)
    return [...new Set(chosen)].flatMap((id) => known.get(id) ?? [])
  }

  /** The monitors of a run by their names; null: two have it. */
  function namesOf(orgId: OrgId, importId: ImportId): ReadonlyMap<string, MonitorId | null> {
    const known = named.get(importId)
    if (known) return known
    const names = new Map<string, MonitorId | null>()
    for (const { name, id } of monitorsOf({ orgId }, importId)) {
      names.set(nameKey(name), names.has(nameKey(name)) ? null : id)
    }
    named.set(importId, names)
    return names
  }

  function monitorMeant({ orgId, id, source }: ImportRecord, said: SaidAlert): Monitor | undefined {
    const names = namesOf(orgId, id)
    const byOrigin = source
      ? said.origins.map((origin) => {
          const known = store.importOrigins.get({ orgId, source, list: 'monitors', origin })
          return known?.id as MonitorId | undefined
        })
      : []
    const byName = said.names.map((name) => names.get(nameKey(name)))
    const monitorId = [...byOrigin, ...byName].find((one) => one != null)
    const monitor = monitorId && store.monitors.readable(orgId, monitorId)
    return monitor?.shadow?.importId === id ? monitor : undefined
  }

  async function linesOf(scope: OrgScope, { id, shadow }: ReturnType<typeof found>) {
    const yielder = createYielder(clock, limits.turnMs)
    const counts = { both: 0, onlyTheirs: 0, onlyOurs: 0, notCompared: 0 }
    const lines: ShadowLine[] = []
    let silent = 0
    let live = 0
    for (const monitor of monitorsOf(scope, id)) {
      if (isSilent(monitor)) silent += 1
      else live += 1
      const facts = factsOf(scope, monitor, shadow)
      const made = facts ? shadowLines(facts) : []
      for (const { kind } of made) counts[kind] += 1
      if (lines.length < linesMax) lines.push(...made)
      if (yielder.isDue()) await yielder.pause()
    }
    return { counts, lines, silent, live }
  }

  return {
    /** The imports whose monitors are silent, and how many. */
    list: ({ orgId }: OrgScope) =>
      [...store.monitors.silentCounts(orgId)].map(([importId, monitors]) => ({
        importId,
        monitors,
      })),

    /** How the run has gone so far. Yields to other work. Throws not_found. */
    async report(scope: OrgScope, importId: string, filter: ShadowFilter): Promise<ShadowReport> {
      const record = found(scope, importId)
      const { orgId, id, shadow } = record
      const { counts, lines, silent, live } = await linesOf(scope, record)
      const { kind, monitorId, beforeMs = Number.POSITIVE_INFINITY, limit } = filter
      const fitting = lines
        .filter((line) => kind === undefined || line.kind === kind)
        .filter((line) => monitorId === undefined || line.monitorId === monitorId)
        .filter((line) => beganMs(line) < beforeMs)
        .toSorted((a, b) => beganMs(b) - beganMs(a))
      const shown = fitting.slice(0, limit)
      return {
        sinceMs: shadow.sinceMs,
        monitors: silent,
        live,
        counts,
        reportUrl: reaches(scope.role, 'admin')
          ? `${baseUrl}/api/v1/shadow/${deps.tokens.token({ orgId, importId: id })}`
          : null,
        toldAtMs: shadow.toldAtMs ?? null,
        lines: shown.map((line) => ({ ...line, evidence: evidenceOf(scope, line) })),
        more: fitting.length - shown.length,
      }
    },

    /**
     * Takes what the other product tells: JSON, or the fields of a form. What says nothing of a monitor, such as a
     * test, shows that we are told. Throws not_found for an unknown token.
     */
    async hear(token: string, body: unknown): Promise<HeardAlerts> {
      const subject = deps.tokens.read(token)
      if (!subject || isOrgOff(store, subject.orgId)) throw notFound('shadow run')
      const alerts = saidAlerts(body)
      return store.write((tx) => {
        const record = found(subject, subject.importId)
        const atMs = clock.nowMs()
        const { toldFromMs = atMs } = record.shadow
        store.imports.put(tx, {
          ...record,
          shadow: { ...record.shadow, toldFromMs, toldAtMs: atMs },
        })
        const unknown: string[] = []
        for (const said of alerts) {
          const monitor = monitorMeant(record, said)
          if (!monitor) {
            unknown.push(said.names[0] ?? said.origins[0] ?? '')
            continue
          }
          const word = store.theirWords.get(monitor.orgId, monitor.id)
          const { isDown, text } = said
          store.theirWords.put(tx, withAlert(word, { isDown, text, atMs }))
        }
        return { taken: alerts.length - unknown.length, unknown }
      })
    },

    /**
     * Lets monitors tell from now on, all of the import or some: what is down at this moment is told at once, unless a
     * monitor above explains it; under maintenance at its end. Again it changes nothing. Throws not_found,
     * validation_failed.
     */
    async goLive(
      scope: OrgScope,
      importId: string,
      chosen?: readonly MonitorId[],
    ): Promise<WentLive> {
      const done = await store.write((tx) => {
        const { id } = found(scope, importId)
        const liveAtMs = clock.nowMs()
        const silent = chosenOf(scope, id, chosen).filter(isSilent)
        const live = ({ revision }: Monitor) => ({ liveAtMs, liveFromRevision: revision })
        const made = silent.flatMap((before): MonitorChange[] => {
          const { shadow } = before
          return shadow
            ? [changes.put(tx, before, { ...before, shadow: { ...shadow, ...live(before) } })]
            : []
        })
        // Only once all are live is it known which of them are held by others.
        const told = made.filter(({ monitor }) => {
          const monitorState = store.monitorStates.get(monitor.orgId, monitor.id)
          const incident = monitorState && deps.tellLive(tx, monitor, monitorState.health)
          return incident != null && !isHeld(incident)
        })
        const detail = `monitors ${made.length}`
        audit.note(tx, scope, { action: 'import.went_live', objectId: id, detail })
        return { made, toldNow: told.length }
      })
      const yielder = createYielder(clock, limits.turnMs)
      for (const change of done.made) {
        changes.follow(change, 'start')
        if (yielder.isDue()) await yielder.pause()
      }
      return { live: done.made.length, toldNow: done.toldNow }
    },
  }
}

const nameKey = (name: string): string => name.trim().toLowerCase()
