// Checks a data file from end to end: its pages, and the checksum of every record.

import { errorText } from '../../base/log/error-text.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { DamagedRecord } from '../engine/damage.ts'
import { keyOf } from '../engine/keys.ts'
import { payloadOf } from '../engine/table.ts'
import { type DataFile, reading } from './inspect.ts'
import { type StoredRecord, walkFile } from './walk.ts'

export interface CheckedFile {
  readonly records: number
  readonly pages: number
  /** The damaged records, a bounded number: more say nothing new. */
  readonly damaged: readonly DamagedRecord[]
}

/** A larger data file is not walked through before it is opened, but afterwards. */
const dataWalkedAtStartBytesMax = 256 * 1024 * 1024

/** Whether this is short enough for the start, or LMDB must not open the file without it. */
export function isCheckedAtStart({ bytes, meta }: DataFile): boolean {
  // LMDB maps the file: reading behind its end is a signal.
  const isShort = bytes < (meta.lastPage + 1) * meta.pageBytes
  return isShort || bytes <= dataWalkedAtStartBytesMax
}

/**
 * Reads the whole snapshot, synchronously. No page of it may be written meanwhile. Throws
 * StartFailure if the file cannot be relied on (78) or read (74).
 */
export function checkFile(
  { path, meta }: Pick<DataFile, 'path' | 'meta'>,
  onBytes?: (bytes: number) => void,
): CheckedFile {
  const damaged: DamagedRecord[] = []
  const note = (record: StoredRecord) => {
    const found = damageOf(record)
    if (found && damaged.length < limits.damagedRecordsMax) damaged.push(found)
  }
  const { records, pages } = reading(path, (descriptor) =>
    walkFile(descriptor, meta, note, onBytes),
  )
  return { records, pages, damaged }
}

/** Why a record is not what was written; undefined if it is. */
export function damageOf({ table, key: keyBytes, bytes }: StoredRecord): DamagedRecord | undefined {
  const key = keyOf(keyBytes)
  try {
    payloadOf(key, bytes)
    return undefined
  } catch (error) {
    const reason = errorText(error)
    return { table, key, bytes: Buffer.from(bytes), reason }
  }
}
