// Finds a backup by what the command line names: its name, its directory, or "latest".

import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { exitCodes } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import { BucketError } from '../../bucket/bucket-error.ts'
import type { Settings } from '../../config/settings.ts'
import { type BackupManifest, isBackupName } from '../../domain/backups/backup.ts'
import { readKeyring } from '../../seal/keyring.ts'
import { backupBucket } from '../../services/backups/backup-bucket.ts'
import { createCopies } from '../../services/backups/remote-copies.ts'
import {
  type BrokenBackup,
  listBackups,
  packedName,
  readBackup,
  type StoredBackup,
} from '../../store/backup/folder.ts'
import { CommandFailure } from '../model/failure.ts'
import type { Host } from '../model/host.ts'

/** A backup to restore: its manifest, and where its compressed data comes from. */
export interface RestoreSource {
  readonly manifest: BackupManifest
  readonly content: string | AsyncIterable<Uint8Array>
}

const inBucket = 'bucket:'

/** Takes what `findBackup` takes, or `bucket:NAME` and `bucket:latest`. Throws CommandFailure. */
export async function findSource(
  what: string,
  settings: Settings,
  { cwd, clock }: Pick<Host, 'cwd' | 'clock'>,
): Promise<RestoreSource> {
  if (!what.startsWith(inBucket)) {
    const manifest = findBackup(what, settings, cwd)
    return { manifest, content: join(manifest.path, packedName) }
  }
  const named = what.slice(inBucket.length)
  return fromBucket(settings, clock, async (copies, title) => {
    const name = named === 'latest' ? (await copies.names()).at(-1) : named
    if (name === undefined) throw new Error(`there is no backup in ${title}`)
    return { manifest: await copies.manifest(name), content: await copies.data(name) }
  })
}

export type BrokenCopy = Pick<BrokenBackup, 'name' | 'reason'>

export interface ListedCopies {
  readonly title: string
  readonly backups: readonly BackupManifest[]
  /** The backups whose manifest cannot be read, such as one that is sealed with another master key. */
  readonly broken: readonly BrokenCopy[]
}

/** The copies in the bucket, oldest first. Throws CommandFailure. */
export function listCopies(
  settings: Settings,
  { clock }: Pick<Host, 'clock'>,
): Promise<ListedCopies> {
  return fromBucket(settings, clock, async (copies, title) => {
    const backups: BackupManifest[] = []
    const broken: BrokenCopy[] = []
    for (const name of await copies.names()) {
      try {
        backups.push(await copies.manifest(name))
      } catch (error) {
        if (error instanceof BucketError) throw error
        broken.push({ name, reason: errorText(error) })
      }
    }
    return { title, backups, broken }
  })
}

/** What is read from the bucket of the settings. Throws CommandFailure. */
async function fromBucket<Found>(
  settings: Settings,
  clock: Clock,
  read: (copies: ReturnType<typeof createCopies>, title: string) => Promise<Found>,
): Promise<Found> {
  if (settings.backup.bucketUrl === null) throw noBucket()
  const keyring = readKeyring(settings.data.masterKeyFile)
  const remote = backupBucket({ settings, clock, keyring })
  if (!remote) throw noBucket()
  try {
    return await read(createCopies(remote, settings.backup), remote.title)
  } catch (cause) {
    const reason = errorText(cause)
    throw new CommandFailure(exitCodes.io, reason, { cause })
  }
}

function noBucket(): CommandFailure {
  return new CommandFailure(exitCodes.config, 'backup.bucketUrl is not set')
}

/** Throws CommandFailure, with what is wrong with it. */
export function findBackup(
  what: string,
  { backup: { dir } }: Pick<Settings, 'backup'>,
  cwd: string,
): StoredBackup {
  if (what === 'latest') {
    const { backups, broken } = listBackups(dir)
    const newest = backups.at(-1)
    if (newest) return newest
    const last = broken.at(-1)
    const more = last ? { hint: `${last.name} is no whole backup: ${last.reason}.` } : {}
    throw new CommandFailure(exitCodes.config, `there is no backup in ${dir}`, more)
  }
  const path = isBackupName(what) ? join(dir, what) : resolve(cwd, what)
  // `existsSync` would say that everything is missing if one may not look.
  if (!statSync(path, { throwIfNoEntry: false })) {
    throw new CommandFailure(exitCodes.config, `there is no backup ${path}`, {
      hint: 'stillup backup list shows those of backup.dir.',
    })
  }
  const found = readBackup(path)
  if (!('reason' in found)) return found
  throw new CommandFailure(exitCodes.config, `${path} is no whole backup: ${found.reason}`)
}

/** The time in UTC, to the second. */
export function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z')
}
