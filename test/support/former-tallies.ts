// Hours and days as versions before 8 of the data wrote them.
import type { Latencies } from '../../src/domain/checks/latencies.ts'
import { phaseNames } from '../../src/domain/checks/reading.ts'
import { createByteWriter } from '../../src/domain/checks/varints.ts'
import { verdictKinds } from '../../src/domain/checks/verdict.ts'
import { hourMs, type Tally, tallyOf } from '../../src/domain/health/span.ts'
import { openTable } from '../../src/store/engine/table.ts'
import type { Store } from '../../src/store/store.ts'

/** For a second table of the same name. */
export const envOf = (store: Store) => ({ ...store, close: async () => {} })

/** A table as earlier versions wrote it: a record for each day or hour, all numbers by position. */
export function openFormerTallies(store: Store, name: 'days' | 'hours') {
  const writer = createByteWriter(32 * 1024)
  return openTable<{ tally: Tally; latencies: Latencies | null }>(envOf(store), {
    name,
    version: 2,
    codec: {
      encode({ tally, latencies }) {
        const { startMs, upMs, degradedMs, downMs, excludedMs, pausedMs, ...rest } = tally
        const times = [startMs / hourMs, upMs, degradedMs, downMs, excludedMs, pausedMs]
        const counts = [rest.maintenanceMs, rest.checks, rest.failures]
        for (const value of [...times, ...counts]) writer.varint(value)
        if (!latencies) return writer.taken()
        const { results, count, minMs, maxMs, sumMs, phases, histogram } = latencies
        for (const kind of verdictKinds) writer.varint(results[kind])
        writer.varint(count)
        if (count === 0) return writer.taken()
        for (const value of [minMs, maxMs - minMs, sumMs]) writer.varint(value)
        for (const phase of phaseNames) {
          writer.varint(phases[phase].count)
          if (phases[phase].count > 0) writer.varint(phases[phase].sumMs)
        }
        let next = 0
        for (const [bucket, some] of histogram) {
          const skipped = bucket - next
          if (skipped <= 15 && some <= 15) writer.byte((skipped << 4) | some)
          else for (const value of [0, skipped, some]) writer.varint(value)
          next = bucket + 1
        }
        return writer.taken()
      },
      decode: () => ({ tally: tallyOf(0), latencies: null }),
    },
  })
}
