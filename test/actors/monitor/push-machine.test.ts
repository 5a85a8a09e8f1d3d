// Push monitors: to the millisecond, and never an alarm for what was our own fault.
import t, { type Test } from 'tap'
import { loadFleet } from '../../../src/actors/monitor/load.ts'
import { secondText } from '../../../src/base/time-text.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import type { SentReport } from '../../../src/domain/monitors/run.ts'
import { createPush } from '../../../src/services/monitors/push.ts'
import { addPush, noKeys } from '../../support/make-push.ts'
import { type MonitorWorld, settled, startMonitorWorld } from '../../support/monitor-world.ts'
import { ever } from '../../support/temp-store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** The period and the grace of a push monitor in these tests. */
const allowedMs = 6 * minuteMs

/** Moves the simulated time to a moment. */
const until = (world: MonitorWorld, time: string) =>
  world.run(Date.parse(time) - world.clock.nowMs())

async function start(t: Test, fields: Partial<Monitor> = {}) {
  const world = startMonitorWorld(t, { inMemory: true })
  await world.addChannel()
  const { monitor, token } = await addPush(world, fields)
  const { store, commit } = world
  const push = createPush(world, { commit, fleet: world.fleet, identity: noKeys })
  const report = (status: SentReport['status'] = 'ok', more: Partial<SentReport> = {}) =>
    settled(store, push.report(token, { status, ...more }))
  const runs = () => store.runs.list(monitor.orgId, monitor.id, 100)
  return {
    ...world,
    world,
    monitor,
    report,
    runs,
    state: () => world.monitorState(monitor).health.state,
  }
}

/** What a start of the daemon does, after it did not run for so long. */
async function restart(world: MonitorWorld, gapMs: number) {
  await world.fleet.drain()
  world.fleet = world.newFleet()
  const { store, clock, log, fleet } = world
  const loading = loadFleet({
    store,
    clock,
    log,
    fleet,
    gapMs,
    isStopping: () => false,
    onLoaded: () => {},
  })
  await settled(store, loading)
}

t.test('nothing is expected before the first report', async (t) => {
  const { world, monitor, state, report, clock, fleet } = await start(t)
  await world.run(30 * dayMs)
  t.equal(state(), 'pending')
  t.same(world.incidents(), [])
  t.equal(fleet.nextAtMs(monitor.id), null)
  t.same(await report(), { nextDueAtMs: clock.nowMs() + allowedMs })
  t.equal(state(), 'up')
  t.equal(fleet.nextAtMs(monitor.id), clock.nowMs() + allowedMs)
})

t.test('a missing report is an outage at its deadline, not a millisecond before', async (t) => {
  const { world, report, state, clock } = await start(t)
  const reportedAtMs = clock.nowMs()
  await report()
  await world.run(allowedMs - 1)
  t.equal(state(), 'up')
  await world.run(1)
  t.equal(state(), 'down')
  const deadlineMs = reportedAtMs + allowedMs
  t.match(world.incidents(), [
    { startedAtMs: deadlineMs, confirmedAtMs: deadlineMs, cause: /^no report within 5 min/ },
  ])
  t.same(world.events(), ['incident.opened'])
  await world.run(dayMs)
  t.equal(world.incidents().length, 1, 'it is told once')
})

t.test('a report in the last millisecond is in time', async (t) => {
  const { world, report, clock } = await start(t)
  await report()
  for (let count = 0; count < 20; count++) {
    await world.run(allowedMs - 1)
    const { nextDueAtMs } = await report()
    t.equal(nextDueAtMs, clock.nowMs() + allowedMs)
  }
  t.same(world.incidents(), [])
  await world.run(allowedMs)
  t.equal(world.incidents().length, 1)
})

t.test('a report ends the outage, and all of the silence was downtime', async (t) => {
  const { world, monitor, report, state } = await start(t)
  await report()
  await world.run(3 * dayMs + 1_000)
  await report()
  t.equal(state(), 'up')
  t.match(world.incidents(), [{ state: 'resolved', resolution: 'recovered' }])
  const days = world.store.days.within(monitor.orgId, monitor.id, ever)
  const downMs = [...days, world.monitorState(monitor).tally].reduce(
    (sum, day) => sum + day.downMs,
    0,
  )
  t.equal(downMs, 3 * dayMs + 1_000 - allowedMs)
  await world.run(allowedMs)
  t.equal(state(), 'down', 'the next one is expected again')
})

t.test('a sender that reports an error needs no confirmation', async (t) => {
  const { world, report, state } = await start(t, { failureThreshold: 5, recoveryThreshold: 3 })
  await report()
  await report('error')
  t.match(world.incidents(), [{ state: 'open', cause: /^the sender reported an error/ }])
  await report('ok')
  t.equal(state(), 'up', 'and one good report ends it')
  t.match(world.incidents(), [{ state: 'resolved' }])
})

t.test('there is no alarm for time in which this process was suspended', async (t) => {
  for (const reports of [1, 2, 5]) {
    const { world, report, clock } = await start(t)
    for (let count = 1; count < reports; count++) {
      await report()
      await world.run(5 * minuteMs)
    }
    await report()
    await world.run(2 * minuteMs)
    clock.stall(minuteMs)
    await world.run(4 * minuteMs - 1)
    t.same(world.incidents(), [], 'what was left of the time is still there')
    await world.run(1)
    t.equal(world.incidents().length, 1, 'and no more than that')
    await world.fleet.drain()
  }
})

t.test('a report due during a stall may be lost: the next gets a full period', async (t) => {
  for (const reports of [1, 3]) {
    const { world, report, clock } = await start(t)
    for (let count = 1; count < reports; count++) {
      await report()
      await world.run(5 * minuteMs)
    }
    await report()
    await world.run(4 * minuteMs)
    clock.stall(10 * minuteMs)
    await world.run(allowedMs - 1)
    t.same(world.incidents(), [], `after ${reports} reports`)
    await world.run(1)
    t.equal(world.incidents().length, 1)
    await world.fleet.drain()
  }
})

t.test('a dead sender is found even if a stall excuses it again and again', async (t) => {
  const { world, monitor, report, clock } = await start(t)
  await report()
  for (let minute = 0; minute < 60 && world.incidents().length === 0; minute++) {
    await world.run(5.5 * minuteMs)
    clock.stall(6_000)
  }
  t.equal(world.incidents().length, 1)
  const tookMs =
    (world.incidents()[0]?.startedAtMs ?? 0) - (world.monitorState(monitor).lastReportAtMs ?? 0)
  t.ok(tookMs < 5 * allowedMs, `after ${tookMs / minuteMs} min`)
  await report()
  t.equal(world.monitorState(monitor).excuses, 0, 'a report earns new ones')
})

t.test('a report that waited in the socket during a stall is in time', async (t) => {
  const { world, report, clock } = await start(t)
  await report()
  clock.stall(hourMs)
  await report()
  await world.run(allowedMs - 1)
  t.same(world.incidents(), [])
})

t.test(
  'a deadline in a short stall moves by the stall, and a dead sender is still found',
  async (t) => {
    const { world, monitor, report, clock } = await start(t)
    await report()
    await world.run(allowedMs - 500)
    clock.stall(1_600)
    t.equal(world.monitorState(monitor).deadlineAtMs, clock.nowMs() - 1_100, 'not yet written')
    await world.run(499)
    t.equal(world.monitorState(monitor).deadlineAtMs, clock.nowMs() + 1)
    await report()
    t.same(world.incidents(), [], 'a report that waited in the socket is in time')
    await world.run(allowedMs - 1_000)
    for (let stalls = 0; stalls < 20; stalls++) {
      clock.stall(1_000)
      await world.run(100)
    }
    t.equal(world.incidents().length, 1, 'its time goes on between the stalls')
  },
)

t.test('a step of the wall clock neither alarms nor excuses', async (t) => {
  for (const stepMs of [hourMs, -hourMs, dayMs, -dayMs]) {
    const { world, monitor, report, clock } = await start(t)
    await report()
    await world.run(minuteMs)
    await report()
    await world.run(minuteMs)
    clock.jump(stepMs)
    // A machine that was asleep cannot be told from one whose clock was set: forward is lenient.
    const leftMs = stepMs > 0 ? allowedMs : allowedMs - minuteMs
    const asked = world.fleet.check(monitor.id)
    await settled(world.store, asked)
    t.same(world.incidents(), [], `after a step of ${stepMs} ms`)
    t.equal(world.monitorState(monitor).deadlineAtMs, clock.nowMs() + leftMs)
    await world.run(leftMs - 1)
    t.same(world.incidents(), [])
    await world.run(1)
    t.equal(world.incidents().length, 1)
    await report()
    await world.run(allowedMs)
    t.equal(world.incidents().filter(({ state }) => state === 'open').length, 1)
    await world.fleet.drain()
  }
})

t.test('there is no alarm for time in which the daemon did not run', async (t) => {
  const { world, report, clock } = await start(t)
  await report()
  await world.run(minuteMs)
  await report()
  clock.jump(2 * hourMs)
  await restart(world, 2 * hourMs)
  await world.run(allowedMs - 1)
  t.same(world.incidents(), [])
  await world.run(1)
  t.equal(world.incidents().length, 1)
})

t.test('a second restart right after a long gap does not forget that gap', async (t) => {
  const { world, report, clock } = await start(t)
  await report()
  await world.run(minuteMs)
  clock.jump(2 * hourMs)
  await restart(world, 2 * hourMs)
  await world.run(minuteMs)
  clock.jump(1_000)
  await restart(world, 1_000)
  await world.run(5 * minuteMs - 1)
  t.same(world.incidents(), [])
  await world.run(1)
  t.equal(world.incidents().length, 1)
})

t.test('a continuing outage is not announced again by a restart', async (t) => {
  const { world, report, state } = await start(t)
  await report()
  await world.run(allowedMs)
  await restart(world, hourMs)
  await world.run(dayMs)
  t.equal(world.incidents().length, 1)
  t.same(world.events(), ['incident.opened'])
  t.equal(state(), 'down')
})

t.test('a manual run of an overdue push monitor reports that', async (t) => {
  const { world, monitor, report, store, fleet, commit, clock } = await start(t)
  t.match(await settled(store, fleet.check(monitor.id)), {
    reading: { result: 'good', message: /^no report has come yet; nothing .* the first report/ },
  })
  await report()
  const [atMs, dueAtMs] = [clock.nowMs(), clock.nowMs() + allowedMs]
  const seen = await settled(store, fleet.check(monitor.id))
  const [came, due] = [atMs, dueAtMs].map(secondText)
  const message = `the last report came at ${came}; the next one is due by ${due}`
  t.match(seen, {
    reading: { result: 'good', message },
    committed: { verdict: 'up', isNews: false },
  })
  await world.run(allowedMs)
  const late = await settled(store, fleet.check(monitor.id))
  t.match(late, {
    reading: {
      result: 'failed',
      error: { kind: 'missed' },
      message: `the last report came at ${came}; nothing is due until the next report comes`,
    },
  })
  t.equal(world.incidents().length, 1)
  const withRows = { status: 'ok', metadataJson: '{"rows":3}' } as const
  await settled(store, commit.report(monitor, withRows, clock.nowMs()))
  t.match(store.checks.report(monitor.orgId, monitor.id), { metadataJson: '{"rows":3}' })
})

t.test('a bug in one actor does not stop its deadline from being watched', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  let isBroken = false
  const { commit } = world
  const overdue = commit.overdue
  commit.overdue = (...given) => {
    if (isBroken) throw new Error('a bug of ours')
    return overdue(...given)
  }
  const { monitor, token } = await addPush(world)
  const { store, fleet } = world
  await settled(
    store,
    createPush(world, { commit, fleet, identity: noKeys }).report(token, { status: 'ok' }),
  )
  isBroken = true
  await world.run(allowedMs)
  t.match(world.logged.at(-1), { message: 'monitor actor crashed', fields: { crashes: 1 } })
  isBroken = false
  await world.run(5_000)
  t.match(world.incidents(), [{ monitorIds: [monitor.id], cause: /^no report within/ }])
})

t.test('while we cannot be reached no report is missed; then a new period begins', async (t) => {
  const { world, monitor, report, state, fleet, clock } = await start(t)
  await report()
  world.isCutOff = true
  await world.run(allowedMs + 20 * minuteMs)
  t.equal(state(), 'up')
  t.same(world.incidents(), [])
  world.isCutOff = false
  fleet.forgiveReports(21 * minuteMs)
  await world.run(0)
  t.ok(Number(fleet.nextAtMs(monitor.id)) >= clock.nowMs() + allowedMs)
  await world.run(allowedMs - 1)
  t.same(world.incidents(), [], 'the one that came to nobody is forgiven')
  await world.run(20 * minuteMs)
  t.equal(state(), 'down', 'the next one is not')
})

t.test('a report that was not due meanwhile is due when it was', async (t) => {
  const { world, monitor, report, fleet } = await start(t, { intervalSeconds: 24 * 3_600 })
  await report()
  const dueAtMs = fleet.nextAtMs(monitor.id)
  await world.run(hourMs)
  fleet.forgiveReports(hourMs)
  await world.run(minuteMs)
  t.equal(fleet.nextAtMs(monitor.id), dueAtMs)
})

t.test('a job with a cron schedule is missed when its run is over, in its time zone', async (t) => {
  const fields = { schedule: '30 2 * * *', timezone: 'Europe/Berlin', graceSeconds: 600 }
  const { world, report, state } = await start(t, fields)
  await until(world, '2027-03-26T01:31:00Z')
  t.same(await report(), { nextDueAtMs: Date.parse('2027-03-27T01:40:00Z') })
  await until(world, '2027-03-27T01:30:30Z')
  // In the night of 28 March the clock skips 02:30: the run takes place at 03:00 there.
  t.same(await report(), { nextDueAtMs: Date.parse('2027-03-28T01:10:00Z') })
  await until(world, '2027-03-28T01:09:59.999Z')
  t.same(world.incidents(), [])
  await world.run(1)
  t.equal(state(), 'down')
  t.match(world.incidents(), [
    { cause: /^no report of the run at 28 March 2027, 01:00:00 UTC within 10 min; the last one/ },
  ])
  t.same(await report(), { nextDueAtMs: Date.parse('2027-03-29T00:40:00Z') })
  t.equal(state(), 'up')
  await until(world, '2027-10-30T00:30:20Z')
  // In the next night 02:30 comes twice; the run takes place once.
  t.same(await report(), { nextDueAtMs: Date.parse('2027-10-31T00:40:00Z') })
  await until(world, '2027-10-31T00:30:05Z')
  t.same(await report(), { nextDueAtMs: Date.parse('2027-11-01T01:40:00Z') })
  t.equal(state(), 'up')
})

t.test('the time between two runs of a schedule is uptime', async (t) => {
  const { world, monitor, report } = await start(t, { schedule: '0 3 * * 1' })
  await until(world, '2027-03-01T03:00:10Z')
  await report()
  for (let weeks = 0; weeks < 4; weeks++) {
    await world.run(7 * dayMs)
    await report()
  }
  const days = world.store.days.within(monitor.orgId, monitor.id, ever)
  const all = [...days, world.monitorState(monitor).tally]
  t.equal(
    all.reduce((sum, { upMs }) => sum + upMs, 0),
    28 * dayMs,
  )
})

t.test('a report seconds before its run is the report of that run', async (t) => {
  const { world, report } = await start(t, { schedule: '0 2 * * *', graceSeconds: 60 })
  await until(world, '2027-03-01T01:59:58Z')
  t.same(await report(), { nextDueAtMs: Date.parse('2027-03-03T02:01:00Z') - dayMs })
  await until(world, '2027-03-02T01:59:40Z')
  t.same(await report(), { nextDueAtMs: Date.parse('2027-03-02T02:01:00Z') }, 'too early for it')
})

t.test('a gap in which a scheduled report was due excuses it until the next run', async (t) => {
  const { world, report, clock } = await start(t, { schedule: '0 2 * * *', graceSeconds: 600 })
  await until(world, '2027-03-01T02:00:10Z')
  await report()
  await until(world, '2027-03-02T01:00:00Z')
  await world.fleet.drain()
  clock.jump(2 * hourMs)
  await restart(world, 2 * hourMs)
  await until(world, '2027-03-03T02:09:59.999Z')
  t.same(world.incidents(), [])
  await world.run(1)
  t.equal(world.incidents().length, 1)
})

t.test('a run that was started must end within its limit', async (t) => {
  const { world, report, state, runs, clock, monitor } = await start(t, { maxRunSeconds: 3_600 })
  const startedAtMs = clock.nowMs()
  t.same(await report('start'), { nextDueAtMs: startedAtMs + hourMs })
  t.equal(state(), 'pending', 'a start is no success')
  await world.run(hourMs - 1)
  t.equal(state(), 'pending')
  await world.run(1)
  t.equal(state(), 'down')
  t.match(world.incidents(), [{ cause: /^the run that began at .* has not ended within 1 h$/ }])
  t.match(runs(), [{ number: 1, status: 'timeout', startedAtMs, endedAtMs: null }])
  await world.run(hourMs)
  await report('ok')
  t.equal(state(), 'up', 'an end that comes late ends the outage')
  const ended = { status: 'ok', durationMs: 2 * hourMs, endedAtMs: clock.nowMs() }
  t.match(runs(), [{ number: 1, ...ended }])
  t.equal(world.monitorState(monitor).responseTimeMs, 2 * hourMs)
})

t.test('a run that may still go on is not missing; without a limit it is', async (t) => {
  const limited = await start(t, { maxRunSeconds: 1_800 })
  const { clock } = limited
  await limited.report()
  await limited.world.run(5 * minuteMs)
  t.same(await limited.report('start'), { nextDueAtMs: clock.nowMs() + 30 * minuteMs })
  await limited.world.run(29 * minuteMs)
  t.equal(limited.state(), 'up')
  t.same(await limited.report(), { nextDueAtMs: clock.nowMs() + allowedMs })
  t.equal(limited.world.monitorState(limited.monitor).responseTimeMs, 29 * minuteMs)

  const free = await start(t)
  await free.report()
  await free.world.run(5 * minuteMs)
  await free.report('start')
  await free.world.run(minuteMs)
  t.equal(free.state(), 'down', 'a start alone does not count as a report')
})

t.test('overlapping runs are told apart by their names', async (t) => {
  const { world, report, runs, state } = await start(t, { maxRunSeconds: 600 })
  await report('start', { runId: 'a' })
  await world.run(4 * minuteMs)
  await report('start', { runId: 'b' })
  await report('start', { runId: 'b' })
  await world.run(minuteMs)
  await report('ok', { runId: 'a' })
  await world.run(minuteMs)
  await report('error', { runId: 'b', exitCode: 3 })
  t.match(runs(), [
    { runId: 'b', status: 'error', exitCode: 3, durationMs: 2 * minuteMs },
    { runId: 'a', status: 'ok', durationMs: 5 * minuteMs },
  ])
  t.match(world.incidents(), [{ cause: 'the job ended with exit code 3' }])
  await report('ok', { runId: 'c' })
  t.equal(state(), 'up')
  t.match(runs()[0], { runId: 'c', durationMs: null }, 'nobody reported its start')
})

t.test('runs that never end are bounded, and the oldest are given up', async (t) => {
  const { world, report, monitor } = await start(t, { intervalSeconds: 86_400 })
  for (let count = 0; count < 15; count++) {
    await report('start', { runId: `run ${count}` })
    await world.run(1_000)
  }
  const open = () => world.monitorState(monitor).openRuns.map(({ runId }) => runId)
  t.same(
    open(),
    Array.from({ length: 10 }, (_, at) => `run ${at + 5}`),
  )
  await report('ok')
  t.equal(open().length, 9, 'a report without a name ends the newest')
  await world.run(4 * dayMs)
  await report('start')
  t.same(open(), [null])
})

t.test('only the newest 100 runs are kept, each with its log', async (t) => {
  const { world, report, runs, store, monitor } = await start(t)
  for (let count = 1; count <= 103; count++) {
    await report('ok', { exitCode: 0, log: `log ${count}` })
  }
  t.equal(runs().length, 100)
  t.match(runs().at(-1), { number: 4, hasLog: true })
  t.equal(store.runs.log(monitor.orgId, monitor.id, 3), undefined)
  t.equal(store.runs.log(monitor.orgId, monitor.id, 103), 'log 103')
  await report()
  t.equal(world.monitorState(monitor).runCount, 103, 'a sign of life is no run')
})

t.test('an outage that a sender reported ends by itself when nothing follows', async (t) => {
  const { world, report, state, clock } = await start(t, { autoRecoveryMinutes: 30 })
  await report('error')
  await world.run(20 * minuteMs)
  await report('error')
  await world.run(20 * minuteMs)
  t.equal(state(), 'down', 'another error prolongs it')
  await world.fleet.drain()
  clock.jump(minuteMs)
  await restart(world, minuteMs)
  await world.run(10 * minuteMs - 1)
  t.equal(state(), 'down', 'the time of the restart does not count')
  await world.run(1)
  t.equal(state(), 'up')
  const [incident] = world.incidents()
  t.match(incident, { state: 'resolved', resolution: 'recovered' })
  const message = 'Recovered: no further error was reported for 30 min.'
  t.match(incident?.timeline.at(-1), { message })
  await world.run(30 * dayMs)
  t.equal(state(), 'up', 'of a sender that only reports errors nothing is expected')
  t.equal(world.incidents().length, 1)
})

t.test('an outage of a silent sender does not end by itself', async (t) => {
  const { world, monitor, report, state } = await start(t, { autoRecoveryMinutes: 30 })
  await report()
  await report('error')
  await world.run(dayMs)
  t.equal(state(), 'down')
  t.match(world.monitorState(monitor), { lastError: { kind: 'missed' } })
})

t.test('the end of a run that we could not hear is no outage', async (t) => {
  for (const gap of ['restart', 'stall', 'cut off'] as const) {
    const { world, report, clock, fleet } = await start(t, {
      intervalSeconds: 86_400,
      maxRunSeconds: 3_600,
    })
    await report()
    await world.run(hourMs)
    await report('start')
    await world.run(30 * minuteMs)
    if (gap === 'restart') {
      await fleet.drain()
      clock.jump(2 * hourMs)
      await restart(world, 2 * hourMs)
    } else if (gap === 'stall') {
      clock.stall(10 * minuteMs)
    } else {
      world.isCutOff = true
      await world.run(10 * minuteMs)
      world.isCutOff = false
      fleet.forgiveReports(10 * minuteMs)
    }
    await world.run(5 * hourMs)
    t.same(world.incidents(), [], gap)
    await world.fleet.drain()
  }
})
