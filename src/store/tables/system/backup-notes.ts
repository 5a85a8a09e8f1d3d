// What the service knows of its backups: its own name in them, what failed, what was reported to the operator,
// and which backup its data came from.
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** The data was put back from a backup. */
export interface RestoredNote {
  readonly atMs: number
  readonly backup: string
  /** What was acknowledged after this is missing. */
  readonly takenAtMs: number
  /** The daemon did it, because its data was damaged; else a person did, by a command. */
  readonly isAutomatic: boolean
  /** What was wrong with the data before; null if nothing was. */
  readonly reason: string | null
  /** Where the data before was kept; null if there was none. */
  readonly keptIn: string | null
  /** Whether it was reported to the operator. */
  readonly isTold: boolean
}

/** Why the newest attempt failed. */
export interface BackupFailure {
  readonly atMs: number
  /** When the first attempt since the last success failed. */
  readonly sinceMs: number
  /** The backup was made, but not copied. */
  readonly isOfCopy: boolean
  readonly reason: string
}

/** What is still to be made good. */
export interface BackupTrouble {
  readonly failure: BackupFailure | null
  /** The backup that the bucket does not have yet. */
  readonly uncopied: string | null
}

const noTrouble: BackupTrouble = { failure: null, uncopied: null }

export function openBackupNotes(env: Env) {
  const instances = openTable<{ readonly id: string }>(env, { name: 'instance' })
  const told = openTable<{ readonly isTrouble: boolean }>(env, { name: 'backupTold' })
  const troubles = openTable<BackupTrouble>(env, { name: 'backupTrouble', isLocal: true })
  const restores = openTable<RestoredNote>(env, { name: 'restored' })

  return {
    /** Names the service in its backups; undefined before the first start. */
    instance: () => instances.readable(['instance'])?.id,
    putInstance: (tx: Tx, id: string) => instances.put(tx, ['instance'], { id }),
    trouble: () => troubles.readable(['trouble']) ?? noTrouble,
    putTrouble: (tx: Tx, trouble: BackupTrouble) => troubles.put(tx, ['trouble'], trouble),
    /** Whether the lack of recent backups was reported to the operator, and not yet its end. */
    isTroubleTold: () => told.readable(['told'])?.isTrouble ?? false,
    putTold: (tx: Tx, isTrouble: boolean) => told.put(tx, ['told'], { isTrouble }),
    /** The newest restore. */
    restored: () => restores.readable(['restored']),
    /** What had failed when the backup was taken is over: it was made. */
    putRestored(tx: Tx, note: RestoredNote): void {
      restores.put(tx, ['restored'], note)
      troubles.put(tx, ['trouble'], noTrouble)
    },
  }
}
