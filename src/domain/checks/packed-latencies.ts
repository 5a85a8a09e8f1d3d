// Latencies as bytes, without loss: an hour of checks every minute takes about thirty bytes.
import { createBitReader, createBitWriter } from './bits.ts'
import { bucketOf } from './histogram.ts'
import { type Latencies, type PhaseSum, phasesOf } from './latencies.ts'
import { phaseNames } from './reading.ts'
import { createByteReader, createByteWriter } from './varints.ts'
import { type VerdictKind, verdictKinds } from './verdict.ts'

// The first byte: a bit for each phase that happened, and what needs no numbers of its own.
const isAllUp = 32
/** Every good result has a latency. */
const isAllTimed = 64
/** A phase that happened did so in each result that has a latency. */
const hasWholePhases = 128

const noPhases = () => phasesOf(() => ({ count: 0, sumMs: 0 }))
const writer = createByteWriter(16 * 1024)

/**
 * The first byte; the number of results of each kind, and of latencies. If there are any: least, range,
 * and by how much their sum exceeds that of as many of the least; the phases; and the histogram, as
 * the buckets that are skipped before each and its count less one. The last phase is what the others leave
 * of the whole, mostly a few milliseconds.
 */
export function packLatencies(latencies: Latencies): Uint8Array {
  const { results, count, minMs, maxMs, sumMs, phases, histogram } = latencies
  const { up, degraded, down, unknown } = results
  const happened = phaseNames.map((name) => phases[name].count > 0)
  const isWhole = phaseNames.every((name, at) => !happened[at] || phases[name].count === count)
  const isUp = degraded + down + unknown === 0
  const isTimed = count === up + degraded
  writer.byte(
    happened.reduce((bits, did, at) => bits | (did ? 1 << at : 0), 0) |
      (isUp ? isAllUp : 0) |
      (isTimed ? isAllTimed : 0) |
      (isWhole ? hasWholePhases : 0),
  )
  if (isUp) writer.varint(up)
  else for (const kind of verdictKinds) writer.varint(results[kind])
  if (!isTimed) writer.varint(count)
  if (count === 0) return writer.taken()
  writer.varint(minMs)
  writer.varint(maxMs - minMs)
  writer.varint(sumMs - count * minMs)
  let leftMs = sumMs
  for (const [at, name] of phaseNames.entries()) {
    if (!happened[at]) continue
    const phase = phases[name]
    if (!isWhole) writer.varint(phase.count)
    if (happened.includes(true, at + 1)) writer.varint(phase.sumMs)
    else writer.signed(phase.sumMs - leftMs)
    leftMs -= phase.sumMs
  }
  const bits = createBitWriter(writer)
  let next = bucketOf(minMs)
  for (const [bucket, some] of histogram) {
    bits.number(bucket - next)
    bits.number(some - 1)
    next = bucket + 1
  }
  bits.end()
  return writer.taken()
}

export function unpackLatencies(packed: Uint8Array): Latencies {
  const reader = createByteReader(packed)
  const first = reader.byte()
  const results: Record<VerdictKind, number> = { up: 0, degraded: 0, down: 0, unknown: 0 }
  if (first & isAllUp) results.up = reader.varint()
  else for (const kind of verdictKinds) results[kind] = reader.varint()
  const count = first & isAllTimed ? results.up + results.degraded : reader.varint()
  if (count === 0) {
    return { results, count, minMs: 0, maxMs: 0, sumMs: 0, phases: noPhases(), histogram: [] }
  }
  const minMs = reader.varint()
  const maxMs = minMs + reader.varint()
  const sumMs = count * minMs + reader.varint()
  let leftMs = sumMs
  const phases = phasesOf((at): PhaseSum => {
    if ((first & (1 << at)) === 0) return { count: 0, sumMs: 0 }
    const phaseCount = first & hasWholePhases ? count : reader.varint()
    const isLast = (first & 31) >> (at + 1) === 0
    const phaseMs = isLast ? reader.signed() + leftMs : reader.varint()
    leftMs -= phaseMs
    return { count: phaseCount, sumMs: phaseMs }
  })
  const bits = createBitReader(reader)
  const histogram: (readonly [bucket: number, count: number])[] = []
  let next = bucketOf(minMs)
  for (let left = count; left > 0; ) {
    const bucket = next + bits.number()
    const some = bits.number() + 1
    histogram.push([bucket, some])
    next = bucket + 1
    left -= some
  }
  return { results, count, minMs, maxMs, sumMs, phases, histogram }
}

/**
 * What earlier versions stored: all numbers one after the other. An entry of the histogram was one byte,
 * how many buckets it skips and its count, if both are small; else a zero byte and two numbers.
 */
export function unpackFormerLatencies(packed: Uint8Array): Latencies {
  const reader = createByteReader(packed)
  const results: Record<VerdictKind, number> = { up: 0, degraded: 0, down: 0, unknown: 0 }
  for (const kind of verdictKinds) results[kind] = reader.varint()
  const count = reader.varint()
  if (count === 0) {
    return { results, count, minMs: 0, maxMs: 0, sumMs: 0, phases: noPhases(), histogram: [] }
  }
  const minMs = reader.varint()
  const maxMs = minMs + reader.varint()
  const sumMs = reader.varint()
  const phases = phasesOf(() => {
    const phaseCount = reader.varint()
    return { count: phaseCount, sumMs: phaseCount > 0 ? reader.varint() : 0 }
  })
  const histogram: (readonly [bucket: number, count: number])[] = []
  let next = 0
  while (reader.hasMore) {
    const byte = reader.byte()
    const skipped = byte === 0 ? reader.varint() : byte >> 4
    const some = byte === 0 ? reader.varint() : byte & 15
    histogram.push([next + skipped, some])
    next += skipped + 1
  }
  return { results, count, minMs, maxMs, sumMs, phases, histogram }
}
