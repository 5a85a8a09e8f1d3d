// A copy of the data that is made of the records of its log.
import { assert } from '../../base/assert.ts'
import type { TableKey } from './damage.ts'
import type { Env } from './env.ts'
import {
  decodeRedo,
  encodeRedo,
  hashOfRedo,
  type LogPosition,
  type RecordChange,
  type RedoEntry,
} from './redo.ts'
import { openTable } from './table.ts'
import type { Tx } from './write.ts'

/** The transaction of a copy, which nobody hears of. */
export const noFollowUps: Tx = { afterCommit() {} }

/** A copy that has nothing yet. */
const nowhere: LogPosition = { epoch: 0, sequence: 0, hash: '', origin: '' }

export type Positions = ReturnType<typeof openPositions>

/** A longer record is not kept beside the data that it changed. */
const newestBytesMax = 8 * 1024 * 1024

/** The tables of the position: they say of this copy alone where it is. */
export function openPositions(env: Env) {
  const positions = openTable<LogPosition>(env, { name: 'logPosition', isLocal: true })
  const newest = openTable<RedoEntry>(env, { name: 'logNewest', isLocal: true })
  const key = ['position']
  return {
    /** Undefined: it has none, or it cannot be read; then the data belongs to no log. */
    readable: () => positions.readable(key),
    put: (tx: Tx, position: LogPosition) => positions.put(tx, key, position),
    /** Keeps the record that led to the position; if it is short enough. */
    putNewest(tx: Tx, entry: RedoEntry): void {
      if (entry.bytes.length <= newestBytesMax) newest.put(tx, key, entry)
    },
    /** The record that was written last where this copy led; the log may have it or not. */
    newest: () => newest.readable(key),
    /** What is written from now on is in no log. */
    remove: (tx: Tx) => positions.remove(tx, key),
  }
}

/** A record as the log gives it. */
export interface ReceivedRedo {
  readonly sequence: number
  readonly bytes: Uint8Array
}

/** The record does not follow what the copy has: it is of another history, or some are missing. */
export class ForeignRedo extends Error {
  override readonly name = 'ForeignRedo'
}

/** The mark of a new leader, and what came before it. */
export interface LeaderMark extends RedoEntry {
  readonly epoch: number
  readonly before: string
}

export type Replica = ReturnType<typeof createReplica>

/** The copy's side, for an environment in which nobody else writes. */
export function createReplica(env: Env) {
  const positions = openPositions(env)
  const { lmdb, tableOptions, databases } = env
  let position = positions.readable() ?? nowhere
  let newestAtMs = 0

  function databaseOf(name: string) {
    const known = databases.get(name)
    if (known) return known
    const opened = lmdb.openDB<Buffer, TableKey>({ name, ...tableOptions })
    databases.set(name, opened)
    return opened
  }

  function mark(atMs: number, above = 0): LeaderMark {
    const { sequence: after, hash: before } = position
    const epoch = Math.max(position.epoch, above) + 1
    const bytes = encodeRedo({ epoch, before, atMs, changes: [] })
    return { epoch, after, before, sequence: after + 1, hash: hashOfRedo(bytes), bytes }
  }

  return {
    position: (): LogPosition => position,

    /** The latest time that a record was made at, in Unix milliseconds by its leader's clock; 0 before the first. */
    newestAtMs: (): number => newestAtMs,

    /** The record that led to the position, if this copy made it. */
    newest(): RedoEntry | undefined {
      const found = positions.newest()
      return found?.sequence === position.sequence && found.hash === position.hash
        ? found
        : undefined
    },

    /** Writes what concerns this copy alone. */
    async note(run: (tx: Tx) => void): Promise<void> {
      await lmdb.childTransaction(() => run(noFollowUps))
    },

    /**
     * The record that begins the next epoch behind the position, and changes nothing. `above`: an epoch that
     * somebody else has, which it must exceed.
     */
    mark,

    /** Stores the mark as the position: from here on the copy leads. `also` writes in the same transaction. */
    async lead(
      atMs: number,
      above: number,
      also: (tx: Tx, epoch: number) => void,
    ): Promise<LeaderMark> {
      const made = mark(atMs, above)
      const { epoch, sequence, hash } = made
      const next = { epoch, sequence, hash, origin: hash }
      await lmdb.childTransaction(() => {
        positions.put(noFollowUps, next)
        also(noFollowUps, epoch)
      })
      position = next
      return made
    },

    /**
     * Puts the copy at the beginning of a log whose next record comes behind `after`: all others begin with
     * a copy of it.
     */
    async found(after: number, origin: string): Promise<void> {
      position = { ...position, sequence: after, hash: origin, origin }
      await lmdb.childTransaction(() => positions.put(noFollowUps, position))
    },

    /**
     * Applies records in one transaction; resolves once they are on disk. Throws ForeignRedo if one of
     * them does not follow: then nothing has changed.
     */
    async apply(received: readonly ReceivedRedo[]): Promise<void> {
      if (received.length === 0) return
      let next = position
      let atMs = newestAtMs
      const changes: RecordChange[] = []
      for (const { sequence, bytes } of received) {
        const record = decodeRedo(bytes)
        if (sequence <= next.sequence || record.before !== next.hash) {
          throw new ForeignRedo(`record ${sequence} does not follow record ${next.sequence}`)
        }
        assert(record.epoch >= next.epoch, 'epochs never decrease')
        const hash = hashOfRedo(bytes)
        const origin = record.epoch > next.epoch ? hash : next.origin
        next = { epoch: record.epoch, sequence, hash, origin }
        // The clock of the next leader may be behind.
        atMs = Math.max(atMs, record.atMs)
        changes.push(...record.changes)
      }
      // A database cannot be made within the transaction.
      for (const { table } of changes) databaseOf(table)
      await lmdb.childTransaction(() => {
        for (const { table, key, bytes } of changes) {
          if (bytes === null) void databaseOf(table).remove(key)
          else void databaseOf(table).put(key, bytes)
        }
        positions.put(noFollowUps, next)
      })
      position = next
      newestAtMs = atMs
    },
  }
}
