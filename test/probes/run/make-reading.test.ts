// The reading in which a look ends: only what was measured, and of a failure what may be told.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { failure, silence } from '../../../src/net/failure.ts'
import { failedReading, readingOf } from '../../../src/probes/run/make-reading.ts'

const measured = {
  atMs: 1_000,
  durationMs: 20,
  phases: { connect: 1 },
  address: '192.0.2.1',
  certificate: undefined,
}
const seen = { phase: 'tls', addresses: ['192.0.2.1'], isHidden: false, discretion: {} } as const

t.test('what was not measured is not in it', async (t) => {
  const { certificate: _, ...there } = measured
  t.same(readingOf(measured, 'good', {}), { ...there, outcome: 'good' })
  t.same(readingOf({ ...measured, status: 0 }, 'good', {}), { ...there, outcome: 'good' })
  t.equal(readingOf({ ...measured, status: 204 }, 'good', {}).status, 204)
})

t.test('what the target shows of its failure is added for those who may read it', async (t) => {
  const found = { ...failure('tls', 'another name'), detail: 'it is for a.example' }
  const open = failedReading(measured, found, seen)
  t.same(open.error, { kind: 'tls', message: 'another name: it is for a.example', phase: 'tls' })
  const hidden = failedReading(measured, found, { ...seen, isHidden: true })
  t.equal(hidden.error?.message, 'another name')
  const endless = failedReading(measured, { ...found, detail: 'x'.repeat(999) }, seen)
  t.equal(endless.error?.message.length, limits.errorMessageCharsMax)
})

t.test('what could be our own trouble says so', async (t) => {
  const lost = failedReading(measured, silence('timeout', 'no answer'), seen)
  t.equal(lost.doubt, 'ipv4')
  t.notOk('doubt' in failedReading(measured, failure('connect', 'refused'), seen))
})

t.test('who issued the certificate of others is not told, only when it expires', async (t) => {
  const certificate = { expiresAtMs: 5_000, issuer: 'Vault of Secret Project' }
  let asked = 0
  const discretion = { hidesPrivate: () => ++asked > 0 }
  const open = { ...measured, address: '8.8.8.8', certificate }
  t.same(readingOf(open, 'good', discretion).certificate, certificate)
  t.equal(asked, 0, 'of a public address nobody is asked')
  const issuer = '(not kept: a private address on a shared service)'
  const found = failure('tls', 'it has expired')
  for (const address of ['10.0.0.7', '::ffff:127.0.0.1', undefined]) {
    const inside = { ...open, address }
    const readings = [
      readingOf(inside, 'good', discretion),
      failedReading(inside, found, { ...seen, isHidden: true, discretion }),
    ]
    for (const reading of readings) t.same(reading.certificate, { expiresAtMs: 5_000, issuer })
    t.same(readingOf(inside, 'good', {}).certificate, certificate, 'where one’s own is kept')
  }
})
