// What the log of a cluster promises, whoever keeps it: records in one order, each behind the one that its
// writer expects. The expectation is the fence: a writer that somebody else has overtaken is refused.

/** A record of the log: bytes that it does not understand. */
export interface LoggedRecord {
  /** Where it ends. Sequences grow by the number of parts of each record, from 1. */
  readonly sequence: number
  readonly bytes: Uint8Array
}

export interface LogAppend {
  /** The sequence that must be the last one of the log; 0 for an empty one. */
  readonly after: number
  readonly bytes: Uint8Array
  /** Names this record for good: the same id never has other bytes. */
  readonly id: string
}

export interface LogRange {
  /** The first sequence to read; the one after a record that was read, or 1. */
  readonly from: number
  /** Ends once everything up to this sequence was read. Without it, records are awaited for ever. */
  readonly until?: number
  readonly signal: AbortSignal
}

/**
 * A log that several machines share. A question without an answer is asked again until its signal is
 * aborted, and throws LogUnanswered then: no answer is never taken for a no.
 */
export interface ReplicatedLog {
  /** In how many parts a record of this many bytes is kept: it ends at `after` plus that. */
  partsOf(bytes: number): number
  /**
   * Appends a record and resolves with its sequence once a majority has it on disk. Throws LogRefused if
   * something else follows `after`; LogUnanswered if the signal came first: then the record is in the log,
   * or not, or will be. A writer awaits each append before the next: one that is refused because somebody
   * else has appended a record would let one behind it in, which expects just that sequence.
   */
  append(record: LogAppend, signal: AbortSignal): Promise<number>
  /** The last sequence that the log has given, 0 before the first. */
  last(signal: AbortSignal): Promise<number>
  /** The record that ends at the sequence; null only if the log says that there is none. */
  get(sequence: number, signal: AbortSignal): Promise<LoggedRecord | null>
  /**
   * Whole records, in order. What a writer left unfinished when it died is dropped. A new leader reads
   * `until` what `last` told it. Throws LogGap if the log does not have what comes next.
   */
  read(range: LogRange): AsyncGenerator<LoggedRecord, void, undefined>
}

/** Somebody else has appended to the log, or it has lost its end: this writer must not go on. */
export class LogRefused extends Error {
  override readonly name = 'LogRefused'
  /** The last sequence of the log, as it said. */
  readonly last: number

  constructor(after: number, last: number) {
    super(`The log does not end at ${after}, as this writer expects, but at ${last}`)
    this.last = last
  }
}

/** There was no answer until the caller stopped waiting; the cause is the newest trouble. */
export class LogUnanswered extends Error {
  override readonly name = 'LogUnanswered'
}

/** The log no longer has, or never had, the record that comes next. */
export class LogGap extends Error {
  override readonly name = 'LogGap'
}
