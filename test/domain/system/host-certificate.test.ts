// Decisions about the certificates of the service's own hosts.
import t from 'tap'
import {
  certificateStateOf,
  type HostCertificate,
  isCertifiable,
  isNoticeDue,
  newHostCertificate,
  withFailure,
  withIssued,
} from '../../../src/domain/system/host-certificate.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const issued = { chainPem: '', keyBox: '', issuer: 'A', fromMs: 0, expiresAtMs: 90 * dayMs }
const failure = { reason: 'no', endsOrder: true, retryAfterMs: undefined }

function failed(times: number, before: HostCertificate = newHostCertificate('a.example', 0)) {
  let record = before
  for (let time = 0; time < times; time += 1) record = withFailure(record, failure, 0)
  return record
}

t.test('a certificate is renewed at two thirds of its life', async (t) => {
  const record = withIssued(failed(2), issued, 0)
  t.match(record, { nextAttemptAtMs: 60 * dayMs, failures: 0, reason: null, order: null })
  const late = withIssued(record, issued, 89 * dayMs)
  t.equal(late.nextAttemptAtMs, 98 * dayMs, 'by a wrong clock not in a loop')
})

t.test('failures wait longer and longer, and as long as the authority asks', async (t) => {
  const waits = [1, 2, 3, 4, 9].map((times) => failed(times).nextAttemptAtMs)
  t.same(waits, [600_000, hourMs, 6 * hourMs, dayMs, dayMs])
  const asked = withFailure(
    newHostCertificate('a.example', 0),
    { ...failure, retryAfterMs: dayMs },
    0,
  )
  t.equal(asked.nextAttemptAtMs, dayMs)
})

t.test(
  'a renewal that the authority puts off is tried again when the authority says',
  async (t) => {
    const refused = {
      reason: 'no',
      endsOrder: false,
      retryAfterMs: 3 * hourMs,
      isRateLimited: true,
    }
    const renewing = failed(4, withIssued(newHostCertificate('a.example', 0), issued, 0))
    t.match(withFailure(renewing, refused, 0), {
      nextAttemptAtMs: 3 * hourMs,
      domainPausedUntilMs: 3 * hourMs,
    })
    t.match(withFailure(failed(4), refused, 0), { nextAttemptAtMs: dayMs }, 'not a new host')
    t.match(withFailure(withFailure(renewing, refused, 0), failure, 0), { domainPausedUntilMs: 0 })
  },
)

t.test('a failed renewal leaves a certificate issued until it expires', async (t) => {
  const fresh = newHostCertificate('a.example', 0)
  t.equal(certificateStateOf(fresh, 0), 'pending')
  t.equal(certificateStateOf(failed(1), 0), 'failed')
  const renewing = failed(1, withIssued(fresh, issued, 0))
  t.equal(certificateStateOf(renewing, 89 * dayMs), 'issued')
  t.equal(certificateStateOf(renewing, 90 * dayMs), 'failed')
})

t.test('the operator is told once, in the last week', async (t) => {
  const renewing = failed(1, withIssued(newHostCertificate('a.example', 0), issued, 0))
  t.notOk(isNoticeDue(renewing, 82 * dayMs))
  t.ok(isNoticeDue(renewing, 84 * dayMs))
  t.notOk(isNoticeDue({ ...renewing, toldExpiryMs: issued.expiresAtMs }, 84 * dayMs))
  t.notOk(isNoticeDue({ ...renewing, failures: 0 }, 84 * dayMs))
})

t.test('authorities issue certificates for names with a dot', async (t) => {
  for (const host of ['up.example', 'xn--bcher-kva.example', 'a.b.xn--p1ai'])
    t.ok(isCertifiable(host))
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'a..b', '-a.example', 'a.example.', '']) {
    t.notOk(isCertifiable(host), host)
  }
})
