// Safe mode: a start that finds its data damaged puts the newest good backup in its place.
//
// Only damage that was read twice is a reason: not a wrong key, a full disk, a disk that cannot be
// read, data of a newer version, or a bug. The damaged file is kept. It happens at most once a day, so
// that a disk that damages everything is not filled with copies. Where a standby may follow it never happens: that
// one has everything, and would begin anew from the backup. A member of a cluster begins with a copy of its leader
// instead.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningClock } from '../base/clock.ts'
import { StartFailure } from '../base/exit.ts'
import { Fault } from '../base/fault.ts'
import type { Log } from '../base/log/log.ts'
import type { Settings } from '../config/settings.ts'
import { backupName } from '../domain/backups/backup.ts'
import { limits } from '../domain/limits/limits.ts'
import { createBox } from '../seal/box.ts'
import { readKeyring } from '../seal/keyring.ts'
import { reasonOf } from '../services/backups/backups.ts'
import { restoreBackup } from '../services/backups/restores.ts'
import { listBackups, packedName, type StoredBackup } from '../store/backup/folder.ts'
import { hasData, placeToKeep, setAside } from '../store/backup/restore.ts'
import { BackupDamage } from '../store/backup/verify.ts'
import { checkFile, isCheckedAtStart } from '../store/data-file/check.ts'
import { DamagedData, inspectDataFile } from '../store/data-file/inspect.ts'
import { noteStart } from '../store/data-file/starts.ts'
import { lockDirectory } from '../store/lock.ts'

/** What a restore needs of the process. */
export interface RestoreInputs {
  readonly clock: RunningClock
  readonly log: Log
  readonly version: string
}

const isMember = ({ cluster }: Pick<Settings, 'cluster'>) => cluster.servers.length > 0

/** Whether a start that finds damage would try. */
export function canRestoreDamaged(
  { data, backup, cluster }: Pick<Settings, 'data' | 'backup' | 'cluster'>,
  clock: Pick<RunningClock, 'wallMs'>,
): boolean {
  if (isMember({ cluster })) return !wasLately(data.dir, clock.wallMs())
  if (!backup.restoresDamagedData || cluster.standby || wasLately(data.dir, clock.wallMs()))
    return false
  try {
    return listBackups(backup.dir).backups.length > 0
  } catch {
    return false
  }
}

/** Returns whether the start should be repeated. Never throws. */
export async function restoreDamaged(
  settings: Settings,
  world: RestoreInputs,
  error: unknown,
): Promise<boolean> {
  const { log, clock } = world
  if (!isDamage(error) || isMember(settings)) return false
  const reason = reasonOf(error)
  if (!settings.backup.restoresDamagedData) return false
  if (settings.cluster.standby) {
    log.error('THE DATA IS DAMAGED: a standby has newer data than any backup; let it lead', {
      reason,
    })
    return false
  }
  if (wasLately(settings.data.dir, clock.wallMs())) {
    log.error('the data is damaged again: a backup was put back less than a day ago', { reason })
    return false
  }
  log.error('THE DATA IS DAMAGED: looking for the newest good backup to put in its place', {
    reason,
  })
  try {
    return await restoreNewest(settings, world, error)
  } catch (failure) {
    log.error('no backup could be put back', { error: failure })
    return false
  }
}

/**
 * Before a member opens its data: moves a damaged file away once somebody else leads, so that it begins with a copy
 * of that one. Throws DamagedData if nobody does, or if it happened less than a day ago.
 */
export async function setAsideDamaged(
  { data: { dir } }: Pick<Settings, 'data'>,
  { clock, log }: Pick<RestoreInputs, 'clock' | 'log'>,
  /** Resolves with whether another member leads. */
  isLed: () => Promise<boolean>,
): Promise<void> {
  const damage = damageHere(dir, noteStart(dir, clock.wallMs()))
  if (!damage) return
  const reason = reasonOf(damage)
  log.error('THE DATA IS DAMAGED: this member would begin with a copy of the leader', { reason })
  if (wasLately(dir, clock.wallMs())) {
    log.error('the data is damaged again: it was set aside less than a day ago', { reason })
    throw damage
  }
  if (!(await isLed())) {
    log.error('nobody leads: the file stays where it is', { reason })
    throw damage
  }
  const keptIn = placeToKeep(dir, 'damaged', backupName(clock.wallMs()))
  if (keptIn !== null) setAside(dir, keptIn)
  remember(dir, clock.wallMs(), log)
  log.error('THE DAMAGED DATA WAS SET ASIDE: a copy of the leader takes its place', { keptIn })
}

/** Reads a file that is not large, and any that is suspected. */
function damageHere(dir: string, isSuspect: boolean): DamagedData | undefined {
  if (!hasData(dir)) return undefined
  try {
    const file = inspectDataFile(dir)
    if (file && (isSuspect || isCheckedAtStart(file))) checkFile(file)
    return undefined
  } catch (error) {
    if (error instanceof DamagedData) return error
    throw error
  }
}

/** Damage that only a backup can repair: of the file, or of a record that every start needs. */
function isDamage(error: unknown): error is Error {
  if (error instanceof DamagedData) return true
  return error instanceof Fault && error.code === 'damaged_record'
}

async function restoreNewest(
  settings: Settings,
  world: RestoreInputs,
  damage: Error,
): Promise<boolean> {
  const { log, clock, version } = world
  const { dir, masterKeyFile } = settings.data
  const lock = await lockDirectory(dir, version)
  try {
    if (damage instanceof DamagedData && !isStillDamaged(dir)) {
      log.error('the data is not damaged when it is read again: look into the log of the system')
      return true
    }
    const box = createBox(readKeyring(masterKeyFile))
    const { backups } = listBackups(settings.backup.dir)
    for (const backup of backups.toReversed()) {
      const options = {
        manifest: backup,
        content: join(backup.path, packedName),
        dir,
        proveKey: (keyProof: string) => void box.open(keyProof),
        clock,
        log,
        program: version,
        damage: reasonOf(damage),
      }
      const restored = await attempt(backup, () => restoreBackup(options), log)
      if (!restored) continue
      remember(dir, clock.wallMs(), log)
      const { keptIn, takenAtMs } = restored.note
      log.error('A BACKUP WAS PUT BACK: what was stored after it was taken is missing', {
        backup: backup.name,
        takenAt: new Date(takenAtMs).toISOString(),
        keptIn,
      })
      return true
    }
    log.error('there is no backup that can be put back', { dir: settings.backup.dir })
    return false
  } finally {
    await lock.release()
  }
}

/**
 * A backup that is damaged is passed over for an older one. Any other reason, such as a full disk or
 * another key, would lose what the newest has, and can be repaired.
 */
async function attempt<T>(
  { name }: StoredBackup,
  restore: () => Promise<T>,
  log: Log,
): Promise<T | undefined> {
  try {
    return await restore()
  } catch (error) {
    log.error('this backup cannot be put back', { name, reason: reasonOf(error) })
    if (!(error instanceof Error && error.cause instanceof BackupDamage)) throw error
    return undefined
  }
}

/** Memory or a cable may have changed what was read. */
function isStillDamaged(dir: string): boolean {
  try {
    const file = inspectDataFile(dir)
    if (file) checkFile(file)
    return false
  } catch (error) {
    if (error instanceof DamagedData) return true
    throw error instanceof StartFailure
      ? error
      : new Error('the data cannot be read', { cause: error })
  }
}

const fileName = 'restored.json'

/** Keeps it outside the data, which may be damaged again. */
function remember(dir: string, atMs: number, log: Log): void {
  try {
    writeFileSync(join(dir, fileName), JSON.stringify({ atMs }), { mode: 0o600 })
  } catch (error) {
    log.error('the time of this restore could not be noted', { file: fileName, error })
  }
}

function wasLately(dir: string, nowMs: number): boolean {
  try {
    const { atMs } = JSON.parse(readFileSync(join(dir, fileName), 'utf8')) as { atMs?: unknown }
    return typeof atMs === 'number' && Math.abs(nowMs - atMs) < limits.dailyMs
  } catch {
    return false
  }
}
