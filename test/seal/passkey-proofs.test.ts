// What passkeys sign: the right answer is taken, and nothing is asked of the network.
import t from 'tap'
import { verifiedCreation, verifiedUse } from '../../src/seal/passkey-proofs.ts'
import { softPasskey } from '../support/soft-passkey.ts'

const site = { origin: 'https://up.example.com', rpId: 'up.example.com' }
const expected = { ...site, challenge: 'AAAA' }

t.test('a passkey proves itself by what it was made with, and by no other', async (t) => {
  const [soft, other] = [softPasskey(site), softPasskey(site)]
  const made = await verifiedCreation(soft.create('AAAA'), expected)
  t.match(made, { credentialId: soft.credentialId, isSynced: false })
  if (!made) return
  const used = soft.use('AAAA', 'x')
  t.match(await verifiedUse(used, made, expected), { counter: made.counter + 1 })
  t.equal(await verifiedUse(other.use('AAAA', 'x', { counter: 9 }), made, expected), undefined)
  t.equal(await verifiedUse(used, made, { ...expected, challenge: 'BBBB' }), undefined)
  t.equal(await verifiedUse(used, { ...made, counter: 9 }, expected), undefined, 'a copy')
})

t.test('a certificate of a maker is refused before anything it names is looked at', async (t) => {
  const soft = softPasskey(site)
  const own = globalThis.fetch
  const asked: unknown[] = []
  globalThis.fetch = async (url) => {
    asked.push(url)
    throw new Error('nothing may be asked')
  }
  t.teardown(() => {
    globalThis.fetch = own
  })
  const certified = soft.create('AAAA', { hasCertificate: true })
  t.equal(await verifiedCreation(certified, expected), undefined)
  t.same(asked, [])
  for (const attestationObject of ['', 'AA', 'o2NmbXRkbm9uZQ', 'v'.repeat(9_999)]) {
    const broken = { ...certified, response: { ...certified.response, attestationObject } }
    t.equal(await verifiedCreation(broken, expected), undefined)
  }
})
