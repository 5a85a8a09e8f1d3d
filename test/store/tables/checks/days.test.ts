// Bars and uptime are the same whether they come from months or from days, whatever came between.
import t from 'tap'
import { required } from '../../../../src/base/assert.ts'
import { dayMs, hourMs, type Tally, tallyOf } from '../../../../src/domain/health/span.ts'
import { floorToMonth, monthAfter } from '../../../../src/domain/health/time-window.ts'
import { forgetMonitor } from '../../../../src/store/forget.ts'
import type { Store } from '../../../../src/store/store.ts'
import { openTallies } from '../../../../src/store/tables/checks/tallies.ts'
import { amount, testSeed } from '../../../support/depth.ts'
import { orgA } from '../../../support/make-incident.ts'
import { monitorNo } from '../../../support/make-page.ts'
import { settled } from '../../../support/monitor-world.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { damageRecord, ever, openTempStore } from '../../../support/temp-store.ts'

const monitor = monitorNo(1)
const neighbours = [monitorNo(0), monitorNo(2)]

/** As an earlier version finished a day: without its month. */
function formerDays(store: Store) {
  return openTallies(store, 'days')
}

function monthsOf(store: Store): number[] {
  const table = required(store.databases.get('months'))
  const keys = [...table.getKeys()].filter((key) => key[1] === monitor)
  return keys.map((key) => Number(key[2]))
}

/** Mostly a good day; sometimes with anything in it. */
function someDay(startMs: number, random: () => number): Tally {
  if (random() < 0.4) return { ...tallyOf(startMs), upMs: dayMs, checks: 1_440 }
  const some = (most: number) => (random() < 0.5 ? 0 : Math.floor(random() * most))
  return {
    startMs,
    upMs: some(dayMs),
    degradedMs: some(hourMs),
    downMs: some(dayMs),
    excludedMs: some(dayMs),
    pausedMs: some(hourMs),
    maintenanceMs: some(300),
    checks: some(9_000),
    failures: some(100),
  }
}

t.test('months and days say the same of any window, through all that happens', async (t) => {
  const seed = testSeed()
  for (let life = 0; life < amount(3, 300); life += 1) {
    const random = seededRandom(seed + life)
    const { store } = openTempStore(t, { inMemory: true })
    const former = formerDays(store)
    const expected = new Map<number, Tally>()
    // Somewhere in a year with a leap day.
    const firstMs = Date.UTC(2024, 0, 1) + Math.floor(random() * 366) * dayMs
    let todayMs = firstMs
    let isFormer = random() < 0.5
    const steps = 120
    for (let step = 0; step < steps; step += 1) {
      const dice = random()
      if (dice < 0.05) isFormer = false
      // Most days follow each other; after a gap days or months are missing.
      else if (dice < 0.12) todayMs += Math.floor(random() ** 3 * 90) * dayMs
      const isBack = random() < 0.1
      // After the clock was set back, or if a commit is made again, a day is finished once more.
      const backDays = isBack ? Math.floor(random() ** 2 * 50) : 0
      const day = someDay(todayMs - backDays * dayMs, random)
      await store.write((tx) => {
        if (isFormer) former.put(tx, orgA, monitor, day)
        else store.days.put(tx, orgA, monitor, day)
        for (const id of neighbours) store.days.put(tx, orgA, id, tallyOf(day.startMs))
      })
      expected.set(day.startMs, day)
      if (!isBack) todayMs += dayMs
      const months = monthsOf(store)
      if (random() < 0.05 && months.length > 0) {
        const monthMs = required(months[Math.floor(random() * months.length)])
        await damageRecord(store, 'months', [orgA, monitor, monthMs])
      }
      if (random() < 0.03) {
        const beforeMs = firstMs + random() * (todayMs - firstMs)
        const slice = 1 + Math.floor(random() * 20)
        const trim = () => store.write((tx) => store.days.trim(tx, orgA, monitor, beforeMs, slice))
        while ((await trim()) === slice);
        for (const startMs of expected.keys()) if (startMs < beforeMs) expected.delete(startMs)
      }
      const fromMs = firstMs + Math.floor((random() * 200 - 60) * 24) * hourMs
      const lengthMs = Math.floor(random() * 120) * dayMs
      const monthMs = floorToMonth(todayMs - random() * 90 * dayMs)
      for (const window of [
        ever,
        { fromMs: todayMs - 89 * dayMs, toMs: todayMs + dayMs },
        { fromMs, toMs: fromMs + lengthMs },
        { fromMs: monthMs, toMs: monthAfter(monthMs) },
      ]) {
        const days = [...expected.values()]
          .filter(({ startMs }) => startMs >= window.fromMs && startMs < window.toMs)
          .sort((a, b) => a.startMs - b.startMs)
        const about = `seed ${seed + life}, step ${step}, ${window.fromMs} to ${window.toMs}`
        const found = store.days.within(orgA, monitor, window)
        // Compared as text, because there are very many.
        if (JSON.stringify(found) !== JSON.stringify(days)) return void t.same(found, days, about)
        const single = former.within(orgA, monitor, window)
        if (JSON.stringify(single) !== JSON.stringify(days)) return void t.same(single, days, about)
      }
    }
    t.ok(monthsOf(store).length > 0, 'there were months to read')
  }
})

t.test('a month that began under an earlier version is whole after its next day', async (t) => {
  const { store } = openTempStore(t)
  const startMs = Date.UTC(2026, 4, 30)
  const days = Array.from({ length: 5 }, (_, number) => ({
    ...tallyOf(startMs + number * dayMs),
    upMs: dayMs - number,
  }))
  const former = formerDays(store)
  await store.write((tx) => {
    for (const day of days.slice(0, 4)) former.put(tx, orgA, monitor, day)
  })
  t.same(store.days.within(orgA, monitor, ever), days.slice(0, 4))
  t.same(monthsOf(store), [])
  const last = required(days[4])
  await store.write((tx) => store.days.put(tx, orgA, monitor, last))
  t.same(monthsOf(store), [Date.UTC(2026, 5)])
  t.same(store.days.within(orgA, monitor, ever), days)

  // The single days are not needed for it.
  await damageRecord(store, 'days', [orgA, monitor, last.startMs])
  t.same(store.days.within(orgA, monitor, ever), days)
  // A damaged month is made anew by the next day.
  await damageRecord(store, 'months', [orgA, monitor, Date.UTC(2026, 5)])
  t.same(store.days.within(orgA, monitor, ever), days.slice(0, 4))
  const next = tallyOf(last.startMs + dayMs)
  await store.write((tx) => {
    store.days.put(tx, orgA, monitor, last)
    store.days.put(tx, orgA, monitor, next)
  })
  t.same(store.days.within(orgA, monitor, ever), [...days, next])
})

t.test('a write that fails leaves neither the day nor its month', async (t) => {
  const { store } = openTempStore(t)
  const day = tallyOf(Date.UTC(2026, 4, 30))
  const failing = store.write((tx) => {
    store.days.put(tx, orgA, monitor, day)
    throw new Error('no')
  })
  await t.rejects(failing)
  t.same(store.days.within(orgA, monitor, ever), [])
  t.same(monthsOf(store), [])
})

t.test('a month of a monitor takes little room', async (t) => {
  const { store } = openTempStore(t)
  const startMs = Date.UTC(2026, 6)
  await store.write((tx) => {
    for (let number = 0; number < 31; number += 1) {
      const day = { ...tallyOf(startMs + number * dayMs), upMs: dayMs, checks: 2_880 }
      store.days.put(tx, orgA, monitor, day)
    }
  })
  const table = required(store.databases.get('months'))
  const bytes = required(table.getBinary([orgA, monitor, startMs]))
  t.ok(bytes.length <= 260, `${bytes.length} bytes`)
})

t.test(
  'the months of a deleted monitor are deleted, and those of its neighbours stay',
  async (t) => {
    const { store } = openTempStore(t)
    await store.write((tx) => {
      for (const id of [monitor, ...neighbours]) {
        for (let number = 0; number < 70; number += 1) {
          store.days.put(tx, orgA, id, tallyOf(Date.UTC(2026, 0, 20) + number * dayMs))
        }
      }
      store.tombstones.add(tx, { orgId: orgA, monitorId: monitor })
    })
    t.equal(monthsOf(store).length, 3)
    await settled(store, forgetMonitor(store, { orgId: orgA, monitorId: monitor }))
    t.same(monthsOf(store), [])
    t.same(store.days.within(orgA, monitor, ever), [])
    for (const id of neighbours) t.equal(store.days.within(orgA, id, ever).length, 70)
  },
)
