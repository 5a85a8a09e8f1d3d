// Callbacks of the provider: signed, fresh, once, and only for cases that it was given.
import t, { type Test } from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { asWebhookSecret, signWebhook } from '../../../src/seal/sign.ts'
import type { SignedCallback } from '../../../src/services/identity-verification/kyc-callback.ts'
import { callerOf } from '../../support/access.ts'
import { openKyc } from '../../support/kyc.ts'
import { person } from '../../support/kyc-person.ts'

const secret = asWebhookSecret('a-long-random-text')
const provider = callerOf()

async function open(t: Test) {
  const world = openKyc(t, { provider: 'http', secret })
  const mina = await world.enrol('mina')
  const { id } = await world.kyc.submit(mina.caller, person)
  const signed = (body: string, more: Partial<SignedCallback> = {}): SignedCallback => {
    const seconds = Math.floor(world.clock.nowMs() / 1_000)
    const timestamp = more.timestamp ?? String(seconds)
    const name = more.id ?? 'msg_1'
    const signature = signWebhook(secret, name, Number(timestamp), body)
    return { id: name, timestamp, signature, body, ...more }
  }
  return { ...world, mina, id, signed }
}

t.test('a valid signature is accepted for five minutes either way', async (t) => {
  const { kycCallbacks, clock, signed } = await open(t)
  const seconds = Math.floor(clock.nowMs() / 1_000)
  for (const offset of [0, -299, 299, -300, 300]) {
    const timestamp = String(seconds + offset)
    t.doesNotThrow(() => kycCallbacks.verify(signed('{}', { timestamp })), String(offset))
  }
  for (const offset of [-302, 302, -86_400]) {
    const timestamp = String(seconds + offset)
    t.throws(() => kycCallbacks.verify(signed('{}', { timestamp })), { code: 'unauthenticated' })
  }
})

t.test('forged callbacks are refused, always in the same words', async (t) => {
  const { kycCallbacks, signed, clock } = await open(t)
  const right = signed('{"status":"approved"}')
  const seconds = Math.floor(clock.nowMs() / 1_000)
  const otherKey = signWebhook(asWebhookSecret('another-long-text'), 'msg_1', seconds, right.body)
  const forged: SignedCallback[] = [
    { ...right, body: '{"status":"rejected"}' },
    { ...right, id: 'msg_2' },
    { ...right, timestamp: String(seconds - 1) },
    { ...right, timestamp: `${seconds}.0` },
    { ...right, timestamp: '' },
    { ...right, timestamp: 'NaN' },
    { ...right, signature: otherKey },
    { ...right, signature: '' },
    { ...right, signature: 'v1,' },
    { ...right, signature: right.signature.replace('v1,', 'v2,') },
    { ...right, signature: right.signature.slice(0, -2) },
    signed(right.body, { id: '' }),
    signed(right.body, { id: 'x'.repeat(300) }),
  ]
  const told = new Set<string>()
  for (const callback of forged) {
    try {
      kycCallbacks.verify(callback)
      t.fail(JSON.stringify(callback))
    } catch (error) {
      told.add(String(error))
    }
  }
  t.same([...told], ['Fault: The signature is wrong, missing or too old.'])
  t.doesNotThrow(() => {
    kycCallbacks.verify({ ...right, signature: `v1,AAAA ${right.signature} v1a,BBBB` })
  }, 'one of several is enough, for secrets are changed')
})

t.test('a secret that is not base64 still makes a key', (t) => {
  const empty = signWebhook(`whsec_${Buffer.alloc(0).toString('base64')}`, 'a', 1, 'b')
  for (const text of ['!!!!!!!!!!!!!!!!', 'whsec_!!!!!!!!!!!!', '????????????????']) {
    t.not(signWebhook(asWebhookSecret(text), 'a', 1, 'b'), empty, text)
  }
  const minted = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  t.equal(asWebhookSecret(minted), minted)
  t.end()
})

t.test('a callback decides the case once; the same one again is refused', async (t) => {
  const { kycCallbacks, kyc, mina, id, told, logged } = await open(t)
  const said = { verificationId: id, status: 'approved', reason: 'Documents match' } as const
  const race = await Promise.allSettled([
    kycCallbacks.take(provider, 'msg_1', said),
    kycCallbacks.take(provider, 'msg_1', said),
    kycCallbacks.take(provider, 'msg_2', said),
  ])
  t.match(race, [
    { value: { state: 'approved', sending: null } },
    { reason: { code: 'conflict' } },
    { reason: { code: 'conflict' } },
  ])
  t.match(kyc.status(mina.caller), { reason: 'Documents match' })
  t.equal(told().length, 1)
  t.match(logged().at(-1), { action: 'verification.approved', by: 'anonymous', objectId: id })
})

t.test('a repeated review is no news, and a decision may follow it', async (t) => {
  const { kycCallbacks, id } = await open(t)
  const said = { verificationId: id, status: 'in_review' } as const
  t.match(await kycCallbacks.take(provider, 'msg_1', said), { state: 'in_review' })
  t.match(await kycCallbacks.take(provider, 'msg_2', said), { state: 'in_review' })
  const end = { verificationId: id, status: 'rejected' } as const
  t.match(await kycCallbacks.take(provider, 'msg_3', end), { state: 'rejected' })
})

t.test('an unknown case, or one that a person decides, is not found', async (t) => {
  const { kycCallbacks } = await open(t)
  const unknown = { verificationId: newId('verification', 1), status: 'approved' } as const
  await t.rejects(kycCallbacks.take(provider, 'msg_1', unknown), { code: 'not_found' })

  const manual = openKyc(t, { secret })
  const { id } = await manual.kyc.submit((await manual.enrol('ada')).caller, person)
  const said = { verificationId: id, status: 'approved' } as const
  await t.rejects(manual.kycCallbacks.take(provider, 'msg_1', said), { code: 'not_found' })
  const none = openKyc(t.parent as Test).kycCallbacks
  const callback = { id: 'a', timestamp: '1', signature: 'v1,', body: '{}' }
  t.throws(() => none.verify(callback), { code: 'not_found' }, 'without a provider there is none')
})

t.test('ids are remembered as long as their time is accepted', async (t) => {
  const { kycCallbacks, kycKeeping, store, clock, id } = await open(t)
  await kycCallbacks.take(provider, 'msg_1', { verificationId: id, status: 'in_review' })
  await clock.advance(10 * 60_000 - 1)
  await kycKeeping.expireOld(100)
  t.ok(store.kycCallbacks.has('msg_1'))
  await clock.advance(1)
  await kycKeeping.expireOld(100)
  t.notOk(store.kycCallbacks.has('msg_1'))
})
