// Verification by a provider, over HTTP both ways: the case goes out, the decision comes back.
import t, { type Test } from 'tap'
import { asWebhookSecret, signWebhook } from '../../../../src/seal/sign.ts'
import { register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { fullFields, privateTexts } from '../../../support/kyc-person.ts'
import { bodyOf, startReceiver } from '../../../support/receiver.ts'
import { until } from '../../../support/until.ts'

const text = 'a-long-random-text'
const secret = asWebhookSecret(text)
const callbackPath = '/api/v1/identity/kyc/callback'
const bearer = 'the-token-of-the-operator'

async function start(t: Test, more: Readonly<Record<string, string>> = {}) {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const env = {
    KYC_PROVIDER: 'http',
    KYC_URL: receiver.url,
    KYC_SECRET: text,
    SYSTEM_TOKEN: bearer,
    ...more,
  }
  const daemon = await startDaemon(t, { env })
  for (const one of [...privateTexts, text]) daemon.secrets.add(one)
  const mina = await register(daemon, 'mina')
  const headers = { 'auth-token': mina.cookie }
  const submit = () => daemon.need('POST', '/identity/kyc/verify', { headers, json: fullFields })
  const status = () => daemon.need('GET', '/identity/kyc', { headers })

  function callBack(
    said: object,
    { id = 'msg_1', ageSeconds = 0, key = secret }: Partial<Callback> = {},
  ) {
    const body = JSON.stringify(said)
    const seconds = Math.floor(Date.now() / 1_000) - ageSeconds
    return daemon.ask('POST', callbackPath, {
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signWebhook(key, id, seconds, body),
      },
    })
  }
  return { daemon, env, receiver, submit, status, callBack }
}

interface Callback {
  readonly id: string
  readonly ageSeconds: number
  readonly key: string
}

t.test('the case is sent to the provider, which decides later by a signed callback', async (t) => {
  const { daemon, receiver, submit, status, callBack } = await start(t)
  receiver.always({ status: 200, body: '{"status":"in_review"}' })
  const made = await submit()
  t.match(made, { status: 'pending', provider: 'http' })
  const [sent] = await receiver.received(1)
  t.match(bodyOf(sent), {
    verificationId: made.verificationId,
    callbackUrl: `${daemon.url}${callbackPath}`,
    person: fullFields,
  })
  await until(async () => (await status()).status === 'in_review')
  const said = { verificationId: made.verificationId, status: 'approved', reason: null }
  const answer = await callBack(said)
  t.match(answer.json, {
    success: true,
    message: 'Callback accepted',
    data: { verificationId: made.verificationId, status: 'approved' },
  })
  t.match(await status(), { status: 'approved', decidedAt: String })
  t.match((await callBack(said)).json, { status: 409, code: 'conflict' }, 'not a second time')
})

t.test('forged, old and unknown callbacks are refused', async (t) => {
  const { receiver, submit, status, callBack } = await start(t)
  receiver.always({ status: 202 })
  const { verificationId } = await submit()
  const said = { verificationId, status: 'approved' }
  const other = asWebhookSecret('another-long-text')
  t.match((await callBack(said, { key: other })).json, { status: 401, code: 'unauthenticated' })
  t.equal((await callBack(said, { ageSeconds: 302 })).status, 401)
  t.equal((await callBack(said, { ageSeconds: -360 })).status, 401)
  const unknown = { ...said, verificationId: 'kyc_01jd0000000000000000000000' }
  t.equal((await callBack(unknown)).status, 404)
  t.equal((await callBack({ ...said, status: 'expired' })).status, 422)
  t.equal((await callBack({ ...said, admin: true })).status, 422)
  await until(async () => (await status()).status === 'in_review')
  t.equal((await callBack(said, { id: 'msg_1' })).status, 200, 'a refused one took no id away')
})

t.test('if the provider is down, the case is sent at the next start', async (t) => {
  const { daemon, env, receiver, submit, status } = await start(t)
  receiver.script({ status: 500, body: fullFields.identityNumbers.passport })
  const { verificationId } = await submit()
  await receiver.received(1)
  const queued = () => daemon.need('GET', `/system/kyc/${verificationId}`, { bearer })
  const { sending } = await until(async () => {
    const one = await queued()
    return one.sending?.attempts === 1 ? one : undefined
  })
  t.match(sending, { problem: 'The provider answered 500.', nextAttemptAt: String })
  t.match(await status(), { status: 'pending' })
  await daemon.stop()

  receiver.always({
    status: 200,
    body: '{"status":"rejected","reason":"The picture is blurred"}',
  })
  const later = await startDaemon(t, { dir: daemon.dir, env })
  const requests = await receiver.received(2)
  const ids = requests.map(({ headers }) => headers['webhook-id'])
  t.same(ids, [verificationId, verificationId])
  const decided = await until(async () => {
    const one = await later.need('GET', `/system/kyc/${verificationId}`, { bearer })
    return one.status === 'rejected' ? one : undefined
  })
  t.match(decided, { reason: 'The picture is blurred', sending: null })
})

t.test('a provider at an address that is forbidden is never called', async (t) => {
  const { daemon, receiver, submit } = await start(t, { CHECKS_TARGETS: 'public' })
  const { verificationId } = await submit()
  const { sending } = await until(async () => {
    const one = await daemon.need('GET', `/system/kyc/${verificationId}`, { bearer })
    return one.sending?.attempts === 1 ? one : undefined
  })
  t.match(sending.problem, /loopback/)
  t.equal(receiver.requests.length, 0)
})

t.test('without a provider there are no callbacks', async (t) => {
  const { callBack } = await start(t, { KYC_PROVIDER: 'manual' })
  const said = { verificationId: 'kyc_01jd0000000000000000000000', status: 'approved' }
  t.equal((await callBack(said)).status, 404)
})
