// The master keys: 32 bytes each, with an id; the newest encrypts, all of them decrypt.
import { hash, hkdfSync } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { required } from '../base/assert.ts'

const masterKeyBytes = 32

export interface MasterKey {
  /** The first eight hexadecimal digits of the key's hash: the same wherever the key is stored. */
  readonly id: string
  readonly bytes: Buffer
}

export interface Keyring {
  /** The key that encrypts. */
  readonly newest: MasterKey
  /** The key that other keys are derived from, so that adding a key does not sign everybody out. */
  readonly oldest: MasterKey
  /** Whether there are keys besides the newest. */
  readonly hasOlder: boolean
  find(id: string): MasterKey | undefined
}

export interface KeyringOptions {
  /** One key per line, 64 hexadecimal digits, oldest first; a line may be a '#' comment. */
  readonly file: string
  /** Whether to create a missing file (mode 0600) with one new key: only where no data is yet. */
  readonly create: boolean
  /** Bytes from a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
}

/** The key file cannot be used. Nothing sealed opens without it: the operator must act. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}

/** As `readKeyring`, after making the file if it is missing and `create` allows it. */
export function openKeyring(options: KeyringOptions): Keyring {
  const { file, create } = options
  if (create && readPrivately(file) === undefined) makeFile(options)
  return readKeyring(file)
}

/** Reads the key file. Throws KeyringError if it is missing, malformed or readable by others. */
export function readKeyring(file: string): Keyring {
  const text = readPrivately(file)
  if (text === undefined) {
    throw new KeyringError(
      `${file}: the master key file is missing, and there is data that it sealed; put it back`,
    )
  }
  const keys = parseKeys(file, text)
  const byId = new Map(keys.map((key) => [key.id, key]))
  return {
    newest: required(keys.at(-1), 'the newest master key'),
    oldest: required(keys[0], 'the oldest master key'),
    hasOlder: byId.size > 1,
    find: (id) => byId.get(id),
  }
}

/** Derives a 32-byte key for one purpose (RFC 5869), so that no two uses share a key. */
export function deriveKey(keyring: Keyring, purpose: string): Buffer {
  const info = `stillup ${purpose}`
  return Buffer.from(hkdfSync('sha256', keyring.oldest.bytes, '', info, masterKeyBytes))
}

function readPrivately(file: string): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new KeyringError(`${file}: ${unreadable(error)}`, { cause: error })
  }
  try {
    const found = fstatSync(descriptor)
    if (found.isDirectory()) {
      // Docker makes a directory where the file to mount is missing.
      throw new KeyringError(`${file}: this is a directory, not the file with the master key`)
    }
    if (isReadByOthers(found)) {
      const octal = (found.mode & 0o777).toString(8)
      throw new KeyringError(`${file}: others can read it (mode ${octal}); run chmod 600 on it`)
    }
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

/** Whether somebody besides root and the user of this process may read the file. */
export function isReadByOthers({ mode, uid, gid }: Stats): boolean {
  // A systemd credential belongs to root and is readable by the service's user through an access
  // list, which appears as the group's bit; the group itself is root, which may read anything.
  const isLent = uid === 0 && gid === 0 && process.geteuid?.() !== 0
  return (mode & (isLent ? 0o037 : 0o077)) !== 0
}

function unreadable(error: unknown): string {
  const uid = process.geteuid?.()
  const isForbidden = codeOf(error) === 'EACCES'
  if (!isForbidden) return `the master key cannot be read (${codeOf(error)})`
  return `the user of the daemon (uid ${uid}) may not read the master key; run chown ${uid} on it`
}

/** Throws KeyringError where no file can be created. */
function makeFile(options: KeyringOptions): void {
  try {
    writeNew(options)
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? ''))
      throw error
    const { file } = options
    throw new KeyringError(
      `${file}: the master key file is missing and cannot be created here (${codeOf(error)}); ` +
        'make it: openssl rand -hex 32 prints a key',
      { cause: error },
    )
  }
}

function writeNew({ file, random }: KeyringOptions): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const suffix = Buffer.from(random(6)).toString('hex')
  const draft = `${file}.${suffix}.tmp`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, `${Buffer.from(random(masterKeyBytes)).toString('hex')}\n`)
    fsyncSync(descriptor)
    // Linking is atomic and never replaces a key that another process has just created.
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    closeSync(descriptor)
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(file))
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

function parseKeys(file: string, text: string): MasterKey[] {
  const keys: MasterKey[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const digits = line.trim()
    if (digits === '' || digits.startsWith('#')) continue
    // The message omits the line, because it may be a key with a typing error.
    if (!/^[0-9a-f]{64}$/i.test(digits)) {
      throw new KeyringError(`${file}:${index + 1}: expected 64 hexadecimal digits`)
    }
    const bytes = Buffer.from(digits, 'hex')
    keys.push({ id: hash('sha256', bytes, 'hex').slice(0, 8), bytes })
  }
  if (keys.length === 0) throw new KeyringError(`${file}: ${noKey(file)}`)
  return keys
}

function noKey(file: string): string {
  // The unit sets an empty credential where the file that it loads is missing.
  const [, unit, name] = /\/credentials\/([^/]+\.service)\/([^/]+)$/.exec(file) ?? []
  if (unit === undefined) return 'holds no key'
  return (
    `holds no key: the file that ${unit} loads as the credential ${name} ` +
    'is missing or empty; by default it is /etc/stillup/master.key'
  )
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
