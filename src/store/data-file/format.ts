// LMDB's data file as lmdb 3.5 writes it on 64-bit little-endian machines, read without LMDB.
//
// LMDB maps the file and believes it: a damaged one ends the process by a signal. The structs are
// those of liblmdb/mdb.c; offsets are bytes, and integers are little-endian.

/** The file is not what LMDB wrote. The message says where and what, without the file's name. */
export class FileDamage extends Error {
  override readonly name = 'FileDamage'
}

/** `MDB_page_header`: number 0, transaction 8, padding 16, flags 18, lower 20, upper 22. */
export const pageHeadBytes = 24

/** Flags of a page (`mp_flags`). */
export const pageKinds = { branch: 0x01, leaf: 0x02, overflow: 0x04, meta: 0x08 } as const

/** Flags of a node in a leaf (`mn_flags`): its data is elsewhere; its data is another tree. */
export const nodeKinds = { plain: 0, big: 0x01, tree: 0x02 } as const

/** `MDB_node` without its key: size of the data 0, flags 4, size of the key 6. */
export const nodeHeadBytes = 8

/** `MDB_ovpage`, what a big node has in the place of its data: page 0, transaction 8, pages 16. */
export const bigReferenceBytes = 24

/** `MDB_db`: 0 padding, 4 flags, 6 depth, 8 branches, 16 leaves, 24 overflow, 32 entries, 40 root. */
export const treeBytes = 48

/** One tree of pages: a table, the table of tables, or the free pages. */
export interface PageTree {
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** Null if it is empty. */
  readonly root: number | null
}

/** `MDB_meta`, the start of a snapshot. Transaction n writes the page n % 2. */
export interface Meta {
  readonly pageBytes: number
  /** Lists of pages that were used by earlier transactions and are free. */
  readonly free: PageTree
  /** The tables by name. */
  readonly main: PageTree
  /** Pages after this one have no content yet. */
  readonly lastPage: number
  readonly transaction: number
}

// Within a meta page, after the page header: magic 0, version 4, address 8, map size 16, the free
// tree 24, the main tree 72, last page 120, transaction 128, boot id 136.
export const metaBytes = pageHeadBytes + 144
const magic = 0xbeefc0de
const formatVersion = 2
/** `MDB_INTEGERKEY`, which every tree of free pages has, and `MDB_OVERLAPPINGSYNC`. */
const freeFlags = { keys: 0x08, wasOverlapping: 0x1000 }
// The address space of a process.
const mapBytesMax = 2 ** 47
const pageBytesMin = 256
const pageBytesMax = 32_768
// LMDB's own limit (CURSOR_STACK).
const depthMax = 32
const noPage = 2n ** 64n - 1n

/** A 64-bit number. One that a double cannot hold is far outside of every valid range. */
export function wide(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4) * 2 ** 32
}

export function treeAt(bytes: Buffer, offset: number): PageTree {
  const isEmpty = bytes.readBigUInt64LE(offset + 40) === noPage
  return {
    depth: bytes.readUInt16LE(offset + 6),
    branchPages: wide(bytes, offset + 8),
    leafPages: wide(bytes, offset + 16),
    overflowPages: wide(bytes, offset + 24),
    entries: wide(bytes, offset + 32),
    root: isEmpty ? null : wide(bytes, offset + 40),
  }
}

/** Throws FileDamage unless a tree can be one of a file with so many pages. */
export function judgeTree(tree: PageTree, lastPage: number, name: string): void {
  const { depth, root, entries } = tree
  const isWhole = root === null ? depth === 0 && entries === 0 : depth > 0 && depth <= depthMax
  const isInside = root === null || (root >= 2 && root <= lastPage)
  if (!isWhole || !isInside) throw new FileDamage(`the root of ${name} is damaged`)
}

/**
 * Reads meta page 0 or 1. Throws FileDamage unless it can be one. Its trees are not judged: where the
 * disk refused the page, LMDB writes it once more with its old transaction and the new trees
 * (`mdb_env_write_meta`), and never uses it.
 */
export function metaAt(bytes: Buffer, page: 0 | 1): Meta {
  const fail = (what: string) => new FileDamage(`meta page ${page} is damaged: ${what}`)
  if (bytes.length < metaBytes) throw fail('the file ends before it')
  if (bytes.readUInt32LE(pageHeadBytes) !== magic) throw fail('it is not a page of LMDB')
  if (wide(bytes, 0) !== page || bytes.readUInt16LE(18) !== pageKinds.meta) {
    throw fail('its header is wrong')
  }
  const version = bytes.readUInt32LE(pageHeadBytes + 4)
  if (version !== formatVersion) throw fail(`its format is ${version}, not ${formatVersion}`)
  const pageBytes = bytes.readUInt32LE(pageHeadBytes + 24)
  const isPower = (pageBytes & (pageBytes - 1)) === 0
  if (!isPower || pageBytes < pageBytesMin || pageBytes > pageBytesMax) {
    throw fail('its page size is wrong')
  }
  const { keys, wasOverlapping } = freeFlags
  if ((bytes.readUInt16LE(pageHeadBytes + 28) & ~wasOverlapping) !== keys) {
    throw fail('its flags are wrong')
  }
  if (wide(bytes, pageHeadBytes + 16) > mapBytesMax) throw fail('its map size is wrong')
  const lastPage = wide(bytes, pageHeadBytes + 120)
  if (lastPage < 1 || lastPage * pageBytes > mapBytesMax) throw fail('its last page is wrong')
  const free = treeAt(bytes, pageHeadBytes + 24)
  const main = treeAt(bytes, pageHeadBytes + 72)
  return { pageBytes, free, main, lastPage, transaction: wide(bytes, pageHeadBytes + 128) }
}

/**
 * The newer of both snapshots, which LMDB uses. Throws FileDamage unless one transaction lies between
 * them and its trees fit into the file.
 */
export function newerOf(even: Meta, odd: Meta): Meta {
  const { transaction: a } = even
  const { transaction: b } = odd
  const isNew = a === 0 && b === 0
  const areNeighbours = a % 2 === 0 && b % 2 === 1 && Math.abs(a - b) === 1
  if (!isNew && !areNeighbours) {
    throw new FileDamage(`the meta pages are of transactions ${a} and ${b}, not of two in a row`)
  }
  const newer = a >= b ? even : odd
  const page = newer === even ? 0 : 1
  judgeTree(newer.free, newer.lastPage, `the free pages (meta page ${page})`)
  judgeTree(newer.main, newer.lastPage, `the tables (meta page ${page})`)
  return newer
}
