// Hours and days are read as they were written, whatever came between; and hours take little room.
import t from 'tap'
import { required } from '../../../../src/base/assert.ts'
import { createLatencySum, type Latencies } from '../../../../src/domain/checks/latencies.ts'
import { phaseNames } from '../../../../src/domain/checks/reading.ts'
import { createByteWriter } from '../../../../src/domain/checks/varints.ts'
import { verdictKinds } from '../../../../src/domain/checks/verdict.ts'
import { dayMs, hourMs, type Tally, tallyOf } from '../../../../src/domain/health/span.ts'
import { openTable } from '../../../../src/store/engine/table.ts'
import type { Store } from '../../../../src/store/store.ts'
import { openTallies } from '../../../../src/store/tables/checks/tallies.ts'
import { amount, testSeed } from '../../../support/depth.ts'
import { orgA } from '../../../support/make-incident.ts'
import { monitorNo } from '../../../support/make-page.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { damageRecord, ever, openTempStore } from '../../../support/temp-store.ts'

const monitor = monitorNo(1)
const neighbours = [monitorNo(0), monitorNo(2)]
type Table = 'days' | 'hours'

const envOf = ({ lmdb, damage, databases, readers }: Store) => ({
  ...{ lmdb, damage, databases, readers },
  close: async () => {},
})

/** A table as earlier versions wrote it: a record for each day or hour, all numbers by position. */
function openFormer(store: Store, name: Table) {
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

function someLatencies(random: () => number): Latencies {
  const sum = createLatencySum('endpoint')
  const usualMs = 5 * 300 ** random()
  for (let rows = 1 + Math.floor(random() * 70); rows > 0; rows -= 1) {
    const durationMs = Math.round(usualMs * (0.7 + random() ** 3) * (random() < 0.02 ? 30 : 1))
    const verdict = random() < 0.98 ? 'up' : required(verdictKinds[Math.floor(random() * 4)])
    const phases = random() < 0.95 ? { dns: 1, firstByte: durationMs - 1, download: 2 } : undefined
    sum.addRow({ atMs: 0, verdict, durationMs, ...(phases ? { phases } : {}) })
  }
  return required(sum.sum())
}

function someTally(startMs: number, lengthMs: number, random: () => number): Tally {
  const empty = tallyOf(startMs, lengthMs)
  const dice = random()
  if (dice < 0.3) return { ...empty, upMs: lengthMs, checks: 60 }
  if (dice < 0.5) return { ...empty, excludedMs: lengthMs, pausedMs: lengthMs }
  if (dice < 0.6) return { ...empty, excludedMs: lengthMs, maintenanceMs: lengthMs }
  if (dice < 0.7) return { ...empty, downMs: lengthMs }
  const some = () => (random() < 0.5 ? 0 : Math.floor(random() * lengthMs))
  const [upMs, degradedMs, downMs, excludedMs] = [some(), some(), some(), some()]
  const pausedMs = Math.min(excludedMs, some())
  return { ...empty, upMs, degradedMs, downMs, excludedMs, pausedMs, checks: 60, failures: 3 }
}

for (const name of ['hours', 'days'] as const) {
  t.test(`${name} are read as they were written, through all that happens`, async (t) => {
    const seed = testSeed()
    const bucketMs = name === 'hours' ? hourMs : dayMs
    for (let life = 0; life < amount(3, 200); life += 1) {
      const random = seededRandom(seed + life)
      const { store } = openTempStore(t, { inMemory: true })
      const former = openFormer(store, name)
      const table = openTallies(envOf(store), name)
      const expected = new Map<number, { tally: Tally; latencies: Latencies | null }>()
      const firstMs = Math.floor(random() * 20_000) * bucketMs
      let nowMs = firstMs
      let isFormer = random() < 0.5
      for (let step = 0; step < 200; step += 1) {
        if (random() < 0.03) isFormer = false
        if (random() < 0.1) nowMs += Math.floor(random() ** 3 * 300) * bucketMs
        const isBack = random() < 0.05
        // After the clock was set back, or if a commit is made again.
        const backMs = isBack ? Math.floor(random() ** 2 * 300) * bucketMs : 0
        const startMs = Math.max(firstMs, nowMs - backMs)
        const count = isFormer || random() < 0.85 ? 1 : Math.ceil(random() ** 2 * 200)
        const latencies = count === 1 && random() < 0.6 ? someLatencies(random) : null
        const tally = someTally(startMs, bucketMs, random)
        await store.write((tx) => {
          if (isFormer) former.put(tx, [orgA, monitor, startMs], { tally, latencies })
          else table.putAll(tx, orgA, monitor, [{ tally, count, latencies }])
          for (const id of neighbours) table.put(tx, orgA, id, tallyOf(startMs, bucketMs))
        })
        for (let at = 0; at < count; at += 1) {
          const atMs = startMs + at * bucketMs
          expected.set(atMs, { tally: { ...tally, startMs: atMs }, latencies })
        }
        if (!isBack) nowMs = startMs + count * bucketMs
        if (random() < 0.03) {
          const beforeMs = firstMs + random() ** 2 * (nowMs - firstMs)
          const slice = 1 + Math.floor(random() * 20)
          const trim = () => store.write((tx) => table.trim(tx, orgA, monitor, beforeMs, slice))
          while ((await trim()) === slice);
          for (const atMs of expected.keys()) if (atMs < beforeMs) expected.delete(atMs)
        }
        const fromMs = Math.floor(firstMs + random() * (nowMs - firstMs) - bucketMs)
        const toMs = Math.floor(fromMs + random() * 60 * bucketMs)
        for (const window of [...(step % 10 === 0 ? [ever] : []), { fromMs, toMs }]) {
          const rollups = [...expected.values()]
            .filter(({ tally }) => tally.startMs >= window.fromMs && tally.startMs < window.toMs)
            .sort((a, b) => a.tally.startMs - b.tally.startMs)
          const tallies = rollups.map(({ tally }) => tally)
          const about = `seed ${seed + life}, step ${step}, ${window.fromMs} to ${window.toMs}`
          const found = table.within(orgA, monitor, window)
          if (!isAlike(found, tallies)) return void t.same(found, tallies, about)
          const measured = table.rollups(orgA, monitor, window)
          if (!isAlike(measured, rollups)) return void t.same(measured, rollups, about)
        }
      }
      t.same(await store.unreadable(), [])
    }
  })
}

// Compared as text, because there are very many.
const isAlike = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

t.test('an hour of checks every minute takes about forty bytes of the file', async (t) => {
  const { store } = openTempStore(t, { inMemory: true })
  const random = seededRandom(testSeed())
  const monitors = Array.from({ length: 20 }, (_, number) => monitorNo(number))
  const hours = 400
  for (let hour = 0; hour < hours; hour += 1) {
    await store.write((tx) => {
      for (const id of monitors) {
        const tally = { ...tallyOf(hour * hourMs, hourMs), upMs: hourMs, checks: 60 }
        store.hours.put(tx, orgA, id, tally, someLatencies(random))
      }
    })
  }
  const stats = required(store.databases.get('hours')).getStats() as Record<string, number>
  const { treeBranchPageCount = 0, treeLeafPageCount = 0, overflowPages = 0 } = stats
  const pages = treeBranchPageCount + treeLeafPageCount + overflowPages
  const bytes = (pages * 4_096) / (hours * monitors.length)
  t.ok(bytes <= 50, `${bytes} bytes`)
})

t.test('what follows a damaged record is kept, and the others are read', async (t) => {
  const { store } = openTempStore(t, { inMemory: true })
  const put = (hour: number) =>
    store.write((tx) =>
      store.hours.put(tx, orgA, monitor, { ...tallyOf(hour * hourMs, hourMs), upMs: hour + 1 }),
    )
  for (let hour = 0; hour < 5; hour += 1) await put(hour)
  const startsOf = () =>
    store.hours.within(orgA, monitor, ever).map(({ startMs }) => startMs / hourMs)
  t.same(startsOf(), [0, 1, 2, 3, 4])
  await damageRecord(store, 'hours', [orgA, monitor, 0])
  t.same(startsOf(), [])
  for (const hour of [5, 6]) await put(hour)
  t.same(startsOf(), [5, 6])
})
