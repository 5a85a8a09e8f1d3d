// The engine against an oracle: a fleet, a simulated week, outages and restarts, all from one seed.
import t from 'tap'
import { amount, testSeed } from '../support/depth.ts'
import { expectedIncidents } from './oracle.ts'
import { type SimOptions, simulate } from './world.ts'

const seed = testSeed()
const small: SimOptions = {
  seed: seed + 1,
  checked: amount(4, 8),
  pushed: amount(1, 2),
  days: amount(1, 2),
}

const large: SimOptions = {
  seed,
  checked: amount(20, 80),
  pushed: amount(5, 20),
  days: amount(5, 28),
}

t.test('the days of a fleet agree with an oracle', async (t) => {
  const { world, gaps, stories } = await simulate(t, large)
  const happened = world.incidents().map((incident) => ({
    monitorId: incident.monitorIds[0] ?? '',
    startedAtMs: incident.startedAtMs,
    confirmedAtMs: incident.confirmedAtMs,
    resolvedAtMs: incident.resolvedAtMs,
  }))
  const expected = stories.flatMap((story) => expectedIncidents(story, gaps, world.clock.nowMs()))
  t.ok(expected.length > 60, `${expected.length} incidents are a fair trial`)
  const byTime = (a: (typeof happened)[0], b: (typeof happened)[0]) =>
    a.confirmedAtMs - b.confirmedAtMs || a.monitorId.localeCompare(b.monitorId)
  t.same(happened.toSorted(byTime), expected.toSorted(byTime))

  const failing = world.incidents()
  t.same(
    failing.filter(({ state, flapping }) => state !== 'resolved' || flapping),
    [],
    'in the end all is quiet',
  )
  const events = world.store.deliveries
    .list(failing[0]?.orgId as never, world.store.channels.all(1)[0]?.id as never, {
      limit: 99_999,
    })
    .toReversed()
  for (const { id, monitorIds } of failing) {
    const told = events.filter(({ incidentId }) => incidentId === id).map(({ event }) => event)
    t.same(told, ['incident.opened', 'incident.resolved'], `${monitorIds} was told of once`)
  }
})

/** How the history of the small fleet ends. */
let end = ''

t.test('every long outage is detected, nothing else is, and time adds up', async (t) => {
  const { world, gaps, stories, hash } = await simulate(t, small)
  end = hash
  const incidents = world.incidents()
  for (const { monitor, outages, seen } of stories) {
    const own = incidents.filter(({ monitorIds }) => monitorIds.includes(monitor.id))
    const graceMs = (monitor.intervalSeconds + monitor.graceSeconds) * 1_000 + 120_000
    for (const { fromMs, toMs } of outages) {
      const isLong = toMs - fromMs > graceMs
      const isClear = !gaps.some((gap) => gap.fromMs < toMs && gap.toMs > fromMs)
      const isSeen = own.some((one) => one.startedAtMs >= fromMs && one.startedAtMs <= toMs)
      if (isLong && isClear && !isSeen) t.fail(`an outage of ${monitor.id} at ${fromMs} was missed`)
    }
    for (const { startedAtMs } of own) {
      const isReal = outages.some(
        ({ fromMs, toMs }) => fromMs <= startedAtMs && startedAtMs <= toMs + graceMs,
      )
      if (!isReal) t.fail(`an incident of ${monitor.id} at ${startedAtMs} came out of nothing`)
    }
    const { tally, accountedToMs } = world.monitorState(monitor)
    const counted = tally.upMs + tally.downMs + tally.degradedMs + tally.excludedMs
    t.equal(counted, accountedToMs - tally.startMs, 'every millisecond of the day is counted')
    t.ok(seen.length > 0)
  }
})

t.test('the same seed leads to the same end, another one to another', async (t) => {
  const ends: string[] = []
  for (const seed of [small.seed, small.seed + 1]) {
    await t.test(`seed ${seed}`, async (t) => {
      ends.push((await simulate(t, { ...small, seed })).hash)
    })
  }
  t.equal(ends[0], end)
  t.not(ends[1], end)
})
