// Imports after they were done: their list, and the past of monitors that they bring afterwards.
import { Fault, notFound } from '../../../base/fault.ts'
import { asId, type MonitorId, type OrgId } from '../../../base/ids.ts'
import { createYielder } from '../../../base/yielding.ts'
import { dayMs, hourMs, sumOfTallies } from '../../../domain/health/span.ts'
import { floorTo } from '../../../domain/health/time-window.ts'
import type { ForeignHistory, ForeignPeriod } from '../../../domain/imports/foreign.ts'
import type { ImportNote, ImportRecord, PlanLine } from '../../../domain/imports/import-record.ts'
import { type PastPeriod, pastIncident, pastPeriods } from '../../../domain/imports/past.ts'
import { withHistory } from '../../../domain/imports/their-word.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Monitor } from '../../../domain/monitors/monitor.ts'
import type { Tx } from '../../../store/engine/write.ts'
import { type Caller, type OrgScope, type PageOf, type PageRequest, pageOf } from '../../context.ts'
import type { Core } from '../../core.ts'
import { createImportRecords } from './import-records.ts'
import type { ImportTurns } from './import-turns.ts'
import { createUndo, type UndoDeps } from './undo.ts'

/** What was taken of a part of the past. */
export interface TakenPast {
  readonly monitors: number
  readonly days: number
  readonly hours: number
  readonly incidents: number
  /** Origins of which this organization has no monitor. */
  readonly unknown: readonly string[]
}

export type ImportView = ImportRecord & {
  readonly plan: readonly PlanLine[]
  readonly notes: readonly ImportNote[]
}

/** Periods and outages of a monitor that are written in one turn. */
const pastTogether = 50
/** Writes that are begun before they are awaited. */
const writesTogether = 8
/** How long it works in one turn: the parts of several pasts may share one. */
const pastTurnMs = 5
/** How far back days are taken: as far as they are shown. */
const pastYearsMs = 10 * 365 * dayMs

/** Outages of the past that imports bring to an organization: nothing else bounds them. */
const pastOutagesMax = 500_000

type Begin = (body: (tx: Tx) => void) => void

interface OutageRoom {
  readonly begin: Begin
  /** How many more there may be. */
  readonly most: number
}

export interface ImportsDeps extends UndoDeps {
  readonly turns: ImportTurns
}

/** Who takes back what was interrupted: the daemon itself. */
const itself: Caller = {
  ...{ principal: { kind: 'system' }, requestId: '', address: '', userAgent: '', language: 'en' },
}
/** Imports that may have been interrupted at once: of each organization one. */
const unfinishedMax = 1_000

/** Every method throws not_found. */
export function createImports(core: Core, deps: ImportsDeps) {
  const { store, clock, audit, log } = core
  const { turns } = deps
  const undoing = createUndo(core, deps)
  const records = createImportRecords(core)
  function found({ orgId }: OrgScope, text: string): ImportRecord {
    const id = asId('import', text)
    const record = id && store.imports.get(orgId, id)
    if (!record) throw notFound('import')
    return record
  }

  function mustBeApplied(record: ImportRecord): void {
    if (record.state === 'applied' && !record.keptIds) return
    throw new Fault('conflict', 'This import was undone.')
  }

  function monitorOf({ orgId, source }: ImportRecord, origin: string): Monitor | undefined {
    if (!source) return undefined
    const place = { orgId, source, list: 'monitors', origin } as const
    const known = store.importOrigins.get(place)
    return known && store.monitors.readable(orgId, known.id as MonitorId)
  }

  function isMadeBy({ orgId, source, id }: ImportRecord, origin: string): boolean {
    if (!source) return false
    const place = { orgId, source, list: 'monitors', origin } as const
    return store.importOrigins.get(place)?.importId === id
  }

  /**
   * Begins to write days or hours that are not there, from before the monitor was here. Returns how many, and
   * whether there were none before.
   */
  function takePeriods(
    { orgId, id, createdAtMs }: Monitor,
    of: 'days' | 'hours',
    periods: readonly ForeignPeriod[],
    begin: Begin,
  ): { readonly count: number; readonly wasEmpty: boolean } {
    const bucketMs = of === 'days' ? dayMs : hourMs
    const table = store[of]
    const untilMs = floorTo(bucketMs, createdAtMs)
    const bounds = { bucketMs, sinceMs: createdAtMs - pastYearsMs, untilMs }
    const past = pastPeriods(periods, bounds)
    const window = { fromMs: bounds.sinceMs, toMs: untilMs }
    const known = new Set(table.within(orgId, id, window).map(({ startMs }) => startMs))
    const fresh = past.filter(({ tally }) => !known.has(tally.startMs))
    for (let at = 0; at < fresh.length; at += pastTogether) {
      const some = fresh.slice(at, at + pastTogether)
      begin((tx) => {
        table.putAll(tx, orgId, id, some)
        table.notePast(tx, id)
        if (of === 'hours') addToday(tx, orgId, id, some)
      })
    }
    return { count: fresh.length, wasEmpty: known.size === 0 }
  }

  /** The day that is being counted is not written yet: its hours from before the monitor was here join it. */
  function addToday(tx: Tx, orgId: OrgId, id: MonitorId, hours: readonly PastPeriod[]): void {
    const monitorState = store.monitorStates.get(orgId, id)
    if (!monitorState) return
    const { tally } = monitorState
    const today = hours.filter((one) => floorTo(dayMs, one.tally.startMs) === tally.startMs)
    if (today.length === 0) return
    const whole = sumOfTallies([tally, ...today.map((one) => one.tally)])
    store.monitorStates.put(tx, orgId, id, { ...monitorState, tally: whole })
  }

  function takeOutages(
    record: ImportRecord,
    monitor: Monitor,
    { outages }: ForeignHistory,
    { begin, most }: OutageRoom,
  ): number {
    const past = outages
      .flatMap((outage) => pastIncident(monitor, outage, record.id) ?? [])
      .filter(({ orgId, id }) => !store.incidents.has(orgId, id))
    if (past.length > most) {
      const detail = `Imports may bring at most ${pastOutagesMax} outages of the past to an organization.`
      throw new Fault('conflict', detail)
    }
    for (let at = 0; at < past.length; at += pastTogether) {
      const some = past.slice(at, at + pastTogether)
      begin((tx) => {
        for (const incident of some) store.incidents.putPast(tx, incident)
      })
    }
    return past.length
  }

  /** What it says of a time in which the monitor ran as its shadow. */
  function takeTheirWord(
    { orgId, id, shadow }: Monitor,
    { outages }: ForeignHistory,
    begin: Begin,
  ): void {
    if (!shadow) return
    const run = { fromMs: shadow.sinceMs, toMs: shadow.liveAtMs ?? clock.nowMs() }
    begin((tx) =>
      store.theirWords.put(tx, withHistory(store.theirWords.get(orgId, id), outages, run)),
    )
  }

  return {
    /** Newest first. */
    list({ orgId }: OrgScope, { limit, after }: PageRequest): PageOf<ImportRecord> {
      const last = after === undefined ? undefined : asId('import', after)
      return pageOf(store.imports.list(orgId, limit + 1, last), limit)
    },

    /** With what it did; what it left alone is only counted. Yields to other work. */
    async get(scope: OrgScope, id: string): Promise<ImportView> {
      const record = found(scope, id)
      const yielder = createYielder(clock, limits.turnMs)
      const plan: PlanLine[] = []
      for (const part of store.imports.steps(record.orgId, record.id)) {
        for (const { line } of part) plan.push(line)
        if (yielder.isDue()) await yielder.pause()
      }
      return { ...record, plan, notes: store.imports.notes(record.orgId, record.id) }
    },

    /** Keeps what its conversion said, for those who go on with it. */
    keepNotes: (scope: OrgScope, id: string, notes: readonly Omit<ImportNote, 'isDone'>[]) =>
      store.write((tx) => {
        const record = found(scope, id)
        const all = notes.map((note) => ({ ...note, isDone: false }))
        store.imports.putNotes(tx, record, all)
        audit.note(tx, scope, { action: 'import.noted', objectId: record.id })
      }),

    /** Notes by their place in the list; a place that there is not is left out. */
    tickNotes: (scope: OrgScope, id: string, places: readonly number[], isDone: boolean) =>
      store.write((tx) => {
        const record = found(scope, id)
        const ticked = new Set(places)
        const before = store.imports.notes(record.orgId, record.id)
        const notes = before.map((note, at) => (ticked.has(at) ? { ...note, isDone } : note))
        store.imports.putNotes(tx, record, notes)
        audit.note(tx, scope, { action: 'import.noted', objectId: record.id })
        return { notes }
      }),

    /**
     * What an undo would do. Throws conflict for one that was undone, or is older than a day, and while there is
     * another import of the organization.
     */
    tryUndo: (scope: OrgScope, id: string) =>
      turns.alone(scope.orgId, async () => ({ plan: await undoing.plan(found(scope, id)) })),

    /**
     * Deletes what the import made, and puts back what it changed, as far as nobody has changed it since. Throws
     * conflict like `tryUndo`.
     */
    undo: (scope: OrgScope, id: string) =>
      turns.alone(scope.orgId, async () => ({
        plan: await undoing.undo(scope, found(scope, id)),
      })),

    takeBack: undoing.takeBack,

    /**
     * Takes back the imports that an earlier stop interrupted: each is done as a whole, or not. Resolves when that
     * is done, or the signal aborts; one that fails is logged, and waits for the next start.
     */
    async takeBackUnfinished(signal: AbortSignal): Promise<void> {
      for (const { orgId, id } of store.imports.listRunning(unfinishedMax)) {
        if (signal.aborted) return
        const scope = { orgId, caller: itself, role: 'owner' } as const
        try {
          await turns.alone(orgId, () => undoing.takeBack(scope, id))
          log.warn('an import that was interrupted was taken back', { orgId, importId: id })
        } catch (error) {
          log.error('an import that was interrupted is still there', { orgId, importId: id, error })
        }
      }
    },

    /**
     * Takes the past of monitors that this import made or knows, from before they were here. What is there
     * already stays, so a part may come again. Yields to other work. Throws conflict for one that was undone,
     * and for one of a document without a source.
     */
    async takePast(
      scope: OrgScope,
      id: string,
      history: readonly ForeignHistory[],
    ): Promise<TakenPast> {
      const record = found(scope, id)
      mustBeApplied(record)
      if (record.source === null) {
        throw new Fault('conflict', 'The document of this import does not say where it comes from.')
      }
      // A past comes in many parts: the first one is noted.
      if (record.pastAtMs === undefined) {
        await store.write((tx) => {
          const now = found(scope, id)
          mustBeApplied(now)
          if (now.pastAtMs !== undefined) return
          store.imports.put(tx, { ...now, pastAtMs: clock.nowMs() })
          audit.note(tx, scope, { action: 'import.past_added', objectId: now.id })
        })
      }
      const taken = { monitors: 0, days: 0, hours: 0, incidents: 0 }
      const unknown: string[] = []
      const whole = new Set<MonitorId>()
      const out = new Set<MonitorId>()
      const outagesMax = pastOutagesMax - records.outages(scope.orgId)
      const yielder = createYielder(clock, pastTurnMs)
      // They share commits, as far as these have time.
      const writing: Promise<void>[] = []
      const begin: Begin = (body) => void writing.push(store.write(body))
      for (const one of history) {
        mustBeApplied(found(scope, id))
        const monitor = monitorOf(record, one.origin)
        if (!monitor) {
          unknown.push(one.origin)
          continue
        }
        taken.monitors += 1
        const days = takePeriods(monitor, 'days', one.days, begin)
        const hours = takePeriods(monitor, 'hours', one.hours, begin)
        taken.days += days.count
        taken.hours += hours.count
        // One that the import made goes with its past; past of others stays, so all of it must be of this one.
        const isAlone = days.count + hours.count > 0 && days.wasEmpty && hours.wasEmpty
        const isOthers = !isMadeBy(record, one.origin)
        if (isAlone && isOthers) whole.add(monitor.id)
        const incidents = takeOutages(record, monitor, one, {
          begin,
          most: outagesMax - taken.incidents,
        })
        if (incidents > 0 && isOthers) out.add(monitor.id)
        taken.incidents += incidents
        takeTheirWord(monitor, one, begin)
        if (writing.length >= writesTogether) await Promise.all(writing.splice(0))
        if (yielder.isDue()) await yielder.pause()
      }
      await Promise.all(writing)
      if (whole.size + taken.incidents > 0) {
        await store.write((tx) => {
          const now = found(scope, id)
          const pastIds = [...new Set([...now.pastIds, ...whole])]
          const outageIds = [...new Set([...(now.outageIds ?? []), ...out])]
          const outages = (now.outages ?? 0) + taken.incidents
          store.imports.put(tx, { ...now, pastIds, outageIds, outages })
        })
      }
      if (taken.monitors > 0)
        await store.write((tx) => store.signals.pagesChanged.raise(tx, scope.orgId))
      return { ...taken, unknown }
    },
  }
}
