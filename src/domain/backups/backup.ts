// A backup: its name, and the manifest that says what is in it.
import { limits } from '../limits/limits.ts'

export interface BackupSchema {
  readonly version: number
  /** The oldest daemon that can read the data, given by the version it writes. */
  readonly minReader: number
}

/** The file beside the data of a backup. It is written last: without it there is no backup. */
export interface BackupManifest {
  /** The format of the manifest and the files beside it. */
  readonly format: 1
  readonly name: string
  /** The same for all backups of one service, also after one was restored. */
  readonly instance: string
  /** The program that made it. */
  readonly version: string
  readonly schema: BackupSchema
  /** Everything that was acknowledged before is in it. */
  readonly takenAtMs: number
  /** When it was read back and found to be equal to the data that was taken. */
  readonly verifiedAtMs: number
  readonly durationMs: number
  /** The compressed data file. */
  readonly bytes: number
  readonly sha256: string
  /** The data file as it is restored; pages that are free are zeros. */
  readonly dataBytes: number
  readonly dataSha256: string
  readonly records: number
  /** Records that were damaged already when the backup was taken. */
  readonly damagedRecords: number
  /** The id of the master key that opens what is sealed in it. The key itself is never part of it. */
  readonly keyId: string
}

export const backupFormat = 1

const namePattern = /^\d{8}T\d{6}Z$/

/** The name of a backup by UTC time, so that names sort by age: `20261123T030000Z`. */
export function backupName(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
}

/** The time in a backup's name, to the second. */
export function nameAtMs(name: string): number {
  return Date.parse(name.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

export function isBackupName(name: string): boolean {
  return namePattern.test(name)
}

/** The manifest in a file's text, or undefined if it is none that this version understands. */
export function parseManifest(text: string): BackupManifest | undefined {
  // Also of one that somebody wrote: the parser reads no more than a manifest may have.
  if (text.length > limits.manifestBytesMax) return undefined
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return undefined
  }
  return isManifest(found) ? found : undefined
}

const texts = ['name', 'instance', 'version', 'sha256', 'dataSha256', 'keyId'] as const
const numbers = [
  'takenAtMs',
  'verifiedAtMs',
  'durationMs',
  'bytes',
  'dataBytes',
  'records',
  'damagedRecords',
] as const

function isManifest(found: unknown): found is BackupManifest {
  if (typeof found !== 'object' || found === null) return false
  const fields = found as Record<string, unknown>
  const { schema } = fields
  if (typeof schema !== 'object' || schema === null) return false
  const { version, minReader } = schema as Record<string, unknown>
  return (
    fields.format === backupFormat &&
    texts.every((name) => typeof fields[name] === 'string') &&
    numbers.every((name) => Number.isSafeInteger(fields[name]) && Number(fields[name]) >= 0) &&
    Number.isSafeInteger(version) &&
    Number.isSafeInteger(minReader) &&
    isBackupName(String(fields.name))
  )
}
