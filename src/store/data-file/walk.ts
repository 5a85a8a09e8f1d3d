// Walks through every page of a snapshot: whether LMDB and the tables can rely on each of them.
import { readSync } from 'node:fs'
import {
  bigReferenceBytes,
  FileDamage,
  judgeTree,
  type Meta,
  nodeHeadBytes,
  nodeKinds,
  type PageTree,
  pageHeadBytes,
  pageKinds,
  treeAt,
  treeBytes,
  wide,
} from './format.ts'

/** A record of a table as it lies in the file. */
export interface StoredRecord {
  readonly table: string
  readonly key: Buffer
  readonly bytes: Buffer
}

export interface WalkResult {
  readonly records: number
  readonly pages: number
  /** Whether the page with a number has data, or leads to data. */
  readonly isUsed: (page: number) => boolean
}

/** What the walk knows of a page. */
const unseen = 0
const used = 1
const free = 2

/** The keys that a page may have: from `low` on, and before `high`. */
interface Bounds {
  readonly low: Buffer | null
  readonly high: Buffer | null
}

interface Node {
  readonly key: Buffer
  readonly flags: number
  /** The size of the data, or the lower half of a page number. */
  readonly size: number
  /** Where the data begins in its page. */
  readonly dataAt: number
}

interface Counts {
  branchPages: number
  leafPages: number
  overflowPages: number
  entries: number
}

/** Bytes with their order, as LMDB compares them; the free pages have numbers as keys. */
type Order = (a: Buffer, b: Buffer) => number
type TakeLeaf = (node: Node, page: Buffer, transaction: number) => number

const byBytes: Order = (a, b) => a.compare(b)
const byNumber: Order = (a, b) => wide(a, 0) - wide(b, 0)
const even = (bytes: number) => bytes + (bytes % 2)

/**
 * Reads the snapshot of `meta` page by page, synchronously, and calls `onRecord` for each record, and
 * `onBytes` for what was read; `only`: nothing but the table of that name.
 * No page may be written meanwhile. Throws FileDamage for the first page that is not as LMDB leaves
 * it: a wrong header, nodes that overlap, keys out of order, a page used twice or free as well, a
 * wrong count.
 */
export function walkFile(
  descriptor: number,
  meta: Meta,
  onRecord: (record: StoredRecord) => void,
  onBytes: (bytes: number) => void = () => {},
  only?: string,
): WalkResult {
  const { pageBytes, lastPage } = meta
  const roomBytes = pageBytes - pageHeadBytes
  const state = new Uint8Array(lastPage + 1)
  // One buffer for each depth: a page stays while the pages below it are read.
  const buffers: Buffer[] = []
  let pages = 2
  let records = 0

  function read(page: number, into: Buffer): void {
    const length = readSync(descriptor, into, 0, into.length, page * pageBytes)
    if (length < into.length) throw new FileDamage(`the file ends before page ${page}`)
    onBytes(length)
  }

  function claim(page: number, as: typeof used | typeof free): void {
    if (!(page >= 2 && page <= lastPage)) throw new FileDamage(`there is no page ${page}`)
    const before = state[page]
    // LMDB itself ignores a page that is listed as free twice.
    if (before === free && as === free) return
    if (before === used && as === used) throw new FileDamage(`page ${page} is used twice`)
    if (before !== unseen) throw new FileDamage(`page ${page} is used and free`)
    state[page] = as
    if (as === used) pages += 1
  }

  /** Throws unless the header of a page is its own. Returns the transaction that wrote it. */
  function judgeHead(page: number, bytes: Buffer, kind: number, newest: number): number {
    if (wide(bytes, 0) !== page || bytes.readUInt16LE(18) !== kind) {
      throw new FileDamage(`the header of page ${page} is wrong`)
    }
    // A page that changes is copied, and so is every page above it.
    const transaction = wide(bytes, 8)
    if (transaction > newest) throw new FileDamage(`page ${page} is newer than the one above it`)
    return transaction
  }

  function nodesOf(page: number, bytes: Buffer, kind: number): Node[] {
    const lower = bytes.readUInt16LE(20)
    const upper = bytes.readUInt16LE(22)
    const fail = (what: string) => new FileDamage(`page ${page} is damaged: ${what}`)
    if (lower % 2 === 1 || lower > upper || upper > roomBytes) throw fail('its bounds')
    const nodes: Node[] = []
    let total = 0
    for (let index = 0; index < lower / 2; index += 1) {
      const offset = bytes.readUInt16LE(pageHeadBytes + 2 * index)
      if (offset % 2 === 1 || offset < upper || offset + nodeHeadBytes > roomBytes) {
        throw fail(`node ${index} lies outside`)
      }
      const at = pageHeadBytes + offset
      const flags = bytes.readUInt16LE(at + 4)
      const keyBytes = bytes.readUInt16LE(at + 6)
      const size = bytes.readUInt32LE(at)
      const dataAt = at + nodeHeadBytes + keyBytes
      const dataBytes =
        kind === pageKinds.branch ? 0 : flags === nodeKinds.big ? bigReferenceBytes : size
      const bytesHere = nodeHeadBytes + keyBytes + dataBytes
      if (offset + bytesHere > roomBytes) throw fail(`node ${index} is too long`)
      total += even(bytesHere)
      nodes.push({ key: bytes.subarray(at + nodeHeadBytes, dataAt), flags, size, dataAt })
    }
    // Nodes lie side by side, so a wrong place or size of one shows in the sum.
    if (total !== roomBytes - upper) throw fail('its nodes overlap, or one is missing')
    if (nodes.length < (kind === pageKinds.branch ? 2 : 1)) throw fail('it has too few nodes')
    return nodes
  }

  function judgeOrder(page: number, keys: readonly Buffer[], { low, high }: Bounds, order: Order) {
    let last = low
    for (const [index, key] of keys.entries()) {
      // The first key of a page may be the one that leads to it.
      const isNext = last === null || order(last, key) < (index === 0 ? 1 : 0)
      if (!isNext || (high !== null && order(key, high) >= 0)) {
        throw new FileDamage(`the keys of page ${page} are out of order`)
      }
      last = key
    }
  }

  function walkTree(
    tree: PageTree,
    newest: number,
    name: string,
    order: Order,
    take: TakeLeaf,
  ): void {
    judgeTree(tree, lastPage, name)
    const counts: Counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 }

    function visit(page: number, depth: number, above: number, bounds: Bounds): void {
      claim(page, used)
      buffers[depth] ??= Buffer.alloc(pageBytes)
      const bytes = buffers[depth]
      read(page, bytes)
      const kind = depth === tree.depth ? pageKinds.leaf : pageKinds.branch
      const transaction = judgeHead(page, bytes, kind, above)
      const nodes = nodesOf(page, bytes, kind)
      if (kind === pageKinds.leaf) {
        const keys = nodes.map(({ key }) => key)
        judgeOrder(page, keys, bounds, order)
        counts.leafPages += 1
        counts.entries += nodes.length
        for (const node of nodes) counts.overflowPages += take(node, bytes, transaction)
        return
      }
      // The first key of a branch is not read: everything before the second lies there.
      const [, ...separators] = nodes.map(({ key }) => key)
      judgeOrder(page, separators, bounds, order)
      counts.branchPages += 1
      for (const [index, { size, flags }] of nodes.entries()) {
        visit(size + flags * 2 ** 32, depth + 1, transaction, {
          low: index === 0 ? bounds.low : (nodes[index]?.key ?? null),
          high: nodes[index + 1]?.key ?? bounds.high,
        })
      }
    }

    if (tree.root !== null) visit(tree.root, 1, newest, { low: null, high: null })
    for (const what of ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const) {
      if (counts[what] !== tree[what]) {
        throw new FileDamage(`${name} should have ${tree[what]} ${what}, and has ${counts[what]}`)
      }
    }
  }

  /** The data of a big node; its pages are taken as used. */
  function bigData({ size, dataAt }: Node, page: Buffer, newest: number): [Buffer, number] {
    const first = wide(page, dataAt)
    const count = wide(page, dataAt + 16)
    // A value that became shorter keeps all its pages.
    if (count * pageBytes < size + pageHeadBytes || count > lastPage) {
      throw new FileDamage(`the data at page ${first} is longer than its pages`)
    }
    for (let index = 0; index < count; index += 1) claim(first + index, used)
    const bytes = Buffer.alloc(count * pageBytes)
    read(first, bytes)
    judgeHead(first, bytes, pageKinds.overflow, newest)
    if (bytes.readUInt32LE(20) !== count) {
      throw new FileDamage(`page ${first} is damaged: its number of pages`)
    }
    return [bytes.subarray(pageHeadBytes, pageHeadBytes + size), count]
  }

  /** The data of a node of a leaf, and how many pages of its own it has. */
  function dataOf(node: Node, page: Buffer, newest: number): [Buffer, number] {
    if (node.flags === nodeKinds.big) return bigData(node, page, newest)
    if (node.flags === nodeKinds.plain) {
      return [page.subarray(node.dataAt, node.dataAt + node.size), 0]
    }
    throw new FileDamage(`a node in page ${wide(page, 0)} is of an unknown kind`)
  }

  const takeFree: TakeLeaf = (node, page, newest) => {
    const [list, pagesOfItsOwn] = dataOf(node, page, newest)
    claimFree(list)
    return pagesOfItsOwn
  }

  /**
   * A list of free pages: how many entries follow; 0 is a gap, a negative entry the length of the
   * run that begins at the next one.
   */
  function claimFree(list: Buffer): void {
    const length = list.length < 8 ? Number.NaN : wide(list, 0)
    if (!(8 * (length + 1) <= list.length)) throw new FileDamage('a list of free pages is damaged')
    let run = 1
    for (let index = 1; index <= length; index += 1) {
      const entry = Number(list.readBigInt64LE(8 * index))
      if (entry < 0) run = -entry
      if (entry <= 0) continue
      if (run > lastPage) throw new FileDamage('a list of free pages is damaged')
      for (let page = entry; page < entry + run; page += 1) claim(page, free)
      run = 1
    }
  }

  const takeTable: TakeLeaf = (node, page, newest) => {
    if (node.flags !== nodeKinds.tree || node.size !== treeBytes) {
      throw new FileDamage(`a node in page ${wide(page, 0)} is not a table`)
    }
    // Read before the next page: the walk below uses the same buffers.
    const tree = treeAt(page, node.dataAt)
    const name = node.key.toString('latin1').replace(/\0$/, '')
    tables.push({ name, tree, newest })
    return 0
  }

  const tables: { name: string; tree: PageTree; newest: number }[] = []
  if (only === undefined) {
    walkTree(meta.free, meta.transaction, 'the list of free pages', byNumber, takeFree)
  }
  walkTree(meta.main, meta.transaction, 'the list of tables', byBytes, takeTable)
  for (const { name, tree, newest } of tables) {
    if (only !== undefined && name !== only) continue
    walkTree(tree, newest, `table ${name}`, byBytes, (node, page, transaction) => {
      const [bytes, pagesOfItsOwn] = dataOf(node, page, transaction)
      records += 1
      onRecord({ table: name, key: node.key, bytes })
      return pagesOfItsOwn
    })
  }
  return { records, pages, isUsed: (page) => state[page] === used }
}
