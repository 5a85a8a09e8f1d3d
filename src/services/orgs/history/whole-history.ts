// The whole history of an organization as files: read in slices, written while it is sent.
import { Fault, rateLimited } from '../../../base/fault.ts'
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import { laterTurn } from '../../../base/yielding.ts'
import type { TimeWindow } from '../../../domain/health/time-window.ts'
import type { ImportOrigin } from '../../../domain/imports/import-record.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Monitor } from '../../../domain/monitors/monitor.ts'
import {
  type HistoryFormat,
  type HistoryRow,
  type HistoryTable,
  historyColumns,
} from '../../../domain/orgs/history-tables.ts'
import { createSights } from '../../checks/sights.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'
import { filePartsOf } from './file-parts.ts'
import { type MonitorColumns, resultRows, tallyRows, tallySteps } from './monitor-rows.ts'
import {
  type ColumnsOf,
  deliveryRows,
  incidentRow,
  incidentRows,
  timelineRows,
} from './told-rows.ts'

export interface HistoryRequest {
  readonly table: HistoryTable
  readonly format: HistoryFormat
  /** Default: everything. */
  readonly fromMs?: number | undefined
  /** Default, and the latest: now. */
  readonly toMs?: number | undefined
}

/** A file that is made while it is read. */
export interface HistoryFile {
  readonly parts: AsyncIterable<Uint8Array>
  /** Nobody reads the rest. Called in any case, also after the last part. */
  readonly close: () => void
}

/** Files that are made at the same time, for all organizations. */
const historiesTogether = 4

type HistoryRows = Iterable<readonly HistoryRow[]>

export function createWholeHistories({
  store,
  clock,
  audit,
}: Pick<Core, 'store' | 'clock' | 'audit'>) {
  const sights = createSights({ store, clock })
  const busy = new Set<OrgId>()

  function refuseTooMany(orgId: OrgId): void {
    if (busy.has(orgId)) {
      const why = 'The history of this organization is being read by another request'
      const afterMs = limits.retryAfterSeconds * 1_000
      throw rateLimited(afterMs, (seconds) => `${why}; try again in ${seconds} s.`)
    }
    if (busy.size < historiesTogether) return
    const headers = [['Retry-After', String(limits.retryAfterSeconds)]] as const
    throw new Fault('unavailable', 'Too many histories are being read.', { headers })
  }

  /** Which items of other products the monitors were. */
  async function originsOf(orgId: OrgId): Promise<ReadonlyMap<string, ImportOrigin>> {
    const found = new Map<string, ImportOrigin>()
    let last: ImportOrigin | undefined
    do {
      const slice = store.importOrigins.ofAll(orgId, limits.scanSlice, last)
      for (const one of slice) if (one.list === 'monitors') found.set(one.id, one)
      last = slice.length < limits.scanSlice ? undefined : slice.at(-1)
      if (last) await laterTurn()
    } while (last)
    return found
  }

  function columnsReader(orgId: OrgId, origins: ReadonlyMap<string, ImportOrigin>): ColumnsOf {
    return (monitorId) => {
      const origin = monitorId === undefined ? undefined : origins.get(monitorId)
      const monitor =
        monitorId === undefined
          ? undefined
          : store.monitors.recallReadable(orgId, monitorId as MonitorId)
      return {
        monitorId: monitorId ?? null,
        monitorName: monitor?.name ?? null,
        monitorProduct: origin?.source.product ?? null,
        monitorOrigin: origin?.origin ?? null,
      }
    }
  }

  /** Newest first, in slices. */
  function* monitorsOf(orgId: OrgId): Generator<Monitor> {
    let after: MonitorId | undefined
    do {
      const slice = store.monitors.list(orgId, limits.scanSlice, after)
      yield* slice
      after = slice.length < limits.scanSlice ? undefined : slice.at(-1)?.id
    } while (after !== undefined)
  }

  /** HistoryRows that every monitor has. */
  function* ofEach(
    orgId: OrgId,
    columnsOf: ColumnsOf,
    rowsOf: (monitor: Monitor, ofMonitor: MonitorColumns) => HistoryRows,
  ): Generator<readonly HistoryRow[]> {
    for (const monitor of monitorsOf(orgId)) yield* rowsOf(monitor, columnsOf(monitor.id))
  }

  function* atPlaces(
    monitor: Monitor,
    step: Parameters<typeof tallyRows>[1],
    ofMonitor: MonitorColumns,
    window: TimeWindow & { readonly nowMs: number },
  ): Generator<readonly HistoryRow<'locationHours'>[]> {
    for (const place of sights.placesOf(monitor)) {
      const rows = tallyRows(() => sights.placed(monitor, place), step, ofMonitor, window)
      for (const some of rows) yield some.map((row) => ({ ...row, location: place }))
    }
  }

  function rowsOf(
    orgId: OrgId,
    table: HistoryTable,
    columnsOf: ColumnsOf,
    window: TimeWindow & { readonly nowMs: number },
  ): HistoryRows {
    switch (table) {
      case 'results':
        return ofEach(orgId, columnsOf, (monitor, ofMonitor) =>
          resultRows(sights, () => sights.all(monitor), ofMonitor, window),
        )
      case 'hours':
      case 'days':
        return ofEach(orgId, columnsOf, (monitor, ofMonitor) =>
          tallyRows(() => sights.all(monitor), tallySteps[table], ofMonitor, window),
        )
      case 'locationHours':
        return ofEach(orgId, columnsOf, (monitor, ofMonitor) =>
          atPlaces(monitor, tallySteps.hours, ofMonitor, window),
        )
      case 'locationDays':
        return ofEach(orgId, columnsOf, (monitor, ofMonitor) =>
          atPlaces(monitor, tallySteps.days, ofMonitor, window),
        )
      case 'incidents':
        return incidentRows(store, orgId, window, (one) => [incidentRow(one, columnsOf)])
      case 'timeline':
        return incidentRows(store, orgId, window, (one) => timelineRows(one, columnsOf))
      case 'deliveries':
        return deliveriesOf(orgId, columnsOf, window)
    }
  }

  function* deliveriesOf(orgId: OrgId, columnsOf: ColumnsOf, window: TimeWindow) {
    for (const { id } of store.channels.list(orgId, limits.quotaMax)) {
      yield* deliveryRows(store, orgId, id, columnsOf, window)
    }
  }

  /** The audit log has the export before anybody has a part of it. */
  async function* partsOf(
    scope: OrgScope,
    { table, format, fromMs = 0, toMs }: HistoryRequest,
  ): AsyncGenerator<Uint8Array> {
    const { orgId } = scope
    const note = { action: 'organization.exported', objectId: null, detail: table } as const
    await store.write((tx) => audit.note(tx, scope, note))
    const nowMs = clock.nowMs()
    // What happens in this millisecond is in it.
    const window = { fromMs, toMs: Math.min(toMs ?? Number.POSITIVE_INFINITY, nowMs + 1), nowMs }
    const columnsOf = columnsReader(orgId, await originsOf(orgId))
    const rows = rowsOf(orgId, table, columnsOf, window)
    yield* filePartsOf(rows, { columns: historyColumns[table], format, clock })
  }

  return {
    /**
     * A file with one table of the history, made while it is read; an organization has one at a time. Its
     * reader closes it. Throws rate_limited, unavailable.
     */
    open(scope: OrgScope, request: HistoryRequest): HistoryFile {
      const { orgId } = scope
      refuseTooMany(orgId)
      busy.add(orgId)
      let isOpen = true
      return {
        parts: partsOf(scope, request),
        close() {
          if (isOpen) busy.delete(orgId)
          isOpen = false
        },
      }
    },
  }
}
