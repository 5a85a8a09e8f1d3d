// Standard Webhooks signatures: key pairs, compared with a known example and another library.
import { createPublicKey, verify } from 'node:crypto'
import t from 'tap'
import { mintSigningKey, publicKeyOf, signWebhook } from '../../src/seal/sign.ts'

/** The example of the specification; its key is that of the tests of Svix's server. */
const example = {
  signingKey:
    'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
  publicKey: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
  signature:
    'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
}

t.test('the known example has the known signature and public key', async (t) => {
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  const made = signWebhook(example.signingKey, id, 1_614_265_330, '{"test": 2432232314}')
  t.equal(made, example.signature)
  t.equal(publicKeyOf(example.signingKey), example.publicKey)
})

t.test('another library verifies with the public key alone', async (t) => {
  const key = mintSigningKey()
  t.not(key, mintSigningKey())
  t.match(key, /^whsk_[A-Za-z0-9+/]{86}==$/)
  const [version, signature = ''] = signWebhook(key, 'msg_1', 5, 'ünd').split(',')
  t.equal(version, 'v1a')
  const x = Buffer.from((publicKeyOf(key) ?? '').slice(5), 'base64').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const isRight = (text: string) =>
    verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))
  t.equal(isRight('msg_1.5.ünd'), true)
  t.equal(isRight('msg_1.6.ünd'), false)
})

t.test('only a whole pair of keys has a public key', async (t) => {
  const bytes = Buffer.from(example.signingKey.slice(5), 'base64')
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.alloc(32)])
  const texts = ['', 'whsk_', `whsk_${bytes.subarray(0, 32).toString('base64')}`, 'whsec_AAAA']
  for (const text of [...texts, `whsk_${other.toString('base64')}`]) {
    t.equal(publicKeyOf(text), undefined, text)
  }
})
