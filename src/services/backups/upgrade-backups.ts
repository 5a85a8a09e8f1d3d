// The backup that is made before the data is upgraded: kept beside the others until the upgraded data
// has a backup that is a day younger.

import { join } from 'node:path'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import { listBackups, removeBackup } from '../../store/backup/folder.ts'
import { type BackupsDeps, createBackups } from './backups.ts'

/** The directory for them, where the retention of the others does not look. */
function upgradeBackupsDir(backupDir: string): string {
  return join(backupDir, 'before-upgrade')
}

/** Makes and verifies one; returns where it is. Throws StartFailure if it could not. */
export async function backUpBeforeUpgrade(deps: BackupsDeps): Promise<string> {
  const dir = upgradeBackupsDir(deps.settings.dir)
  const backups = createBackups({ ...deps, settings: { ...deps.settings, dir } })
  try {
    return (await backups.make()).path
  } catch (cause) {
    if (cause instanceof StartFailure) throw cause
    const why = errorText(cause)
    throw new StartFailure(
      exitCodes.io,
      `the data was not upgraded, because of its backup: ${why}`,
      {
        hint:
          'Make space, or name another disk with backup.dir. With backup.beforeUpgrade = false there ' +
          'is no backup, and no way back.',
        cause,
      },
    )
  }
}

/** How much younger the backup must be that replaces the one from before the upgrade. */
const upgradeBackupKeptMs = 24 * 60 * 60_000

/**
 * Removes the backups that a backup of the upgraded data has replaced. `takenAtMs` is when that was
 * taken.
 */
export function removeUpgradeBackups(
  backupDir: string,
  { instance, takenAtMs }: { readonly instance: string; readonly takenAtMs: number },
): number {
  const dir = upgradeBackupsDir(backupDir)
  const old = listBackups(dir).backups.filter(
    (one) => one.instance === instance && takenAtMs - one.takenAtMs >= upgradeBackupKeptMs,
  )
  for (const { name } of old) removeBackup(dir, name, instance)
  return old.length
}
