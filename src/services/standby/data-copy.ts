// The data directory as a copy of what another machine leads with: opened without the daemon, and replaced whole
// where it must begin anew.
import { join } from 'node:path'
import { assert } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { StartFailure } from '../../base/exit.ts'
import type { Log } from '../../base/log/log.ts'
import { backupName } from '../../domain/backups/backup.ts'
import type { SnapshotFile } from '../../domain/standby/protocol.ts'
import { createBox } from '../../seal/box.ts'
import type { Keyring } from '../../seal/keyring.ts'
import {
  beginRestore,
  finishRestore,
  hasData,
  placeToKeep,
  removeUnfinished,
} from '../../store/backup/restore.ts'
import { noPace, unpackVerified } from '../../store/backup/verify.ts'
import { inspectDataFile, reading } from '../../store/data-file/inspect.ts'
import { walkFile } from '../../store/data-file/walk.ts'
import { openEnv } from '../../store/engine/env.ts'
import { createReplica, type Replica } from '../../store/engine/replica.ts'
import type { Tx } from '../../store/engine/write.ts'
import { whyUnreadable } from '../../store/migrate.ts'
import { type Leadership, openLeadership } from '../../store/tables/system/leadership.ts'
import { openMeta } from '../../store/tables/system/meta.ts'
import { removeSnapshot } from './snapshots.ts'

export interface DataCopyDeps {
  readonly dir: string
  readonly keyring: Keyring
  readonly clock: Clock
  readonly log: Log
}

function hasRecords(dir: string): boolean {
  const file = inspectDataFile(dir)
  return (
    file !== null && reading(file.path, (read) => walkFile(read, file.meta, () => {})).records > 0
  )
}

/** Writes into a file of data that nobody has open. */
async function noteRole(dir: string, role: Leadership['role'], url: string): Promise<void> {
  const env = openEnv(dir)
  const roles = openLeadership(env)
  const replica = createReplica(env)
  await replica.note((tx) => roles.put(tx, { role, url, epoch: replica.position().epoch }))
  await env.close()
}

export type DataCopy = ReturnType<typeof openDataCopy>

/** Opens it; this process has locked the directory. */
export function openDataCopy({ dir, keyring, clock, log }: DataCopyDeps) {
  removeUnfinished(dir)
  removeSnapshot(dir)
  const hadFile = hasData(dir)
  let isOpen = true
  let opened = open()
  // A copy that ended before it had anything has left an empty file.
  const hadData = hadFile && (opened.meta.schema() !== undefined || hasRecords(dir))

  function open() {
    const env = openEnv(dir)
    return {
      env,
      roles: openLeadership(env),
      meta: openMeta(env),
      replica: createReplica(env),
    }
  }

  const leadership = () => opened.roles.get()

  return {
    /** There was data before it was opened: an empty file is none. */
    hadData,
    replica: (): Replica => opened.replica,
    leadership,
    putLeadership: (tx: Tx, one: Leadership) => opened.roles.put(tx, one),

    /** Why this program could not lead with the data: a newer one wrote it. Undefined if it could. */
    whyUnreadable(program: string): StartFailure | undefined {
      const schema = opened.meta.schema()
      return schema && whyUnreadable(schema, program)
    },

    /** Notes what the data is, if that is news. */
    async become(role: Leadership['role'], url: string | null): Promise<void> {
      if (leadership()?.role === role) return
      const { replica, roles } = opened
      await replica.note((tx) => roles.put(tx, { role, url, epoch: replica.position().epoch }))
    },

    /**
     * Puts a snapshot in its place, after it was verified. What is here is kept beside it, unless it is a copy
     * itself. Rejects without a change if the snapshot is not whole, or of another master key.
     */
    async replace(
      file: SnapshotFile,
      pieces: AsyncIterable<Buffer>,
      next: Leadership['role'],
      url: string,
    ): Promise<void> {
      const making = beginRestore(dir)
      try {
        const found = await unpackVerified(pieces, join(making, 'data.mdb'), file, noPace)
        assert(found.keyProof !== null, 'the copy has the proof of its master key')
        createBox(keyring).open(found.keyProof)
        // The snapshot says that its maker leads. After a crash, this machine would believe it of itself.
        await noteRole(making, next, url)
      } catch (error) {
        removeUnfinished(dir)
        throw error
      }
      // What is no copy, or has more than the leader, or is of another history, may have what nobody else has: the
      // leader may have begun with an empty directory, or with a backup, or was promoted with less.
      const role = leadership()?.role
      const { sequence, origin } = opened.replica.position()
      const isLost =
        role === undefined
          ? !hadData
          : role === 'member' ||
            (role === 'standby' && origin === file.origin && sequence <= file.sequence)
      const keptIn = isLost ? null : placeToKeep(dir, 'replaced', backupName(clock.wallMs()))
      await opened.env.close()
      finishRestore(dir, making, keptIn)
      if (keptIn !== null) log.warn('the data that was here is kept', { keptIn })
      opened = open()
    },

    async close(): Promise<void> {
      if (!isOpen) return
      isOpen = false
      await opened.env.close()
    },
  }
}
