// Results and uptime: every result once, newest first, and a figure that is exact to the second.
import t from 'tap'
import { checkRowsPerBlock } from '../../../src/actors/monitor/keeping.ts'
import { appendRow, type CheckRow } from '../../../src/domain/checks/check-row.ts'
import { dayMs, hourMs } from '../../../src/domain/health/span.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { putFormerBlock } from '../../support/former-block.ts'
import { type MonitorServices, startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, makeReading } from '../../support/monitor-world.ts'

const minuteMs = 60_000
const hasty = { failureThreshold: 1, recoveryThreshold: 1, intervalSeconds: 60, graceSeconds: 0 }

/** Commits so many results a minute apart; each `nth` one fails. Returns their times. */
async function addResults(world: MonitorServices, monitor: Monitor, count: number, nth = 0) {
  const times: number[] = []
  for (let number = 1; number <= count; number++) {
    await world.clock.advance(minuteMs)
    const atMs = world.clock.nowMs()
    const seen = { ...(nth > 0 && number % nth === 0 ? failed : good), durationMs: number }
    const committing = world.commit.reading(monitor, makeReading(atMs, seen))
    await world.store.flush()
    await committing
    times.push(atMs)
  }
  return times
}

function pagesOf(world: MonitorServices, monitor: Monitor, filter: object, limit = 25) {
  const rows: CheckRow[][] = []
  let after: string | undefined
  do {
    const page = world.readings.checks(world.alice, monitor.id, {
      ...filter,
      limit,
      ...(after === undefined ? {} : { after }),
    })
    rows.push([...page.items])
    after = page.nextAfter
  } while (after !== undefined && rows.length < 100)
  return rows
}

t.test('results are listed newest first, across blocks and the newest ones', async (t) => {
  const world = startMonitorServices(t)
  const monitor = await world.add(hasty)
  const per = checkRowsPerBlock
  const times = await addResults(world, monitor, 2 * per + 10)
  t.equal(world.monitorState(monitor).recentRowCount, 10, 'two blocks are sealed')
  t.equal(world.monitorState(monitor).recentRows.length < 16 * 11, true)
  const pages = pagesOf(world, monitor, {})
  t.same(
    pages.flat().map(({ atMs }) => atMs),
    times.toReversed(),
  )
  t.same(
    pages.map(({ length }) => length),
    [25, 25, 25, 25, 25, 13],
  )
  t.match(pages[0]?.[0], { durationMs: 2 * per + 10, verdict: 'up', status: 200 })
  for (const limit of [1, per, 2 * per + 10, 200]) {
    t.equal(pagesOf(world, monitor, {}, limit).flat().length, limit === 1 ? 100 : times.length)
  }
})

t.test('a clock that was set changes neither the list nor its pages', async (t) => {
  for (const stepMs of [hourMs, -hourMs]) {
    const world = startMonitorServices(t)
    const monitor = await world.add(hasty)
    await addResults(world, monitor, 100)
    const cursor = world.readings.checks(world.alice, monitor.id, { limit: 10 }).nextAfter
    world.clock.jump(stepMs)
    await addResults(world, monitor, 100, 50)
    const whole = pagesOf(world, monitor, {}, 200).flat()
    t.equal(whole.length, 200)
    t.ok(whole.every(({ atMs }, at) => at === 0 || atMs <= (whole[at - 1]?.atMs ?? 0)))
    for (const limit of [1, 7, 64]) {
      const paged = pagesOf(world, monitor, {}, limit).flat()
      t.same(paged, whole.slice(0, paged.length))
      t.equal(paged.length, Math.min(200, 100 * limit))
    }
    const rest = world.readings.checks(world.alice, monitor.id, {
      limit: 200,
      ...(cursor ? { after: cursor } : {}),
    })
    t.same(rest.items, whole.slice(110), 'a cursor of before still continues where it was')
    const incident = world.store.incidents.list(monitor.orgId, { limit: 100 }).at(-1)
    const { startedAtMs = 0, resolvedAtMs = 0 } = incident ?? {}
    t.equal((resolvedAtMs ?? 0) - startedAtMs, minuteMs, 'an outage lasts as long as it did')
  }
})

t.test('rows that a former version stored out of order are listed page by page', async (t) => {
  const world = startMonitorServices(t)
  const monitor = await world.add(hasty)
  const times = await addResults(world, monitor, 70)
  const { orgId, id } = monitor
  await world.store.write((tx) => {
    const late = appendRow(
      new Uint8Array(),
      { atMs: (times[0] ?? 0) + 30_000, verdict: 'up', durationMs: 5 },
      0,
    )
    const earlyMs = (times[0] ?? 0) + 30_000
    const lateMs = (times[69] ?? 0) + 3_600_000
    for (const fromMs of [earlyMs, lateMs]) {
      putFormerBlock(world.store, tx, { orgId, id, fromMs, rows: late })
    }
  })
  const whole = pagesOf(world, monitor, {}, 200).flat()
  t.equal(whole.length, 72)
  for (const limit of [3, 9]) t.same(pagesOf(world, monitor, {}, limit).flat(), whole)
})

t.test('a block that was just closed leaves no gap and no duplicate', async (t) => {
  const world = startMonitorServices(t)
  const monitor = await world.add(hasty)
  const times = await addResults(world, monitor, checkRowsPerBlock)
  t.equal(world.monitorState(monitor).recentRowCount, 0)
  const listed = pagesOf(world, monitor, {}).flat()
  t.same(
    listed.map(({ atMs }) => atMs),
    times.toReversed(),
  )
})

t.test(
  'a page begins where the one before ended, though its results moved meanwhile',
  async (t) => {
    const world = startMonitorServices(t)
    const monitor = await world.add(hasty)
    const per = checkRowsPerBlock
    const times = await addResults(world, monitor, 3 * per - 20)
    const pages = [1, 30, 60, 100].map((limit) => ({
      limit,
      after: world.readings.checks(world.alice, monitor.id, { limit }).nextAfter ?? '',
    }))
    // The newest rows join the block before them, and then more do.
    for (const count of [30, per, 9 * per]) {
      await addResults(world, monitor, count)
      for (const { limit, after } of pages) {
        const rest = world.readings.checks(world.alice, monitor.id, { limit: 200, after })
        t.same(
          rest.items.map(({ atMs }) => atMs),
          times.slice(0, -limit).toReversed(),
        )
      }
    }
  },
)

t.test('a window contains its results, both ends included', async (t) => {
  const world = startMonitorServices(t)
  const monitor = await world.add(hasty)
  const times = await addResults(world, monitor, 100)
  const [fromMs = 0, toMs = 0] = [times[20], times[70]]
  const listed = pagesOf(world, monitor, { fromMs, toMs }).flat()
  t.same(
    listed.map(({ atMs }) => atMs),
    times.slice(20, 71).toReversed(),
  )
  t.same(pagesOf(world, monitor, { toMs: (times[0] ?? 0) - 1 }), [[]])
  t.same(pagesOf(world, monitor, { fromMs: (times.at(-1) ?? 0) + 1 }), [[]])
})

t.test('an outcome filter finds its results, however rare', async (t) => {
  const world = startMonitorServices(t)
  const monitor = await world.add(hasty)
  const times = await addResults(world, monitor, 150, 40)
  const failures = pagesOf(world, monitor, { outcome: 'down' }, 2)
  t.same(
    failures.flat().map(({ atMs }) => atMs),
    [times[119], times[79], times[39]],
  )
  t.match(failures[0]?.[0], { errorKind: 'status', message: 'the status is 500' })
  t.same(pagesOf(world, monitor, { outcome: 'degraded' }), [[]])
})

t.test('results of one millisecond are all listed', async (t) => {
  const world = startMonitorServices(t)
  const monitor = await world.add(hasty)
  const [atMs = 0] = await addResults(world, monitor, 1)
  for (const durationMs of [11, 12, 13]) {
    const same = world.commit.reading(monitor, makeReading(atMs, { ...good, durationMs }))
    await world.done(same)
  }
  const listed = pagesOf(world, monitor, {}, 2).flat()
  t.same(
    listed.map(({ durationMs }) => durationMs),
    [13, 12, 11, 1],
  )
})

t.test('uptime is time, not a count of results', async (t) => {
  const world = startMonitorServices(t)
  const { readings, clock } = world
  const monitor = await world.add({ ...hasty, intervalSeconds: 600 })
  const uptime = () => readings.uptime(monitor, world.monitorState(monitor))
  t.same(uptime(), { '24h': null, '7d': null, '30d': null, '90d': null }, 'nobody has looked')
  const stepMs = 10 * minuteMs
  await world.see(monitor, [good, good, good, failed, failed, failed, good, good], stepMs)
  // Up for three steps, down for three, up for one.
  t.same(uptime(), { '24h': 4 / 7, '7d': 4 / 7, '30d': 4 / 7, '90d': 4 / 7 })
  await clock.advance(stepMs)
  t.equal(uptime()['24h'], 5 / 8, 'the state that holds counts to this moment')
})

t.test('uptime is stated once an hour of it is known, to the moment', async (t) => {
  const world = startMonitorServices(t)
  const { readings, clock } = world
  const monitor = await world.add(hasty)
  await world.see(monitor, [good])
  const uptime = () => readings.uptime(monitor, world.monitorState(monitor))
  const none = { '24h': null, '7d': null, '30d': null, '90d': null }
  t.same(uptime(), none)
  await clock.advance(hourMs - 1)
  t.same(uptime(), none)
  await clock.advance(1)
  t.same(uptime(), { '24h': 1, '7d': 1, '30d': 1, '90d': 1 })
})

t.test('each window of uptime excludes earlier time', async (t) => {
  const world = startMonitorServices(t)
  const { readings, clock } = world
  const monitor = await world.add({ ...hasty, intervalSeconds: 86_400 })
  await clock.advance(1_000)
  await world.see(monitor, [good, failed, good, good], 6 * hourMs)
  const ratio = (window: '24h' | '7d' | '30d' | '90d') =>
    Number(readings.uptime(monitor, world.monitorState(monitor))[window]?.toFixed(4))
  const first = ratio('90d')
  t.ok(first > 0.6 && first < 0.7, `${first}`)
  const seen: number[][] = []
  for (const days of [2, 7, 30, 91]) {
    const passed = Math.round((clock.nowMs() - Date.UTC(2026, 0, 1)) / dayMs)
    await world.see(monitor, Array(days - passed).fill(good), dayMs)
    seen.push([ratio('24h'), ratio('7d'), ratio('30d'), ratio('90d')])
  }
  t.match(seen, [[1], [1, 1], [1, 1, 1], [1, 1, 1, 1]])
  t.ok((seen[0]?.[1] ?? 1) < 1 && (seen[1]?.[2] ?? 1) < 1 && (seen[2]?.[3] ?? 1) < 1)
})

t.test('the time of a pause counts in no uptime', async (t) => {
  const world = startMonitorServices(t)
  const { monitors, alice, done, clock } = world
  const made = await done(monitors.create(alice, { name: 'API', url: 'https://a.test/' }))
  const { monitor } = made
  await world.run(100 * minuteMs)
  await done(monitors.pause(alice, monitor.id))
  await clock.advance(5 * hourMs)
  const view = monitors.get(alice, monitor.id)
  t.match(view.uptime, { '24h': 1, '90d': 1 })
  t.match(view.monitorState.tally, { upMs: 100 * minuteMs, downMs: 0 })
})

t.test('the newest result comes with the evidence of the newest failure', async (t) => {
  const world = startMonitorServices(t)
  const { readings, alice } = world
  const monitor = await world.add(hasty)
  t.match(readings.latest(alice, monitor.id), { failure: undefined, report: undefined })
  await world.see(monitor, [{ ...failed, evidence: { body: 'oops' } }, good])
  t.match(readings.latest(alice, monitor.id), {
    monitorState: { lastVerdict: 'up' },
    failure: { evidence: { body: 'oops' } },
  })
  t.throws(() => readings.latest(world.charlie, monitor.id), { code: 'not_found' })
})
