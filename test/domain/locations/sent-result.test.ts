// Results as remote probes send them: what is understood of one.
import t from 'tap'
import { readLoad, readResult } from '../../../src/domain/locations/sent-result.ts'

const nowMs = Date.UTC(2026, 0, 2)
const sent = {
  monitorId: 'mon_01k00000000000000000000001',
  revision: 3,
  dueAtMs: nowMs - 5_000,
  try: 0,
  ageMs: 4_000.4,
  result: 'good',
  durationMs: 120.5,
}
const failed = {
  ...sent,
  result: 'failed',
  error: { kind: 'status', message: 'the status is 500' },
}
const read = (more: object) => readResult({ ...sent, ...more }, nowMs)

t.test('its age becomes a time of our clock', async (t) => {
  t.match(read({}), { reading: { atMs: nowMs - 4_000, durationMs: 120.5, result: 'good' } })
})

t.test('what is no result is refused', async (t) => {
  const wrong: object[] = [
    { monitorId: 'mon_1' },
    { monitorId: null },
    { monitorId: [sent.monitorId] },
    { monitorId: { toString: 1, valueOf: 1 } },
    { revision: -1 },
    { dueAtMs: 1.5 },
    { dueAtMs: '1' },
    { try: 1_001 },
    { try: -1 },
    { ageMs: -1 },
    { ageMs: Number.NaN },
    { durationMs: -1 },
    { durationMs: 1e12 },
    { result: 'fine' },
    { result: 'failed' },
    { result: 'failed', error: { kind: 'status' } },
  ]
  for (const more of wrong) t.equal(read(more), undefined, JSON.stringify(more))
  for (const value of [null, 7, 'x', []]) t.equal(readResult(value, nowMs), undefined)
})

t.test('what a newer probe adds is ignored', async (t) => {
  const result = readResult({ ...failed, mood: 'good', error: { ...failed.error, hint: 1 } }, nowMs)
  t.notOk('mood' in (result?.reading ?? {}))
  t.same(result?.reading.error, failed.error)
  const newer = readResult({ ...failed, error: { kind: 'quic', message: 'no' } }, nowMs)
  t.match(newer?.reading, { result: 'failed', error: { kind: 'invalid_response', message: 'no' } })
})

t.test('texts and lists have the bounds of our own readings', async (t) => {
  const long = 'x'.repeat(100_000)
  const headers = Array.from({ length: 1_000 }, () => [long, long])
  const failedAssertions = Array.from({ length: 1_000 }, () => ({ expected: long, found: long }))
  const result = readResult(
    {
      ...failed,
      error: { kind: 'status', message: long, phase: 'dns' },
      message: long,
      address: long,
      certificate: { expiresAtMs: nowMs, issuer: long, fingerprint: long },
      evidence: { status: 500, headers, body: long, url: long, note: long, failedAssertions },
      found: long,
    },
    nowMs,
  )
  t.ok(result)
  t.ok(JSON.stringify(result).length < 100_000)
  t.equal(result?.reading.error?.message.length, 300)
  t.equal(result?.reading.evidence?.headers?.length, 40)
  t.equal(result?.reading.evidence?.body?.length, 2_048)
  t.notOk('fingerprint' in (result?.reading.certificate ?? {}))
  t.equal(read({ found: { long } })?.reading.found, undefined)
  t.same(read({ found: { chain: [1] } })?.reading.found, { chain: [1] })
  const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
  t.equal(read({ found: deep })?.reading.found, undefined)
  const merged = JSON.parse(`{"found":{"__proto__":{"isAdmin":true}}}`)
  t.equal(read(merged)?.reading.found, undefined)
})

t.test('which assertion accepts what was found comes with it', async (t) => {
  const one = { expected: 'a', found: 'b' }
  const said = [{ ...one, assertion: 3 }, { ...one, assertion: '3' }, one]
  const result = readResult({ ...failed, evidence: { failedAssertions: said } }, nowMs)
  t.same(result?.reading.evidence?.failedAssertions, [{ ...one, assertion: 3 }, one, one])
})

t.test('the steps of a check arrive within the bounds of our own', async (t) => {
  const step = { name: 'Look', outcome: 'failed', isCleanUp: true, method: 'GET', url: 'http://a/' }
  const more = { status: 500, durationMs: 12.5, message: 'm'.repeat(900), captures: { id: 'x' } }
  const wrong = [null, 7, { ...step, outcome: 'great' }, { ...step, name: 7 }]
  const steps = [{ ...step, ...more, body: 'b'.repeat(9_000) }, ...wrong, step]
  const result = readResult({ ...failed, evidence: { steps } }, nowMs)
  const [first, second, ...others] = result?.reading.evidence?.steps ?? []
  t.match(first, { ...step, status: 500, durationMs: 12.5, captures: { id: 'x' } })
  t.equal(first?.message?.length, 300)
  t.equal(first?.body?.length, 2_048)
  t.same(second, step)
  t.same(others, [])
  const many = readResult({ ...failed, evidence: { steps: Array(50).fill(step) } }, nowMs)
  t.equal(many?.reading.evidence?.steps?.length, 20)
})

t.test('texts are well-formed, and phases are numbers', async (t) => {
  const { reading } =
    read({ message: 'a\ud800b', phases: { dns: 1.5, tls: -1, x: 2, connect: 'y' } }) ?? {}
  t.equal(reading?.message, 'a\ufffdb')
  t.same(reading?.phases, { dns: 1.5 })
})

t.test('what a probe does not say of itself is 0', async (t) => {
  t.same(readLoad({ checks: 5, lateMs: 1.6, dropped: -1 }), {
    checks: 5,
    dropped: 0,
    lateMs: 2,
    monitors: 0,
  })
  t.same(readLoad('x'), { checks: 0, dropped: 0, lateMs: 0, monitors: 0 })
})

t.test('of the requests of a page what is not understood is left out', async (t) => {
  const requestsOf = (requests: unknown) =>
    readResult({ ...failed, evidence: { requests } }, nowMs)?.reading.evidence?.requests
  const request = { method: 'GET', url: 'https://a.test/', type: 'Document', startMs: 0 }
  const whole = { ...request, durationMs: 12, status: 200, bytes: 42, errorText: 'net::ERR_FAILED' }
  const wrong = [null, {}, { ...request, startMs: 'soon' }, { ...request, url: 7 }]
  t.same(requestsOf([whole, ...wrong, request]), [whole, request])
  t.same(requestsOf([{ ...request, durationMs: -1, status: '200', bytes: 0.5 }]), [request])
  t.equal(requestsOf(Array(1_000).fill(request))?.length, 100)
  t.equal(requestsOf([{ ...request, url: 'x'.repeat(10_000) }])?.[0]?.url.length, 500)
  t.equal(requestsOf('all'), undefined)
})

t.test('a picture is a JPEG within its bound, or is left out', async (t) => {
  const pictureOf = (picture: unknown) =>
    readResult({ ...failed, evidence: { picture } }, nowMs)?.reading.evidence?.picture
  t.equal(pictureOf('/9j/4AAQ=='), '/9j/4AAQ==')
  for (const wrong of [7, '', 'PHN2Zz4=', '/9j/<b>', `/9j/${'A'.repeat(200_000)}`]) {
    t.equal(pictureOf(wrong), undefined)
  }
})

t.test('the way to a silent target has thirty routers at most, each in its place', async (t) => {
  const wayOf = (traceroute: unknown) =>
    readResult({ ...failed, evidence: { traceroute } }, nowMs)?.reading.evidence?.traceroute
  const router = { outcome: 'passed', address: '192.0.2.1', roundTripMs: 1.5 }
  const hops = [router, 7, { outcome: 'new', address: 5, roundTripMs: -1 }, { isPrivate: true }]
  const silent = { outcome: 'silent' }
  t.same(wayOf({ ageMs: 5, hops }), {
    ageMs: 5,
    hops: [router, silent, silent, { ...silent, isPrivate: true }],
  })
  t.equal(wayOf({ ageMs: 0, hops: Array(50).fill(router) })?.hops.length, 30)
  for (const wrong of [7, { hops }, { ageMs: -1, hops }, { ageMs: 0, hops: 'none' }]) {
    t.equal(wayOf(wrong), undefined)
  }
})
