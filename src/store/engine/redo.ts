// Redo: what the transactions changed, as records that make an equal copy of the data elsewhere.
//
// A transaction puts its changes and the position of its record on disk together, and nobody hears of it
// before the log has the record. So a copy that applies the records in their order is what the data was
// after one of these transactions, and the position says which one.
import { createHash } from 'node:crypto'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { Packr } from 'msgpackr'
import type { TableKey } from './damage.ts'

/** A change of a table, as it is on disk. */
export interface RecordChange {
  readonly table: string
  readonly key: TableKey
  /** Null: the record was removed. */
  readonly bytes: Buffer | null
}

/** Where in the log the data is. */
export interface LogPosition {
  /** How often the leader has changed. */
  readonly epoch: number
  /** The number of the newest record, given by the log; 0 before the first. */
  readonly sequence: number
  /** SHA-256 of that record in hex; empty before the first. */
  readonly hash: string
  /**
   * Names the history that the record is of: the hash of the mark of its leader, or where none was promoted
   * yet, something random. Empty before the first record.
   */
  readonly origin: string
}

/** What a transaction changed, or the mark of a new leader, which changes nothing. */
export interface RedoRecord {
  readonly epoch: number
  /** The hash of the record before it: a copy notices a hole, and what does not belong to its log. */
  readonly before: string
  /** Unix milliseconds of the leader's clock. */
  readonly atMs: number
  readonly changes: readonly RecordChange[]
}

/** A record on its way to the log. */
export interface RedoEntry {
  /** The sequence of the record before it. */
  readonly after: number
  /** The sequence that it must get. */
  readonly sequence: number
  readonly hash: string
  readonly bytes: Uint8Array
}

/** What keeps the records. */
export interface RedoLog {
  /** The newest record is also kept with the data, so that it can be appended after a crash. */
  readonly keepsNewest?: true
  /** Which sequence a record of so many bytes gets behind another one. */
  sequenceAfter(after: number, bytes: number): number
  /**
   * Resolves once the log has the entry for good. A rejection ends the process: whether the log has it
   * is not known, and others must not hear of what it says.
   */
  append(entry: RedoEntry): Promise<void>
}

/** The only version of the record's shape so far. */
const shape = 1
const packr = new Packr({ useRecords: false, copyBuffers: true })
// A transaction waits for it, and each standby gets it: the quickest level.
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** More than one transaction changes: its bodies run for milliseconds. */
const recordBytesMax = 512 * 1024 * 1024

export function encodeRedo({ epoch, before, atMs, changes }: RedoRecord): Buffer {
  const flat = changes.flatMap(({ table, key, bytes }) => [table, key, bytes])
  return zstdCompressSync(packr.pack([shape, epoch, before, atMs, flat]), compression)
}

/** A record that only a newer daemon understands. */
export class UnknownRedo extends Error {
  override readonly name = 'UnknownRedo'
}

/** Throws UnknownRedo, or another error if it is not a record. */
export function decodeRedo(bytes: Uint8Array): RedoRecord {
  const packed = zstdDecompressSync(bytes, { maxOutputLength: recordBytesMax })
  const [version, epoch, before, atMs, flat] = packr.unpack(packed)
  if (version !== shape) throw new UnknownRedo(`it is of version ${version}`)
  const changes: RecordChange[] = []
  for (let at = 0; at < flat.length; at += 3) {
    changes.push({ table: flat[at], key: flat[at + 1], bytes: flat[at + 2] })
  }
  return { epoch, before, atMs, changes }
}

export function hashOfRedo(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export type Redo = ReturnType<typeof createRedo>

interface RedoDeps {
  readonly log: RedoLog
  /** Where the data is now. */
  readonly position: LogPosition
  readonly nowMs: () => number
  /** Stores the position, and the record that leads to it, within the transaction in progress. */
  readonly keep: (position: LogPosition, entry: RedoEntry) => void
}

/** The writer's side: makes the record of each transaction. */
export function createRedo({ log, position, nowMs, keep }: RedoDeps) {
  let { epoch, sequence, hash, origin } = position

  return {
    /**
     * Within a transaction, after all its changes: stores the position that it leads to. Undefined
     * if nothing changed that others need.
     */
    seal(changes: readonly RecordChange[]): RedoEntry | undefined {
      if (changes.length === 0) return undefined
      const bytes = encodeRedo({ epoch, before: hash, atMs: nowMs(), changes })
      const after = sequence
      sequence = log.sequenceAfter(after, bytes.length)
      hash = hashOfRedo(bytes)
      const entry = { after, sequence, hash, bytes }
      keep({ epoch, sequence, hash, origin }, entry)
      return entry
    },

    append: log.append,
  }
}
