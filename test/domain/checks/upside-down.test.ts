// What a reading of a target means that is expected to fail.
import t from 'tap'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import { asExpected } from '../../../src/domain/checks/upside-down.ts'
import { verdictOn } from '../../../src/domain/checks/verdict.ts'

const monitor = { checkType: 'tcp', degradedThresholdMs: 3_000, isUpsideDown: true } as const
const certificate = { expiresAtMs: 5, issuer: 'Test CA' }
const seen: Reading = { atMs: 1_000, durationMs: 9_000, result: 'good', status: 200, certificate }
const failing = (kind: 'connect' | 'timeout' | 'blocked' | 'dns', message: string): Reading => ({
  ...seen,
  result: 'failed',
  error: { kind, message },
  evidence: { status: 200 },
})

t.test('a target that fails is good, says why, and is never slow', (t) => {
  for (const kind of ['connect', 'timeout', 'dns'] as const) {
    const reading = asExpected(monitor, failing(kind, 'connection refused by 192.0.2.1:22'))
    t.match(reading, {
      result: 'good',
      durationMs: 9_000,
      message: 'as expected: connection refused by 192.0.2.1:22',
    })
    t.notOk('error' in reading || 'evidence' in reading || 'certificate' in reading)
    t.equal(verdictOn(monitor, reading), 'up')
  }
  t.end()
})

t.test('a target that works is down, also where it is degraded by its own word', (t) => {
  for (const reading of [
    seen,
    { ...seen, isDegraded: true, message: 'a partial outage' } as const,
  ]) {
    const found = asExpected(monitor, reading)
    t.match(found, {
      result: 'failed',
      error: { kind: 'assertion', message: 'the target works, and is expected to fail' },
      evidence: { status: 200 },
    })
    t.equal(verdictOn(monitor, found), 'down')
  }
  t.end()
})

t.test('what says nothing about the target is never good', (t) => {
  const blocked = failing('blocked', 'leads to a private address, which is not allowed')
  t.equal(asExpected(monitor, blocked), blocked)
  const unknown = { ...seen, result: 'unknown' } as const
  t.equal(asExpected(monitor, unknown), unknown)
  t.equal(asExpected({}, seen), seen, 'and any other monitor is as it was')
  t.end()
})
