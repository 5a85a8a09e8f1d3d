// Backups as administrators use them through the API: each action is in the audit log.
import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import type { StoredBackup } from '../../store/backup/folder.ts'
import type { Store } from '../../store/store.ts'
import type { Audit } from '../audit.ts'
import type { Caller, PageOf, PageRequest } from '../context.ts'
import { type Backups, reasonOf } from './backups.ts'

export interface OperatorBackupsDeps {
  readonly store: Pick<Store, 'write'>
  readonly clock: Clock
  readonly audit: Audit
  readonly backups: Backups
  /** Makes one, copies it and removes old ones; resolves at the end, whatever the result. */
  readonly run: () => Promise<void>
}

/** How long a person who asks for a backup, or for its verification, waits for the end. */
const backupWaitMs = 25_000

/** Every method is for the system administrator, which the route enforces. */
export function createOperatorBackups(deps: OperatorBackupsDeps) {
  const { store, clock, audit, backups, run } = deps

  const note = (caller: Caller, action: 'backup.started' | 'backup.deleted', detail = '') =>
    store.write((tx) =>
      audit.noteIn(tx, 'system', caller, {
        action,
        objectId: null,
        ...(detail === '' ? {} : { detail }),
      }),
    )

  /** Whether it ended within the time that a caller waits. */
  function ended(work: Promise<unknown>, waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = clock.setTimeout(() => resolve(false), waitMs)
      const end = () => {
        clock.clearTimeout(timer)
        resolve(true)
      }
      work.then(end, end)
    })
  }

  return {
    /** Newest first. */
    list({ limit, after }: PageRequest): PageOf<StoredBackup> {
      const all = backups.list().filter(({ name }) => after === undefined || name < after)
      const items = all.slice(0, limit)
      const last = items.at(-1)
      return all.length > limit && last ? { items, nextAfter: last.name } : { items }
    },

    get: (name: string) => backups.find(name),

    /** Why the last attempt failed, also if only its copy did; null if all went well. */
    failure: (): string | null => backups.lastFailure()?.reason ?? null,

    /**
     * Makes one now, or joins the one that is being made. Resolves with it, or with null if it is not
     * ready within `waitMs`; its copy may go on. Throws unavailable, with the reason, if it fails.
     */
    async make(caller: Caller, waitMs: number = backupWaitMs): Promise<StoredBackup | null> {
      await note(caller, 'backup.started')
      const before = backups.newest()?.name
      const isOver = await ended(run(), waitMs)
      const made = backups.newest()
      // Its copy to the bucket may take longer.
      if (made && made.name !== before) return made
      if (!isOver) return null
      const reason = backups.lastFailure()?.reason ?? 'the daemon stops'
      throw new Fault('unavailable', `The backup failed: ${reason}.`)
    },

    /** Throws not_found; conflict for the only one. */
    async remove(caller: Caller, name: string): Promise<StoredBackup> {
      const backup = backups.find(name)
      try {
        backups.remove(name)
      } catch (error) {
        if (error instanceof Fault) throw error
        throw new Fault('unavailable', `The backup could not be removed: ${reasonOf(error)}.`)
      }
      await note(caller, 'backup.deleted', name)
      return backup
    },
  }
}
