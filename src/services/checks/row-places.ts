// From which place the results of a monitor came that are kept of all its places together: each is kept of its
// place, too.
import type { CheckRow } from '../../domain/checks/check-row.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { PlaceId } from '../../domain/locations/place.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { newestRows } from '../../store/tables/checks/newest-rows.ts'
import type { Sights } from './sights.ts'

const keyOf = ({ atMs, verdict, durationMs }: CheckRow) => `${atMs} ${verdict} ${durationMs}`

/** The places of the rows of a page; they are looked for among a bounded number of others. */
export function placesOfRows(
  sights: Pick<Sights, 'placed'>,
  monitor: Monitor,
  rows: readonly CheckRow[],
): (row: CheckRow) => PlaceId | undefined {
  const times = rows.map(({ atMs }) => atMs)
  const window = {
    fromMs: Math.min(...times),
    toMs: Math.max(...times) + 1,
    rowsMax: Math.ceil(limits.listScanMax / Math.max(1, monitor.locations.length)),
  }
  const kept = new Map<string, PlaceId[]>()
  for (const place of rows.length === 0 ? [] : monitor.locations) {
    const { readers, kept: ids, state } = sights.placed(monitor, place)
    for (const row of newestRows(readers.checks, ids, state, window)) {
      const key = keyOf(row)
      kept.set(key, [...(kept.get(key) ?? []), place])
    }
  }
  // Results that are alike in everything are told apart by nothing: each is of one of the places.
  const placed = new Map(rows.map((row) => [row, kept.get(keyOf(row))?.shift()]))
  return (row) => placed.get(row)
}
