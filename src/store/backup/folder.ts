// The directory of the backups: each is a directory of its own, which appears with one rename.
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type BackupManifest, isBackupName, parseManifest } from '../../domain/backups/backup.ts'
import { limits } from '../../domain/limits/limits.ts'
import { giveNew, makeWithParents } from '../folders.ts'
import { isDenied } from '../unusable-directory.ts'
import type { MakingFiles } from './make.ts'

export const manifestName = 'manifest.json'
export const packedName = 'data.mdb.zst'
/** The start of the names of what is not finished. The rest says which process made it. */
const unfinished = '.unfinished-'

/** A backup on the disk, as its manifest describes it. */
export interface StoredBackup extends BackupManifest {
  readonly path: string
}

/** Directories with the name of a backup that are none: why. */
export interface BrokenBackup {
  readonly name: string
  readonly path: string
  readonly reason: string
}

/** Oldest first. A directory that is missing has none. Throws errors of the disk. */
export function listBackups(dir: string): {
  readonly backups: readonly StoredBackup[]
  readonly broken: readonly BrokenBackup[]
} {
  const names = namesIn(dir).filter(isBackupName).sort()
  const backups: StoredBackup[] = []
  const broken: BrokenBackup[] = []
  for (const name of names) {
    const found = readBackup(join(dir, name))
    if ('reason' in found) broken.push({ ...found, name })
    else backups.push(found)
  }
  return { backups, broken }
}

/** Not by `existsSync`: it says that everything is missing if one may not look. */
function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Reads its manifest, and looks whether its data is there in full length. */
export function readBackup(path: string): StoredBackup | Omit<BrokenBackup, 'name'> {
  let text: string
  try {
    text = manifestTextIn(path)
  } catch (error) {
    return {
      path,
      reason: isDenied(error) ? 'this user may not read it' : `it has no ${manifestName}`,
    }
  }
  const manifest = parseManifest(text)
  if (!manifest) return { path, reason: `its ${manifestName} is none of this version` }
  const size = statSync(join(path, packedName), { throwIfNoEntry: false })?.size
  if (size !== manifest.bytes) {
    const found = size === undefined ? 'missing' : `${size} bytes long, and not ${manifest.bytes}`
    return { path, reason: `its ${packedName} is ${found}` }
  }
  return { ...manifest, path }
}

/**
 * The text of a manifest, read up to one byte beyond the longest: it may be somebody else's, or no file
 * at all.
 */
function manifestTextIn(path: string): string {
  const descriptor = openSync(join(path, manifestName), 'r')
  try {
    const bytes = Buffer.alloc(limits.manifestBytesMax + 1)
    let length = 0
    for (let more = 1; more > 0; length += more) {
      more = readSync(descriptor, bytes, length, bytes.length - length, null)
    }
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(descriptor)
  }
}

/** A directory for a backup in the making, and the files in it. */
export interface Making extends MakingFiles {
  /** Writes the manifest and gives the directory its name: from now on it is a backup. */
  finish(manifest: BackupManifest): StoredBackup
  discard(): void
}

/** Creates the directory of the backups if it is missing, accessible only to its owner. */
export function beginBackup(dir: string, owner: string): Making {
  const made = makeWithParents(dir)
  if (made !== undefined) giveNew(made)
  const making = join(dir, `${unfinished}${owner}`)
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  giveNew(making)
  removeAbandoned(dir, making)
  return {
    to: join(making, packedName),
    scratch: join(making, 'data.mdb'),
    finish(manifest) {
      const text = `${JSON.stringify(manifest, null, 2)}\n`
      writeFileSync(join(making, manifestName), text, { mode: 0o600, flag: 'wx', flush: true })
      for (const name of [packedName, manifestName]) giveNew(join(making, name))
      syncFolder(making)
      const path = join(dir, manifest.name)
      renameSync(making, path)
      syncFolder(dir)
      return { ...manifest, path }
    },
    discard: () => rmSync(making, { recursive: true, force: true }),
  }
}

/** Removes what processes that ended in the middle left; `owner` names the leftovers of this service. */
export function removeLeftovers(dir: string, owner: string): number {
  if (!existsSync(dir)) return 0
  const names = readdirSync(dir).filter((name) => name.startsWith(`${unfinished}${owner}`))
  for (const name of names) rmSync(join(dir, name), { recursive: true, force: true })
  return names.length
}

/**
 * Removes what commands left that were killed, whose names tell nobody: what has not been touched for
 * a day, by the clock of the disk.
 */
function removeAbandoned(dir: string, making: string): void {
  const nowMs = statSync(making).mtimeMs
  for (const name of readdirSync(dir)) {
    if (!name.startsWith(unfinished)) continue
    const path = join(dir, name)
    if (nowMs - touchedAtMs(path) < limits.dailyMs) continue
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // It belongs to another user, and is no reason to have no backup.
    }
  }
}

/** When the directory, or a file in it, was last changed; now if it is gone or cannot be read. */
function touchedAtMs(path: string): number {
  try {
    const paths = [path, ...readdirSync(path).map((name) => join(path, name))]
    return Math.max(...paths.map((each) => lstatSync(each).mtimeMs))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Removes a backup after a rename, so that a crash in the middle leaves none that looks whole. */
export function removeBackup(dir: string, name: string, owner: string): void {
  const gone = join(dir, `${unfinished}${owner}-${name}`)
  renameSync(join(dir, name), gone)
  rmSync(gone, { recursive: true, force: true })
}

/** Whether the name is taken, by a backup or by something else. */
export function isTaken(dir: string, name: string): boolean {
  return existsSync(join(dir, name))
}

export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
