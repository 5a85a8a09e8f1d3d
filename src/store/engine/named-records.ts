// Reads the records that the keys of an index name.
import type { TableKey } from './damage.ts'
import type { RangeOptions } from './ranges.ts'
import type { Table } from './table.ts'

/**
 * The records that an index names, in its order, at most `limit`. As in a table, the limit counts
 * readable records: fewer than requested means that there are no more, and damaged ones keep none from
 * being found.
 */
export function namedRecords<Rec>(
  index: Pick<Table<unknown>, 'keys'>,
  range: RangeOptions,
  read: (key: TableKey) => Rec | undefined,
): Rec[] {
  const found: Rec[] = []
  let { after } = range
  for (;;) {
    const limit = range.limit - found.length
    const keys = index.keys({ ...range, limit, after })
    for (const key of keys) {
      const record = read(key)
      if (record !== undefined) found.push(record)
    }
    if (keys.length < limit || found.length === range.limit) return found
    after = keys.at(-1)?.slice(range.prefix.length)
  }
}
