// The sender goes by the channel's type, and survives a type that this version does not know.
import t from 'tap'
import { createSender, type MessagePart, sentParts } from '../../src/channels/sender.ts'
import type { Outcome } from '../../src/domain/alerts/attempt.ts'
import { nextAttempt } from '../../src/domain/alerts/delivery.ts'
import { openedMessage } from '../contracts/sender.contract.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeChannel } from '../support/make-channel.ts'
import { makeDelivery } from '../support/make-incident.ts'

t.test('a channel of an unknown type is sent nothing, and not tried again', async (t) => {
  const send = createSender({
    sign: () => '',
    request: () => Promise.reject(new Error('must not be called')),
  })
  const opened = { channel: makeChannel({ type: 'pigeon' }), config: {} }
  t.match(await send(openedMessage, opened, { clock: new FakeClock() }), {
    ok: false,
    mayRetry: false,
    reason: 'There is no channel type pigeon.',
  })
})

const taken = { ok: true, status: 200 } as const
const busy = { ok: false, mayRetry: true, status: 500, reason: 'It is busy.' } as const
const unknownNumber = {
  ok: false,
  mayRetry: false,
  status: 400,
  reason: 'No such number.',
} as const

/** Parts with these outcomes, and which of them were sent. */
function partsOf(outcomes: readonly Outcome[], isReachable = true) {
  const sent: number[] = []
  const parts = outcomes.map(
    (outcome, number): MessagePart => ({
      number,
      async send() {
        sent.push(number)
        return { outcome, isReachable }
      },
    }),
  )
  return { sent, parts }
}

t.test('a recipient who is refused for good keeps the message from no other', async (t) => {
  const { sent, parts } = partsOf([taken, unknownNumber, taken])
  t.match(await sentParts(parts, []), { ok: true, status: 200, warning: 'No such number.' })
  t.same(sent, [0, 1, 2])
  const none = partsOf([unknownNumber, unknownNumber])
  t.match(await sentParts(none.parts, []), { ok: false, mayRetry: false })
})

t.test('a repetition leaves out the parts that are over, and remembers refusals', async (t) => {
  const first = partsOf([taken, busy, unknownNumber])
  const outcome = await sentParts(first.parts, [])
  const partsDone = [
    { part: 0, isDelivered: true },
    { part: 2, isDelivered: false, reason: 'No such number.' },
  ]
  t.match(outcome, { ok: false, mayRetry: true, reason: 'It is busy.', partsDone })
  const delivery = nextAttempt(makeDelivery(), { outcome, startedAtMs: 0, nowMs: 0 }, 0.5)
  t.same(delivery.partsDone, partsDone)

  const second = partsOf([taken, taken, taken])
  const again = await sentParts(second.parts, delivery.partsDone)
  t.same(second.sent, [1])
  t.match(again, { ok: true, warning: 'No such number.' })
  t.match(nextAttempt(delivery, { outcome: again, startedAtMs: 9, nowMs: 9 }, 0.5), {
    state: 'delivered',
    lastError: 'No such number.',
  })
  const never = partsOf([taken, unknownNumber, taken])
  const refused = await sentParts(never.parts, delivery.partsDone)
  t.match(refused, { ok: true, warning: 'No such number.' }, 'one part had arrived before')
})

t.test('once the other side cannot be reached, the rest is left for later', async (t) => {
  const { sent, parts } = partsOf([busy, taken], false)
  t.match(await sentParts(parts, []), { ok: false, mayRetry: true })
  t.same(sent, [0])
  const gone = { ok: false, mayRetry: false, reason: 'Gone.', disablesChannel: true } as const
  const closed = partsOf([gone, taken])
  t.match(await sentParts(closed.parts, []), { disablesChannel: true })
  t.same(closed.sent, [0])
})

t.test('a secret that a receiver repeats is masked before the answer is cut', async (t) => {
  const token = `tk_${'Abc123xyz'.repeat(5)}`
  const config = { server: 'https://ntfy.test', topic: 'acme-alerts-7Qm3xT', token }
  for (const before of [100, 130, 150, 900, 1_000, 1_020]) {
    const error = `${'y'.repeat(before)} Bearer ${token}`
    const body = JSON.stringify({ error, code: 40_001 })
    const send = createSender({
      sign: () => '',
      request: async () => ({ kind: 'answered', status: 400, headers: {}, body }),
    })
    const channel = makeChannel({ type: 'ntfy' })
    const outcome = await send(openedMessage, { channel, config }, { clock: new FakeClock() })
    t.notMatch(JSON.stringify(outcome), 'tk_', `after ${before} characters`)
    t.match(outcome, { ok: false, mayRetry: false, status: 400 })
    t.ok((outcome.response ?? '').length <= 1_024)
  }
})
