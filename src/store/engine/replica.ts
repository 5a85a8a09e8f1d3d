// A copy of the data that is made of the records of its log.
import { assert } from '../../base/assert.ts'
import type { TableKey } from './damage.ts'
import type { Env } from './env.ts'
import { decodeRedo, hashOfRedo, type LogPosition, type RecordChange } from './redo.ts'
import { openTable } from './table.ts'
import type { Tx } from './write.ts'

export const beforeFirst: LogPosition = { epoch: 0, sequence: 0, hash: '' }

/** The table of the position: it says of this copy alone where it is. */
export function openPositions(env: Env) {
  const positions = openTable<LogPosition>(env, { name: 'logPosition', isLocal: true })
  const key = ['position']
  return {
    /** Undefined: the data has never been in a log. */
    get: () => positions.get(key),
    put: (tx: Tx, position: LogPosition) => positions.put(tx, key, position),
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

/** The copy's side, for an environment in which nobody else writes. */
export function createReplica(env: Env) {
  const positions = openPositions(env)
  const { lmdb, tableOptions, databases } = env
  let position = positions.get() ?? beforeFirst
  let newestAtMs = 0

  function databaseOf(name: string) {
    const known = databases.get(name)
    if (known) return known
    const opened = lmdb.openDB<Buffer, TableKey>({ name, ...tableOptions })
    databases.set(name, opened)
    return opened
  }

  return {
    position: (): LogPosition => position,

    /** The leader's clock when the newest record was made, in Unix milliseconds; 0 before the first. */
    newestAtMs: (): number => newestAtMs,

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
        next = { epoch: record.epoch, sequence, hash: hashOfRedo(bytes) }
        atMs = record.atMs
        changes.push(...record.changes)
      }
      // A database cannot be made within the transaction.
      for (const { table } of changes) databaseOf(table)
      await lmdb.childTransaction(() => {
        for (const { table, key, bytes } of changes) {
          if (bytes === null) void databaseOf(table).remove(key)
          else void databaseOf(table).put(key, bytes)
        }
        positions.put({ afterCommit() {} }, next)
      })
      position = next
      newestAtMs = atMs
    },
  }
}
