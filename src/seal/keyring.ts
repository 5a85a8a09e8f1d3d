// The master keys: 32 bytes each, with an id; the newest one seals, all of them open.
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
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { required } from '../base/assert.ts'

const masterKeyBytes = 32

export interface MasterKey {
  /** Eight hexadecimal digits of the key's own hash: the same wherever the key is kept. */
  readonly id: string
  readonly bytes: Buffer
}

export interface Keyring {
  /** The key that seals. */
  readonly newest: MasterKey
  /** The key that others are derived from: adding a key must not sign everybody out. */
  readonly oldest: MasterKey
  /** Whether other keys than the newest open something. */
  readonly hasOlder: boolean
  find(id: string): MasterKey | undefined
}

export interface KeyringOptions {
  /** One key per line, 64 hexadecimal digits, oldest first; a line may be a '#' comment. */
  readonly file: string
  /** Whether a missing file is made (mode 0600) with one new key. */
  readonly create: boolean
  /** Bytes from a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
}

/** The key file cannot be used. Without it nothing sealed can be opened: the operator must act. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}

/** Reads the key file. Throws KeyringError where it is missing, malformed or readable by others. */
export function openKeyring(options: KeyringOptions): Keyring {
  const { file, create } = options
  if (create && !readPrivately(file)) makeFile(options)
  const text = readPrivately(file)
  if (text === undefined) throw new KeyringError(`${file}: the master key file is missing`)
  const keys = parseKeys(file, text)
  const byId = new Map(keys.map((key) => [key.id, key]))
  return {
    newest: required(keys.at(-1), 'the newest master key'),
    oldest: required(keys[0], 'the oldest master key'),
    hasOlder: byId.size > 1,
    find: (id) => byId.get(id),
  }
}

/** A 32-byte key for one purpose (RFC 5869), so that no two uses ever share a key. */
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
    throw new KeyringError(`${file}: cannot be read (${codeOf(error)})`, { cause: error })
  }
  try {
    const { mode, uid, gid } = fstatSync(descriptor)
    // A systemd credential belongs to root and is lent to the service's user by an access list,
    // which shows as the group's bit; the group itself is root, who may read anything.
    const isLent = uid === 0 && gid === 0 && process.geteuid?.() !== 0
    if ((mode & (isLent ? 0o037 : 0o077)) !== 0) {
      const found = (mode & 0o777).toString(8)
      throw new KeyringError(`${file}: others can read it (mode ${found}); run chmod 600 on it`)
    }
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

function makeFile({ file, random }: KeyringOptions): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const suffix = Buffer.from(random(6)).toString('hex')
  const draft = `${file}.${suffix}.tmp`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, `${Buffer.from(random(masterKeyBytes)).toString('hex')}\n`)
    fsyncSync(descriptor)
    // A link is made whole or not at all and never replaces a key that another start has just made.
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
    // The line itself stays out of the message: it may be a key with a slip in it.
    if (!/^[0-9a-f]{64}$/i.test(digits)) {
      throw new KeyringError(`${file}:${index + 1}: expected 64 hexadecimal digits`)
    }
    const bytes = Buffer.from(digits, 'hex')
    keys.push({ id: hash('sha256', bytes, 'hex').slice(0, 8), bytes })
  }
  if (keys.length === 0) throw new KeyringError(`${file}: holds no key`)
  return keys
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
