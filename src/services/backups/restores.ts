// Restores a backup: checks everything first, in a directory of its own, and then takes the place of
// the data in one rename.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningClock } from '../../base/clock.ts'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import type { Log } from '../../base/log/log.ts'
import { sizeText } from '../../base/sizes.ts'
import { BucketError } from '../../bucket/bucket-error.ts'
import { type BackupManifest, backupName } from '../../domain/backups/backup.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  beginRestore,
  finishRestore,
  hasData,
  placeToKeep,
  removeUnfinished,
} from '../../store/backup/restore.ts'
import { BackupDamage, noPace, unpackVerified } from '../../store/backup/verify.ts'
import { currentSchema, migrate } from '../../store/migrate.ts'
import { measureDisk, needSpace } from '../../store/space.ts'
import { openStore } from '../../store/store.ts'
import type { RestoredNote } from '../../store/tables/system/backup-notes.ts'
import { createAudit } from '../audit.ts'
import { type SettledCounts, settleRestored } from './settle-restored.ts'

export interface RestoreOptions {
  readonly manifest: BackupManifest
  /** The compressed file: where it is, or its bytes. */
  readonly content: string | AsyncIterable<Uint8Array>
  /** The data directory; it exists, and this process has locked it. */
  readonly dir: string
  /** Throws if the master key does not open this. */
  readonly proveKey: (keyProof: string) => void
  readonly clock: RunningClock
  readonly log: Log
  /** The version of this program. */
  readonly program: string
  /** Why the daemon does it by itself; null: a person does it. */
  readonly damage: string | null
  /** The space on the disk of the directory; tests replace it. */
  readonly measure?: typeof measureDisk
}

export interface Restored extends SettledCounts {
  readonly note: RestoredNote
  readonly records: number
  readonly damagedRecords: number
}

/**
 * Throws StartFailure (78) if the backup cannot be used here, and (74) without space; then everything is
 * as before. The caller has decided that data in the directory may be replaced.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { manifest, dir, measure = measureDisk } = options
  mustBeReadable(manifest)
  await needSpaceFor(dir, manifest, measure)
  const making = beginRestore(dir)
  const restored = await prepare(making, options).catch((error: unknown) => {
    removeUnfinished(dir)
    throw isOfDiskOrBucket(error) ? unreadable(manifest.name, error) : error
  })
  // If this fails, the new data stays: where the old has moved already, it is all that is there, and
  // the next start says so instead of beginning without any.
  finishRestore(dir, making, restored.note.keptIn)
  return restored
}

/** Makes the new data beside the old: nothing is changed yet. */
async function prepare(making: string, options: RestoreOptions): Promise<Restored> {
  const { manifest, content, dir, clock, damage, measure } = options
  const file = join(making, 'data.mdb')
  const found = await unpackVerified(content, file, manifest, noPace).catch((error: unknown) => {
    throw error instanceof BackupDamage ? damagedBackup(manifest.name, error) : error
  })
  if (found.keyProof === null) {
    throw damagedBackup(manifest.name, new BackupDamage('the proof of its master key is missing'))
  }
  options.proveKey(found.keyProof)
  const atMs = Math.max(clock.nowMs(), manifest.takenAtMs)
  const keptIn = placeToKeep(dir, damage === null ? 'replaced' : 'damaged', backupName(atMs))
  const note: RestoredNote = {
    atMs,
    backup: manifest.name,
    takenAtMs: manifest.takenAtMs,
    isAutomatic: damage !== null,
    reason: damage,
    keptIn,
    isTold: false,
  }
  // Others may have filled the disk meanwhile: LMDB would be ended by a signal.
  await needSpace(dir, measure)
  const counts = await settle(making, note, options)
  // The locks of the backup; the data directory gets new ones.
  rmSync(join(making, 'lock.mdb'), { force: true })
  const { records, damagedRecords } = found
  return { note, records, damagedRecords, ...counts }
}

function isOfDiskOrBucket(error: unknown): error is Error {
  if (error instanceof BucketError) return true
  return error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code))
}

function unreadable(name: string, cause: Error): StartFailure {
  return new StartFailure(
    exitCodes.io,
    `the backup ${name} could not be restored: ${cause.message}`,
    { hint: 'Nothing was changed.', cause },
  )
}

/** Throws StartFailure unless the directory is empty of data, or its data may be replaced. */
export function mustBeReplaceable(dir: string, mayReplace: boolean): void {
  if (mayReplace || !hasData(dir)) return
  throw new StartFailure(exitCodes.config, `${dir} has data already, which is not overwritten`, {
    hint: 'With --replace the data there is kept in a directory beside it, and the backup takes its place.',
  })
}

function mustBeReadable({ name, schema, version }: BackupManifest): void {
  const { version: known } = currentSchema()
  if (schema.minReader <= known) return
  throw new StartFailure(
    exitCodes.config,
    `the backup ${name} needs a daemon that knows version ${schema.minReader} of the data; this one knows ${known}`,
    {
      hint: `Restore it with the stillup that wrote this data. stillup ${version} made the backup.`,
    },
  )
}

async function needSpaceFor(
  dir: string,
  { dataBytes }: BackupManifest,
  measure: typeof measureDisk,
): Promise<void> {
  const { freeBytes } = await measure(dir)
  const neededBytes = dataBytes + limits.spaceBytesStart
  if (freeBytes >= neededBytes) return
  throw new StartFailure(
    exitCodes.io,
    `a restore needs ${sizeText(neededBytes)} in ${dir}: ${sizeText(freeBytes)} is free`,
    { hint: 'Free space there. The data that is replaced is kept, and takes its space as before.' },
  )
}

/** Upgrades the data, and leaves behind what must not come back. */
async function settle(
  making: string,
  note: RestoredNote,
  { clock, log, program }: RestoreOptions,
): Promise<SettledCounts> {
  const failures: unknown[] = []
  const store = openStore({
    dir: making,
    clock,
    commitDelayMs: 0,
    onFatal: (error) => failures.push(error),
    onError: (error) => failures.push(error),
  })
  try {
    await migrate(store, { log, clock, program })
    clock.notBefore(store.meta.lastAliveMs() ?? 0)
    const counts = await settleRestored(store, clock.nowMs())
    const audit = createAudit({ store, clock })
    await store.write((tx) => {
      // The daemon restores only where it runs; a person, perhaps on a new machine.
      if (!note.isAutomatic) store.forgetMachine(tx)
      store.backupNotes.putRestored(tx, note)
      const detail = `the backup ${note.backup}`
      audit.noteOwn(tx, 'system', { action: 'backup.restored', objectId: null, detail })
    })
    if (failures.length > 0) throw failures[0]
    return counts
  } finally {
    await store.close()
  }
}

function damagedBackup(name: string, cause: BackupDamage): StartFailure {
  return new StartFailure(exitCodes.config, `the backup ${name} is damaged: ${cause.message}`, {
    hint: 'Nothing was changed. Take another one: stillup backup list.',
    cause,
  })
}
