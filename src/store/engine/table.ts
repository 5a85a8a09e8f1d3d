// A typed table: keys are arrays of ids and integers, records have a version and a checksum.
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { Packr } from 'msgpackr'
import { assert } from '../../base/assert.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Env } from './env.ts'
import type { Tx } from './write.ts'

/** Parts are ids and integers from the server; user text must be hashed first. */
export type TableKey = (string | number)[]

/** The encoding of a table's records. The default is MessagePack without shared structures. */
export interface Codec<Rec> {
  encode(record: Rec): Uint8Array
  decode(bytes: Buffer): Rec
}

export interface TableSpec<Rec> {
  readonly name: string
  /** The version of the record's shape; one byte. */
  readonly version: number
  /** Converts a decoded record of an older version to the current shape. */
  readonly upgrade?: (record: unknown, version: number) => Rec
  readonly codec?: Codec<Rec>
  /** Called for a record with a wrong checksum or encoding, which is then treated as absent. */
  readonly onDamaged?: (key: TableKey, reason: string) => void
}

export interface RangeOptions {
  /** Every key that begins with these parts. */
  readonly prefix: TableKey
  /** Only keys after this one, in the direction of the range (exclusive). */
  readonly after?: TableKey
  /** Only keys from this one on (inclusive); ignored if `after` is given. */
  readonly from?: TableKey
  readonly reverse?: boolean
  readonly limit: number
  /** Enables `recall`. */
  readonly recalls?: boolean
}

export interface Table<Rec> {
  get(key: TableKey): Rec | undefined
  /**
   * Like `get`, for records that are read often: returns the same object as long as the stored
   * bytes are the same. Least recently used records are dropped.
   */
  recall(key: TableKey): Rec | undefined
  has(key: TableKey): boolean
  put(tx: Tx, key: TableKey, record: Rec): void
  remove(tx: Tx, key: TableKey): void
  /** Records in key order, at most `limit`. Inside a write they include its own changes. */
  range(options: RangeOptions): Rec[]
  entries(options: RangeOptions): { key: TableKey; record: Rec }[]
  keys(options: RangeOptions): TableKey[]
  /** How many keys begin with the prefix, counted up to `limit`. */
  count(prefix: TableKey, limit: number): number
}

/** A decoded record and the bytes it was decoded from. */
interface RecalledRecord<Rec> {
  readonly bytes: Buffer
  readonly record: Rec
}

const headerBytes = 5
// Sorts after every id and integer that a key part can be.
const lastPart = '\uffff'
const packr = new Packr({ useRecords: false, copyBuffers: true, mapsAsObjects: true })

/** MessagePack of plain JSON values and bytes. */
export function packCodec<Rec>(): Codec<Rec> {
  return {
    encode: (record) => packr.pack(record),
    decode: (bytes) => packr.unpack(bytes) as Rec,
  }
}

/**
 * JSON, for records with many fields that are read often or kept: a parsed object stores its fields
 * directly and owns its strings, while an unpacked one is a dictionary with slices of its row.
 */
export function jsonCodec<Rec>(): Codec<Rec> {
  return {
    encode: (record) => Buffer.from(JSON.stringify(record)),
    decode: (bytes) => JSON.parse(bytes.toString()) as Rec,
  }
}

export function openTable<Rec>(env: Env, spec: TableSpec<Rec>): Table<Rec> {
  const db = env.openDB<Buffer, TableKey>({ name: spec.name, encoding: 'binary', cache: false })
  const codec = spec.codec ?? packCodec<Rec>()

  function toBytes(record: Rec): Buffer {
    const payload = codec.encode(record)
    const bytes = Buffer.allocUnsafe(headerBytes + payload.length)
    bytes[0] = spec.version
    bytes.writeUInt32LE(crc32(payload), 1)
    bytes.set(payload, headerBytes)
    return bytes
  }

  function fromBytes(key: TableKey, bytes: Buffer): Rec | undefined {
    try {
      // lmdb lends one large buffer and overrides its length, so the end must be explicit.
      const payload = bytes.subarray(headerBytes, bytes.length)
      assert(bytes.length > headerBytes, 'a record has a header')
      assert(crc32(payload) === bytes.readUInt32LE(1), 'the checksum matches')
      const version = bytes[0] ?? 0
      if (version === spec.version) return codec.decode(payload)
      assert(spec.upgrade && version < spec.version, `version ${version} can be read`)
      return spec.upgrade(codec.decode(payload), version)
    } catch (error) {
      spec.onDamaged?.(key, String(error))
      return undefined
    }
  }

  let recalled: LRUCache<TableKey[number], RecalledRecord<Rec>> | undefined

  function recordOf(key: TableKey, bytes: Buffer): Rec | undefined {
    recalled ??= new LRUCache({
      max: limits.recalledRecordsMax,
      maxSize: limits.recalledBytesMax,
      sizeCalculation: ({ bytes }) => bytes.length,
    })
    // If two keys end alike, they only displace each other, because the bytes are compared.
    const name = key.at(-1) ?? ''
    const before = recalled.get(name)
    if (before && before.bytes.compare(bytes, 0, bytes.length) === 0) return before.record
    const record = fromBytes(key, bytes)
    if (record !== undefined) {
      recalled.set(name, { bytes: Buffer.copyBytesFrom(bytes, 0, bytes.length), record })
    }
    return record
  }

  function bounds({ prefix, after, from, reverse = false }: Omit<RangeOptions, 'limit'>) {
    const low = prefix
    const high = [...prefix, lastPart]
    const begin = after ?? from
    return reverse
      ? { start: begin ?? high, end: low, reverse }
      : { start: begin ?? low, end: high, reverse }
  }

  /** One more than requested, because `after` itself comes first and is skipped. */
  const keyBounds = (options: RangeOptions) => ({
    ...bounds(options),
    limit: options.after ? options.limit + 1 : options.limit,
  })

  /** lmdb returns a key with one part as that part alone. */
  function partsOf(key: TableKey | TableKey[number]): TableKey {
    return Array.isArray(key) ? key : [key]
  }

  function same(a: TableKey, b: TableKey): boolean {
    return a.length === b.length && a.every((part, index) => part === b[index])
  }

  function entries(options: RangeOptions): { key: TableKey; record: Rec }[] {
    const found: { key: TableKey; record: Rec }[] = []
    // The limit counts readable records: fewer than requested means that there are no more.
    for (const { key: stored, value } of db.getRange(bounds(options))) {
      if (found.length >= options.limit) break
      const key = partsOf(stored)
      if (options.after && same(key, options.after)) continue
      const record = options.recalls ? recordOf(key, value) : fromBytes(key, value)
      if (record !== undefined) found.push({ key, record })
    }
    return found
  }

  return {
    get(key) {
      const bytes = db.getBinaryFast(key)
      return bytes === undefined ? undefined : fromBytes(key, bytes as Buffer)
    },
    recall(key) {
      const bytes = db.getBinaryFast(key)
      return bytes === undefined ? undefined : recordOf(key, bytes as Buffer)
    },
    has: (key) => db.doesExist(key),
    // Inside a transaction lmdb applies these at once; the promises it returns are already settled.
    put(_tx, key, record) {
      void db.put(key, toBytes(record))
    },
    remove(_tx, key) {
      void db.remove(key)
    },
    entries,
    range: (options) => entries(options).map(({ record }) => record),
    keys(options) {
      const found: TableKey[] = []
      for (const stored of db.getKeys(keyBounds(options))) {
        const key = partsOf(stored)
        if (options.after && same(key, options.after)) continue
        if (found.length >= options.limit) break
        found.push(key)
      }
      return found
    },
    count(prefix, limit) {
      // The library's own count has no limit.
      let count = 0
      for (const _key of db.getKeys(keyBounds({ prefix, limit }))) count++
      return count
    },
  }
}
