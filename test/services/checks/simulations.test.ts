// Simulations: the thresholds of today lead to what really happened, others to what would have.
import t, { type Test } from 'tap'
import { simulateAlerts } from '../../../src/domain/alerts/simulated-alerts.ts'
import type { CheckRow } from '../../../src/domain/checks/check-row.ts'
import type { SimulatedIncident, SimulatedNews } from '../../../src/domain/health/simulation.ts'
import { dayMs, hourMs } from '../../../src/domain/health/span.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { createReportReplay } from '../../../src/domain/schedule/simulated-reports.ts'
import { simulate } from '../../../src/http/api/monitors/simulate.ts'
import { atPrefix } from '../../../src/http/routing/route.ts'
import { createSimulations, simulationsWaiting } from '../../../src/services/checks/simulations.ts'
import { orgA as orgOfHttp, startTestHttp } from '../../support/http.ts'
import { channelNo, makeChannel } from '../../support/make-channel.ts'
import { orgA } from '../../support/make-incident.ts'
import { putOrgs } from '../../support/make-org.ts'
import { makeWindow } from '../../support/make-window.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, type Seen, slow, unknown } from '../../support/monitor-world.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { ever } from '../../support/temp-store.ts'

const minuteMs = 60_000
const everyMinute = { intervalSeconds: 60, retryIntervalSeconds: 20, timeoutMs: 5_000 }
const seenBy: Readonly<Record<string, Seen>> = { u: good, s: slow, d: failed, '?': unknown }
const seen = (letters: string): Seen[] => [...letters].map((letter) => seenBy[letter] ?? good)

function begin(t: Test) {
  const world = startMonitorServices(t)
  const simulations = createSimulations(world.core, { isLimited: () => true })
  const run = (monitor: Monitor, changes: object = {}, more: object = {}) =>
    simulations.run(world.bob, monitor.id, { changes, ...more })
  return { ...world, simulations, run }
}

t.test('with the thresholds of today a simulation finds what really happened', async (t) => {
  const random = seededRandom(20_261_123)
  for (const round of [1, 2, 3]) {
    const world = begin(t)
    const channel = await world.addChannel()
    const monitor = await world.add({ ...everyMinute, degradedOpensIncident: round === 2 })
    world.world.answer = () => target
    let target: Seen = good
    world.fleet.start(monitor, 'created', world.monitorState(monitor))
    for (let step = 0; step < 60; step++) {
      const dice = random()
      target = dice < 0.5 ? good : dice < 0.75 ? failed : dice < 0.95 ? slow : unknown
      await world.world.run(Math.ceil(random() * 12) * minuteMs)
    }
    const { current, changed, results, realIncidents } = await world.run(monitor)
    const real = world.allIncidents()
    t.ok(results > 100 && real.length > 1, `${results} results, ${real.length} incidents`)
    t.same(
      current.incidents.map(({ startedAtMs, endedAtMs }) => [startedAtMs, endedAtMs]),
      real.map(({ startedAtMs, resolvedAtMs }) => [startedAtMs, resolvedAtMs]),
    )
    t.same(
      current.incidents.map(({ severity, cause }) => [severity, cause]),
      real.map(({ severity, cause }) => [severity, cause]),
    )
    t.same(
      current.incidents.map(({ reopenings }) => reopenings),
      real.map(({ timeline }) => timeline.filter(({ kind }) => kind === 'reopened').length),
    )
    t.same(
      realIncidents.map(({ id }) => id),
      real.map(({ id }) => id).toReversed(),
    )
    t.same(changed.time, current.time, 'nothing was changed')
    const { tally } = world.monitorState(monitor)
    const days = [...world.store.days.within(orgA, monitor.id, ever), tally]
    const downMs = days.reduce((sum, day) => sum + day.downMs, 0)
    t.ok(Math.abs(current.time.downMs - downMs) <= 2 * minuteMs, 'down as long, but for its end')
    const sent = world.store.deliveries.list(orgA, channel.id, { limit: 1_000 })
    t.equal(current.alerts.countOfChannel(channel.id), sent.length, 'and as many messages')
    world.fleet.stop(monitor.id)
  }
})

t.test('a lower threshold finds outages that were missed, a higher one hides them', async (t) => {
  const world = begin(t)
  await world.addChannel()
  const monitor = await world.add(everyMinute)
  await world.see(monitor, seen('uuuudduuuuuuuuudddduuuuu'))
  const counts = async (changes: object) => {
    const { current, changed } = await world.run(monitor, changes)
    return [current.incidents.length, changed.incidents.length]
  }
  t.same(await counts({ failureThreshold: 1 }), [1, 2])
  t.same(await counts({ failureThreshold: 5 }), [1, 0])
  t.same(await counts({ recoveryThreshold: 1 }), [1, 1])
  const { changed } = await world.run(monitor, { failureThreshold: 1 })
  t.match(changed.incidents[0], {
    severity: 'down',
    cause: 'the status is 500',
    errorKind: 'status',
  })
  t.equal(changed.time.downMs, 6 * minuteMs, 'from the first failure to the first success')
})

t.test(
  'results are judged anew by their response time, but what failed stays failed',
  async (t) => {
    const world = begin(t)
    const monitor = await world.add({ ...everyMinute, degradedThresholdMs: null })
    await world.see(monitor, seen('uuusssssuuuuuuuuuuddduuu'))
    const changes = {
      degradedThresholdMs: 5_000,
      degradedOpensIncident: true,
      degradedThreshold: 2,
    }
    const { current, changed } = await world.run(monitor, changes)
    t.same(
      current.incidents.map(({ severity }) => severity),
      ['down'],
    )
    t.same(
      changed.incidents.map(({ severity }) => severity),
      ['degraded', 'down'],
    )
    t.match(changed.incidents[0], {
      cause: 'the check took 9000 ms; the limit is 5000 ms',
      errorKind: null,
    })
    t.equal(changed.time.degradedMs, 5 * minuteMs)
  },
)

t.test('a time in which nobody looked counts in no state', async (t) => {
  const world = begin(t)
  const monitor = await world.add(everyMinute)
  await world.see(monitor, seen('uuu'))
  await world.clock.advance(3 * hourMs)
  await world.see(monitor, seen('uuu'))
  const { current, fromMs, toMs } = await world.run(monitor)
  const { upMs, excludedMs } = current.time
  t.equal(upMs, 4 * minuteMs)
  t.equal(upMs + excludedMs, toMs - fromMs)
})

t.test('nothing opens under maintenance, and its time counts in no state', async (t) => {
  const world = begin(t)
  const monitor = await world.add(everyMinute)
  await world.see(monitor, seen('uuuu'))
  const startsAtMs = world.clock.nowMs()
  const times = { kind: 'once' as const, startsAtMs, endsAtMs: startsAtMs + 10 * minuteMs }
  const window = makeWindow({ times, coversFromMs: startsAtMs })
  await world.store.write((tx) => world.store.windows.put(tx, window))
  await world.see(monitor, seen('ddddduuuuuuuuu'))
  const { changed } = await world.run(monitor, { failureThreshold: 1 })
  t.same(changed.incidents, [])
  t.equal(changed.time.downMs, 0)
  t.ok(changed.time.upMs <= 7 * minuteMs, 'its ten minutes are no uptime')
})

t.test('the time asked for is that of the kept results', async (t) => {
  const world = begin(t)
  const monitor = await world.add(everyMinute)
  await world.see(monitor, seen('u'.repeat(200)))
  const nowMs = world.clock.nowMs()
  const whole = await world.run(monitor, {}, { fromMs: 0, toMs: nowMs + dayMs })
  t.match(whole, { results: 200, toMs: nowMs, fromMs: nowMs - limits.checksKeptDays * dayMs })
  const part = await world.run(
    monitor,
    {},
    { fromMs: nowMs - 99 * minuteMs, toMs: nowMs - 50 * minuteMs },
  )
  t.match(part, { results: 50, firstAtMs: nowMs - 99 * minuteMs, lastAtMs: nowMs - 50 * minuteMs })
  await t.rejects(world.run(monitor, {}, { fromMs: nowMs, toMs: nowMs - 1 }), {
    code: 'validation_failed',
    errors: [{ pointer: '/from' }],
  })
})

t.test('a threshold that has no effect on the kind of check is refused', async (t) => {
  const world = begin(t)
  const monitor = await world.add(everyMinute)
  const push = await world.add({ id: 'mon_01k00000000000000000000002' as never, checkType: 'push' })
  await t.rejects(world.run(monitor, { graceSeconds: 5 }), {
    message: 'graceSeconds does not apply to checkType endpoint',
  })
  await t.rejects(world.run(push, { failureThreshold: 5 }), {
    message: 'failureThreshold does not apply to checkType push',
  })
  await t.rejects(world.simulations.run(world.charlie, monitor.id, { changes: {} }), {
    code: 'not_found',
  })
})

t.test('simulations are rare, and few wait', async (t) => {
  const world = begin(t)
  const monitor = await world.add(everyMinute)
  const { quota } = limits.simulationsOfOrg
  for (let run = 0; run < quota; run++) await world.run(monitor)
  await t.rejects(world.run(monitor), { code: 'rate_limited', message: /At most 30 simulations/ })
  const unlimited = createSimulations(world.core, { isLimited: () => false })
  const runs = Array.from({ length: simulationsWaiting + 1 }, () =>
    unlimited.run(world.bob, monitor.id, { changes: {} }).then(
      () => 'done',
      ({ code }) => code,
    ),
  )
  const outcomes = await Promise.all(runs)
  t.same(outcomes, [...Array(simulationsWaiting).fill('done'), 'unavailable'])
})

t.test('a push monitor is simulated with another grace by the times of its reports', async (t) => {
  const world = begin(t)
  const monitor = await world.add({
    checkType: 'push',
    url: null,
    intervalSeconds: 600,
    graceSeconds: 60,
  })
  for (const minutes of [10, 10, 12, 10, 30, 10])
    await world.see(monitor, seen('u'), minutes * minuteMs)
  const { current, changed } = await world.run(monitor, { graceSeconds: 15 * 60 })
  t.equal(current.incidents.length, 0, 'no actor noticed a miss here')
  t.equal(changed.incidents.length, 1)
  t.match(changed.incidents[0], {
    errorKind: 'missed',
    cause: /^no report within 10 min and 15 min/,
  })
  t.equal(changed.time.downMs, 5 * minuteMs, 'from the deadline to the report')
  const strict = await world.run(monitor, { graceSeconds: 0 })
  t.equal(strict.changed.incidents.length, 2)
})

t.test('time in which no report could arrive moves the deadline of a report', async (t) => {
  const pace = { intervalSeconds: 600, graceSeconds: 60, schedule: null, timezone: 'UTC' }
  const row = (minute: number): CheckRow => ({
    atMs: minute * minuteMs,
    verdict: 'up',
    durationMs: 0,
  })
  const reports = createReportReplay(pace, [{ fromMs: 5 * minuteMs, toMs: 35 * minuteMs }])
  t.same(reports.add(row(0)), [row(0)])
  t.same(reports.add(row(38)), [row(38)], 'the daemon was away for half an hour')
  t.same(reports.add({ ...row(45), verdict: 'down', errorKind: 'missed' }), [], 'judged anew')
  t.match(reports.end(50 * minuteMs), [{ atMs: 49 * minuteMs, errorKind: 'missed' }])
  t.same(reports.end(90 * minuteMs), [], 'once')
})

t.test('alerts follow the delay, the severity and the quiet hours of each channel', async (t) => {
  const quietHours = { timezone: 'UTC', from: '22:00', to: '06:00', allowOutages: false } as never
  const channels = [
    makeChannel({ id: channelNo(1) }),
    makeChannel({ id: channelNo(2), delayMinutes: 10 }),
    makeChannel({ id: channelNo(3), minSeverity: 'down' }),
    makeChannel({ id: channelNo(4), quietHours }),
  ]
  const nightMs = Date.UTC(2026, 5, 15, 23)
  const made: SimulatedIncident = {
    number: 1,
    severity: 'degraded',
    startedAtMs: nightMs,
    confirmedAtMs: nightMs,
    endedAtMs: null,
    cause: 'slow',
    errorKind: null,
    reopenings: 0,
    flapping: false,
  }
  const simulated = (news: readonly [SimulatedNews['event'], number, object?][], reminders = 0) => {
    const alerts = simulateAlerts(channels, reminders)
    for (const [event, minute, fields = {}] of news) {
      const incident = { ...made, ...fields }
      alerts.tell({ event, atMs: nightMs + minute * minuteMs, incident, isFlapping: false })
    }
    const ended = alerts.end(nightMs + 12 * hourMs)
    return channels.map(({ id }) =>
      ended
        .ofIncident(1)
        .filter(({ channelId }) => channelId === id)
        .map(({ event, sentAtMs }) => [event.slice(9), (sentAtMs - nightMs) / minuteMs]),
    )
  }
  const down = { severity: 'down' }
  t.same(
    simulated([
      ['incident.opened', 0],
      ['incident.resolved', 5],
    ]),
    [
      [
        ['opened', 0],
        ['resolved', 5],
      ],
      [],
      [],
      [['resolved', 420]],
    ],
  )
  t.same(
    simulated([
      ['incident.opened', 0],
      ['incident.updated', 5, down],
      ['incident.resolved', 60, down],
    ]),
    [
      [
        ['opened', 0],
        ['updated', 5],
        ['resolved', 60],
      ],
      [
        ['opened', 10],
        ['resolved', 60],
      ],
      [
        ['opened', 5],
        ['resolved', 60],
      ],
      [['resolved', 420]],
    ],
  )
  const reminded = simulated(
    [
      ['incident.opened', 0, down],
      ['incident.resolved', 100, down],
    ],
    30,
  )
  t.same(reminded[0], [
    ['opened', 0],
    ['reminder', 30],
    ['reminder', 90],
    ['resolved', 100],
  ])
})

t.test('viewers simulate through the API, and the answer says what it cannot know', async (t) => {
  const world = begin(t)
  putOrgs(world.store, [orgOfHttp])
  const channel = await world.addChannel({ orgId: orgOfHttp })
  const monitor = await world.add({ ...everyMinute, orgId: orgOfHttp })
  await world.see(monitor, seen('uuuudduuuuuuuuudddduuuuu'))
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', simulate),
    services: { simulations: world.simulations },
    clock: world.clock,
  })
  t.teardown(() => server.stop())
  const path = `/api/v1/orgs/${orgOfHttp}/monitors/${monitor.id}/simulate`
  const ask = (json: object) => server.ask(path, { as: 'bob', method: 'POST', json })
  const { status, json } = await ask({ failureThreshold: 1 })
  t.equal(status, 200)
  t.match(json.data, {
    results: 24,
    changed: { incidentsTotal: 2, alertsTotal: 4, thresholds: { failureThreshold: 1 } },
    current: { incidentsTotal: 1, alertsTotal: 2, thresholds: { failureThreshold: 3 } },
    real: { incidentsTotal: 1, incidents: [{ severity: 'down' }] },
    notes: [/Retries ran only/, /stays failed/, /without an earlier state/, String, String],
  })
  t.match(json.data.changed.incidents[1], {
    durationSeconds: 120,
    alerts: [
      { event: 'incident.opened', channelId: channel.id },
      { event: 'incident.resolved', channelId: channel.id },
    ],
  })
  t.match(await ask({ failureThreshold: 0 }), { status: 422 })
  t.match(await ask({ interval: 5 }), { status: 422 })
})
