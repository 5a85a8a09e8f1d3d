// Objectives: budgets that follow from the time that counts, and alerts that come once.
import t, { type Test } from 'tap'
import { dayMs, hourMs } from '../../../src/domain/health/span.ts'
import {
  type CountedTime,
  dueSloAlert,
  type SloFacts,
  sloStatus,
} from '../../../src/domain/reports/objective.ts'
import { slo } from '../../../src/http/api/reports/slo.ts'
import { atPrefix } from '../../../src/http/routing/route.ts'
import { createObjectives } from '../../../src/services/reports/objectives.ts'
import { orgA as orgOfHttp, startTestHttp } from '../../support/http.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good } from '../../support/monitor-world.ts'

const minuteMs = 60_000
const monthMs = 30 * dayMs

/** A month of 30 days with an objective of 99.9 %: a budget of 43.2 minutes. */
function statusAt(
  day: number,
  downMinutes: number,
  inWindows: { [Window in '1h' | '6h' | '24h' | '3d']?: number } = {},
  facts: Partial<SloFacts> = {},
) {
  const window = (countedMs: number, minutes = downMinutes): CountedTime => ({
    countedMs,
    downMs: Math.min(minutes * minuteMs, countedMs),
  })
  return sloStatus({
    objectivePercent: 99.9,
    nowMs: day * dayMs,
    monthEndMs: monthMs,
    month: window(day * dayMs),
    windows: {
      '1h': window(hourMs, inWindows['1h']),
      '6h': window(6 * hourMs, inWindows['6h']),
      '24h': window(dayMs, inWindows['24h']),
      '3d': window(3 * dayMs, inWindows['3d']),
    },
    ...facts,
  })
}

t.test('the budget is the share of the month that may be down', async (t) => {
  const { budgetMs, usedMs, leftMs, state, burnRates } = statusAt(10, 4)
  t.equal(Math.round(budgetMs), 43.2 * minuteMs)
  t.equal(usedMs, 4 * minuteMs)
  t.equal(Math.round(leftMs), 39.2 * minuteMs)
  t.equal(state, 'ok', 'less than a tenth is used')
  t.equal(Math.round(Number(burnRates['24h']) * 1000), 2778, '4 minutes of 1.44')
  const half = statusAt(10, 4, {}, { month: { countedMs: 5 * dayMs, downMs: 4 * minuteMs } })
  t.equal(Math.round(half.budgetMs), 36 * minuteMs, 'time that does not count has no budget')
})

t.test('a minute in the first hours of a month is no risk', async (t) => {
  t.match(statusAt(0.2, 1), { state: 'ok' })
  t.match(statusAt(0.2, 4), { state: 'ok' })
  t.match(statusAt(0.02, 1), { state: 'no_data' }, 'half an hour says nothing')
})

t.test('it is at risk when both windows burn what is left too fast', async (t) => {
  const risk = statusAt(10, 20)
  t.equal(risk.state, 'at_risk')
  const leftMs = 23.2 * minuteMs
  const perDayMs = 20 * minuteMs
  t.equal(risk.exhaustedAtMs, Math.round(10 * dayMs + (leftMs / perDayMs) * dayMs))
  t.match(statusAt(10, 20, { '1h': 0, '6h': 0 }), { state: 'ok' }, 'it is over since six hours')
  const slow = { '1h': 0.1, '6h': 0.1, '24h': 0.3, '3d': 1 }
  t.match(statusAt(10, 20, slow), { state: 'ok', exhaustedAtMs: null }, 'it will last')
})

t.test('it is exhausted once no second is left, and stays so', async (t) => {
  t.equal(statusAt(10, 43).state, 'at_risk')
  t.match(statusAt(10, 44), { state: 'exhausted', exhaustedAtMs: null })
  t.match(statusAt(29, 44, { '1h': 0, '6h': 0, '24h': 0, '3d': 0 }), { state: 'exhausted' })
  const none = { countedMs: 0, downMs: 0 }
  const windows = { '1h': none, '6h': none, '24h': none, '3d': none }
  t.match(statusAt(10, 20, {}, { windows }), {
    state: 'ok',
    burnRates: { '1h': null, '3d': null },
  })
})

t.test('each state is told once a month, and nothing milder after something worse', async (t) => {
  const now = { month: '2026-10', objectivePercent: 99.9 }
  const atRisk = { ...now, state: 'at_risk' } as const
  const exhausted = { ...now, state: 'exhausted' } as const
  t.equal(dueSloAlert('at_risk', now, undefined), 'at_risk')
  t.equal(dueSloAlert('at_risk', now, atRisk), null)
  t.equal(dueSloAlert('exhausted', now, atRisk), 'exhausted')
  t.equal(dueSloAlert('at_risk', now, exhausted), null)
  t.equal(dueSloAlert('exhausted', now, exhausted), null)
  t.equal(dueSloAlert('ok', now, undefined), null)
  t.equal(dueSloAlert('at_risk', { ...now, month: '2026-11' }, exhausted), 'at_risk')
  t.equal(dueSloAlert('at_risk', { ...now, objectivePercent: 99 }, exhausted), 'at_risk')
})

const signal = new AbortController().signal

function begin(t: Test) {
  const world = startMonitorServices(t)
  const { core, readings, enqueue } = world
  const objectives = createObjectives(core, { uptimeOf: readings.uptimeOf, enqueue })
  const round = () => world.done(objectives.round(signal))
  return { ...world, objectives, round }
}

t.test(
  'channels are told once that the budget will not last, and once that it is gone',
  async (t) => {
    const world = begin(t)
    const channel = await world.addChannel()
    const monitor = await world.add({ intervalSeconds: 60, sloPercent: 99.9, failureThreshold: 1 })
    const told = () => world.world.events().filter((event) => event.startsWith('slo.'))
    await world.see(monitor, Array(120).fill(good))
    t.equal(await world.round(), 0)
    await world.see(monitor, [...Array(12).fill(failed), good, good])
    t.equal(await world.round(), 1)
    t.same(told(), ['slo.at_risk'])
    const [delivery] = world.store.deliveries.list(channel.orgId, channel.id, { limit: 1 })
    t.match(JSON.parse(delivery?.payloadJson ?? ''), {
      type: 'slo.at_risk',
      data: {
        monitor: { id: monitor.id, name: 'Website' },
        slo: { objectivePercent: 99.9, usedSeconds: 720, exhaustedAt: String },
      },
    })
    await world.see(monitor, [failed, good, good])
    t.equal(await world.round(), 0, 'a flutter is no news')
    await world.see(monitor, [...Array(60).fill(failed), good, good])
    t.equal(await world.round(), 1)
    t.equal(await world.round(), 0)
    t.same(told(), ['slo.at_risk', 'slo.exhausted'])
    t.match(world.objectives.of(world.bob, monitor.id), { state: 'exhausted' })
    await world.done(world.monitors.remove(world.alice, monitor.id))
    t.equal(world.store.objectives.told(monitor.orgId, monitor.id), undefined)
  },
)

t.test('without a channel that wants it, the alert waits for one', async (t) => {
  const world = begin(t)
  await world.addChannel({ events: ['incident.opened'] })
  const monitor = await world.add({ intervalSeconds: 60, sloPercent: 99.9, failureThreshold: 1 })
  await world.see(monitor, [...Array(60).fill(good), ...Array(60).fill(failed)])
  t.equal(await world.round(), 0)
  await world.store.write((tx) => world.store.channels.put(tx, makeChannel()))
  t.equal(await world.round(), 1)
})

t.test('nothing is told of a paused monitor, or of one without an objective', async (t) => {
  const world = begin(t)
  await world.addChannel()
  const monitor = await world.add({ intervalSeconds: 60, failureThreshold: 1 })
  await world.see(monitor, [...Array(60).fill(good), ...Array(60).fill(failed)])
  t.equal(await world.round(), 0)
  t.throws(() => world.objectives.of(world.bob, monitor.id), {
    code: 'conflict',
    message: /set sloPercent/,
  })
  t.throws(() => world.objectives.of(world.charlie, monitor.id), { code: 'not_found' })
  await world.store.write((tx) =>
    world.store.monitors.put(tx, { ...monitor, sloPercent: 99, isActive: false, revision: 2 }),
  )
  t.equal(await world.round(), 0)
})

t.test('viewers see how the budget stands', async (t) => {
  const world = begin(t)
  const monitor = await world.add({
    orgId: orgOfHttp,
    intervalSeconds: 60,
    sloPercent: 99.9,
    failureThreshold: 1,
    recoveryThreshold: 1,
  })
  await world.see(monitor, [...Array(120).fill(good), failed, failed, good])
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', slo),
    services: { objectives: world.objectives },
    clock: world.clock,
  })
  t.teardown(() => server.stop())
  const path = `/api/v1/orgs/${orgOfHttp}/monitors/${monitor.id}/slo`
  const { status, json } = await server.ask(path, { as: 'bob' })
  t.equal(status, 200)
  t.match(json.data, {
    monitorId: monitor.id,
    objectivePercent: 99.9,
    state: 'ok',
    usedSeconds: 120,
    burnRates: { '3d': Number },
  })
  t.equal(json.data.budgetSeconds - json.data.usedSeconds, json.data.leftSeconds)
})
