// A check row: one result in a monitor's history, and its compact form on disk.
import { assert, required } from '../../base/assert.ts'
import { type ErrorKind, errorKinds, type Phases, phaseNames, type Reading } from './reading.ts'
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

// A row is: zigzag varint of the time since the previous row (since 0 for the first), one byte of
// flags, varint duration, then the fields that the flags announce. A routine row takes about 10
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

/** The rows of a block, oldest first. */
export function readRows(rows: Uint8Array): CheckRow[] {
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
