// A provider behind HTTP: what it is sent, and what its answers mean.
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import type { UserId, VerificationId } from '../../src/base/ids.ts'
import { newVerification } from '../../src/domain/identity-verification/kyc.ts'
import { createHttpProvider } from '../../src/kyc/http-provider.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { createEgress } from '../../src/net/http-client/guarded-client.ts'
import { mintWebhookSecret, signWebhook } from '../../src/seal/sign.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { fullFields, privateTexts } from '../support/kyc-person.ts'
import { startReceiver } from '../support/receiver.ts'

const ids = { id: 'kyc_01jd0000000000000000000000' as VerificationId, userId: 'usr_1' as UserId }

async function open(t: Test, targets: 'any' | 'public' = 'any') {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  // The library that verifies signatures looks at the real time.
  const clock = new FakeClock(Date.now())
  const secret = mintWebhookSecret()
  const guard = createGuard({ targets })
  const provider = createHttpProvider({
    clock,
    url: receiver.url,
    secret,
    sign: signWebhook,
    callbackUrl: 'https://up.test/api/v1/identity/kyc/callback',
    request: createEgress({ clock, guard, resolver: createResolver({ clock }) }),
  })
  const verification = newVerification(ids, 'http', clock.nowMs())
  const send = () =>
    provider.send?.({ verification, fields: fullFields }, new AbortController().signal)
  return { receiver, send, secret, verification, clock }
}

t.test('the case arrives complete, and a standard library verifies its signature', async (t) => {
  const { receiver, send, secret, verification } = await open(t)
  receiver.always({ status: 200, body: '{"status":"approved"}' })
  await send()
  const [request] = receiver.requests
  if (!request) return t.fail('a request came')
  t.equal(request.headers['webhook-id'], verification.id)
  t.match(new Webhook(secret).verify(request.body, request.headers), {
    verificationId: verification.id,
    callbackUrl: /\/identity\/kyc\/callback$/,
    person: fullFields,
  })
})

t.test('it is signed with the time of the wall clock, also after that was set back', async (t) => {
  const { receiver, send, secret, clock } = await open(t)
  receiver.always({ status: 200, body: '{"status":"approved"}' })
  // It was an hour ahead, and was corrected.
  clock.jump(3_600_000)
  clock.jump(-3_600_000)
  await send()
  const [request] = receiver.requests
  if (!request) return t.fail('a request came')
  t.ok(new Webhook(secret).verify(request.body, request.headers))
})

t.test('an answer is a verdict, now or later', async (t) => {
  const { receiver, send } = await open(t)
  const verdicts: [string, object][] = [
    ['{"status":"approved"}', { status: 'approved', reason: null }],
    ['{"status":"rejected","reason":"Blurred"}', { status: 'rejected', reason: 'Blurred' }],
    ['{"status":"in_review","reason":null}', { status: 'in_review', reason: null }],
    ['', { status: 'in_review', reason: null }],
  ]
  for (const [body, verdict] of verdicts) {
    receiver.script({ status: 200, body })
    t.same(await send(), { kind: 'answered', verdict }, body)
  }
})

t.test('an answer without a verdict is a failure, in words that do not repeat it', async (t) => {
  const { receiver, send } = await open(t)
  const bodies = [
    ...['ok', '[]', '{}', '{"status":"maybe"}', '{"status":"approved","extra":1}', 'null'],
    ...[`{"status":"${privateTexts[0]}"}`, `{"status":"approved","reason":"${'x'.repeat(600)}"}`],
  ]
  for (const body of bodies) {
    receiver.script({ status: 200, body })
    t.same(await send(), {
      kind: 'failed',
      reason: 'The provider answered 200, but not with a verdict.',
    })
  }
  for (const status of [302, 400, 401, 500, 503]) {
    receiver.script({ status, body: '{"status":"approved"}' })
    t.same(await send(), { kind: 'failed', reason: `The provider answered ${status}.` })
  }
  receiver.script('reset')
  t.match(await send(), { kind: 'failed', reason: /broke off/ })
})

t.test('requests go through the guarded client', async (t) => {
  const { receiver, send } = await open(t, 'public')
  t.match(await send(), { kind: 'failed', reason: /loopback/ })
  t.equal(receiver.requests.length, 0)
})
