// Reads back what a backup contains: every page, the checksum of every record, and what a restore
// must know before it begins.
import { rmSync, statSync } from 'node:fs'
import { StartFailure } from '../../base/exit.ts'
import type { BackupManifest, BackupSchema } from '../../domain/backups/backup.ts'
import { damageOf } from '../data-file/check.ts'
import { type DataFile, newestMeta, reading } from '../data-file/inspect.ts'
import { type StoredRecord, walkFile } from '../data-file/walk.ts'
import { keyOf } from '../engine/keys.ts'
import { packCodec, payloadOf } from '../engine/table.ts'
import type { StoredSecret } from '../tables/system/secrets.ts'
import { type BytesPace, type PackedFile, UnpackedTooLong, unpackFile } from './pack.ts'

/** What was found in a data file. */
export interface DataContents {
  readonly records: number
  readonly damagedRecords: number
  /** Null if its record is missing or damaged. */
  readonly schema: BackupSchema | null
  /** What proves which master key belongs to it; null if its record is missing or damaged. */
  readonly keyProof: string | null
}

/** A backup is not what its manifest says, or cannot be read. */
export class BackupDamage extends Error {
  override readonly name = 'BackupDamage'
}

/** Walks through a snapshot. Throws StartFailure if it cannot be relied on. */
export function contentsOf(
  { path, meta }: Pick<DataFile, 'path' | 'meta'>,
  onBytes?: BytesPace,
): DataContents & { readonly isUsed: (page: number) => boolean } {
  let damagedRecords = 0
  let schema: BackupSchema | null = null
  let keyProof: string | null = null
  const look = (record: StoredRecord) => {
    if (damageOf(record)) damagedRecords += 1
    else if (record.table === 'meta') schema = schemaOf(record) ?? schema
    else if (record.table === 'secrets') {
      keyProof = recordOf<StoredSecret>(record, 'key-proof')?.sealed ?? keyProof
    }
  }
  const { records, isUsed } = reading(path, (descriptor) =>
    walkFile(descriptor, meta, look, onBytes),
  )
  return { records, damagedRecords, schema, keyProof, isUsed }
}

function schemaOf(record: StoredRecord): BackupSchema | undefined {
  const found = recordOf<BackupSchema>(record, 'schema')
  return found && { version: found.version, minReader: found.minReader }
}

/** The record, if the key is that name; undefined else. Throws if it is damaged. */
export function recordOf<Rec>(
  { key: keyBytes, bytes }: StoredRecord,
  name: string,
): Rec | undefined {
  const key = keyOf(keyBytes)
  if (key[0] !== name) return undefined
  return packCodec<Rec>().decode(payloadOf(key, bytes), 1)
}

/**
 * Unpacks a backup to `scratch`, and compares it with what is expected. Throws BackupDamage where they
 * differ; then there is no file. Other errors mean that the disk fails, or is full.
 */
export async function unpackVerified(
  from: string | AsyncIterable<Uint8Array>,
  scratch: string,
  expected: PackedFile & Pick<BackupManifest, 'records' | 'damagedRecords'>,
  pace: BytesPace,
  onReadBack?: BytesPace,
): Promise<DataContents> {
  try {
    const found = await unpackFile(from, scratch, pace, expected).catch((cause: unknown) => {
      if (cause instanceof UnpackedTooLong) {
        throw new BackupDamage(`${cause.message}, which its manifest names`, { cause })
      }
      throw isBroken(cause) ? new BackupDamage('its data cannot be unpacked', { cause }) : cause
    })
    for (const what of ['bytes', 'sha256', 'dataBytes', 'dataSha256'] as const) {
      if (found[what] !== expected[what]) {
        throw new BackupDamage(`its ${what} is ${found[what]}, and not ${expected[what]}`)
      }
    }
    const contents = readBack(scratch, onReadBack)
    for (const what of ['records', 'damagedRecords'] as const) {
      if (contents[what] !== expected[what]) {
        throw new BackupDamage(`it has ${contents[what]} ${what}, and not ${expected[what]}`)
      }
    }
    return contents
  } catch (error) {
    rmSync(scratch, { force: true })
    throw error
  }
}

/** The contents of a data file that nobody has open. */
function readBack(path: string, onBytes: BytesPace | undefined): DataContents {
  try {
    const { size: bytes } = statSync(path)
    const meta = newestMeta({ path })
    if (bytes < (meta.lastPage + 1) * meta.pageBytes) throw new BackupDamage('it is cut short')
    const { records, damagedRecords, schema, keyProof } = contentsOf({ path, meta }, onBytes)
    return { records, damagedRecords, schema, keyProof }
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error
    throw new BackupDamage(error.message, { cause: error })
  }
}

/** The decompression met bytes that it cannot have written. */
function isBroken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ZSTD|Z)_|^ERR_/.test(String(error.code))
}

/** The pause after so many bytes: at most 80 MiB a second are read or written. */
const backupPauseBytes = 4 * 1024 * 1024
const backupPauseMs = 50

/** Stops the thread for a moment after every so many bytes, so that others get the disk. */
export function createPace(): BytesPace {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  let movedBytes = 0
  return (bytes) => {
    movedBytes += bytes
    if (movedBytes < backupPauseBytes) return
    movedBytes = 0
    Atomics.wait(sleeper, 0, 0, backupPauseMs)
  }
}

/** The pace of a command, which has the machine to itself. */
export const noPace: BytesPace = () => {}
