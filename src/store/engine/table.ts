// A typed table: keys are arrays of ids and integers, records have a version and a checksum.

import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { Packr } from 'msgpackr'
import { assert } from '../../base/assert.ts'
import { Fault } from '../../base/fault.ts'
import { errorText } from '../../base/log/error-text.ts'
import { atMostBytes } from '../../base/memory/bounds.ts'
import { ownBytes } from '../../base/memory/own-bytes.ts'
import type { TableKey } from './damage.ts'
import type { Env } from './env.ts'
import { isDamagedKey } from './keys.ts'
import { createRangeMemory, type RangeOptions } from './ranges.ts'
import { statsOf } from './usage.ts'
import type { Tx } from './write.ts'

/** The encoding of a table's records. The default is MessagePack without shared structures. */
export interface Codec<Rec> {
  encode(record: Rec): Uint8Array
  /** `version` is that of the stored record. Most codecs know only one. */
  decode(bytes: Buffer, version: number): Rec
}

export interface TableSpec<Rec> {
  readonly name: string
  /** The version of the record's shape; one byte. Default 1. */
  readonly version?: number
  /** Converts a decoded record of an older version to the current shape. */
  readonly upgrade?: (record: unknown, version: number) => Rec
  readonly codec?: Codec<Rec>
  /** Fields that were added without a new version, with what a record that lacks them means. */
  readonly added?: Partial<Rec>
  /** Earlier daemons must be able to read new records: their checksums leave out the key. */
  readonly isForEarlierVersions?: true
  /** Its records say something of this machine alone: they stay behind when the data moves to another one. */
  readonly isLocal?: true
}

export type Table<Rec> = ReturnType<typeof openTable<Rec>>

/** A decoded record and the bytes it was decoded from. */
interface RecalledRecord<Rec> {
  readonly key: TableKey
  readonly bytes: Buffer
  readonly record: Rec
  /** The epoch in which these were the stored bytes. */
  epoch: number | undefined
}

interface FoundRecord<Rec> {
  readonly key: TableKey
  readonly record: Rec
}

/** A byte of version, and the checksum. */
const headerBytes = 5
/**
 * The bit in that byte that says that the checksum covers version and key, too. Records of earlier
 * versions lack it.
 */
const coversKey = 0x80
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

type SumOfKey = (key: TableKey, version: number) => number

const sumOfKey: SumOfKey = (key, version) => {
  // Faster than join.
  let text = String(version)
  for (const part of key) text += ` ${part}`
  return crc32(text)
}

/** The same, but remembers the last one: what is written has mostly just been read. */
function createSumOfKey(): SumOfKey {
  let last: { readonly key: TableKey; readonly version: number; readonly sum: number } | undefined
  return (key, version) => {
    if (last?.version === version && same(last.key, key)) return last.sum
    // A copy, because a caller may use its array again.
    last = { key: key.slice(), version, sum: sumOfKey(key, version) }
    return last.sum
  }
}

function sumOf(key: TableKey, version: number, payload: Uint8Array, keySum: SumOfKey): number {
  if ((version & coversKey) === 0) return crc32(payload)
  return crc32(payload, keySum(key, version))
}

function same(a: TableKey, b: TableKey): boolean {
  if (a.length !== b.length) return false
  // A loop, because each record that is read or written comes here.
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false
  return true
}

/** The payload of a stored record. Throws if the record is not what was written under this key. */
export function payloadOf(key: TableKey, bytes: Buffer, keySum = sumOfKey): Buffer {
  // lmdb lends one large buffer and overrides its length, so the end must be explicit.
  const payload = bytes.subarray(headerBytes, bytes.length)
  assert(!isDamagedKey(key), 'its key is one that a table writes')
  assert(bytes.length > headerBytes, 'a record has a header')
  const isWhole = sumOf(key, bytes[0] ?? 0, payload, keySum) === bytes.readUInt32LE(1)
  assert(isWhole, 'the checksum matches')
  return payload
}

/** Something that was stored is damaged, and is needed. */
export function damagedRecord(): Fault {
  return new Fault(
    'damaged_record',
    'A stored record that this needs is damaged. The operator has been told.',
  )
}

/** Decoded records of one table that are cached because they are read again and again. */
const recalledRecordsMax = 5_000
/** The stored bytes of these records; decoded they take about twice that. */
const recalledBytesMax = 8 * 1024 * 1024
const keyBytes = 64

export function openTable<Rec>(env: Omit<Env, 'close'>, spec: TableSpec<Rec>) {
  const { lmdb, tableOptions, damage, databases, readers, locals, epochs } = env
  const { name: table } = spec
  const db = lmdb.openDB<Buffer, TableKey>({ name: table, ...tableOptions })
  databases.set(table, db)
  if (spec.isLocal) locals.set(table, db)
  const codec = spec.codec ?? packCodec<Rec>()
  const currentVersion = spec.version ?? 1
  const { added } = spec
  const addedNames = Object.keys(added ?? {})
  const keySum = createSumOfKey()

  function toBytes(key: TableKey, record: Rec): Buffer {
    const payload = codec.encode(record)
    const bytes = Buffer.allocUnsafe(headerBytes + payload.length)
    const version = spec.isForEarlierVersions ? currentVersion : currentVersion | coversKey
    bytes[0] = version
    bytes.writeUInt32LE(sumOf(key, version, payload, keySum), 1)
    bytes.set(payload, headerBytes)
    return bytes
  }

  function withAdded(record: Rec): Rec {
    const isWhole = addedNames.every((name) => name in (record as object))
    return isWhole ? record : { ...added, ...record }
  }

  /** Undefined for a damaged record, which is noted. */
  function fromBytes(key: TableKey, bytes: Buffer): Rec | undefined {
    try {
      const payload = payloadOf(key, bytes, keySum)
      const version = (bytes[0] ?? 0) & ~coversKey
      const decoded = codec.decode(payload, version)
      if (version === currentVersion) return withAdded(decoded)
      assert(spec.upgrade && version < currentVersion, `version ${version} can be read`)
      return withAdded(spec.upgrade(decoded, version))
    } catch (error) {
      const reason = errorText(error)
      damage.note({ table, key, bytes, reason })
      return undefined
    }
  }

  /** A damaged record is not an absent one: a caller that took it for absent would do harm. */
  function undamaged(record: Rec | undefined): Rec {
    if (record !== undefined) return record
    throw damagedRecord()
  }

  readers.set(table, (key, bytes) => fromBytes(key, bytes) !== undefined)
  let recalled: LRUCache<TableKey[number], RecalledRecord<Rec>> | undefined
  let counted: { readonly epoch: number | undefined; readonly records: number } | undefined

  /** The record, if nothing was written since its stored bytes were read. */
  function known(key: TableKey): Rec | undefined {
    const before = recalled?.get(key.at(-1) ?? '')
    if (before?.epoch === undefined || before.epoch !== epochs.current()) return undefined
    return same(before.key, key) ? before.record : undefined
  }

  function recordOf(key: TableKey, bytes: Buffer): Rec | undefined {
    recalled ??= new LRUCache(
      atMostBytes({
        entriesMax: recalledRecordsMax,
        bytesMax: recalledBytesMax,
        bytesOf: ({ bytes }) => bytes.length,
      }),
    )
    // If two keys end alike, they only displace each other.
    const name = key.at(-1) ?? ''
    const before = recalled.get(name)
    const epoch = epochs.current()
    if (before && same(before.key, key) && before.bytes.compare(bytes, 0, bytes.length) === 0) {
      before.epoch = epoch
      return before.record
    }
    const record = fromBytes(key, bytes)
    if (record !== undefined) {
      const kept = ownBytes(bytes.subarray(0, bytes.length))
      // A copy, because a caller may use its array again.
      recalled.set(name, { key: key.slice(), bytes: kept, record, epoch })
    }
    return record
  }

  function recalledRecord(key: TableKey): Rec | undefined {
    const record = known(key)
    if (record !== undefined) return record
    const bytes = db.getBinaryFast(key)
    return bytes === undefined ? undefined : recordOf(key, bytes as Buffer)
  }

  function afterKey({ prefix, after }: RangeOptions): TableKey | undefined {
    return after === undefined ? undefined : prefix.concat(after)
  }

  function bounds(options: RangeOptions) {
    const { prefix, from, until = [], reverse = false } = options
    // A damaged key may lie behind the last part that a table writes.
    const isAll = prefix.length === 0 && options.until === undefined
    const high = isAll ? undefined : prefix.concat(until, lastPart)
    const begin = afterKey(options) ?? (from === undefined ? undefined : prefix.concat(from))
    const [start, end] = reverse ? [begin ?? high, prefix] : [begin ?? prefix, high]
    return { reverse, ...(start && { start }), ...(end && { end }) }
  }

  /** Undamaged records in key order, at most `limit`; inside a write with its own changes. */
  function entries(options: RangeOptions): readonly FoundRecord<Rec>[] {
    if (options.recalls) return recalledEntries(options)
    return readEntries(options, fromBytes)
  }

  function readEntries(
    options: RangeOptions,
    read: (key: TableKey, bytes: Buffer) => Rec | undefined,
  ): FoundRecord<Rec>[] {
    const after = afterKey(options)
    const found: FoundRecord<Rec>[] = []
    // The limit counts readable records: fewer than requested means that there are no more.
    for (const { key, value } of db.getRange(bounds(options))) {
      if (found.length >= options.limit) break
      if (after && same(key, after)) continue
      const record = read(key, value)
      if (record !== undefined) found.push({ key, record })
    }
    return found
  }

  const recalledEntries = createRangeMemory(epochs, (options) => {
    let bytes = 0
    const found = readEntries(options, (key, stored) => {
      bytes += stored.length
      return recordOf(key, stored)
    })
    return { found, bytes }
  })

  const recalledKeys = createRangeMemory(epochs, (options) => {
    const found = readKeys(options)
    return { found, bytes: keyBytes * found.length }
  })

  /** Keys in their order, at most `limit`, also the keys of damaged records; damaged keys are noted. */
  function keys(options: RangeOptions): readonly TableKey[] {
    return options.recalls ? recalledKeys(options) : readKeys(options)
  }

  function readKeys(options: RangeOptions): TableKey[] {
    const after = afterKey(options)
    const found: TableKey[] = []
    const damaged: TableKey[] = []
    for (const key of db.getKeys(bounds(options))) {
      if (found.length >= options.limit) break
      if (after && same(key, after)) continue
      if (isDamagedKey(key)) damaged.push(key)
      else found.push(key)
    }
    for (const key of damaged) readable(key)
    return found
  }

  /** The record, if there is one and it can be read. */
  function readable(key: TableKey): Rec | undefined {
    const bytes = db.getBinaryFast(key)
    return bytes === undefined ? undefined : fromBytes(key, bytes as Buffer)
  }

  // Inside a transaction lmdb applies these at once; the promises it returns are already settled.
  function put(tx: Tx, key: TableKey, record: Rec): void {
    damage.settle(table, key)
    const bytes = toBytes(key, record)
    void db.put(key, bytes)
    note(tx, key, bytes)
  }

  function remove(tx: Tx, key: TableKey): void {
    damage.settle(table, key)
    void db.remove(key)
    note(tx, key, null)
  }

  /** Notes the change for copies of the data elsewhere. */
  function note({ changes }: Tx, key: TableKey, bytes: Buffer | null): void {
    // A copy of the key, because a caller may use its array again.
    if (!spec.isLocal) changes?.push({ table, key: key.slice(), bytes })
  }

  return {
    /** Throws damaged_record; what works through many records uses `readable`. */
    get(key: TableKey): Rec | undefined {
      const bytes = db.getBinaryFast(key)
      return bytes === undefined ? undefined : undamaged(fromBytes(key, bytes as Buffer))
    },

    readable,

    /**
     * Like `get`, for records that are read often: returns the same object as long as the stored
     * bytes are the same. Least recently used records are dropped.
     */
    recall(key: TableKey): Rec | undefined {
      const record = recalledRecord(key)
      return record === undefined && db.doesExist(key) ? undamaged(record) : record
    },

    /** Both at once. */
    recallReadable: recalledRecord,

    isDamaged(key: TableKey): boolean {
      const bytes = db.getBinaryFast(key)
      return bytes !== undefined && fromBytes(key, bytes as Buffer) === undefined
    },

    /** Notes that a part of the record, which is only looked at when it is asked for, is not what was written. */
    noteDamaged(key: TableKey, reason: string): void {
      const bytes = db.getBinaryFast(key)
      if (bytes !== undefined) damage.note({ table, key, bytes: bytes as Buffer, reason })
    },

    /**
     * Whether there is a damaged record under a key that is not known: it may be the record that seems to
     * be absent. Reads the whole table.
     */
    hasStray(isKnown: (key: TableKey) => boolean): boolean {
      for (const { key, value } of db.getRange({ start: [] })) {
        if (!isKnown(key) && fromBytes(key, value) === undefined) return true
      }
      return false
    },

    has: (key: TableKey): boolean => db.doesExist(key),
    put,
    remove,
    entries,
    keys,
    range: (options: RangeOptions): Rec[] => entries(options).map(({ record }) => record),

    /** How many records there are. Whatever their number, it takes a few microseconds, once in an epoch. */
    total(): number {
      const epoch = epochs.current()
      if (epoch === undefined || counted?.epoch !== epoch) {
        counted = { epoch, records: statsOf(db).entryCount }
      }
      return counted.records
    },

    /** How many keys begin with the prefix, counted up to `limit`. */
    count(prefix: TableKey, limit: number): number {
      // The library's own count has no limit.
      let count = 0
      for (const _key of db.getKeys({ ...bounds({ prefix, limit }), limit })) count++
      return count
    },

    /** Deletes at most `limit` records whose keys begin with the prefix; returns how many. */
    removeAll(tx: Tx, prefix: TableKey, limit: number): number {
      const found = [...db.getKeys({ ...bounds({ prefix, limit }), limit })]
      for (const key of found) remove(tx, key)
      return found.length
    },
  }
}
