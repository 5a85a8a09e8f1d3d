// The token of a remote probe: what both sides derive from it.
import t from 'tap'
import { SealBroken } from '../../src/seal/box.ts'
import { probeBox, probeSecrets } from '../../src/seal/probe-token.ts'
import { mintToken } from '../../src/seal/tokens.ts'

t.test('both sides derive the same, and neither secret reveals the other', async (t) => {
  const token = mintToken('stp')
  const { auth, sealKey } = probeSecrets(token)
  t.same(probeSecrets(token), { auth, sealKey })
  t.match(auth, /^[\w-]{43}$/)
  t.not(auth, sealKey)
  t.notOk(token.includes(auth) || auth.includes(token.slice(4)))
})

t.test('what is sealed for one probe opens for it alone', async (t) => {
  const mine = probeSecrets(mintToken('stp'))
  const sealed = probeBox(mine.sealKey).seal('{"headers":{"Authorization":"Bearer x"}}')
  t.notOk(sealed.includes('Bearer'))
  t.equal(probeBox(mine.sealKey).open(sealed), '{"headers":{"Authorization":"Bearer x"}}')
  const other = probeBox(probeSecrets(mintToken('stp')).sealKey)
  t.throws(() => other.open(sealed), SealBroken)
})
