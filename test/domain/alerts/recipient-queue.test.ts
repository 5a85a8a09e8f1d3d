// What is done next for a channel, decided from what waits for it.
import t from 'tap'
import {
  calm,
  planQueue,
  type StormLog,
  stormAdvice,
  withSent,
} from '../../../src/domain/alerts/recipient-queue.ts'
import { makeDelivery } from '../../support/make-incident.ts'
import { incidentNo } from '../../support/outbox-world.ts'

const nowMs = 1_000_000
const storms = { 'incident.opened': calm, 'incident.resolved': calm }
const view = { isOff: false, isOrphan: () => false, storms, quiet: null, pausedUntilMs: null }
const opening = (number: number, createdAtMs = nowMs) =>
  makeDelivery({ incidentId: incidentNo(number), nowMs: createdAtMs })
const ending = (number: number) =>
  makeDelivery({ incidentId: incidentNo(number), event: 'incident.resolved', nowMs })
const openings = (count: number) => Array.from({ length: count }, (_, at) => opening(at + 1))
const sentBefore = (...agoMs: number[]): StormLog => ({
  eachAtMs: agoMs.map((ago) => nowMs - ago),
  digestAtMs: null,
  digests: 0,
})

t.test('with nothing pending, nothing is done', async (t) => {
  t.same(planQueue({ ...view, pending: [] }, nowMs), { kind: 'done' })
})

t.test('the oldest is sent, or waited for', async (t) => {
  const [first, second] = [opening(1), opening(2)]
  t.same(planQueue({ ...view, pending: [first, second] }, nowMs), { kind: 'send', delivery: first })
  const failed = { ...first, attempts: 1, lastAtMs: nowMs, dueAtMs: nowMs + 5_000 }
  t.same(planQueue({ ...view, pending: [failed, second] }, nowMs), {
    kind: 'wait',
    untilMs: nowMs + 5_000,
    isBehind: true,
  })
})

t.test('an opening that waits out a delay is overtaken, and awaited last', async (t) => {
  const delayed = { ...opening(1), dueAtMs: nowMs + 600_000 }
  const other = opening(2)
  t.same(planQueue({ ...view, pending: [delayed, other] }, nowMs), {
    kind: 'send',
    delivery: other,
  })
  t.same(planQueue({ ...view, pending: [delayed] }, nowMs), {
    kind: 'wait',
    untilMs: nowMs + 600_000,
    isBehind: false,
  })
})

t.test('messages that cannot be sent, or can be merged, are changed first', async (t) => {
  const pending = [opening(1)]
  t.same(planQueue({ ...view, pending, isOff: true }, nowMs), { kind: 'drop', rows: pending })
  t.same(planQueue({ ...view, pending, isOrphan: () => true }, nowMs), {
    kind: 'drop',
    rows: pending,
  })
  t.same(planQueue({ ...view, pending: openings(11) }, nowMs), {
    kind: 'fold',
    members: openings(11),
  })
  t.match(planQueue({ ...view, pending: [opening(1), ending(1)] }, nowMs), { kind: 'merge' })
})

t.test('recoveries are gathered like openings, and apart from them', async (t) => {
  const endings = Array.from({ length: 11 }, (_, at) => ending(at + 21))
  t.same(planQueue({ ...view, pending: [...endings, ...openings(3)] }, nowMs), {
    kind: 'fold',
    members: endings,
  })
  t.match(planQueue({ ...view, pending: [...openings(3), ...endings] }, nowMs), {
    kind: 'send',
    delivery: { event: 'incident.opened' },
  })
})

t.test(
  'a digest is made when it could be sent, not while a message blocks the queue',
  async (t) => {
    const failed = { ...opening(99), lastAtMs: nowMs, dueAtMs: nowMs + 5_000 }
    const pending = [failed, ...openings(11)]
    t.same(planQueue({ ...view, pending }, nowMs), {
      kind: 'wait',
      untilMs: nowMs + 5_000,
      isBehind: true,
    })
    t.same(planQueue({ ...view, pending }, nowMs + 5_000), {
      kind: 'send',
      delivery: failed,
    })
  },
)

t.test('a channel that takes no digests gets each message by itself', async (t) => {
  const pending = openings(11)
  t.same(planQueue({ ...view, storms: null, pending }, nowMs), {
    kind: 'send',
    delivery: pending[0],
  })
})

t.test('openings held in a storm do not block other news', async (t) => {
  const stormy = { ...storms, 'incident.opened': withSent(calm, 'digest', nowMs - 2_000) }
  const pending = [opening(1), ending(2)]
  t.match(planQueue({ ...view, storms: stormy, pending }, nowMs), {
    kind: 'send',
    delivery: { event: 'incident.resolved' },
  })
  t.same(planQueue({ ...view, storms: stormy, pending: [opening(1)] }, nowMs), {
    kind: 'wait',
    untilMs: nowMs + 3_000,
    isBehind: false,
  })
})

t.test('ten a minute are sent separately, more are gathered', async (t) => {
  const ten = Array.from({ length: 10 }, () => 1_000)
  t.equal(stormAdvice([], sentBefore(...ten), nowMs).kind, 'each')
  t.equal(stormAdvice(openings(10), calm, nowMs).kind, 'each')
  t.equal(stormAdvice(openings(11), calm, nowMs).kind, 'digest')
  t.equal(stormAdvice(openings(1), sentBefore(...ten.slice(1)), nowMs).kind, 'each')
  t.same(stormAdvice(openings(2), sentBefore(...ten), nowMs), {
    kind: 'hold',
    untilMs: nowMs + 5_000,
  })
  const gathered = [opening(1, nowMs - 5_000), opening(2)]
  t.equal(stormAdvice(gathered, sentBefore(...ten), nowMs).kind, 'digest')
  t.equal(stormAdvice(gathered.slice(0, 1), sentBefore(...ten), nowMs).kind, 'each')
  t.equal(
    stormAdvice(openings(2), sentBefore(...ten.map(() => 60_000)), nowMs).kind,
    'each',
    'a minute later it is over',
  )
})

t.test('the next digest of a storm follows soon, and later the longer the storm', async (t) => {
  let storm = calm
  let atMs = nowMs
  const waits: number[] = []
  for (let digest = 0; digest < 6; digest += 1) {
    storm = withSent(storm, 'digest', atMs)
    const advice = stormAdvice(openings(20), storm, atMs + 1)
    const untilMs = advice.kind === 'hold' ? advice.untilMs : atMs
    t.equal(stormAdvice(openings(20), storm, untilMs).kind, 'digest')
    waits.push((untilMs - atMs) / 1_000)
    atMs = untilMs
  }
  t.same(waits, [5, 10, 30, 60, 60, 60])
  const calmAgain = withSent(storm, 'digest', atMs + 31_000)
  t.match(stormAdvice(openings(20), calmAgain, atMs + 31_001), { untilMs: atMs + 36_000 })
})

t.test('openings that trickle in are no more messages than a storm', async (t) => {
  let storm = calm
  const sentAtMs: number[] = []
  let waiting: ReturnType<typeof opening>[] = []
  for (let second = 0; second < 600; second += 1) {
    const atMs = nowMs + second * 1_000
    if (second < 10 || second % 6 === 0) waiting.push(opening(second + 1, atMs))
    const { kind } = stormAdvice(waiting, storm, atMs)
    if (waiting.length === 0 || kind === 'hold') continue
    waiting = kind === 'each' ? waiting.slice(1) : []
    storm = withSent(storm, kind, atMs)
    sentAtMs.push(atMs)
  }
  const inMinute = sentAtMs.map((from) =>
    sentAtMs.filter((atMs) => atMs >= from && atMs < from + 60_000),
  )
  t.ok(Math.max(...inMinute.map(({ length }) => length)) <= 14)
})

t.test('the log forgets everything older than a minute', async (t) => {
  const old = withSent(sentBefore(70_000, 10_000), 'each', nowMs)
  t.same(old.eachAtMs, [nowMs - 10_000, nowMs])
  t.equal(withSent(withSent(calm, 'digest', nowMs - 61_000), 'each', nowMs).digestAtMs, null)
})
