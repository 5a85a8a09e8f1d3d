// What the commands need of the data while no daemon runs: its lock, its key, its store.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { silentLog } from '../../base/log/log.ts'
import type { Settings } from '../../config/settings.ts'
import type { BackupManifest } from '../../domain/backups/backup.ts'
import { type Box, createBox, SealBroken } from '../../seal/box.ts'
import { KeyringError, readKeyring } from '../../seal/keyring.ts'
import { createBackups } from '../../services/backups/backups.ts'
import { checkFile } from '../../store/data-file/check.ts'
import { dataFileNames, inspectDataFile } from '../../store/data-file/inspect.ts'
import { giveNew, giveToOwner } from '../../store/folders.ts'
import { lockDirectory } from '../../store/lock.ts'
import { openStore } from '../../store/store.ts'
import type { Host } from '../model/host.ts'

const [, lockName] = dataFileNames

const lost =
  'without it the secrets of channels and monitors, push addresses, letters and the details of identities could not be opened any more'

/** Throws StartFailure (78) with one line, unless the master key opens the backup. */
export function keyProver({ data }: Pick<Settings, 'data'>, { name, keyId }: BackupManifest) {
  const { masterKeyFile } = data
  let box: Box
  try {
    box = createBox(readKeyring(masterKeyFile))
  } catch (cause) {
    if (!(cause instanceof KeyringError)) throw cause
    throw new StartFailure(
      exitCodes.config,
      `the backup ${name} needs the master key ${keyId}: ${lost} (${cause.message})`,
      {
        hint: 'Put the key in place (data.masterKeyFile), and try again. Nothing was changed.',
        cause,
      },
    )
  }
  return (keyProof: string): void => {
    try {
      box.open(keyProof)
    } catch (cause) {
      if (!(cause instanceof SealBroken)) throw cause
      throw new StartFailure(
        exitCodes.config,
        `the backup ${name} needs the master key ${keyId}, which is not in ${masterKeyFile}: ${lost}`,
        { hint: 'Put that key in place (data.masterKeyFile). Nothing was changed.', cause },
      )
    }
  }
}

/** Makes a backup of data that no daemon has open. */
export async function backUpStopped(
  { clock, version }: Pick<Host, 'clock' | 'version'>,
  settings: Settings,
): Promise<BackupManifest> {
  const { dir, masterKeyFile } = settings.data
  if (!existsSync(dir)) throw noData(dir)
  const made = firstMissing(settings.backup.dir)
  const lock = await lockDirectory(dir, version)
  try {
    const file = inspectDataFile(dir)
    if (!file) throw noData(dir)
    // LMDB follows damaged pages to a signal that ends the process.
    checkFile(file)
    const box = createBox(readKeyring(masterKeyFile))
    const fail = (error: unknown) => {
      throw error
    }
    const store = openStore({ dir, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
    giveNew(join(dir, lockName))
    try {
      const backups = createBackups({
        store,
        clock,
        log: silentLog,
        version,
        dataDir: dir,
        settings: settings.backup,
        proveKey: (keyProof) => void box.open(keyProof),
      })
      return await backups.make()
    } finally {
      await store.close()
    }
  } finally {
    await lock.release()
    giveToOwner(dir)
    // One that an administrator made for the daemon has its owner already.
    if (made !== null) giveToOwner(made, dir)
    else if (existsSync(settings.backup.dir)) giveToOwner(settings.backup.dir)
  }
}

function noData(dir: string): StartFailure {
  return new StartFailure(exitCodes.config, `there is no data in ${dir}`)
}

/** The topmost directory that `path` needs and that is not there; null if all are. */
function firstMissing(path: string): string | null {
  if (existsSync(path)) return null
  return firstMissing(dirname(path)) ?? path
}
