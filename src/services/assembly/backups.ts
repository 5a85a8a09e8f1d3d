// Wires the backups: how they are made and when, and who hears of it.
import { randomBytes } from 'node:crypto'
import type { DaemonTask } from '../../actors/tasks/tasks.ts'
import type { Box } from '../../seal/box.ts'
import type { Store } from '../../store/store.ts'
import type { PresentBucket } from '../backups/backup-bucket.ts'
import { startBackupWatch } from '../backups/backup-watch.ts'
import { createBackups } from '../backups/backups.ts'
import { createOperatorBackups } from '../backups/operator-backups.ts'
import { tellOfRestore } from '../backups/restore-notices.ts'
import { backUpBeforeUpgrade, removeUpgradeBackups } from '../backups/upgrade-backups.ts'
import type { SystemNotices } from '../letters/system-notices.ts'
import { proveKey } from '../system/key-proof.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface BackupWiring extends EngineDeps {
  /** Where copies go besides. */
  readonly backupBucket: PresentBucket
  readonly systemNotices: Pick<SystemNotices, 'tell'>
}

/** Gives the data a name that its backups have, at its first start. */
export async function nameData(store: Pick<Store, 'backupNotes' | 'write'>): Promise<void> {
  if (store.backupNotes.instance() !== undefined) return
  const id = randomBytes(instanceBytes).toString('hex')
  await store.write((tx) => store.backupNotes.putInstance(tx, id))
}

/** Makes the backup from before an upgrade; null if the settings want none. */
export async function beforeUpgrade(
  deps: Pick<EngineDeps, 'settings' | 'clock' | 'log' | 'store' | 'version'> & {
    readonly box: Box
  },
): Promise<string | null> {
  const { settings, clock, store, box } = deps
  if (!settings.backup.beforeUpgrade) return null
  // What a backup must contain, and older data may lack.
  await proveKey(store, box, clock)
  await nameData(store)
  return backUpBeforeUpgrade({
    ...deps,
    settings: settings.backup,
    dataDir: settings.data.dir,
    proveKey: (keyProof) => void box.open(keyProof),
  })
}

const instanceBytes = 8
const hourMs = 3_600_000

/** `begin` is called once the tasks run. */
export function wireBackups(deps: BackupWiring) {
  const { settings, clock, log, store, stack, box, audit } = deps
  const { everyHours } = settings.backup
  const backups = createBackups({
    ...deps,
    settings: settings.backup,
    dataDir: settings.data.dir,
    bucket: deps.backupBucket,
    proveKey: (keyProof) => void box.open(keyProof),
  })
  // A backup that is no round of the task: made, and copied to the bucket.
  const unscheduled = new AbortController()
  stack.push('backups', () => {
    unscheduled.abort(new Error('the daemon stops'))
    return backups.stop()
  })
  const task: DaemonTask = {
    name: 'backup',
    intervalMs: everyHours * hourMs,
    progress: () => backups.progress() ?? backups.copyProgress(),
    async run(signal) {
      const done = await backups.round(signal)
      const newest = backups.newest()
      if (newest) removeUpgradeBackups(settings.backup.dir, newest)
      return done
    },
  }
  const isScheduled = everyHours > 0

  return {
    tasks: isScheduled ? [task] : [],
    backups,
    begin(runTask: (name: string) => Promise<void>) {
      tellOfRestore(deps).catch((error) =>
        log.error('the operator could not be told of the restore', { error }),
      )
      const run = async () => {
        if (isScheduled) await runTask(task.name)
        // The failure is remembered, and shown when somebody asks for it.
        else await backups.round(unscheduled.signal).catch(() => {})
      }
      const copyAgain = () => backups.copyAgain(unscheduled.signal)
      const watch = startBackupWatch({ ...deps, backups, everyHours, run, copyAgain })
      stack.push('backup watch', () => watch.stop())
      // What a wrong bucket did not take goes to the corrected one at once.
      deps.live.listen(() => {
        copyAgain()
          .then(watch.tell)
          .catch((error) => log.error('the newest backup could not be copied again', { error }))
      })
      return createOperatorBackups({
        store,
        clock,
        audit,
        backups,
        async run() {
          await run()
          await watch.tell()
        },
      })
    },
  }
}
