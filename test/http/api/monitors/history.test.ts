// History through the API: uptime of any window, charts of response times, filters of results.
import t, { type Test } from 'tap'
import { newId } from '../../../../src/base/ids.ts'
import { limits } from '../../../../src/domain/limits/limits.ts'
import type { Monitor } from '../../../../src/domain/monitors/monitor.ts'
import { history } from '../../../../src/http/api/monitors/history.ts'
import { monitors } from '../../../../src/http/api/monitors/monitors.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { createHistories } from '../../../../src/services/checks/histories.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'
import { makeIncident } from '../../../support/make-incident.ts'
import { monitorNo } from '../../../support/make-page.ts'
import { startMonitorServices } from '../../../support/monitor-services.ts'
import { failed, failedBy, good, makeReading, type Seen } from '../../../support/monitor-world.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

const hasty = { failureThreshold: 1, recoveryThreshold: 1, intervalSeconds: 300 }
const minuteMs = 60_000
const hourMs = 60 * minuteMs

async function open(t: Test) {
  const world = startMonitorServices(t)
  const { store, clock } = world
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', [...monitors, ...history]),
    services: {
      monitors: world.monitors,
      readings: world.readings,
      histories: createHistories({ store, clock }),
    },
    clock,
  })
  t.teardown(() => server.stop())
  const ask = (path: string) => world.done(server.ask(`/api/v1/orgs/${orgA}${path}`, { as: 'bob' }))
  let number = 0
  return {
    ...world,
    ask,
    add(fields: Partial<Monitor>) {
      number += 1
      return world.add({ id: monitorNo(number), orgId: orgA, ...fields })
    },
    need: async (path: string) => {
      const { status, json } = await ask(path)
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`)
      return json.data
    },
    /** Results five minutes apart; returns them. */
    async see(monitor: Monitor, seen: readonly Seen[]) {
      const all: { atMs: number; seen: Seen }[] = []
      for (const one of seen) {
        await clock.advance(5 * minuteMs)
        await world.done(world.commit.reading(monitor, makeReading(clock.nowMs(), one)))
        all.push({ atMs: clock.nowMs(), seen: one })
      }
      return all
    },
  }
}

const random = seededRandom(11)
const answers = (count: number): Seen[] =>
  Array.from({ length: count }, () => {
    const firstByte = 30 + Math.round(400 * random() ** 2)
    return { ...good, durationMs: firstByte + 12, phases: { connect: 12, firstByte } }
  })

t.test('uptime of a window says how long the monitor was in each state', async (t) => {
  const { ask, need, see, add, clock, store } = await open(t)
  const monitor = await add(hasty)
  // Up after five minutes, an outage of ten, up until 24:00.
  await see(monitor, [...answers(10), failed, failed, ...answers(276)])
  t.equal(new Date(clock.nowMs()).toISOString(), '2026-01-02T00:00:00.000Z')
  const path = `/monitors/${monitor.id}/uptime`
  const day = await need(`${path}?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`)
  t.same(day, {
    monitorId: monitor.id,
    name: monitor.name,
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-02T00:00:00.000Z',
    uptime: (86_400 - 300 - 600) / (86_400 - 300),
    coverage: (86_400 - 300) / 86_400,
    upSeconds: 86_400 - 300 - 600,
    degradedSeconds: 0,
    downSeconds: 600,
    countedSeconds: 86_400 - 300,
    pausedSeconds: 0,
    maintenanceSeconds: 0,
    unknownSeconds: 300,
    outages: 1,
    meanSecondsToRecover: 600,
    meanSecondsBetweenOutages: 86_400 - 300 - 600,
  })
  t.match(await need(`${path}?month=2026-01`), { downSeconds: 600, to: day.to })
  // A person declared an outage of it: the monitor itself was up.
  const atMs = Date.parse('2026-01-01T01:00:00Z')
  const declared = { isDeclared: true, severity: 'down', state: 'resolved' } as const
  const times = { startedAtMs: atMs, confirmedAtMs: atMs, resolvedAtMs: atMs + minuteMs }
  const fields = { id: newId('incident', clock.nowMs()), orgId: orgA, monitorIds: [monitor.id] }
  await store.write((tx) => {
    store.incidents.put(tx, makeIncident({ ...declared, ...times, ...fields }))
  })
  t.match(await need(`${path}?window=24h`), { outages: 1, meanSecondsToRecover: 600 })
  t.match(await need(`${path}?from=2026-01-01T01:10:00Z&to=2026-01-01T02:20:00Z`), {
    from: '2026-01-01T01:00:00.000Z',
    to: '2026-01-01T03:00:00.000Z',
    downSeconds: 300,
    outages: 1,
  })
  t.match(await need(`${path}?window=24h`), { from: day.from, downSeconds: 600 })
  t.match(await need(`${path}?window=365d`), {
    from: '2025-01-03T00:00:00.000Z',
    uptime: day.uptime,
  })
  const shown = await need(`/monitors/${monitor.id}`)
  for (const window of ['24h', '7d', '30d', '90d']) {
    t.equal((await need(`${path}?window=${window}`)).uptime, shown.uptime[window], window)
  }
  for (const [query, message] of [
    ['month=2026-13', 'month must be a month as YYYY-MM'],
    ['month=2026-02', 'month must not be in the future'],
    [
      'month=2026-01&window=7d',
      'month must stand alone: give `window`, `month`, or `from` and `to`',
    ],
    ['to=2026-01-01T00:00:00Z', 'from is required with `to`'],
    ['from=2026-01-01T05:00:00Z&to=2026-01-01T05:00:00Z', /before `to`/],
    ['from=2027-01-01T05:00:00Z', /in the past/],
    ['from=1990-01-01T05:00:00Z', /^from must be at most \d+ days before `to`/],
    ['window=1y', /window/],
  ] as const) {
    const { status, json } = await ask(`${path}?${query}`)
    t.equal(status, 400, query)
    t.match(json, { code: 'invalid_parameter', message, errors: [{ pointer: String }] }, query)
  }
  t.equal((await ask(`/monitors/mon_${'0'.repeat(26)}/uptime`)).status, 404)
})

t.test('response times are those of the results, in points of any length', async (t) => {
  const { ask, need, see, add, clock } = await open(t)
  const monitor = await add({ ...hasty, failureThreshold: 3 })
  const seen = await see(monitor, [...answers(200), failed, ...answers(700)])
  const path = `/monitors/${monitor.id}/response-times`
  for (const query of [
    'points=500',
    'points=10',
    `points=50&from=${new Date(clock.nowMs() - 70 * hourMs).toISOString()}`,
    `points=2&from=${new Date(clock.nowMs() - 75 * hourMs).toISOString()}`,
    `points=3&from=2025-06-01T00:00:00Z`,
  ]) {
    const chart = await need(`${path}?${query}`)
    const lengthMs = chart.pointSeconds * 1_000
    t.ok(chart.points.length <= Number(/points=(\d+)/.exec(query)?.[1]), query)
    t.equal(Date.parse(chart.from) % lengthMs, 0)
    t.equal(Date.parse(chart.from), Date.parse(chart.points[0].at))
    let count = 0
    for (const { at, ...point } of chart.points) {
      const fromMs = Date.parse(at)
      const within = seen.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + lengthMs)
      const timed = within.filter(({ seen }) => seen.result === 'good')
      const times = timed.map(({ seen }) => seen.durationMs ?? 0).sort((a, b) => a - b)
      t.equal(point.results.up, times.length, `${query} ${at}`)
      t.equal(point.results.down, within.length - timed.length)
      count += times.length
      if (times.length === 0) {
        t.match(point, { count: 0, minMs: null, avgMs: null, p99Ms: null })
        continue
      }
      const sum = times.reduce((all, ms) => all + ms, 0)
      t.match(point, { count: times.length, minMs: times.at(0), maxMs: times.at(-1) })
      t.ok(Math.abs(point.avgMs - sum / times.length) < 0.051)
      t.equal(point.phases.connect, 12)
      for (const [name, share] of [
        ['p50Ms', 0.5],
        ['p95Ms', 0.95],
        ['p99Ms', 0.99],
      ] as const) {
        const exact = times[Math.ceil(share * times.length) - 1] ?? 0
        t.ok(
          Math.abs(point[name] - exact) <= 0.02 * exact + 0.05,
          `${name} ${point[name]} ${exact}`,
        )
      }
    }
    t.equal(chart.total.count, count)
  }
  t.equal((await need(path)).points.length, 97, 'a day in quarters of an hour, and the running one')
  for (const query of ['points=1', 'points=501', 'from=2030-01-01T00:00:00Z', 'to=x']) {
    t.equal((await ask(`${path}?${query}`)).status, 400, query)
  }
})

t.test('the uptime of all monitors is paged, and summed up', async (t) => {
  const { need, see, add, clock } = await open(t)
  const shop = await add({ ...hasty, tags: ['shop'] })
  await see(shop, [...answers(3), failed, ...answers(3)])
  const other = await add({ ...hasty, tags: ['shop'] })
  const alone = await add(hasty)
  await see(other, answers(2))
  const first = await need('/uptime?tag=shop&limit=1')
  t.match(first, [{ monitorId: other.id, downSeconds: 0 }])
  const both = await need('/uptime?tag=shop&window=24h')
  t.match(both, [{ monitorId: other.id }, { monitorId: shop.id, downSeconds: 300, outages: 1 }])
  t.equal((await need('/uptime')).length, 3)
  const total = await need('/uptime/total?tag=shop&window=24h')
  t.match(total, {
    monitors: 2,
    downSeconds: 300,
    upSeconds: both[0].upSeconds + both[1].upSeconds,
  })
  t.ok(Math.abs(total.coverage - (both[0].coverage + both[1].coverage) / 2) < 1e-9)
  await clock.advance(limits.uptimeTotalFreshMs)
  t.match(await need('/uptime/total'), { monitors: 3 })
  t.match(await need(`/monitors/${alone.id}/uptime`), { uptime: null, countedSeconds: 0 })
})

t.test('results are found by how they failed, and by status', async (t) => {
  const { ask, need, see, add } = await open(t)
  const monitor = await add({ ...hasty, failureThreshold: 10 })
  await see(monitor, [good, failedBy('timeout', 'slow'), { ...good, status: 204 }, failed, good])
  const path = `/monitors/${monitor.id}/checks`
  t.match(await need(`${path}?errorKind=timeout`), [{ error: { kind: 'timeout' } }])
  t.match(await need(`${path}?status=204`), [{ status: 204 }])
  t.equal((await need(`${path}?status=200`)).length, 2)
  t.same(await need(`${path}?status=200&outcome=down`), [])
  t.equal((await ask(`${path}?errorKind=odd`)).status, 400)
})
