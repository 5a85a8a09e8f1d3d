// The secrets of a remote probe: which tokens work, and for how long.
import t from 'tap'
import { probeSecretOf, withProbeSecret } from '../../../src/domain/locations/probe-secret.ts'
import { makeProbe } from '../../support/make-probe.ts'

const secretNo = (no: number) => ({ authHash: `auth ${no}`, sealBox: `key ${no}` })

t.test('a former secret works until its end, with the key that belongs to it', async (t) => {
  const before = makeProbe(secretNo(1))
  const probe = withProbeSecret(before, secretNo(2), { nowMs: 0, formerUntilMs: 10 })
  t.same(probeSecretOf(probe, 'auth 2', 99), secretNo(2))
  t.match(probeSecretOf(probe, 'auth 1', 9), secretNo(1))
  t.equal(probeSecretOf(probe, 'auth 1', 10), undefined)
  t.equal(probeSecretOf(probe, 'auth 3', 0), undefined)
})

t.test('a new secret keeps former ones that still work, unless all of them end', async (t) => {
  let probe = makeProbe(secretNo(0))
  for (let no = 1; no <= 7; no += 1) {
    probe = withProbeSecret(probe, secretNo(no), { nowMs: no, formerUntilMs: no + 4 })
  }
  t.same(
    probe.former.map(({ authHash }) => authHash),
    ['auth 3', 'auth 4', 'auth 5', 'auth 6'],
    'ended ones are dropped',
  )
  const alone = withProbeSecret(probe, secretNo(8), { nowMs: 8, formerUntilMs: null })
  t.match(alone, { ...secretNo(8), former: [] })
})
