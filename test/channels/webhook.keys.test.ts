// The keys of a webhook: a second secret during rotation, and a key pair. Seen by its receiver.
import { createPublicKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import type { Fault } from '../../src/base/fault.ts'
import type { Config } from '../../src/channels/model/config.ts'
import { secretMask } from '../../src/domain/secret-mask.ts'
import { mintSigningKey, mintWebhookSecret, publicKeyOf } from '../../src/seal/sign.ts'
import type { OrgScope } from '../../src/services/context.ts'
import { callerOf } from '../support/access.ts'
import { openChannelsService } from '../support/channels.ts'
import { orgTwo } from '../support/make-page.ts'
import { startReceiver } from '../support/receiver.ts'

const hourMs = 3_600_000
const charlie: OrgScope = { caller: callerOf(), orgId: orgTwo, role: 'admin' }

async function start(test: Test) {
  const receiver = await startReceiver()
  test.teardown(() => receiver.close())
  const world = openChannelsService(test)
  const { channels } = world
  return {
    ...world,
    create: (config: object = {}) =>
      channels.create(charlie, {
        name: 'Hook',
        type: 'webhook',
        config: { url: receiver.url, ...config },
      }),
    change: (id: string, config: Config) => channels.change(charlie, id, { config }),
    /** What the receiver got in a test of the channel. */
    async sent(id: string) {
      await channels.test(charlie, id)
      const { body = '', headers = {} } = receiver.requests.at(-1) ?? {}
      return { body, headers, signatures: (headers['webhook-signature'] ?? '').split(' ') }
    },
  }
}

type Sent = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['sent']>>

function isVerified(secret: unknown, { body, headers }: Sent): boolean {
  try {
    new Webhook(String(secret)).verify(body, headers)
    return true
  } catch {
    return false
  }
}

t.test('after a rotation both secrets verify for a day', async (t) => {
  const { create, change, sent, clock } = await start(t)
  const { id, config } = await create()
  t.same((await sent(id)).signatures.length, 1)
  const rotated = await change(id, { secret: null })
  t.match(rotated.config, { secret: /^whsec_/, previousSecret: secretMask })
  t.equal(rotated.config.previousSecretUntil, new Date(clock.nowMs() + 24 * hourMs).toISOString())
  const during = await sent(id)
  t.equal(during.signatures.length, 2)
  t.ok(isVerified(rotated.config.secret, during))
  t.ok(isVerified(config.secret, during))

  await clock.advance(24 * hourMs)
  t.equal((await sent(id)).signatures.length, 1)
  const changed = await change(id, { url: rotated.config.url })
  t.notOk('previousSecret' in changed.config, 'and is forgotten')
})

t.test('a rotation may take another time, or end at once', async (t) => {
  const { create, change, sent, clock } = await start(t)
  const { id } = await create()
  const secret = mintWebhookSecret()
  const until = new Date(clock.nowMs() + hourMs).toISOString()
  const changed = await change(id, { secret, previousSecretUntil: until })
  t.match(changed.config, { secret: secretMask, previousSecretUntil: until })
  t.equal((await sent(id)).signatures.length, 2)
  const kept = await change(id, { ...changed.config })
  t.match(kept.config, { previousSecretUntil: until }, 'what was read can be sent back')

  const ended = await change(id, { previousSecret: null })
  t.notOk('previousSecretUntil' in ended.config)
  const after = await sent(id)
  t.equal(after.signatures.length, 1)
  t.ok(isVerified(secret, after))
})

t.test('with v1a the receiver needs only the public key', async (t) => {
  const { create, change, sent, box, store } = await start(t)
  const { id, config } = await create({ v1a: true })
  t.match(config, { signingKey: secretMask, publicKey: /^whpk_/ })
  const record = store.channels.get(charlie.orgId, id)
  const key = JSON.parse(box.open(record?.secretsBox ?? '')).signingKey
  t.equal(publicKeyOf(key), config.publicKey)

  const { body, headers, signatures } = await sent(id)
  t.match(signatures, [/^v1,/, /^v1a,/])
  t.ok(isVerified(config.secret, { body, headers, signatures }), 'v1 is there as well')
  const x = Buffer.from(String(config.publicKey).slice(5), 'base64').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = Buffer.from(signatures[1]?.slice('v1a,'.length) ?? '', 'base64')
  t.ok(verify(null, Buffer.from(signed), publicKey, signature))

  const renewed = await change(id, { signingKey: null })
  t.not(renewed.config.publicKey, config.publicKey)
  const own = mintSigningKey()
  t.match((await change(id, { signingKey: own })).config, { publicKey: publicKeyOf(own) })
  const off = await change(id, { v1a: false })
  t.notOk('publicKey' in off.config || 'signingKey' in off.config)
})

t.test('a wrong key is refused at its field', async (t) => {
  const { create } = await start(t)
  const refusal = async (config: object) => {
    const fault: Fault = await create(config).then(
      () => t.fail('it was accepted'),
      (error) => error,
    )
    return fault.errors.map(({ pointer, message }) => `${pointer} ${message}`)
  }
  t.match(await refusal({ v1a: true, signingKey: 'whsk_AAAA' }), [/^\/config\/signingKey must be/])
  t.match(await refusal({ signingKey: mintSigningKey() }), [/^\/config\/signingKey .*v1a: true/])
  t.match(await refusal({ previousSecret: 'short' }), [/^\/config\/previousSecret must be whsec_/])
  t.match(await refusal({ previousSecretUntil: 'soon' }), [
    /^\/config\/previousSecretUntil must be/,
  ])
})
