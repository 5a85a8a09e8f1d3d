// Keys as they come from the disk: checked before anybody uses them, because a disk changes bytes.
import { bufferToKeyValue, keyValueToBuffer } from 'lmdb'
import type { TableKey } from './damage.ts'

declare module 'lmdb' {
  /** The library exports these without a declaration. */
  export function bufferToKeyValue(bytes: Buffer): unknown
  export function keyValueToBuffer(key: TableKey): Buffer
}

/** How the library writes and reads keys. */
export interface KeyCodec<Key = TableKey> {
  /** Writes the key at `position`; returns where it ends. */
  writeKey(key: TableKey, target: Buffer, position: number): number
  readKey(source: Buffer, start: number, end: number): Key
}

// No key has a colon or a space: parts are ids, integers, hashes and names of our own.
const mark = 'damaged key: '
/** More than the library lets a key have, in the longest form that damaged text can take. */
const scratchBytes = 16_384

/**
 * What no table wrote is read as one part that begins with `mark` and has the bytes in a form that
 * people can read; written, it is these bytes again. So a record keeps its place, and a walk through the
 * table goes on behind it.
 */
export function tolerantKeys(library: KeyCodec<unknown>): KeyCodec {
  const scratch = Buffer.alloc(scratchBytes)

  /** Undefined unless a key of a table has exactly these bytes. */
  function intact(source: Buffer, start: number, end: number): TableKey | undefined {
    try {
      // The library returns a key with one part as that part alone.
      const key = [library.readKey(source, start, end)].flat()
      if (!key.every(isPart)) return undefined
      const length = library.writeKey(key, scratch, 0)
      if (length !== end - start) return undefined
      for (let at = 0; at < length; at += 1) {
        if (scratch[at] !== source[start + at]) return undefined
      }
      return key
    } catch {
      return undefined
    }
  }

  return {
    readKey: (source, start, end) =>
      intact(source, start, end) ?? [mark + escaped(source.subarray(start, end))],

    writeKey(key, target, position) {
      if (!isDamagedKey(key)) return library.writeKey(key, target, position)
      const bytes = unescaped(String(key[0]).slice(mark.length))
      const end = position + bytes.length
      target.set(bytes, position)
      // As the library does behind each key.
      target.fill(0, end, end + 4)
      return end
    },
  }
}

const ofBytes = tolerantKeys({
  readKey: (source, start, end) => bufferToKeyValue(source.subarray(start, end)),
  writeKey(key, target, position) {
    const bytes = keyValueToBuffer(key)
    target.set(bytes, position)
    return position + bytes.length
  },
})

/** The key that these bytes of a data file stand for. */
export function keyOf(bytes: Buffer): TableKey {
  return ofBytes.readKey(bytes, 0, bytes.length)
}

/** Whether no table can have written the bytes of this key. */
export function isDamagedKey(key: TableKey): boolean {
  // Not destructured, because each record that is read or written comes here.
  const first = key[0]
  return typeof first === 'string' && first.startsWith(mark)
}

/** Whether the key has this part, or has bytes that may once have been it. */
export function mentions(key: TableKey, part: string): boolean {
  return key.includes(part) || (isDamagedKey(key) && String(key[0]).includes(part))
}

function isPart(part: unknown): part is TableKey[number] {
  // A number between two others does no harm, and the audit log tells where one was put in.
  return typeof part === 'string' || Number.isFinite(part)
}

function escaped(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^!-$&-~]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function unescaped(text: string): Buffer {
  const plain = text.replace(/%(..)/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}
