// The summary of an organization: counts that add up, and the worst first, also of very many.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { createSummaries, summaryFreshMs } from '../../../src/services/orgs/summaries.ts'
import { makeIncident, orgA } from '../../support/make-incident.ts'
import { makeHealth, makeMonitor, monitorNo, orgTwo } from '../../support/make-page.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { incidentNo } from '../../support/outbox-world.ts'
import { fairMs } from '../../support/starvation.ts'

function open(t: Parameters<typeof startMonitorServices>[0]) {
  const services = startMonitorServices(t, { quotas: { monitors: 9 } })
  const summaries = createSummaries(services.core)
  return { ...services, summaries }
}

t.test('states are counted and the worst come first', async (t) => {
  const { summaries, world, alice, store, clock } = open(t)
  const nowMs = clock.nowMs()
  const states = ['up', 'down', 'degraded', 'down', 'confirming', 'recovering', 'pending'] as const
  for (const [n, state] of states.entries()) {
    const health = makeHealth(state, nowMs - n * 1_000)
    await world.add({ id: monitorNo(n), name: `Monitor ${n}` }, { health })
  }
  await world.add({ id: monitorNo(8), isActive: false }, { health: makeHealth('down') })
  await store.write((tx) => {
    store.monitors.put(tx, makeMonitor({ id: monitorNo(1), orgId: orgTwo }))
    store.monitorStates.put(tx, orgTwo, monitorNo(1), initialMonitorState(0))
    const severities = ['degraded', 'down', 'declared'] as const
    for (const [n, severity] of severities.entries()) {
      store.incidents.put(tx, makeIncident({ orgId: orgA, id: incidentNo(n), severity }))
    }
    store.incidents.put(tx, makeIncident({ orgId: orgA, id: incidentNo(9), state: 'resolved' }))
  })
  const summary = await summaries.of(alice)
  // What is being confirmed shows what it was before.
  t.same(summary.states, {
    up: 1,
    degraded: 1,
    down: 3,
    unknown: 0,
    pending: 2,
    paused: 1,
    maintenance: 0,
  })
  t.same(
    summary.worstMonitors.map(({ monitor, state }) => `${monitor.name} ${state}`),
    ['Monitor 5 down', 'Monitor 3 down', 'Monitor 1 down', 'Monitor 2 degraded'],
  )
  t.equal(summary.openIncidents, 3)
  t.same(
    summary.newestIncidents.map(({ severity }) => severity),
    ['down', 'declared', 'degraded'],
  )
  t.match(summary.usage, { monitors: 8, channels: 0, pages: 0, members: 0, keys: 0 })
  t.match(summary.quotas, { monitors: 9, invites: 500 })
})

t.test('a change shows at once', async (t) => {
  const { summaries, monitors, alice, done } = open(t)
  t.equal((await summaries.of(alice)).states.pending, 0)
  const { monitor } = await done(monitors.create(alice, { name: 'Job', checkType: 'push' }))
  t.equal((await summaries.of(alice)).states.pending, 1)
  await done(monitors.pause(alice, monitor.id))
  t.match(await summaries.of(alice), { states: { pending: 0, paused: 1 } })
})

t.test('for very many monitors it is computed in steps, once for all callers', async (t) => {
  const { summaries, alice, store, clock } = open(t)
  const count = 20_000
  for (let from = 0; from < count; from += 1_000) {
    await store.write((tx) => {
      for (let n = from; n < from + 1_000; n++) {
        store.monitors.put(tx, makeMonitor({ id: monitorNo(n), orgId: orgA }))
        const health = makeHealth(n % 4 === 0 ? 'down' : 'up', n)
        store.monitorStates.put(tx, orgA, monitorNo(n), { ...initialMonitorState(0), health })
      }
    })
  }
  /** Both answers, and the longest time in which nothing else ran. */
  async function ask() {
    let longestMs = 0
    let lastMs = fairMs()
    let isOver = false
    const watch = () => {
      const nowMs = fairMs()
      longestMs = Math.max(longestMs, nowMs - lastMs)
      lastMs = nowMs
      if (!isOver) setImmediate(watch)
    }
    setImmediate(watch)
    const [first, second] = await Promise.all([summaries.of(alice), summaries.of(alice)])
    isOver = true
    return { first, second, longestMs }
  }
  const { first, second, longestMs: onceMs } = await ask()
  t.equal(first, second, 'both wait for the same')
  t.match(first.states, { up: 15_000, down: 5_000 })
  t.equal(first.worstMonitors.length, limits.summaryItemsMax)
  t.equal(first.worstMonitors[0]?.monitor.id, monitorNo(0), 'down the longest')
  t.equal(await summaries.of(alice), first, 'good for a moment')
  await clock.advance(summaryFreshMs + 1)
  const { first: third, longestMs: againMs } = await ask()
  t.not(third, first)
  // A step may wait for pages of the disk or for the garbage collector, but not each time.
  const longestMs = Math.min(onceMs, againMs)
  t.ok(longestMs < 200, `the longest step took ${Math.round(longestMs)} ms`)
  t.comment(`${count} monitors: longest step ${longestMs.toFixed(1)} ms`)
})

t.test('the day is the sum of all monitors, and yesterday is no part of it', async (t) => {
  const { summaries, world, alice, clock } = open(t)
  const dayMs = 86_400_000
  const startMs = Math.floor(clock.nowMs() / dayMs) * dayMs
  const none = { startMs, excludedMs: 0, pausedMs: 0, maintenanceMs: 0, failures: 0 }
  t.same((await summaries.of(alice)).today, { checks: 0, uptime: null })
  const tallies = [
    { ...none, upMs: 3_000, degradedMs: 0, downMs: 0, checks: 3 },
    { ...none, upMs: 0, degradedMs: 0, downMs: 1_000, checks: 2 },
    { ...none, startMs: startMs - dayMs, upMs: 0, degradedMs: 0, downMs: 9_000, checks: 9 },
  ]
  for (const [n, tally] of tallies.entries()) {
    await world.add({ id: monitorNo(n), name: `Monitor ${n}` }, { health: makeHealth('up'), tally })
  }
  t.same((await summaries.of(alice)).today, { checks: 5, uptime: 0.75 })
})
