// A receiver that misbehaves for six hours, in every way: what it heard in the end, and what is
// visibly dead.
import t from 'tap'
import type { Message } from '../../../src/channels/model/message.ts'
import { httpOutcome, unansweredOutcome } from '../../../src/channels/model/outcome.ts'
import type { Outcome } from '../../../src/domain/alerts/attempt.ts'
import type { WebAnswer } from '../../../src/net/http-client/guarded-client.ts'
import { createAlertReceiver } from '../../support/alert-receiver.ts'
import { channelNo } from '../../support/make-channel.ts'
import { channelA, orgA } from '../../support/make-incident.ts'
import { incidentNo, type OutboxWorld, startOutboxWorld } from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

const minuteMs = 60_000
const answered = (status: number, headers: Record<string, string> = {}): WebAnswer => ({
  kind: 'answered',
  status,
  headers,
  body: '',
})
const failed = (cause: 'connection' | 'tls' | 'timeout'): WebAnswer => ({
  kind: 'failed',
  cause,
  reason: `It failed: ${cause}.`,
})

/** What the receiver does until the given minute; `takes`: it has the message all the same. */
interface Phase {
  readonly untilMinute: number
  readonly answer: WebAnswer
  readonly afterMs?: number
  readonly takes?: boolean
}

const phases: readonly Phase[] = [
  { untilMinute: 30, answer: answered(200), takes: true },
  { untilMinute: 70, answer: failed('connection') },
  { untilMinute: 90, answer: answered(204), afterMs: 19_000, takes: true },
  { untilMinute: 110, answer: answered(500) },
  { untilMinute: 130, answer: answered(429, { 'retry-after': '300' }) },
  { untilMinute: 150, answer: answered(200), takes: true },
  { untilMinute: 170, answer: answered(302, { location: 'https://elsewhere.test/' }) },
  { untilMinute: 190, answer: failed('tls') },
  { untilMinute: 210, answer: answered(200), takes: true },
  { untilMinute: 240, answer: failed('timeout'), afterMs: 20_000, takes: true },
  { untilMinute: 250, answer: answered(503, { 'retry-after': 'Thu, 01 Jan 2026 05:00:00 GMT' }) },
  { untilMinute: Number.POSITIVE_INFINITY, answer: answered(200), takes: true },
]

/** Ten, twenty or thirty minutes. */
const lastsMinutes = (number: number) => 10 + 10 * (number % 3)

function perform(world: OutboxWorld, take: (message: Message) => void) {
  const startMs = world.clock.nowMs()
  return async (message: Message): Promise<Outcome> => {
    const minute = (world.clock.nowMs() - startMs) / minuteMs
    const phase = phases.find(({ untilMinute }) => minute < untilMinute)
    if (!phase) throw new Error('the last phase never ends')
    if (phase.takes) take(message)
    const { answer, afterMs = 0 } = phase
    if (afterMs > 0) await new Promise<void>((go) => world.clock.setTimeout(go, afterMs))
    if (answer.kind !== 'answered') return unansweredOutcome(answer)
    return httpOutcome(answer, world.clock.wallMs())
  }
}

t.test('every event of six bad hours is heard, in order and once, or visibly dead', async (t) => {
  const world = startOutboxWorld(t)
  const { clock, store } = world
  await world.addChannel({ isDefault: true })
  await world.addChannel({ id: channelNo(2), isDefault: true })
  const receiver = createAlertReceiver()
  const answer = perform(world, receiver.take)
  let neighbours = 0
  world.answer = ({ channelId, message }) => {
    if (channelId === channelA) return answer(message)
    neighbours += 1
    return { ok: true, status: 200 }
  }
  const timers: number[] = []
  const incidents = 60
  for (let minute = 0; minute < 360; minute += 1) {
    // An outage each six minutes, that lasts ten, twenty or thirty of them.
    const opened = minute % 6 === 0 ? minute / 6 + 1 : 0
    if (opened > 0) await world.tell('incident.opened', { id: incidentNo(opened) })
    for (let number = 1; number <= incidents; number += 1) {
      const endsAt = (number - 1) * 6 + lastsMinutes(number)
      if (endsAt !== minute) continue
      const over = { id: incidentNo(number), state: 'resolved', revision: 2 } as const
      await world.tell('incident.resolved', { ...over, resolvedAtMs: clock.nowMs() })
    }
    for (let step = 0; step < 12; step += 1) {
      await settle()
      await clock.advance(5_000)
    }
    if (minute % 30 === 0) timers.push(clock.pending)
  }
  for (let minute = 0; minute < 150; minute += 1) {
    await settle()
    await clock.advance(minuteMs)
  }
  await settle()
  t.equal(world.outbox.pending(), 0)
  t.same(receiver.problems, [], 'in order, and none twice under another id')
  const rows = world.deliveries()
  for (let number = 1; number <= incidents; number += 1) {
    const id = incidentNo(number)
    const of = rows.filter(({ incidentId }) => incidentId === id)
    const isDead = of.some(({ state }) => state === 'dead')
    const { openings, ends } = receiver.heard(id)
    const { announced, delivered } = store.announcements.get(orgA, id, channelA)
    t.equal(announced, delivered, 'nothing is promised any more')
    if (openings > 0) t.equal(openings, 1)
    t.ok(openings === 1 || isDead, `${id} was heard of, or died: ${of.map((one) => one.state)}`)
    if (delivered === 'open') t.ok(number > 50, `${id} is still open`)
    if (delivered === 'resolved') t.equal(ends, 1, `the end of ${id}`)
  }
  const dead = rows.filter(({ state }) => state === 'dead')
  t.ok(dead.length <= 6, `${dead.length} died: ${new Set(dead.map((one) => one.lastError))}`)
  t.ok(dead.every(({ lastError }) => lastError !== null))
  t.equal(
    neighbours,
    world.sent.length - world.sent.filter((one) => one.channelId === channelA).length,
  )
  t.ok(Math.max(...timers) <= 6, `timers: ${timers}`)
  t.ok(rows.every(({ log }) => log.length <= 20))
})
