// Finds the database of Uptime Kuma in what somebody names: the file itself, the folder with its data, or an
// archive of that. The original is only read, and nothing is made beside it.
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ForeignFileRefused, fieldsOf, textOf } from '../../../domain/imports/foreign.ts'
import { jsonOf } from '../../../domain/imports/kuma/kuma-columns.ts'
import { databaseName, unpackDatabase, unpackedBytesOf } from './kuma-archive.ts'
import { copiedBytesOf, isDump, readDump } from './kuma-dump.ts'
import { createRoom, type ScratchRoom } from './room.ts'

export interface KumaFile {
  readonly path: string
  /** Nobody writes it, and nothing beside it belongs to it: then SQLite makes no file beside it. */
  readonly isAlone: boolean
}

/** What is known by its first bytes. */
export const kumaFileKinds = ['database', 'dump', 'gzip', 'zip', 'tar'] as const
export type KumaFileKind = (typeof kumaFileKinds)[number]

const headBytes = 512
const tarMagicAt = 257

/** Undefined: it is no file of these kinds. Rejects if it cannot be read. */
export async function kumaFileKind(path: string): Promise<KumaFileKind | undefined> {
  const file = await open(path, constants.O_RDONLY)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const head = buffer.subarray(0, bytesRead).toString('latin1')
    if (head.startsWith('SQLite format 3\0')) return 'database'
    if (head.startsWith('\x1f\x8b')) return 'gzip'
    if (head.startsWith('PK\x03\x04')) return 'zip'
    if (isDump(head)) return 'dump'
    return head.startsWith('ustar', tarMagicAt) ? 'tar' : undefined
  } finally {
    await file.close()
  }
}

/** The most that is written to read a file alone, whose first bytes say what it is. */
export function scratchBytesOf(kind: KumaFileKind | null, bytes: number): number {
  if (kind === null || kind === 'database') return 0
  return kind === 'dump' ? copiedBytesOf(bytes) : unpackedBytesOf(bytes)
}

/**
 * The database to read; in `scratch` if it must be unpacked or copied. `reservedBytes`: see `createRoom`. Throws
 * ForeignFileRefused.
 */
export async function readableFile(
  path: string,
  scratch: string,
  reservedBytes?: number,
): Promise<KumaFile> {
  const room = createRoom(scratch, reservedBytes)
  const isFolder = statSync(path).isDirectory()
  const file = isFolder ? join(path, databaseName) : path
  if (isFolder && !existsSync(file)) throw new ForeignFileRefused(withoutDatabase(path))
  mustBeFiles(file)
  const kind = await kumaFileKind(file)
  if (kind === 'database') return settledFile(file, room)
  if (kind === undefined) {
    throw new ForeignFileRefused(
      'is no database of SQLite, or encrypted, and no archive or dump of one',
    )
  }
  const unpacked = join(scratch, databaseName)
  if (kind === 'dump') {
    readDump(file, unpacked, room)
    return { path: unpacked, isAlone: true }
  }
  await unpackDatabase(kind, file, room)
  return { path: unpacked, isAlone: !hasContent(`${unpacked}-wal`) }
}

/** Kuma 2 may keep its data in MariaDB: its folder says so. */
function withoutDatabase(folder: string): string {
  const path = join(folder, 'db-config.json')
  const config = existsSync(path) ? fieldsOf(jsonOf(readFileSync(path, 'utf8'))) : {}
  return textOf(config.type).includes('mariadb')
    ? `has no ${databaseName}: this Uptime Kuma keeps its data in MariaDB: name its server, or what mariadb-dump writes of it`
    : `has no ${databaseName}`
}

/** Throws ForeignFileRefused for a pipe or a device, which would be waited for or read without an end. */
function mustBeFiles(file: string): void {
  for (const one of [file, `${file}-wal`]) {
    const status = statSync(one, { throwIfNoEntry: false })
    if (status && !status.isFile())
      throw new ForeignFileRefused(`has no file in place of ${basename(one)}`)
  }
}

const copiesTried = 4
const walHeaderBytes = 32

/**
 * A database that Kuma may be writing is copied with its log: a copy that was taken between two checkpoints is what
 * the database was at its end (https://sqlite.org/wal.html). One that nobody writes is read where it is.
 */
function settledFile(path: string, room: ScratchRoom): KumaFile {
  if (hasContent(`${path}-journal`)) {
    throw new ForeignFileRefused(
      'has an unfinished change beside it: start Uptime Kuma and stop it, then copy it',
    )
  }
  if (!existsSync(`${path}-wal`) && !existsSync(`${path}-shm`)) return { path, isAlone: true }
  room.mustHave(sizeOf(path) + sizeOf(`${path}-wal`))
  const copy = join(room.folder, databaseName)
  for (let tried = 0; tried < copiesTried; tried += 1) {
    const before = stateOf(path)
    copyFileSync(path, copy, constants.COPYFILE_FICLONE)
    if (existsSync(`${path}-wal`)) {
      copyFileSync(`${path}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE)
    }
    if (stateOf(path) === before) return { path: copy, isAlone: !hasContent(`${copy}-wal`) }
  }
  throw new ForeignFileRefused('changes while it is copied: stop Uptime Kuma, or copy it yourself')
}

/** What changes with each checkpoint: the database, and the beginning of its log. */
function stateOf(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true })
  return [size, mtimeNs, walHead(`${path}-wal`)].join(' ')
}

function walHead(path: string): string {
  if (!existsSync(path)) return ''
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(walHeaderBytes)
    return head.subarray(0, readSync(file, head)).toString('hex')
  } finally {
    closeSync(file)
  }
}

function hasContent(path: string): boolean {
  return sizeOf(path) > 0
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
