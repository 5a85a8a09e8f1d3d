// Hours and days are read as they were written, whatever came between; and hours take little room.
import t from 'tap'
import { required } from '../../../../src/base/assert.ts'
import { createLatencySum, type Latencies } from '../../../../src/domain/checks/latencies.ts'
import { verdictKinds } from '../../../../src/domain/checks/verdict.ts'
import { dayMs, hourMs, type Tally, tallyOf } from '../../../../src/domain/health/span.ts'
import { openTallies } from '../../../../src/store/tables/checks/tallies.ts'
import { amount, testSeed } from '../../../support/depth.ts'
import { envOf, openFormerTallies } from '../../../support/former-tallies.ts'
import { orgA } from '../../../support/make-incident.ts'
import { monitorNo } from '../../../support/make-page.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { damageRecord, ever, openTempStore } from '../../../support/temp-store.ts'

const monitor = monitorNo(1)
const neighbours = [monitorNo(0), monitorNo(2)]

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
    for (let life = 0; life < amount(2, 200); life += 1) {
      const random = seededRandom(seed + life)
      const { store } = openTempStore(t, { inMemory: true })
      const former = openFormerTallies(store, name)
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
  const hours = amount(150, 400)
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

t.test('hours of earlier versions are packed bit by bit, and say the same', async (t) => {
  const { store } = openTempStore(t, { inMemory: true })
  const random = seededRandom(testSeed())
  const former = openFormerTallies(store, 'hours')
  const table = openTallies(envOf(store), 'hours')
  const hours = amount(350, 700)
  const hourAt = (hour: number) => someTally((400_000 + hour) * hourMs, hourMs, random)
  await store.write((tx) => {
    for (let hour = 0; hour < hours; hour += 1) {
      // Now and then the monitor had no data.
      if (hour % 90 > 80) continue
      const latencies = random() < 0.9 ? someLatencies(random) : null
      const tally = hourAt(hour)
      former.put(tx, [orgA, monitor, tally.startMs], { tally, latencies })
      if (hour < 30) former.put(tx, [orgA, monitorNo(2), tally.startMs], { tally, latencies })
    }
  })
  const all = () => JSON.stringify(table.rollups(orgA, monitor, ever))
  const records = () => {
    const keys = [...required(store.databases.get('hours')).getKeys()]
    return keys.filter((key) => key[1] === monitor).length
  }
  const pack = () => store.write((tx) => table.packFormer(tx, orgA, monitor, 100))
  const before = all()
  t.equal(await pack(), 100, 'also without newer ones')
  t.equal(all(), before)
  await store.write((tx) => {
    for (let hour = hours; hour < hours + 150; hour += 1) {
      table.put(tx, orgA, monitor, hourAt(hour), someLatencies(random))
    }
  })
  const withNewer = all()
  while (table.hasFormer(orgA, monitor)) {
    t.ok((await pack()) > 0)
    if (all() !== withNewer) return void t.fail('they say the same')
  }
  t.equal(await pack(), 0)
  t.ok(records() < 20, `${records()} records`)
  t.ok(table.hasFormer(orgA, monitorNo(2)), 'those of another one are as they were')
  t.equal(table.rollups(orgA, monitorNo(2), ever).length, 30)
})

t.test('a damaged hour of an earlier version stays where it is, and hides no other', async (t) => {
  const { store } = openTempStore(t, { inMemory: true })
  const former = openFormerTallies(store, 'hours')
  const table = openTallies(envOf(store), 'hours')
  await store.write((tx) => {
    for (let hour = 0; hour < 20; hour += 1) {
      const tally = { ...tallyOf(hour * hourMs, hourMs), upMs: hour + 1 }
      former.put(tx, [orgA, monitor, tally.startMs], { tally, latencies: null })
    }
  })
  await damageRecord(store, 'hours', [orgA, monitor, 7 * hourMs])
  const found = () => table.within(orgA, monitor, ever).map(({ startMs }) => startMs / hourMs)
  const readable = found()
  t.equal(readable.length, 19)
  for (const packed of [12, 0]) {
    t.equal(await store.write((tx) => table.packFormer(tx, orgA, monitor, 100)), packed)
    t.same(found(), readable)
  }
})

t.test('damaged latencies cost their values only, and are noted once', async (t) => {
  const { store } = openTempStore(t, { inMemory: true })
  const sum = someLatencies(seededRandom(1))
  // It says of more results than it has.
  const broken = { ...sum, count: sum.count + 500 }
  const tallies = [1, 2, 3].map((hour) => ({ ...tallyOf(hour * hourMs, hourMs), checks: 60 }))
  const runs = tallies.map((tally, at) => ({ tally, count: 1, latencies: at === 1 ? broken : sum }))
  await store.write((tx) => store.hours.putAll(tx, orgA, monitor, runs))
  const window = { fromMs: 0, toMs: 10 * hourMs }
  const read = () => store.hours.rollups(orgA, monitor, window)
  t.same(
    read().map(({ latencies }) => latencies?.count ?? null),
    [sum.count, null, sum.count],
  )
  t.same(
    read().map(({ tally }) => tally),
    tallies,
  )
  t.equal(store.damage.count(), 1)
  const next = { tally: { ...tallyOf(4 * hourMs, hourMs), checks: 60 }, count: 1, latencies: sum }
  await store.write((tx) => store.hours.putAll(tx, orgA, monitor, [next]))
  t.equal(read().length, 4, 'what follows is written')
})
