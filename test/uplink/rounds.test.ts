// The rounds of a probe: when it checks, and what it tells of each check.
import t from 'tap'
import { createGate } from '../../src/base/gate.ts'
import { newId } from '../../src/base/ids.ts'
import type { Reading } from '../../src/domain/checks/reading.ts'
import type { Assignment } from '../../src/domain/locations/protocol.ts'
import { slotOf } from '../../src/domain/schedule/schedule.ts'
import type { MadeResult } from '../../src/uplink/held-results.ts'
import { createRounds } from '../../src/uplink/rounds.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeAssignment } from '../support/probe-daemon.ts'

type Look = (
  assignment: Assignment,
  signal: AbortSignal,
  mustCount: boolean,
) => Promise<Partial<Reading>>

/** The daemon's time is two hours before that of this machine. */
const behindMs = 7_200_000

function makeWorld(look: Look = async () => ({})) {
  const clock = new FakeClock()
  const world = { look, shiftMs: -behindMs }
  const nowMs = () => clock.nowMs() + world.shiftMs
  const begun: { readonly monitorId: string; readonly atMs: number; readonly must: boolean }[] = []
  const held: MadeResult[] = []
  const rounds = createRounds({
    clock,
    nowMs,
    gate: createGate({ total: 1_000, perKey: 10 }),
    hostOf: ({ url }) => new URL(url).host,
    async check(assignment, signal, must) {
      begun.push({ monitorId: assignment.monitorId, atMs: nowMs(), must })
      const seen = await world.look(assignment, signal, must)
      return { atMs: clock.nowMs(), durationMs: 10, result: 'good', ...seen }
    },
    hold: (made) => void held.push(made),
  })
  const plan = (put: readonly Assignment[], more = {}) =>
    rounds.apply({ isWhole: true, put, remove: [], ask: [], ...more })
  return {
    ...{ clock, rounds, begun, held, plan, nowMs, world },
    told: () => held.map(({ result }) => ({ due: result.dueAtMs, try: result.try })),
  }
}

const failed = { result: 'failed', error: { kind: 'connect', message: 'refused' } } as const

t.test(
  'checks are made at the points of the grid that the daemon names, by its clock',
  async (t) => {
    const { clock, plan, begun, held } = makeWorld()
    const assignment = makeAssignment({ offsetMs: 20_000 })
    plan([assignment])
    await clock.advance(180_000)
    t.equal(begun.length, 3)
    const slotMs = (slotOf(assignment.monitorId, 60_000) + 20_000) % 60_000
    t.same(
      begun.map(({ atMs }) => atMs % 60_000),
      [slotMs, slotMs, slotMs],
    )
    t.same(
      held.map(({ result }) => [result.dueAtMs, result.try]),
      begun.map(({ atMs }) => [atMs, 0]),
      'and told by them',
    )
  },
)

t.test('two probes of a place check at the same points', async (t) => {
  const [one, other] = [makeWorld(), makeWorld()]
  const assignment = makeAssignment()
  await one.clock.advance(12_345)
  await other.clock.advance(31_234)
  one.plan([assignment])
  other.plan([assignment])
  await one.clock.advance(120_000)
  await other.clock.advance(120_000)
  t.equal((one.told()[0]?.due ?? 0) % 60_000, (other.told()[0]?.due ?? 0) % 60_000)
})

t.test('a failure is confirmed at the pace of retries, and told at once', async (t) => {
  const { clock, plan, held, told, world } = makeWorld()
  plan([makeAssignment({ failureThreshold: 3, retryMs: 10_000 })])
  await clock.advance(60_000)
  t.match(held, [{ isUrgent: false, isAlike: false }])
  world.look = async () => failed
  await clock.advance(60_000 + 25_000)
  const dueAtMs = told()[1]?.due
  t.match(told().slice(1, 4), [
    { due: dueAtMs, try: 0 },
    { due: dueAtMs, try: 1 },
    { due: dueAtMs, try: 2 },
  ])
  t.match(held.slice(1, 4), [
    { isUrgent: true, isAlike: false },
    { isUrgent: true, isAlike: true },
    { isUrgent: true, isAlike: true },
  ])
  const count = held.length
  await clock.advance(120_000)
  t.equal(held.length, count + 2, 'once it is confirmed, at the usual pace')
  world.look = async () => ({})
  await clock.advance(60_000)
  t.match(
    held.at(-1),
    { isUrgent: true, isAlike: false, result: { result: 'good' } },
    'and the end',
  )
  t.equal(told().at(-1)?.try, 0)
})

t.test('a check that is asked for is made and told at once', async (t) => {
  const { clock, plan, held, begun, told } = makeWorld()
  const assignment = makeAssignment({ intervalMs: 3_600_000 })
  plan([assignment])
  await clock.advance(10)
  t.same(begun, [])
  plan([assignment], { ask: [{ askId: 1, monitorId: assignment.monitorId }] })
  await clock.advance(10)
  t.match(held, [{ isUrgent: true }])
  t.equal(told()[0]?.try, 1)
  plan([assignment], { ask: [{ askId: 2, monitorId: assignment.monitorId }] })
  await clock.advance(10)
  t.same(told()[1], { due: told()[0]?.due, try: 2 })
})

t.test('whoever asks during a check hears of that check', async (t) => {
  const { clock, plan, held, begun, world } = makeWorld()
  let end = () => {}
  world.look = () =>
    new Promise((resolve) => {
      end = () => resolve({})
    })
  const assignment = makeAssignment()
  plan([assignment])
  await clock.advance(60_000)
  plan([assignment], { ask: [{ askId: 1, monitorId: assignment.monitorId }] })
  end()
  await clock.advance(10)
  t.equal(begun.length, 1)
  t.match(held, [{ isUrgent: true }])
})

t.test('a monitor that is taken away during its check is told of no more', async (t) => {
  const signals: AbortSignal[] = []
  const { clock, plan, rounds, held, begun } = makeWorld((_, signal) => {
    signals.push(signal)
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})))
  })
  const assignment = makeAssignment()
  plan([assignment])
  await clock.advance(60_000)
  rounds.apply({ isWhole: false, put: [], remove: [assignment.monitorId], ask: [] })
  await clock.advance(300_000)
  t.match(signals, [{ aborted: true }])
  t.same([held.length, begun.length, rounds.load().monitors], [0, 1, 0])
})

t.test('a monitor that changes during its check is checked anew, as it is now', async (t) => {
  const { clock, plan, held, begun, world } = makeWorld()
  world.look = ({ revision }, signal) =>
    revision === 2
      ? Promise.resolve({})
      : new Promise((resolve) => signal.addEventListener('abort', () => resolve(failed)))
  const assignment = makeAssignment()
  plan([assignment])
  await clock.advance(60_000)
  plan([{ ...assignment, revision: 2, url: 'https://other.example/' }])
  await clock.advance(10)
  t.equal(begun.length, 2)
  t.match(held, [{ result: { revision: 2, result: 'good' } }])
})

t.test('a plan that repeats what is known disturbs nothing', async (t) => {
  const { clock, plan, begun, told } = makeWorld()
  const assignment = makeAssignment()
  plan([assignment])
  for (let count = 0; count < 30; count += 1) {
    await clock.advance(6_000)
    plan([{ ...assignment, sealed: `sealed anew ${count}` }])
  }
  t.equal(begun.length, 3)
  t.ok(told().every(({ try: count }) => count === 0))
})

t.test('a few new monitors are checked at once, many over half a minute', async (t) => {
  const { clock, plan, rounds, begun } = makeWorld()
  const make = (count: number) =>
    Array.from({ length: count }, () =>
      makeAssignment({ intervalMs: 86_400_000, monitorId: newId('monitor', clock.nowMs()) }),
    )
  plan([makeAssignment({ intervalMs: 86_400_000 })])
  rounds.apply({ isWhole: false, put: make(3), remove: [], ask: [] })
  await clock.advance(10)
  t.equal(begun.length, 3)
  rounds.apply({ isWhole: false, put: make(200), remove: [], ask: [] })
  await clock.advance(1_000)
  t.ok(begun.length < 50, `${begun.length} in the first second`)
  await clock.advance(30_000)
  t.equal(begun.length, 203)
})

t.test('what our own machine spoiled is looked at again soon, and counts in the end', async (t) => {
  const { clock, plan, begun, held } = makeWorld(async (_assignment, _signal, mustCount) =>
    mustCount ? failed : { result: 'unknown', isSetAside: true },
  )
  plan([makeAssignment({ intervalMs: 3_600_000, retryMs: 30_000 })])
  await clock.runNext()
  await clock.advance(55_000)
  t.equal(begun.length, 6, 'every 10 s')
  t.match(held.at(-1)?.result, failed, 'after five in a row')
})

t.test('a check that could not be made is tried again within five minutes', async (t) => {
  const { clock, plan, begun } = makeWorld(async () => ({ result: 'unknown' }))
  plan([makeAssignment({ intervalMs: 86_400_000 })])
  await clock.advance(86_400_000)
  const first = begun.length
  await clock.advance(600_000)
  t.equal(begun.length, first + 2)
})

t.test('when the daemon turns out to have another time, checks move to it', async (t) => {
  const { clock, plan, rounds, begun, world } = makeWorld()
  const assignment = makeAssignment({ intervalMs: 3_600_000 })
  plan([assignment])
  await clock.advance(1_000)
  world.shiftMs = 30 * 60_000
  rounds.retime()
  await clock.advance(2 * 3_600_000)
  const slotMs = slotOf(assignment.monitorId, 3_600_000)
  t.ok(begun.some(({ atMs }) => atMs % 3_600_000 === slotMs))
  t.ok(begun.length <= 3)
})

t.test('a probe that is refused checks nothing any more', async (t) => {
  const { clock, plan, rounds, begun } = makeWorld()
  plan([makeAssignment(), makeAssignment({ monitorId: newId('monitor', 1_770_000_000_000) })])
  rounds.forget()
  await clock.advance(600_000)
  t.same([begun.length, clock.pending], [0, 0])
})

t.test('checks of one host wait for each other, and their lateness is told', async (t) => {
  const { clock, plan, rounds, begun, world } = makeWorld()
  world.look = () => new Promise((resolve) => clock.setTimeout(() => resolve({}), 2_000))
  const put = Array.from({ length: 20 }, (_, at) =>
    makeAssignment({ monitorId: newId('monitor', clock.nowMs() + at), intervalMs: 86_400_000 }),
  )
  plan(put)
  plan(put, { ask: put.map(({ monitorId }, askId) => ({ askId, monitorId })) })
  await clock.advance(1_000)
  t.equal(begun.length, 10)
  await clock.advance(5_000)
  t.equal(begun.length, 20)
  t.same(rounds.load(), { checks: 20, lateMs: 2_000, monitors: 20 })
  await clock.advance(61_000)
  t.equal(rounds.load().lateMs, 0, 'of the last minute')
})

t.test(
  'what a probe may not open any more is down, and what it never could is not seen',
  async (t) => {
    const error = { kind: 'blocked', message: 'a.example leads to a private address' } as const
    const { clock, plan, held, world } = makeWorld(async () => ({ result: 'unknown', error }))
    const assignment = makeAssignment({ intervalMs: 60_000 })
    plan([assignment])
    const newest = async () => {
      await clock.advance(90_000)
      return held.at(-1)?.result.result
    }
    t.equal(await newest(), 'unknown')
    world.look = async () => ({})
    t.equal(await newest(), 'good')
    world.look = async () => ({ result: 'unknown', error })
    t.equal(await newest(), 'failed')
    plan([{ ...assignment, revision: assignment.revision + 1 }])
    t.equal(await newest(), 'unknown', 'another target')
  },
)

t.test('what a probe may not open is looked at in its own time, not again and again', async (t) => {
  const { clock, plan, begun } = makeWorld(async () => ({
    result: 'unknown',
    error: { kind: 'blocked', message: '10.0.0.1 is a private address, which is not allowed' },
  }))
  plan([makeAssignment({ intervalMs: 600_000 })])
  await clock.advance(3_600_000)
  t.ok(begun.length <= 7, `${begun.length} checks in an hour`)
})

t.test(
  'what was never checked from here is checked soon after the start, the rest in its time',
  async (t) => {
    const intervalMs = 3_600_000
    const some = (count: number, isNew: boolean) =>
      Array.from({ length: count }, () =>
        makeAssignment({ monitorId: newId('monitor', 1), intervalMs, isNew }),
      )
    const few = makeWorld()
    const [fresh, known] = [some(3, true), some(200, false)]
    few.plan([...known, ...fresh])
    await few.clock.advance(10)
    t.same(
      few.begun.map(({ monitorId }) => monitorId).sort(),
      fresh.map(({ monitorId }) => monitorId).sort(),
    )
    await few.clock.advance(600_000)
    t.ok(few.begun.length < 100, `${few.begun.length} of 203 in ten minutes`)

    const many = makeWorld()
    many.plan(some(300, true))
    await many.clock.advance(1_000)
    t.ok(many.begun.length < 60, `${many.begun.length} at once`)
    await many.clock.advance(30_000)
    t.ok(many.begun.length >= 300)
  },
)
