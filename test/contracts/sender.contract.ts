// What every channel type's sender must do, run by each of them against a real receiver.
import t, { type Test } from 'tap'
import { startClock } from '../../src/base/clock.ts'
import type { OpenedChannel } from '../../src/channels/model/config.ts'
import { type Message, messageOf } from '../../src/channels/model/message.ts'
import { createSender } from '../../src/channels/sender.ts'
import { incidentPayload } from '../../src/domain/alerts/payload.ts'
import { defaultLocale } from '../../src/domain/language.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { createEgress } from '../../src/net/http-client/guarded-client.ts'
import { signWebhook } from '../../src/seal/sign.ts'
import { makeIncident } from '../support/make-incident.ts'
import { startReceiver } from '../support/receiver.ts'

export interface SenderCase {
  readonly type: string
  /** A channel of the type that leads to the receiver. */
  readonly channelAt: (url: string) => OpenedChannel
  /** Refusals that another attempt may end, besides those that every type tries again. */
  readonly retried?: readonly number[]
  /** Refusals that no attempt can end, besides 410. */
  readonly final?: readonly number[]
}

export const openedMessage: Message = messageOf(
  {
    webhookId: 'msg_01k00000000000000000000000',
    event: 'incident.opened',
    payloadJson: JSON.stringify(
      incidentPayload('incident.opened', makeIncident(), [], 61_000, 'https://up.test/alerts/x'),
    ),
  },
  { locale: defaultLocale, nowMs: 61_000 },
)

/** Runs the contract for one channel type. */
export function senderContract({ type, channelAt, retried = [], final = [] }: SenderCase): void {
  const setUp = async (test: Test, targets: 'any' | 'public' = 'any') => {
    const clock = startClock()
    const receiver = await startReceiver()
    test.teardown(async () => {
      clock.stop()
      await receiver.close()
    })
    const guard = createGuard({ targets })
    const egress = createEgress({ clock, guard, resolver: createResolver({ clock }) })
    const sender = createSender({ request: egress, sign: signWebhook })
    const send = (url = receiver.url, signal?: AbortSignal) =>
      sender(openedMessage, channelAt(url), { clock, ...(signal ? { signal } : {}) })
    return { receiver, send }
  }

  t.test(`${type}: a 2xx is a delivery, and the answer's beginning is kept`, async (t) => {
    const { receiver, send } = await setUp(t)
    receiver.always({ status: 202, body: 'x'.repeat(5_000) })
    t.match(await send(), { ok: true, status: 202, response: /^x{1024}$/ })
    t.equal(receiver.requests.length, 1)
  })

  t.test(`${type}: what may pass is tried again, and what cannot pass is not`, async (t) => {
    const { receiver, send } = await setUp(t)
    for (const status of [...retried, 429, 500, 502, 503, 504]) {
      receiver.script({ status })
      t.match(await send(), { ok: false, mayRetry: true, status }, `${status} is tried again`)
    }
    for (const status of final) {
      receiver.script({ status })
      t.match(await send(), { ok: false, mayRetry: false, status }, `${status} is final`)
    }
    receiver.script({ status: 410 })
    t.match(await send(), { ok: false, mayRetry: false, disablesChannel: true })
  })

  t.test(`${type}: redirects are failures and are not followed`, async (t) => {
    const { receiver, send } = await setUp(t)
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.script({ status, headers: { location: `${receiver.url}/elsewhere` } })
      t.match(await send(), { ok: false, mayRetry: true, status, reason: /redirect/ })
    }
    t.equal(receiver.requests.length, 5)
  })

  t.test(`${type}: a receiver that asks for time gets it`, async (t) => {
    const { receiver, send } = await setUp(t)
    receiver.script({ status: 429, headers: { 'retry-after': '120' } })
    t.match(await send(), { retryAfterMs: 120_000 })
    const inAMinute = new Date(Date.now() + 60_000).toUTCString()
    receiver.script({ status: 503, headers: { 'retry-after': inAMinute } })
    const outcome = await send()
    const waitMs = outcome.ok ? 0 : (outcome.retryAfterMs ?? 0)
    t.ok(waitMs > 50_000 && waitMs <= 60_000, `${waitMs} ms`)
    receiver.script({ status: 503, headers: { 'retry-after': 'soon' } })
    t.notOk('retryAfterMs' in (await send()))
  })

  t.test(`${type}: a connection that fails is tried again, with a reason`, async (t) => {
    const { receiver, send } = await setUp(t)
    receiver.script('reset')
    t.match(await send(), { ok: false, mayRetry: true, reason: /broke off/ })
    await receiver.close()
    t.match(await send(), { ok: false, mayRetry: true, reason: /refused/ })
  })

  t.test(`${type}: a place that the policy forbids is never contacted`, async (t) => {
    const { receiver, send } = await setUp(t, 'public')
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1']) {
      const url = receiver.url.replace('127.0.0.1', host)
      t.match(await send(url), { ok: false, class: 'not_allowed', reason: /not allowed/ }, host)
    }
    t.match(await send('http://169.254.169.254/latest'), {
      class: 'not_allowed',
      reason: /metadata/,
    })
    t.equal(receiver.requests.length, 0)
  })

  t.test(`${type}: giving up ends a request that hangs`, async (t) => {
    const { receiver, send } = await setUp(t)
    receiver.script('hang')
    const abort = new AbortController()
    const outcome = send(receiver.url, abort.signal)
    await receiver.received(1)
    abort.abort()
    t.match(await outcome, { ok: false, mayRetry: true })
    const late = new AbortController()
    late.abort()
    t.match(await send(receiver.url, late.signal), { ok: false }, 'also when given up before')
  })
}
