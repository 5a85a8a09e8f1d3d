// Idempotency-Key: whose, for what, and with which body.
import t from 'tap'
import type { Principal } from '../../../src/domain/access.ts'
import { replayClaim } from '../../../src/http/pipeline/idempotency.ts'

const alice = { kind: 'session', userId: 'usr_a', sessionId: 'ses_1' } as Principal
const body = Buffer.from('{}')

t.test('the key counts for its owner and operation, bare or as a structured string', async (t) => {
  const claim = replayClaim('"k"', alice, 'create /a', body)
  t.equal(claim?.owner, 'usr_a')
  t.same(replayClaim('k', alice, 'create /a', body), claim)
  t.not(replayClaim('k', alice, 'create /b', body)?.keyHash, claim?.keyHash)
  t.not(replayClaim('k', alice, 'create /a', Buffer.from('x'))?.bodyHash, claim?.bodyHash)
  t.notMatch(JSON.stringify(claim), /"k"/, 'the key itself is not kept')
})

t.test('a new session of the same user gets the same response', async (t) => {
  const later = { ...alice, sessionId: 'ses_2' } as Principal
  t.same(replayClaim('k', later, 'x', body), replayClaim('k', alice, 'x', body))
  const key = { kind: 'key', keyId: 'key_a' } as Principal
  t.equal(replayClaim('k', key, 'x', body)?.owner, 'key_a')
  t.equal(replayClaim('k', { kind: 'system' }, 'x', body)?.owner, 'system')
})

t.test('without a key or an owner nothing is stored', async (t) => {
  t.equal(replayClaim('', alice, 'x', body), undefined)
  t.equal(replayClaim('k', { kind: 'anonymous' }, 'x', body), undefined)
})

t.test('keys that are too long or not printable are refused', async (t) => {
  for (const wrong of ['x'.repeat(256), '"a"b"', '""', 'é']) {
    t.throws(() => replayClaim(wrong, alice, 'x', body), { code: 'invalid_parameter' }, wrong)
  }
})
