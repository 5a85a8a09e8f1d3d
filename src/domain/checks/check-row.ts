// A check row: one result in a monitor's history, and its compact form on disk.
import { assert, required } from '../../base/assert.ts'
import { type ErrorKind, errorKinds, type Phases, phaseNames, type Reading } from './reading.ts'
import { type ByteReader, createByteReader, createByteWriter } from './varints.ts'
import { type VerdictKind, verdictKinds } from './verdict.ts'

export interface CheckRow {
  readonly atMs: number
  readonly verdict: VerdictKind
  readonly durationMs: number
  readonly errorKind?: ErrorKind
  readonly status?: number
  readonly phases?: Phases
  /** Why it failed, or the message of a push report. */
  readonly message?: string
}

/** The row to store for a reading. */
export function checkRow(reading: Reading, verdict: VerdictKind): CheckRow {
  const message = reading.error?.message ?? reading.message
  return {
    atMs: reading.atMs,
    verdict,
    durationMs: Math.max(0, Math.round(reading.durationMs)),
    ...(reading.error ? { errorKind: reading.error.kind } : {}),
    ...(reading.status === undefined ? {} : { status: reading.status }),
    ...(reading.phases ? { phases: reading.phases } : {}),
    ...(message === undefined ? {} : { message }),
  }
}

// An appended row is: zigzag varint of the time since the previous row (since 0 for the first), one byte of
// flags, varint duration, then the fields that the flags announce. A routine row takes about 14
// bytes.
const hasError = 4
const hasStatus = 8
const hasPhases = 16
const hasMessage = 32

const scratch = new Uint8Array(8 * 1024)
const encoder = new TextEncoder()
const decoder = new TextDecoder()

function putVarint(at: number, value: number): number {
  let rest = value
  let offset = at
  while (rest >= 0x80) {
    scratch[offset++] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
  }
  scratch[offset++] = rest
  return offset
}

/** Appends one row to the bytes; `previousAtMs` is the time of the last row, 0 for none. */
export function appendRow(rows: Uint8Array, row: CheckRow, previousAtMs: number): Uint8Array {
  const delta = row.atMs - previousAtMs
  let offset = putVarint(0, delta >= 0 ? delta * 2 : -delta * 2 - 1)
  const { errorKind, status, phases, message } = row
  scratch[offset++] =
    verdictKinds.indexOf(row.verdict) |
    (errorKind === undefined ? 0 : hasError) |
    (status === undefined ? 0 : hasStatus) |
    (phases === undefined ? 0 : hasPhases) |
    (message === undefined ? 0 : hasMessage)
  offset = putVarint(offset, row.durationMs)
  if (errorKind !== undefined) scratch[offset++] = errorKinds.indexOf(errorKind)
  if (status !== undefined) offset = putVarint(offset, status)
  if (phases !== undefined) {
    // Each phase is stored plus one, so that 0 means that it did not happen.
    for (const name of phaseNames) {
      const ms = phases[name]
      offset = putVarint(offset, ms === undefined ? 0 : Math.round(ms) + 1)
    }
  }
  if (message !== undefined) {
    const text = encoder.encode(message)
    assert(text.length < scratch.length - 64, 'a row message is bounded')
    offset = putVarint(offset, text.length)
    scratch.set(text, offset)
    offset += text.length
  }
  const grown = new Uint8Array(rows.length + offset)
  grown.set(rows)
  grown.set(scratch.subarray(0, offset), rows.length)
  return grown
}

/** Rows, oldest first: of a block, or appended one by one, as the newest and all former ones are. */
export function readRows(rows: Uint8Array): CheckRow[] {
  return rows[0] === blockMark ? readBlock(rows) : readAppended(rows)
}

// A block is a mark that no appended row begins with (it would be of 1969), what the next row refers to,
// and the rows. A row has: one byte of flags, by how much its distance to the row before differs
// from the distance before that, the fields that the flags announce, and how far the duration is from the
// sum of the phases. Status, the names of the phases, and a message are only there where they differ from
// the row before. A routine row takes about 9 bytes.
const blockMark = 1
const newStatus = 8
const newPhaseNames = 64
/** The mark, time and distance of the newest row, its status and phases, where the last message is. */
const blockHeadBytes = 1 + 8 + 4 + 2 + 1 + 2
const distanceMsMax = 2 ** 31 - 1

/** What a row refers to: the one before it. */
interface RowBefore {
  atMs: number
  /** From the row before it. */
  distanceMs: number
  /** 0 for none. */
  status: number
  /** The phases it has, as bits. */
  phaseBits: number
  /** The newest message in the block, and where that begins, with its length; 0 for none. */
  message: string | undefined
  messageAt: number
}

const blockWriter = createByteWriter(16 * 1024)

/** With the page's head and the record's own, a block fills one page of the store. */
export const checkBlockBytesMax = 4_096 - 24 - 5

/**
 * The block with as many of the rows as have room behind its own, and how many these are. An empty
 * block takes at least one.
 */
export function appendToBlock(
  block: Uint8Array | null,
  rows: readonly CheckRow[],
): { readonly block: Uint8Array; readonly taken: number } {
  const before = headOf(block)
  blockWriter.bytes(block ?? new Uint8Array(blockHeadBytes))
  let taken = 0
  for (const row of rows) {
    const { length } = blockWriter
    const unchanged = { ...before }
    putRow(row, before)
    if (blockWriter.length > checkBlockBytesMax && length > blockHeadBytes) {
      blockWriter.cut(length)
      Object.assign(before, unchanged)
      break
    }
    taken += 1
  }
  const grown = blockWriter.taken()
  const head = new DataView(grown.buffer)
  head.setUint8(0, blockMark)
  head.setFloat64(1, before.atMs)
  head.setInt32(9, before.distanceMs)
  head.setUint16(13, before.status)
  head.setUint8(15, before.phaseBits)
  head.setUint16(16, before.messageAt)
  return { block: grown, taken }
}

/** When the newest row of the block was; null if it is one of an earlier version, without a head. */
export function lastAtMsOf(block: Uint8Array): number | null {
  return block[0] === blockMark ? headOf(block).atMs : null
}

function headOf(block: Uint8Array | null): RowBefore {
  if (!block) {
    return { atMs: 0, distanceMs: 0, status: 0, phaseBits: 0, message: undefined, messageAt: 0 }
  }
  const head = new DataView(block.buffer, block.byteOffset, block.length)
  const messageAt = head.getUint16(16)
  return {
    atMs: head.getFloat64(1),
    distanceMs: head.getInt32(9),
    status: head.getUint16(13),
    phaseBits: head.getUint8(15),
    message: messageAt === 0 ? undefined : messageIn(createByteReader(block, messageAt)),
    messageAt,
  }
}

/** Undefined if it is the same as the one before. */
function messageIn(reader: ByteReader): string | undefined {
  const length = reader.varint()
  return length === 0 ? undefined : decoder.decode(reader.bytes(length - 1))
}

function distanceOf(atMs: number, before: RowBefore): number {
  const distanceMs = atMs - before.atMs
  // The first row of a block has none, and it must fit into the head.
  return Math.abs(distanceMs) > distanceMsMax ? 0 : distanceMs
}

/** Writes the row, which is then the one before. */
function putRow(row: CheckRow, before: RowBefore): void {
  const { errorKind, status = 0, phases, message } = row
  let phaseBits = 0
  let phasesMs = 0
  if (phases) {
    for (const [at, name] of phaseNames.entries()) {
      if (phases[name] === undefined) continue
      phaseBits |= 1 << at
      phasesMs += Math.round(phases[name])
    }
  }
  blockWriter.byte(
    verdictKinds.indexOf(row.verdict) |
      (errorKind === undefined ? 0 : hasError) |
      (status === before.status ? 0 : newStatus) |
      (phases === undefined ? 0 : hasPhases) |
      (message === undefined ? 0 : hasMessage) |
      (phases === undefined || phaseBits === before.phaseBits ? 0 : newPhaseNames),
  )
  blockWriter.signed(row.atMs - before.atMs - before.distanceMs)
  before.distanceMs = distanceOf(row.atMs, before)
  before.atMs = row.atMs
  if (errorKind !== undefined) blockWriter.byte(errorKinds.indexOf(errorKind))
  if (status !== before.status) blockWriter.varint(status)
  before.status = status
  if (phases === undefined) blockWriter.varint(row.durationMs)
  else {
    if (phaseBits !== before.phaseBits) blockWriter.byte(phaseBits)
    before.phaseBits = phaseBits
    for (const name of phaseNames) {
      const ms = phases[name]
      if (ms !== undefined) blockWriter.varint(Math.round(ms))
    }
    blockWriter.signed(row.durationMs - phasesMs)
  }
  if (message === undefined) return
  if (message === before.message) {
    blockWriter.byte(0)
    return
  }
  before.message = message
  before.messageAt = blockWriter.length
  const text = encoder.encode(message)
  blockWriter.varint(text.length + 1)
  blockWriter.bytes(text)
}

/** The rows of a block, oldest first. */
function readBlock(block: Uint8Array): CheckRow[] {
  const found: CheckRow[] = []
  const reader = createByteReader(block, blockHeadBytes)
  const before = headOf(null)
  while (reader.hasMore) {
    const flags = reader.byte()
    const atMs = before.atMs + before.distanceMs + reader.signed()
    before.distanceMs = distanceOf(atMs, before)
    before.atMs = atMs
    const errorKind = flags & hasError ? required(errorKinds[reader.byte()]) : undefined
    if (flags & newStatus) before.status = reader.varint()
    if (flags & newPhaseNames) before.phaseBits = reader.byte()
    let durationMs = 0
    let phases: { -readonly [Name in keyof Phases]: number } | undefined
    if (flags & hasPhases) {
      phases = {}
      for (const [at, name] of phaseNames.entries()) {
        if ((before.phaseBits & (1 << at)) === 0) continue
        const ms = reader.varint()
        phases[name] = ms
        durationMs += ms
      }
      durationMs += reader.signed()
    } else durationMs = reader.varint()
    if (flags & hasMessage) before.message = messageIn(reader) ?? before.message
    found.push({
      atMs,
      verdict: required(verdictKinds[flags & 3], 'a verdict'),
      durationMs,
      ...(errorKind === undefined ? {} : { errorKind }),
      ...(before.status === 0 ? {} : { status: before.status }),
      ...(phases === undefined ? {} : { phases }),
      ...(flags & hasMessage ? { message: before.message ?? '' } : {}),
    })
  }
  return found
}

/** The rows that were appended one by one, oldest first. */
function readAppended(rows: Uint8Array): CheckRow[] {
  const found: CheckRow[] = []
  let offset = 0
  let atMs = 0
  const varint = (): number => {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = required(rows[offset++], 'a byte of a row')
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 0x80
    }
  }
  const phasesHere = (): Phases => {
    const phases: { -readonly [Name in keyof Phases]: number } = {}
    for (const name of phaseNames) {
      const stored = varint()
      if (stored > 0) phases[name] = stored - 1
    }
    return phases
  }
  const messageHere = (): string => {
    const length = varint()
    offset += length
    return decoder.decode(rows.subarray(offset - length, offset))
  }
  while (offset < rows.length) {
    const zigzag = varint()
    atMs += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
    const flags = required(rows[offset++], 'flags')
    const verdict = required(verdictKinds[flags & 3], 'a verdict')
    const durationMs = varint()
    found.push({
      atMs,
      verdict,
      durationMs,
      ...(flags & hasError ? { errorKind: required(errorKinds[required(rows[offset++])]) } : {}),
      ...(flags & hasStatus ? { status: varint() } : {}),
      ...(flags & hasPhases ? { phases: phasesHere() } : {}),
      ...(flags & hasMessage ? { message: messageHere() } : {}),
    })
  }
  return found
}
