// Ranges of a table: how one is asked for, and what it held, as long as nothing is written.
import { LRUCache } from 'lru-cache'
import { atMostBytes } from '../../base/memory/bounds.ts'
import type { TableKey } from './damage.ts'
import type { Epochs } from './epochs.ts'

export interface RangeOptions {
  /** Every key that begins with these parts. */
  readonly prefix: TableKey
  /** Only keys after this one, in the direction of the range; given without the prefix. */
  readonly after?: TableKey | TableKey[number] | undefined
  /** Only keys from this part behind the prefix on (inclusive); ignored if `after` is given. */
  readonly from?: TableKey[number]
  /** Only keys whose part behind the prefix is at most this. */
  readonly until?: TableKey[number]
  readonly reverse?: boolean
  readonly limit: number
  /** Recalls the records, and the range as a whole. */
  readonly recalls?: boolean
}

/** Ranges of a table that are cached, and the bytes of their records or keys. */
const recalledRangesMax = 2_000
const recalledRangeBytesMax = 1024 * 1024

/** What was read of a range, and the bytes that it takes. */
interface ReadRange<Found> {
  readonly found: readonly Found[]
  readonly bytes: number
}

/** Remembers what a range held as long as nothing is written. */
export function createRangeMemory<Found>(
  { current }: Epochs,
  read: (options: RangeOptions) => ReadRange<Found>,
): (options: RangeOptions) => readonly Found[] {
  let known: LRUCache<string, ReadRange<Found> & { readonly epoch: number }> | undefined
  return (options) => {
    const { prefix, after, from, until, reverse, limit } = options
    // Parts of keys have neither spaces nor commas.
    const name = `${prefix.join()} ${after} ${from} ${until} ${reverse} ${limit}`
    const epoch = current()
    const before = known?.get(name)
    if (before && before.epoch === epoch) return before.found
    const range = read(options)
    known ??= new LRUCache(
      atMostBytes({
        entriesMax: recalledRangesMax,
        bytesMax: recalledRangeBytesMax,
        bytesOf: ({ bytes }) => bytes,
      }),
    )
    if (epoch !== undefined) known.set(name, { ...range, epoch })
    return range.found
  }
}
