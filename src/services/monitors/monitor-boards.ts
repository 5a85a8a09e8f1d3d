// What metrics say of the monitors of an organization, in memory as long as somebody scrapes them: reading the
// records of ten thousand monitors takes longer than a scrape may take. Every write of a record or a state is
// heard, and changes the row of its monitor.
import type { Clock } from '../../base/clock.ts'
import { labelOf } from '../../base/formats/exposition.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { ownBytes } from '../../base/memory/own-bytes.ts'
import { createYielder } from '../../base/yielding.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { initialMonitorState, type MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { WrittenMonitor } from '../../store/engine/signals.ts'
import type { Store } from '../../store/store.ts'
import { monitorStateOf } from './monitor-view.ts'

/** The parts of a monitor's state that metrics tell. */
type ScrapedState = Pick<
  MonitorState,
  'health' | 'lastVerdict' | 'lastAtMs' | 'responseTimeMs' | 'lastPhases' | 'domainExpiresAtMs'
> & { readonly certificateExpiresAtMs: number | null }

/** An uptime, and until when it is told without being computed again. */
export interface ToldUptime {
  readonly ratio: number | null
  readonly untilMs: number
}

interface ToldUptimes {
  /** Since when the state held in which they were computed. */
  readonly sinceMs: number
  readonly day: ToldUptime
  readonly month: ToldUptime
}

export interface BoardRow {
  readonly monitor: Pick<
    Monitor,
    'orgId' | 'id' | 'tags' | 'isActive' | 'checkType' | 'intervalSeconds'
  >
  /** The labels of each of its lines. */
  readonly labels: Uint8Array
  /** The label of its tags, behind a comma. */
  readonly tags: Uint8Array
  state: ScrapedState
  uptimes: ToldUptimes | undefined
}

interface Board {
  readonly rows: Map<MonitorId, BoardRow>
  /** Resolves when every monitor has its row. */
  readonly whole: Promise<void>
  usedAtMs: number
}

/** The rows of all boards; about 700 bytes each. */
const boardRowsMax = 100_000
/** A board that nobody has asked for since then is given up. */
export const boardKeptMs = 15 * 60_000
/** Monitors that are read together: few, so that most of them are garbage before the collector moves them. */
const sliceMonitors = 100

export function createMonitorBoards({
  store,
  clock,
}: {
  readonly store: Store
  readonly clock: Clock
}) {
  /** The one that was used last is the last. */
  const boards = new Map<OrgId, Board>()

  store.signals.monitorStored.listen(({ orgId, ...stored }) => {
    const board = boards.get(orgId)
    if (!board) return
    if (clock.nowMs() - board.usedAtMs > boardKeptMs) boards.delete(orgId)
    else note(board.rows, stored)
  })

  function note(
    rows: Map<MonitorId, BoardRow>,
    { monitorId, record, monitorState }: Omit<WrittenMonitor, 'orgId'>,
  ): void {
    const before = rows.get(monitorId)
    if (record === null) rows.delete(monitorId)
    if (record) {
      const state = before?.state ?? seenOf(initialMonitorState(record.createdAtMs))
      rows.set(monitorId, rowOf(record, state))
    }
    if (monitorState && before) before.state = seenOf(monitorState)
  }

  async function fill(orgId: OrgId, rows: Map<MonitorId, BoardRow>): Promise<void> {
    const yielder = createYielder(clock, limits.historySliceMs)
    let after: MonitorId | undefined
    do {
      const slice = store.monitors.list(orgId, sliceMonitors, after)
      for (const monitor of slice) {
        // What was heard of meanwhile is newer.
        if (rows.has(monitor.id)) continue
        rows.set(monitor.id, rowOf(monitor, seenOf(monitorStateOf(store, monitor, false))))
      }
      if (yielder.isDue()) await yielder.pause()
      after = slice.length < sliceMonitors ? undefined : slice.at(-1)?.id
    } while (after)
  }

  function makeRoom(rows: number): void {
    let kept = rows
    for (const board of boards.values()) kept += board.rows.size
    for (const [orgId, board] of boards) {
      if (kept <= boardRowsMax) return
      boards.delete(orgId)
      kept -= board.rows.size
    }
  }

  function begun(orgId: OrgId): Board {
    makeRoom(store.monitors.count(orgId))
    const rows = new Map<MonitorId, BoardRow>()
    const whole = fill(orgId, rows)
    whole.catch(() => boards.delete(orgId))
    return { rows, whole, usedAtMs: 0 }
  }

  return {
    /** A row for each monitor, in no order. They change with what they are about. */
    async rowsOf(orgId: OrgId): Promise<Iterable<BoardRow>> {
      const board = boards.get(orgId) ?? begun(orgId)
      boards.delete(orgId)
      boards.set(orgId, board)
      board.usedAtMs = clock.nowMs()
      await board.whole
      return board.rows.values()
    },
  }
}

function seenOf({
  health,
  lastVerdict,
  lastAtMs,
  responseTimeMs,
  lastPhases,
  domainExpiresAtMs,
  certificate,
}: MonitorState): ScrapedState {
  return {
    health,
    lastVerdict,
    lastAtMs,
    responseTimeMs,
    lastPhases,
    domainExpiresAtMs,
    certificateExpiresAtMs: certificate?.expiresAtMs ?? null,
  }
}

function rowOf(
  { orgId, id, tags, isActive, intervalSeconds, name, checkType }: Monitor,
  state: ScrapedState,
): BoardRow {
  const labels = [labelOf('id', id), labelOf('name', name), labelOf('type', checkType)]
  return {
    monitor: { orgId, id, tags, isActive, checkType, intervalSeconds },
    labels: ownBytes(Buffer.from(labels.join(','))),
    tags: ownBytes(Buffer.from(`,${labelOf('tags', listed(tags))}`)),
    state,
    uptimes: undefined,
  }
}

/** Each between commas, as lists in labels are: `,shop,eu,` is searched for `,eu,`. */
export function listed(tags: readonly string[]): string {
  return tags.length === 0 ? '' : `,${tags.join(',')},`
}
