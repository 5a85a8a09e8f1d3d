// Connections: TLS and its certificates, several addresses, and what is nobody's fault.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { chainRoot, chains } from '../../support/chain-certificates.ts'
import { resolverThat, resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import {
  anyTime,
  der,
  nameWith,
  type OddParts,
  oddCertificate,
  oddKey,
  sequence,
  utcTime,
} from '../../support/odd-certificate.ts'
import { answer, closedPort, hangUp, silent, startTarget } from '../../support/target.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'
import { startTlsTarget } from '../../support/tls-target.ts'
import { until } from '../../support/until.ts'

const { expired, other, self } = testCertificates
const { future, weakKey } = chains
const clock = startClock()
t.after(() => clock.stop())
const ticking = startTickingClock(t)
let addresses = ['127.0.0.1']
const resolver = resolverThat(async () => ({ addresses }))
const guard = createGuard({ targets: 'any' })
const deps = { guard, resolver, clock }
const { probe: probeEndpoint } = createProbes({
  ...deps,
  ca: [testCa, chainRoot],
})
const check = (fields: TargetFields) => probeEndpoint(makeTarget(fields), { clock })

/** The same with a deadline that does not pass while this process does not run. */
function checkInTicks(fields: TargetFields) {
  const { probe } = createProbes({ ...deps, clock: ticking })
  return probe(makeTarget(fields), { clock: ticking })
}

t.test('over TLS the handshake is timed and the certificate is read', async (t) => {
  const target = await startTarget(answer(), { tls: testCertificates.good })
  t.after(() => target.close())
  for (const url of [target.url, `https://localhost:${target.port}/`]) {
    const reading = await check({ url })
    t.match(reading, { result: 'good', status: 200, address: '127.0.0.1' })
    t.ok((reading.phases?.tls ?? 0) > 0)
    const expiresAtMs = Date.UTC(2125, 0, 1)
    t.match(reading.certificate, {
      expiresAtMs,
      issuer: 'Stillup Tests',
      fingerprint: /^[0-9a-f]{64}$/,
    })
  }
})

t.test(
  'a certificate that is expired, foreign or untrusted is a failure, unless ignored',
  async (t) => {
    const rows = [
      [expired, 'the certificate has expired: it was valid until 1 January 2021, 00:00 UTC'],
      [future, /^the certificate is not valid yet: it is valid from \d+ \w+ 2\d{3}, .* UTC$/],
      [other, 'the certificate is for another host name: it is for other.example'],
      [self, 'the certificate is self-signed'],
    ] as const
    for (const [tls, message] of rows) {
      const target = await startTarget(answer(), { tls })
      t.after(() => target.close())
      const url = `https://localhost:${target.port}/`
      const reading = await check({ url, headers: { 'x-key': 'secret' } })
      t.match(reading, { result: 'failed', error: { kind: 'tls', message, phase: 'tls' } })
      t.type(reading.certificate?.expiresAtMs, 'number', 'the certificate is shown all the same')
      t.equal(reading.address, '127.0.0.1')
      t.same(Object.keys(reading.phases ?? {}), ['dns', 'connect', 'tls'], 'and how far it came')
      t.equal(target.calls.length, 0, 'nothing was sent to it')
      t.match(await check({ url, ignoreTlsErrors: true }), { result: 'good' })
    }
  },
)

t.test('a key that is too short for OpenSSL is reported as that', async (t) => {
  const url = `https://localhost:${await startTlsTarget(t, weakKey)}/`
  const message = /^the key of the certificate is too short \(RSA, 1024 bits\)/
  t.match(await check({ url }), { result: 'failed', error: { kind: 'tls', message } })
})

t.test('names of a private certificate are not shown on a shared service', async (t) => {
  const target = await startTarget(answer(), { tls: other })
  t.after(() => target.close())
  const { probe } = createProbes({ ...deps, ca: [testCa], hidesPrivate: () => true })
  for (const [checkType, scheme] of [
    ['endpoint', 'https'],
    ['ssl', 'tls'],
    ['smtp', 'smtps'],
  ] as const) {
    const url = `${scheme}://localhost:${target.port}`
    const { error, found } = await probe(makeTarget({ checkType, url }), { clock })
    t.equal(error?.message, 'the certificate is for another host name', checkType)
    t.notMatch(JSON.stringify({ error, found }), /other\.example/)
  }
})

t.test('without an authority of its own the daemon trusts those of Node', async (t) => {
  const target = await startTarget(answer(), { tls: testCertificates.good })
  t.after(() => target.close())
  const { probe: probeEndpoint } = createProbes(deps)
  const reading = await probeEndpoint(makeTarget({ url: target.url }), { clock })
  t.equal(reading.error?.kind, 'tls')
})

t.test('a handshake that fails says how', async (t) => {
  const target = await startTarget()
  t.after(() => target.close())
  const url = `https://127.0.0.1:${target.port}/`
  target.greet = (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  const plain = await check({ url })
  t.match(plain.error, { kind: 'tls', message: 'the server does not speak TLS on this port' })
  target.greet = (socket) => socket.end()
  const closed = await check({ url })
  t.match(closed.error, { kind: 'tls', message: /closed during the TLS handshake/ })
  target.greet = undefined
  const mute = await checkInTicks({ url, timeoutMs: 200 })
  for (const { address, phases } of [plain, closed, mute]) {
    t.equal(address, '127.0.0.1', 'TCP was connected')
    t.same(Object.keys(phases ?? {}), ['connect', 'tls'])
  }
  t.ok((mute.phases?.tls ?? 0) > 150, 'the time that the handshake has taken so far')
  t.match(mute.error, { kind: 'timeout', phase: 'tls', message: /in the TLS handshake/ })
})

t.test('the next address is tried when the first one refuses', async (t) => {
  const target = await startTarget(answer(), { address: '127.0.0.1' })
  t.after(() => target.close())
  addresses = ['127.0.0.2', '::1', '127.0.0.1']
  const reading = await check({ url: `http://several.example:${target.port}/` })
  t.match(reading, { result: 'good', address: '127.0.0.1' })
  t.ok((reading.phases?.dns ?? -1) >= 0)
})

t.test('when all addresses refuse, that is the failure', async (t) => {
  addresses = ['127.0.0.2', '127.0.0.3']
  const reading = await check({ url: `http://several.example:${await closedPort()}/` })
  t.match(reading, { result: 'failed', error: { kind: 'connect', phase: 'connect' } })
})

t.test('a machine without a route blames no target', async (t) => {
  const { probe: probeEndpoint } = createProbes({
    ...deps,
    // The kernel refuses to connect to a broadcast address; no packet is sent.
    resolver: resolverTo('255.255.255.255'),
  })
  const reading = await probeEndpoint(makeTarget({ url: 'http://far.example/' }), { clock })
  t.equal(reading.error?.kind, 'connect')
  t.equal(reading.result, 'unknown')
})

t.test('a look-up that never ends is ended by the deadline', async (t) => {
  const { probe: probeEndpoint } = createProbes({
    ...deps,
    resolver: resolverThat(() => new Promise(() => {})),
  })
  const target = makeTarget({ url: 'http://slow.example/', timeoutMs: 120 })
  const reading = await probeEndpoint(target, { clock })
  t.match(reading, { result: 'failed', error: { kind: 'timeout', phase: 'dns' } })
})

t.test('a target that closes before TLS and a silent one leave nothing open', async (t) => {
  for (const script of [hangUp, silent]) {
    const target = await startTarget(script, { tls: testCertificates.good })
    t.after(() => target.close())
    await Promise.all(Array.from({ length: 50 }, () => check({ url: target.url, timeoutMs: 150 })))
    await until(() => target.open === 0)
  }
})

t.test('a certificate that no tool would make costs no more than its check', async (t) => {
  const nobody = sequence()
  const odd: readonly (OddParts & { readonly says: string })[] = [
    { says: 'names no issuer', issuer: nobody },
    { says: 'names no subject', subject: nobody },
    { says: 'has a part without text', issuer: nameWith('') },
    { says: 'has a zero in a name', issuer: nameWith('a\0b\nO=c') },
    { says: 'has a sequence in a name', issuer: nameWith('', 0x30) },
    { says: 'ends in a 13th month', to: utcTime('351332000000Z') },
    { says: 'ends in a 13th month with four digits', to: anyTime('20351332000000Z') },
    { says: 'ends before our era', to: anyTime('-0010101000000Z') },
    { says: 'begins in year 0', from: anyTime('00000101000000Z') },
    { says: 'begins in a 13th month', from: anyTime('20351332000000Z') },
    { says: 'is valid for ever', to: anyTime('99991231235959Z') },
    { says: 'has names that are none', names: Buffer.from('ffffff', 'hex') },
    { says: 'has an empty list of names', names: sequence() },
    { says: 'has an address without a byte', names: sequence(der(0x87)) },
    { says: 'has a name of no encoding', names: sequence(der(0x82, Buffer.from([255, 192, 40]))) },
    { says: 'has quotes in a name', names: sequence(der(0x86, Buffer.from('"\\u'))) },
  ]
  for (const { says, ...parts } of odd) {
    const target = await startTarget(answer(), {
      tls: { cert: oddCertificate(parts), key: oddKey },
    })
    t.after(() => target.close())
    const { url } = target
    for (const fields of [{ checkType: 'ssl' }, { url }, { url, ignoreTlsErrors: true }] as const) {
      const found = await check({ url, ...fields })
      const reading = `${says}: ${found.error?.message}`
      const isGood = 'ignoreTlsErrors' in fields
      t.match(
        found,
        isGood ? { result: 'good' } : { result: 'failed', error: { kind: 'tls' } },
        reading,
      )
      t.ok(Number.isSafeInteger(found.certificate?.expiresAtMs), reading)
      t.type(found.certificate?.issuer, 'string')
    }
  }
})
