// Blocks of finished days or hours: runs of them, oldest first, each with the packed latencies of its
// results.
import { Packr } from 'msgpackr'
import { required } from '../../../base/assert.ts'
import type { Latencies } from '../../../domain/checks/latencies.ts'
import {
  packLatencies,
  unpackFormerLatencies,
  unpackLatencies,
} from '../../../domain/checks/packed-latencies.ts'
import { createByteReader, createByteWriter } from '../../../domain/checks/varints.ts'
import { hourMs, type Tally } from '../../../domain/health/span.ts'
import { endOfRun, partOfRun, type TallyRun } from '../../../domain/health/tally-runs.ts'
import type { Codec } from '../../engine/table.ts'

/** A part of some bytes: most are never looked at, and a view of each would cost more than all else. */
interface BytesPart {
  readonly of: Uint8Array
  readonly from: number
  readonly to: number
}

export interface StoredRun extends TallyRun {
  /** Latencies, unpacked only where they are asked for. A run that has some is a single day (or hour). */
  readonly packed: BytesPart | null
  /** Packed as earlier versions did. */
  readonly isFormer: boolean
}

export interface TallyBlock {
  /** They do not overlap; oldest first, at least one. */
  readonly runs: readonly StoredRun[]
  readonly bytes: Uint8Array
}

/** What the first version stored: no latencies, and one sum of all time that does not count. */
type FirstTally = Omit<Tally, 'pausedMs' | 'maintenanceMs'>

const firstVersion = 1
const secondVersion = 2
export const tallyBlockVersion = 3

const packr = new Packr({ useRecords: false, copyBuffers: true })
const writer = createByteWriter(64 * 1024)

// The first byte of a run: in its lowest bits the state that fills it, and what else there is.
const stateBits = 7
const isApart = 8
const hasLatencies = 16
const isOfMany = 32
const hasChecks = 64
const hasFailures = 128

/** The part of a day (or hour) in each state if it has one state only, in the order of `timesOf`. */
const filledTimes = [
  [1, 0, 0, 0, 0, 0],
  [0, 1, 0, 0, 0, 0],
  [0, 0, 1, 0, 0, 0],
  [0, 0, 0, 1, 1, 0],
  [0, 0, 0, 1, 0, 1],
  [0, 0, 0, 1, 0, 0],
] as const

const timesOf = (tally: Tally): readonly number[] => [
  tally.upMs,
  tally.degradedMs,
  tally.downMs,
  tally.excludedMs,
  tally.pausedMs,
  tally.maintenanceMs,
]

type TallyTimes = Omit<Tally, 'startMs' | 'checks' | 'failures'>

/** The times of values in the same order. */
const timesFrom = (msAt: (at: number) => number): TallyTimes => ({
  upMs: msAt(0),
  degradedMs: msAt(1),
  downMs: msAt(2),
  excludedMs: msAt(3),
  pausedMs: msAt(4),
  maintenanceMs: msAt(5),
})

/**
 * A run is written as: the first byte; the number of days (or hours) between it and the run before, if any;
 * unless one state fills it, a bit for each time that is not 0, and these times; counts; the length of the
 * latencies, and these. Most hours of most monitors need three bytes and their latencies.
 */
export function tallyBlockCodec(bucketMs: number): Codec<TallyBlock> {
  return {
    encode: (block) => block.bytes,
    decode(bytes, version) {
      if (version === firstVersion) {
        const former = packr.unpack(bytes) as FirstTally
        const tally = { ...former, pausedMs: 0, maintenanceMs: 0 }
        return { runs: [{ tally, count: 1, packed: null, isFormer: true }], bytes }
      }
      // A copy, because lmdb uses the buffer again.
      const copy = new Uint8Array(bytes)
      const runs = version === secondVersion ? [readSecond(copy)] : readRuns(copy, bucketMs)
      return { runs, bytes: copy }
    },
  }
}

function writeRun({ tally, count, packed }: StoredRun, endMs: number, bucketMs: number): void {
  const times = timesOf(tally)
  const state = filledTimes.findIndex((shares) =>
    shares.every((share, at) => times[at] === share * bucketMs),
  )
  const apart = (tally.startMs - endMs) / bucketMs
  writer.byte(
    (state + 1) |
      (apart > 0 ? isApart : 0) |
      (packed ? hasLatencies : 0) |
      (count > 1 ? isOfMany : 0) |
      (tally.checks > 0 ? hasChecks : 0) |
      (tally.failures > 0 ? hasFailures : 0),
  )
  if (apart > 0) writer.varint(apart)
  if (state < 0) {
    writer.byte(times.reduce((bits, ms, at) => (ms > 0 ? bits | (1 << at) : bits), 0))
    for (const ms of times) if (ms > 0) writer.varint(ms)
  }
  if (count > 1) writer.varint(count)
  if (tally.checks > 0) writer.varint(tally.checks)
  if (tally.failures > 0) writer.varint(tally.failures)
  if (!packed) return
  writer.varint(packed.to - packed.from)
  writer.bytes(viewOf(packed))
}

function readRuns(bytes: Uint8Array, bucketMs: number): StoredRun[] {
  const reader = createByteReader(bytes)
  const filled = filledTimes.map((shares) => timesFrom((at) => (shares[at] ?? 0) * bucketMs))
  const block: StoredRun[] = []
  let endMs = 0
  while (reader.hasMore) {
    const first = reader.byte()
    const startMs = endMs + (first & isApart ? reader.varint() * bucketMs : 0)
    const state = first & stateBits
    const times = state > 0 ? required(filled[state - 1], 'a state') : readTimes()
    const count = first & isOfMany ? reader.varint() : 1
    const checks = first & hasChecks ? reader.varint() : 0
    const failures = first & hasFailures ? reader.varint() : 0
    const tally = { startMs, ...times, checks, failures }
    block.push({ tally, count, packed: first & hasLatencies ? readPart() : null, isFormer: false })
    endMs = startMs + count * bucketMs
  }
  return block

  function readTimes(): TallyTimes {
    const bits = reader.byte()
    return timesFrom((at) => (bits & (1 << at) ? reader.varint() : 0))
  }

  function readPart(): BytesPart {
    const length = reader.varint()
    const from = reader.offset
    reader.skip(length)
    return { of: bytes, from, to: from + length }
  }
}

/** A single day or hour: its numbers by position, and then the latencies. */
function readSecond(bytes: Uint8Array): StoredRun {
  const reader = createByteReader(bytes)
  const tally = {
    startMs: reader.varint() * hourMs,
    upMs: reader.varint(),
    degradedMs: reader.varint(),
    downMs: reader.varint(),
    excludedMs: reader.varint(),
    pausedMs: reader.varint(),
    maintenanceMs: reader.varint(),
    checks: reader.varint(),
    failures: reader.varint(),
  }
  const packed = reader.hasMore ? { of: bytes, from: reader.offset, to: bytes.length } : null
  return { tally, count: 1, packed, isFormer: true }
}

/** Throws for damaged ones. */
export function latenciesOf({ packed, isFormer }: StoredRun): Latencies | null {
  if (!packed) return null
  const bytes = viewOf(packed)
  return isFormer ? unpackFormerLatencies(bytes) : unpackLatencies(bytes)
}

export function packedPart(latencies: Latencies | null): BytesPart | null {
  if (!latencies) return null
  const bytes = packLatencies(latencies)
  return { of: bytes, from: 0, to: bytes.length }
}

const viewOf = ({ of, from, to }: BytesPart): Uint8Array => of.subarray(from, to)

/** Whether it is the record of a single day or hour that an earlier version wrote. */
export function isFormer({ runs }: TallyBlock): boolean {
  return runs.some((run) => run.isFormer)
}

/** The run as this version packs it; damaged latencies go. */
function asPackedNow(run: StoredRun): StoredRun {
  if (!run.isFormer) return run
  try {
    return { ...run, packed: packedPart(latenciesOf(run)), isFormer: false }
  } catch {
    return { ...run, packed: null, isFormer: false }
  }
}

/** The runs with `added` in their places; both are oldest first. */
export function withRuns(
  before: readonly StoredRun[],
  added: readonly StoredRun[],
  bucketMs: number,
): readonly StoredRun[] {
  let runs = before.map(asPackedNow)
  for (const run of added) {
    const last = runs.at(-1)
    if (!last || endOfRun(last, bucketMs) <= run.tally.startMs) {
      runs.push(run)
      continue
    }
    const endMs = endOfRun(run, bucketMs)
    const within = (fromMs: number, toMs: number) =>
      runs.flatMap((one) => partOfRun(one, { fromMs, toMs }, bucketMs) ?? [])
    runs = [
      ...within(Number.NEGATIVE_INFINITY, run.tally.startMs),
      run,
      ...within(endMs, Number.POSITIVE_INFINITY),
    ]
  }
  return joined(runs, bucketMs)
}

/** The runs with the ones joined that are alike and follow each other. */
function joined(runs: readonly StoredRun[], bucketMs: number): readonly StoredRun[] {
  const found: StoredRun[] = []
  for (const run of runs) {
    const last = found.at(-1)
    if (last && isGoingOn(last, run, bucketMs)) {
      found[found.length - 1] = { ...last, count: last.count + run.count }
    } else found.push(run)
  }
  return found
}

function isGoingOn(before: StoredRun, run: StoredRun, bucketMs: number): boolean {
  if (before.packed || run.packed || endOfRun(before, bucketMs) !== run.tally.startMs) return false
  const { startMs: _, ...one } = before.tally
  return Object.entries(one).every(([name, value]) => run.tally[name as keyof Tally] === value)
}

/**
 * With the page's head and the record's own, a block of hours fills one page of the store: about a
 * hundred hours of a monitor that is checked every minute.
 */
const tallyBlockBytesMax = 4_096 - 24 - 5

/**
 * The runs in blocks that fit into a page of the file, each with at most so many. The first goes on where
 * `newest` ends, if that has the same runs: most only get one more.
 */
export function blocksOf(
  runs: readonly StoredRun[],
  newest: TallyBlock | undefined,
  { runsMax, bucketMs }: { readonly runsMax: number; readonly bucketMs: number },
): TallyBlock[] {
  const blocks: TallyBlock[] = []
  const isLonger = newest?.runs.every((run, at) => run === runs[at]) ?? false
  let block: StoredRun[] = newest && isLonger ? [...newest.runs] : []
  if (newest && isLonger) writer.bytes(newest.bytes)
  const end = () => {
    if (block.length > 0) blocks.push({ runs: block, bytes: writer.taken() })
    block = []
  }
  for (const run of runs.slice(block.length)) {
    const { length } = writer
    const last = block.at(-1)
    writeRun(run, last ? endOfRun(last, bucketMs) : 0, bucketMs)
    const isFull = block.length >= runsMax || writer.length > tallyBlockBytesMax
    if (last && isFull) {
      writer.cut(length)
      end()
      writeRun(run, 0, bucketMs)
    }
    block.push(run)
  }
  end()
  return blocks
}
