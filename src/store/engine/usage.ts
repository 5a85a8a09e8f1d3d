// How much of the data file is in use. The file never shrinks, and its pages are used again, so its
// size says only how much was in use at most.
import type { Env } from './env.ts'

export interface Usage {
  /** Pages with data, and the pages that lead to them. */
  readonly usedBytes: number
  /** Pages of the file that are free: what is written next takes them, and no space on the disk. */
  readonly freeBytes: number
}

/** The sizes of one tree of pages, as the library returns them. */
interface TreeStats {
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
  readonly overflowPages: number
  readonly entryCount: number
}

interface EnvStats extends TreeStats {
  readonly pageSize: number
  readonly lastPageNumber: number
  readonly root: TreeStats
  readonly free: TreeStats
}

const metaPages = 2

/** Takes a few microseconds for each table, whatever is in it. */
export function measureUsage({ lmdb, databases }: Pick<Env, 'lmdb' | 'databases'>): Usage {
  const stats = statsOf(lmdb)
  const trees = [stats.root, stats.free, ...[...databases.values()].map(statsOf)]
  const used = metaPages + trees.reduce((pages, tree) => pages + pagesOf(tree), 0)
  const all = stats.lastPageNumber + 1
  return { usedBytes: used * stats.pageSize, freeBytes: Math.max(0, all - used) * stats.pageSize }
}

/** Whether no table has a record. */
export function isEmpty({ databases, locals }: Pick<Env, 'databases' | 'locals'>): boolean {
  return [...databases].every(
    ([name, database]) => locals.has(name) || statsOf(database).entryCount === 0,
  )
}

function pagesOf({ treeBranchPageCount, treeLeafPageCount, overflowPages }: TreeStats): number {
  return treeBranchPageCount + treeLeafPageCount + overflowPages
}

/** The library declares no fields. */
export function statsOf(database: { getStats(): object }): EnvStats {
  return database.getStats() as EnvStats
}
