// A cell: what it stores of each organization, the leader that serves it, and its part in a move.
import { speeds } from '../figures.ts'
import type { Directory } from './directory.ts'
import { sizeOf } from './sizes.ts'
import { type Answer, type Entry, every, type Row, send, type World } from './world.ts'

/** A request between cells that was not answered in this time is made again. */
const askAgainMs = 2_000
/** So few new records are left when the source is asked to switch the organization off. */
const fewRecords = 5
/** Only with a planted fault: how long a source waits until it goes on by itself. */
const unaskedMs = 10_000

/** What a cell is for an organization. It is stored with its rows, and travels through the log. */
type Mark =
  | { readonly as: 'owner'; readonly epoch: number }
  | { readonly as: 'off'; readonly epoch: number; readonly move: number; readonly sinceMs: number }
  | {
      readonly as: 'incoming'
      readonly epoch: number
      readonly move: number
      readonly revision: number
      readonly isWhole: boolean
    }
  | { readonly as: 'gone'; readonly epoch: number; readonly to: string }

export interface Range {
  mark: Mark
  rows: Row[]
  /** What was given away, until the new owner has a backup of it. */
  kept: { readonly epoch: number; readonly rows: readonly Row[] } | null
  /** When the former owner switched it off. */
  offAtMs: number
}

/** A process that leads the cell, or believes so. */
interface Leader {
  readonly term: number
  /** What is in the log; a leader that was replaced has only what it knew. */
  readonly ranges: Map<string, Range>
  readonly asked: Map<string, { atMs: number; isNearly: boolean }>
  /** Only with a planted fault: what it switched off, and no standby knows. */
  readonly offInMemory: Set<string>
}

export interface Cell {
  readonly name: string
  readonly ranges: Map<string, Range>
  readonly copy: ReadonlyMap<string, Entry>
  leader: Leader | null
  /** A former leader that does not know it. */
  stale: Leader | null
  term: number
  isLost: boolean
  /** Nothing can be appended to its log any more. */
  isSealed: boolean
}

export function createCell(
  world: World,
  directory: Directory,
  name: string,
  find: (name: string) => Cell,
): Cell {
  const cell: Cell = {
    name,
    ranges: new Map(),
    copy: directory.watchedBy(name),
    leader: null,
    stale: null,
    term: 0,
    isLost: false,
    isSealed: false,
  }
  lead(cell)
  every(world, speeds.watchMs, () => {
    if (!cell.leader || cell.isSealed) return
    for (const [org, entry] of cell.copy) {
      settle(world, cell, org, entry)
      if (entry.move?.target === name) fetchRange(world, directory, cell, find, org, entry)
    }
  })
  return cell
}

/** The standby has applied the log, and leads. */
export function lead(cell: Cell): void {
  cell.term += 1
  cell.leader = { term: cell.term, ranges: cell.ranges, asked: new Map(), offInMemory: new Set() }
}

/** The leader stands still, and goes on later without knowing that it was replaced. */
export function replaceUnnoticed(cell: Cell): void {
  cell.stale = cell.leader && { ...cell.leader, ranges: structuredClone(cell.ranges) }
}

/** What the directory says now becomes true here. */
function settle(world: World, cell: Cell, org: string, entry: Entry): void {
  const range = cell.ranges.get(org)
  if (!range) return
  const { mark } = range
  const isNewer = entry.epoch > mark.epoch
  const isOurs = entry.cell === cell.name
  if (mark.as === 'owner' || mark.as === 'off') {
    if (isNewer && isOurs) range.mark = { as: 'owner', epoch: entry.epoch }
    if (isNewer && !isOurs) {
      if (world.fault !== 'deleted at once') range.kept = { epoch: mark.epoch, rows: range.rows }
      range.rows = world.fault === 'no epoch fence' ? [...range.rows] : []
      range.mark = { as: 'gone', epoch: entry.epoch, to: entry.cell }
    }
    const isLong = mark.as === 'off' && world.time.elapsedMs - mark.sinceMs > unaskedMs
    if (world.fault === 'abort without asking' && isLong && !isNewer) {
      range.mark = { as: 'owner', epoch: mark.epoch }
    }
  }
  if (mark.as === 'incoming' && entry.revision > mark.revision) {
    if (isOurs && entry.epoch === mark.epoch + 1 && mark.isWhole) {
      range.mark = { as: 'owner', epoch: entry.epoch }
      if (range.offAtMs > 0) {
        world.frozenMs.push(world.time.elapsedMs - range.offAtMs)
        world.counts.moved += 1
      }
    } else if (isNewer || entry.move?.id !== mark.move) {
      range.rows = []
      range.mark = { as: 'gone', epoch: entry.epoch, to: entry.cell }
    }
  }
  if (mark.as === 'gone' && isNewer && !isOurs) {
    range.mark = { as: 'gone', epoch: entry.epoch, to: entry.cell }
  }
}

/** The part of the target: copies, asks the source to switch off, copies the rest, asks to be named the owner. */
function fetchRange(
  world: World,
  directory: Directory,
  cell: Cell,
  find: (name: string) => Cell,
  org: string,
  entry: Entry,
): void {
  const { leader } = cell
  const move = entry.move
  if (!leader || !move) return
  const held = cell.ranges.get(org)
  if (held?.mark.as === 'owner' || held?.mark.as === 'off') return
  const isBegun = held?.mark.as === 'incoming' && held.mark.move === move.id
  // What was restored here meanwhile is newer than the move that the copy of the directory still tells of.
  if (held?.mark.as === 'incoming' && !isBegun && held.mark.revision >= entry.revision) return
  const range: Range = isBegun
    ? held
    : {
        mark: {
          as: 'incoming',
          epoch: entry.epoch,
          move: move.id,
          revision: entry.revision,
          isWhole: false,
        },
        rows: [],
        kept: held?.kept ?? null,
        offAtMs: 0,
      }
  cell.ranges.set(org, range)
  if (range.mark.as !== 'incoming') return
  const isFirst = !isBegun || !leader.asked.has(org)
  const asked = (!isFirst && leader.asked.get(org)) || {
    atMs: Number.NEGATIVE_INFINITY,
    isNearly: false,
  }
  leader.asked.set(org, asked)
  if (world.time.elapsedMs < asked.atMs + askAgainMs) return
  asked.atMs = world.time.elapsedMs
  if (range.mark.isWhole) {
    directory.finish(org, cell.name, entry)
    return
  }
  const { monitors, bytes } = sizeOf(world.monitorsOf(org))
  const from = range.rows.length
  const copyMs = from === 0 ? bytes / speeds.copyBytesPerMs : 0
  const source = find(entry.cell)
  const isLate = world.fault === 'switch-off after the directory'
  send(world, [cell.name, source.name], () => {
    const part = giveRange(world, source, org, move.id, from, asked.isNearly && !isLate)
    if (!part) return
    // What has begun to come is waited for; what has not is asked for again.
    send(world, [source.name, cell.name], () => {
      if (Number.isFinite(asked.atMs)) asked.atMs = world.time.elapsedMs + copyMs
    })
    send(
      world,
      [source.name, cell.name],
      () => {
        if (cell.leader !== leader || cell.ranges.get(org) !== range) return
        if (range.mark.as !== 'incoming' || range.rows.length !== from) return
        const isLeftOut = part.isOff && world.fault === 'last records not awaited'
        if (!isLeftOut) range.rows.push(...part.rows)
        asked.isNearly = part.rows.length <= fewRecords
        asked.atMs = Number.NEGATIVE_INFINITY
        if (!part.isOff && !(isLate && asked.isNearly)) return
        range.offAtMs = part.offAtMs
        asked.atMs = Number.POSITIVE_INFINITY
        world.time.at(world.time.elapsedMs + monitors * speeds.startMsPerMonitor, () => {
          if (cell.leader !== leader || range.mark.as !== 'incoming') return
          range.mark = { ...range.mark, isWhole: true }
          asked.atMs = world.time.elapsedMs
          directory.finish(org, cell.name, entry)
        })
      },
      copyMs,
    )
  })
}

/** The part of the source: gives what it has from there on, and switches off when it is asked to. */
function giveRange(
  world: World,
  source: Cell,
  org: string,
  move: number,
  from: number,
  isLast: boolean,
): { readonly rows: readonly Row[]; readonly isOff: boolean; readonly offAtMs: number } | null {
  const range = source.ranges.get(org)
  const { leader } = source
  if (!range || !leader || source.isSealed || source.copy.get(org)?.move?.id !== move) return null
  const nowMs = world.time.elapsedMs
  if (range.mark.as === 'owner' && isLast) {
    if (world.fault === 'switch-off in memory only') leader.offInMemory.add(org)
    else range.mark = { as: 'off', epoch: range.mark.epoch, move, sinceMs: nowMs }
  }
  const { mark } = range
  const isOff = leader.offInMemory.has(org) || (mark.as === 'off' && mark.move === move)
  if (mark.as !== 'owner' && !isOff) return null
  return { rows: range.rows.slice(from), isOff, offAtMs: mark.as === 'off' ? mark.sinceMs : nowMs }
}

/** A write comes to a leader of the cell; the answer may never come. */
export function write(
  world: World,
  cell: Cell,
  leader: Leader,
  org: string,
  key: string,
  answer: (answer: Answer) => void,
): void {
  const range = leader.ranges.get(org)
  if (!range || range.mark.as === 'incoming') {
    const elsewhere = cell.copy.get(org)?.cell
    answer(elsewhere === undefined || elsewhere === cell.name ? 'later' : { elsewhere })
    return
  }
  const isUnfenced = world.fault === 'no epoch fence'
  if (range.mark.as === 'gone' && !isUnfenced) {
    answer({ elsewhere: range.mark.to })
    return
  }
  const { epoch } = range.mark
  const mayWrite = () =>
    isUnfenced ||
    (range.mark.as === 'owner' && range.mark.epoch === epoch && !leader.offInMemory.has(org))
  if (!mayWrite()) {
    answer('later')
    return
  }
  world.time.at(world.time.elapsedMs + speeds.commitMs, () => {
    const isStale = cell.stale === leader
    if (cell.leader !== leader && !isStale) return
    if (!mayWrite() && world.fault !== 'late commit') {
      answer('later')
      return
    }
    const isFenced = isStale && world.fault !== 'no log fence'
    if (isFenced || cell.isSealed) {
      // Whoever is refused by the log ends.
      if (isStale) cell.stale = null
      else cell.leader = null
      return
    }
    if (!range.rows.some((row) => row.key === key)) {
      range.rows.push({ key, epoch })
      world.oracle.appended(cell.name, org, epoch)
    }
    answer('stored')
  })
}
