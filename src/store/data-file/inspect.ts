// Looks at the data file before LMDB opens it: LMDB would end the process by a signal, or believe it.
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { FileDamage, type Meta, metaAt, metaBytes, newerOf } from './format.ts'

/** The bytes of all pages that its newest transaction knows. */
export const fileBytes = ({ meta }: Pick<DataFile, 'meta'>): number =>
  (meta.lastPage + 1) * meta.pageBytes

export interface DataFile {
  readonly path: string
  readonly bytes: number
  /** Its newest snapshot. */
  readonly meta: Meta
}

/** The data file is not what was written: no restart helps, only a backup does. */
export class DamagedData extends StartFailure {}

/** Where LMDB keeps the data of a directory, and its locks. */
export const dataFileNames = ['data.mdb', 'lock.mdb'] as const
const [dataName, lockName] = dataFileNames

/**
 * Throws StartFailure (78) if the data file is missing, is no file, may not be written, or is
 * damaged where LMDB would begin to read it. Null if the directory has no data yet.
 */
export function inspectDataFile(dir: string): DataFile | null {
  const path = join(dir, dataName)
  const lock = join(dir, lockName)
  const wasOpened = isFile(lock)
  if (wasOpened) mustBeOurs(lock)
  if (!isFile(path)) {
    if (!wasOpened) return null
    throw new StartFailure(exitCodes.config, `${path} is missing, and ${lockName} was its lock`, {
      hint: `Put back data.mdb from a backup. To begin without data, remove ${lock} as well.`,
    })
  }
  mustBeOurs(path)
  return reading(path, (descriptor) => {
    const { size: bytes } = fstatSync(descriptor)
    if (bytes === 0) {
      throw new DamagedData(exitCodes.config, `${path} is empty: its data is gone`, {
        hint: `${restoreHint} If nothing was ever stored here, remove the file.`,
      })
    }
    return { path, bytes, meta: metaOf(descriptor) }
  })
}

/** The newest snapshot of a file that LMDB has open. */
export function newestMeta({ path }: Pick<DataFile, 'path'>): Meta {
  return reading(path, metaOf)
}

/**
 * The bytes of the page that `meta` was read from; undefined if a later transaction has written it
 * meanwhile.
 */
export function metaPageOf({ path }: Pick<DataFile, 'path'>, meta: Meta): Buffer | undefined {
  const page = meta.transaction % 2 === 0 ? 0 : 1
  return reading(path, (descriptor) => {
    const bytes = readAt(descriptor, page * meta.pageBytes)
    return metaAt(bytes, page).transaction === meta.transaction ? bytes : undefined
  })
}

function metaOf(descriptor: number): Meta {
  const even = metaAt(readAt(descriptor, 0), 0)
  const odd = metaAt(readAt(descriptor, even.pageBytes), 1)
  if (odd.pageBytes !== even.pageBytes) {
    throw new FileDamage('the meta pages disagree about the page size')
  }
  return newerOf(even, odd)
}

const restoreHint =
  'Keep the file, and put back a backup: stillup restore latest --replace' +
  ' (docs/operating.md, "Damaged data").'

function damagedFile(path: string, damage: FileDamage): DamagedData {
  return new DamagedData(exitCodes.config, `${path} is damaged: ${damage.message}`, {
    hint: restoreHint,
    cause: damage,
  })
}

/** Throws StartFailure if what is read is damaged (78), or cannot be read (74). */
export function reading<T>(path: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, 'r')
  try {
    return use(descriptor)
  } catch (error) {
    if (error instanceof FileDamage) throw damagedFile(path, error)
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new StartFailure(exitCodes.io, `${path} cannot be read: ${error.message}`, {
      hint: 'The disk may be failing: look into the log of the system, and at the newest backup.',
      cause: error,
    })
  } finally {
    closeSync(descriptor)
  }
}

function readAt(descriptor: number, offset: number): Buffer {
  const bytes = Buffer.alloc(metaBytes)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, metaBytes, offset))
}

/** Whether there is a file, also through a link. Throws StartFailure for anything else. */
function isFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return false
  const isLink = found.isSymbolicLink()
  const target = isLink ? statSync(path, { throwIfNoEntry: false }) : found
  if (target?.isFile()) return true
  const what = target?.isDirectory() ? 'a directory' : target ? 'no file' : 'a link to nothing'
  throw new StartFailure(exitCodes.config, `${path} is ${what}`, {
    hint: 'stillup keeps its data there: move it away, or name another directory in data.dir.',
  })
}

function mustBeOurs(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const hint =
      code === 'EROFS'
        ? 'Its file system is read-only: make it writable, or name another data.dir.'
        : `This user must be able to read and write it: chown -R ${process.geteuid?.()} ${dirname(path)}`
    throw new StartFailure(exitCodes.config, `${path} cannot be used (${code})`, { hint, cause })
  }
}
