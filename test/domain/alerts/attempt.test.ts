// What is kept of the attempts, and when further ones are of no use.
import t from 'tap'
import {
  type Attempt,
  attemptOf,
  classOf,
  isHopeless,
  type Outcome,
  withAttempt,
} from '../../../src/domain/alerts/attempt.ts'
import { nextAttempt } from '../../../src/domain/alerts/delivery.ts'
import { makeDelivery } from '../../support/make-incident.ts'

const failed = (more: object = {}): Outcome => ({
  ok: false,
  mayRetry: true,
  reason: 'It failed.',
  ...more,
})
const attemptNo = (number: number) =>
  attemptOf({ outcome: failed(), startedAtMs: number, nowMs: number + 5 })

t.test('the class of an attempt follows from what came back', async (t) => {
  const cases: [Outcome, string][] = [
    [{ ok: true, status: 204 }, 'delivered'],
    [failed({ status: 302 }), 'redirect'],
    [failed({ status: 404 }), 'client_error'],
    [failed({ status: 429 }), 'rate_limited'],
    [failed({ status: 503 }), 'server_error'],
    [failed({ status: 410, mayRetry: false, disablesChannel: true }), 'disabled'],
    [failed(), 'connection'],
    [failed({ status: 200, mayRetry: false }), 'refused'],
    [failed({ class: 'tls' }), 'tls'],
  ]
  for (const [outcome, name] of cases) t.equal(classOf(outcome), name)
})

t.test('an attempt says when, how long, what was asked and what was answered', async (t) => {
  const request = 'POST hooks.example.com'
  const outcome = failed({ status: 500, request, response: 'plain' })
  const tried = { outcome, startedAtMs: 100, nowMs: 350, answerBox: 'sealed' }
  t.same(attemptOf(tried), {
    atMs: 100,
    durationMs: 250,
    class: 'server_error',
    status: 500,
    reason: 'It failed.',
    request,
    answerBox: 'sealed',
  })
  const delivered = { outcome: { ok: true }, startedAtMs: 0, nowMs: 0 } as const
  t.match(attemptOf(delivered), { reason: null, status: null, answerBox: null })
})

t.test('the first two and the last eighteen attempts are kept', async (t) => {
  let log: readonly Attempt[] = []
  for (let number = 1; number <= 40; number += 1) log = withAttempt(log, attemptNo(number))
  t.equal(log.length, 20)
  t.same(
    [log[0], log[1], log[2], log[19]].map((one) => one?.atMs),
    [1, 2, 23, 40],
  )
})

t.test(
  'a wrong certificate or a forbidden target ends a delivery after three attempts',
  async (t) => {
    let delivery = makeDelivery()
    const attempt = (name: string, nowMs: number) => {
      const outcome = failed({ class: name })
      delivery = nextAttempt(delivery, { outcome, startedAtMs: nowMs, nowMs }, 0.5)
    }
    attempt('tls', 0)
    attempt('tls', 5_000)
    t.equal(delivery.state, 'pending')
    attempt('connection', 35_000)
    attempt('tls', 155_000)
    attempt('not_allowed', 755_000)
    t.equal(delivery.state, 'pending', 'there was another failure in between')
    attempt('tls', 2_555_000)
    t.match(delivery, { state: 'dead', attempts: 6 })
  },
)

t.test('three refusals before a redelivery do not end it at its first failure', async (t) => {
  const log = [1, 2, 3].map((atMs) =>
    attemptOf({ outcome: failed({ class: 'tls' }), startedAtMs: atMs, nowMs: atMs }),
  )
  t.ok(isHopeless(log, 3))
  t.notOk(isHopeless(log, 1))
})
