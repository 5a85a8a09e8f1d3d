// The certificate probe: what it tells of a chain, and every reason it has to complain.
import t from 'tap'
import { type Clock, startClock } from '../../../src/base/clock.ts'
import { probeContract } from '../../contracts/probe.contract.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { chainIntermediate, chainRoot, chains, staples } from '../../support/chain-certificates.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import { closedPort, startTarget } from '../../support/target.ts'
import { startTlsTarget } from '../../support/tls-target.ts'

const clock = startClock()
t.after(() => clock.stop())
const names = await startDnsServer({ '*': ['127.0.0.1'] })
t.after(() => names.close())
const probe = openProbe(t, clock, {
  checkType: 'ssl',
  nameServers: [names.server],
  ca: [chainRoot, testCa],
})
const check = (port: number, fields: TargetFields = {}) =>
  probe(makeTarget({ url: `tls://localhost:${port}`, ...fields }), { clock })

const { leaf } = chains
const whole = { key: leaf.key, cert: leaf.cert + chainIntermediate }

/** The report is seen by assertions only, so an assertion has to hold for each part of it. */
async function says(port: number, parts: Readonly<Record<string, string>>, fields = {}) {
  for (const [path, value] of Object.entries(parts)) {
    const asks = { responseAssertionPath: path, responseAssertionValue: value }
    const expect = { responseAssertionType: 'equals', ...asks } as const
    const reading = await check(port, { expect, ...fields })
    t.equal(reading.result, 'good', `${path}: ${JSON.stringify(reading.evidence)}`)
  }
}

t.test('a good certificate is a good reading, and assertions can read its chain', async (t) => {
  const port = await startTlsTarget(t, whole)
  const reading = await check(port)
  t.match(reading, { result: 'good', address: '127.0.0.1', error: undefined })
  t.match(reading.certificate, { expiresAtMs: Date.UTC(2125, 0, 1), issuer: 'Stillup Tests' })
  t.ok((reading.phases?.tls ?? 0) > 0)
  t.match(reading.found, {
    problems: [],
    protocol: 'TLSv1.3',
    isTrusted: true,
    ocsp: { stapled: false },
    chain: [{ subject: 'CN=leaf', names: ['localhost', '127.0.0.1', '0:0:0:0:0:0:0:1'] }, {}],
  })
  await says(port, {
    '$.problems': '[]',
    '$.protocol': 'TLSv1.3',
    '$.isTrusted': 'true',
    '$.isForHost': 'true',
    '$.ocsp.stapled': 'false',
    '$.chain[0].subject': 'CN=leaf',
    '$.chain[0].issuer': 'CN=Stillup Intermediate, O=Stillup Tests',
    '$.chain[0].validFrom': '2025-01-01T00:00:00.000Z',
    '$.chain[0].validTo': '2125-01-01T00:00:00.000Z',
    '$.chain[0].names': '["localhost","127.0.0.1","0:0:0:0:0:0:0:1"]',
    '$.chain[0].serial': '75718D2D7F68F4BEB15DC9F08C291D5254588583',
    '$.chain[0].key': '{"type":"ec","bits":256}',
    '$.chain[0].signatureAlgorithm': 'ecdsa-with-SHA256',
    '$.chain[1].subject': 'CN=Stillup Intermediate, O=Stillup Tests',
  })
  const fingerprint = {
    responseAssertionType: 'regex',
    responseAssertionPath: '$.chain[0].fingerprint',
    responseAssertionValue: '^([0-9A-F]{2}:){31}[0-9A-F]{2}$',
  } as const
  t.equal((await check(port, { expect: fingerprint })).result, 'good')
  const length = { responseAssertionType: 'lengthEquals', responseAssertionValue: '2' } as const
  const both = await check(port, { expect: { ...length, responseAssertionPath: '$.chain' } })
  t.equal(both.result, 'good', 'and the chain is what the server sent')
})

t.test('an assertion on the days left warns before the certificate expires', async (t) => {
  const port = await startTlsTarget(t, whole)
  const at = (nowMs: number): Clock => ({ ...clock, wallMs: () => nowMs })
  const expect = {
    responseAssertionType: 'greaterThan',
    responseAssertionPath: '$.daysLeft',
    responseAssertionValue: '14',
  } as const
  const target = makeTarget({ url: `tls://localhost:${port}`, expect })
  const early = await probe(target, { clock: at(Date.UTC(2124, 11, 17)) })
  t.equal(early.result, 'good', '15 days before')
  const late = await probe(target, { clock: at(Date.UTC(2124, 11, 18)) })
  t.match(late, {
    result: 'failed',
    error: { kind: 'assertion', message: 'expected $.daysLeft to be greater than 14' },
    evidence: { failedAssertions: [{ found: '14' }] },
  })
  const over = await probe(target, { clock: at(Date.UTC(2125, 0, 3)) })
  t.match(over.error, { kind: 'tls', message: 'the certificate has expired' })
})

t.test('every fault of a certificate has its own sentence', async (t) => {
  const rows: readonly [{ readonly key: string; readonly cert: string }, string][] = [
    [testCertificates.expired, 'the certificate has expired'],
    [chains.future, 'the certificate is not valid yet'],
    [testCertificates.other, 'the certificate is for another host name'],
    [testCertificates.self, 'the certificate is self-signed'],
    [leaf, 'an intermediate certificate is missing or not trusted'],
    [chains.oldIntermediate, 'a certificate of the chain has expired'],
    [
      chains.weakKey,
      'the key of the certificate is too short (RSA, 1024 bits): at least 2048 are needed',
    ],
    [
      chains.weakIntermediate,
      'the key of an intermediate certificate is too short (RSA, 1024 bits): at least 2048 are needed',
    ],
    [chains.weakSignature, 'the certificate is signed with SHA-1, which can be forged'],
  ]
  for (const [pair, message] of rows) {
    const reading = await check(await startTlsTarget(t, pair))
    t.match(reading, { result: 'failed', error: { kind: 'tls', phase: 'tls', message } }, message)
    t.type(reading.certificate?.expiresAtMs, 'number', 'the certificate is shown all the same')
    const { problems } = JSON.parse(`${reading.evidence?.body?.split('],"')[0]}]}`)
    t.equal(problems[0], message, 'and the evidence lists it')
  }
  t.match((await check(await startTlsTarget(t, leaf))).found, { isTrusted: false, isForHost: true })
})

t.test('trust in the chain and the host name are two facts', async (t) => {
  const found = async (port: number) => (await check(port)).found
  t.match(await found(await startTlsTarget(t, testCertificates.other)), {
    isTrusted: true,
    isForHost: false,
    problems: ['the certificate is for another host name'],
  })
  const both = { ...testCertificates.self, url: 'wrong.example' }
  const port = await startTlsTarget(t, both)
  const reading = await check(port, { url: `tls://wrong.example:${port}` })
  t.match(reading.found, { isTrusted: false, isForHost: false })
})

t.test('all faults are in the evidence, the worst in the message', async (t) => {
  const old = { ...testCertificates.expired, maxVersion: 'TLSv1.1' } as const
  const port = await startTlsTarget(t, old)
  const reading = await check(port, { url: `tls://wrong.example:${port}` })
  t.match(reading.error?.message, /^the certificate has expired: it was valid until 1 January 2021/)
  const body = reading.evidence?.body ?? ''
  t.match(body, /another host name/)
  t.match(reading.found, { isForHost: false, chain: [{ subject: 'CN=expired' }] }, 'and whole')
  t.match(body, /the server supports nothing newer than TLS 1\.1/)
})

t.test('a server with only an old TLS version is reported with its name', async (t) => {
  for (const [maxVersion, name] of [
    ['TLSv1', 'TLS 1.0'],
    ['TLSv1.1', 'TLS 1.1'],
  ] as const) {
    const reading = await check(await startTlsTarget(t, { ...whole, maxVersion }))
    const message = `the server supports nothing newer than ${name}`
    t.match(reading, { result: 'failed', error: { kind: 'tls', message } })
  }
  const port = await startTlsTarget(t, { ...whole, maxVersion: 'TLSv1.2' })
  await says(port, { '$.protocol': 'TLSv1.2' })
})

t.test('the authority’s status is shown if the server staples it', async (t) => {
  const good = await startTlsTarget(t, { ...whole, staple: Buffer.from(staples.good, 'base64') })
  await says(good, { '$.ocsp': '{"stapled":true,"bytes":320,"status":"good"}' })
  const odd = await startTlsTarget(t, { ...whole, staple: Buffer.from('nonsense') })
  await says(odd, { '$.ocsp.status': 'unreadable' })
  const staple = Buffer.from(staples.revoked, 'base64')
  const revoked = await check(await startTlsTarget(t, { ...whole, staple }))
  t.equal(revoked.error?.message, 'the certificate was revoked')
})

t.test('a web server is asked for its protocol, other servers are not', async (t) => {
  const port = await startTlsTarget(t, { ...whole, ALPNProtocols: ['h2'] })
  await says(port, { '$.alpn': 'h2' }, { url: `https://localhost:${port}/any?path` })
  await says(port, { '$.alpn': 'null' })
})

t.test('an address is checked against the addresses of the certificate', async (t) => {
  const port = await startTlsTarget(t, whole)
  t.match(await check(port, { url: `https://127.0.0.1:${port}` }), { result: 'good' })
  const other = await startTlsTarget(t, { ...whole, address: '127.0.0.2' })
  const wrong = await check(other, { url: `https://127.0.0.2:${other}` })
  t.match(wrong.error?.message, /^the certificate is for another host name: it is for /)
})

t.test('the contract of a probe', async (t) => {
  const plain = await startTarget()
  const mute = await startTarget()
  const closing = await startTarget()
  const resetting = await startTarget()
  const dripping = await startTarget()
  plain.greet = (socket) => socket.end('220 not TLS at all\r\n')
  closing.greet = (socket) => socket.end()
  resetting.greet = (socket) => socket.resetAndDestroy()
  dripping.greet = (socket) => {
    const timer = setInterval(() => socket.write('\x16'), 20)
    socket.on('close', () => clearInterval(timer))
  }
  t.after(() => Promise.all([plain, mute, closing, resetting, dripping].map((one) => one.close())))
  const urls = [
    `tls://localhost:${await startTlsTarget(t, whole)}`,
    `tls://localhost:${await startTlsTarget(t, testCertificates.self)}`,
    ...[plain, mute, closing, resetting, dripping].map(({ port }) => `tls://localhost:${port}`),
    `https://127.0.0.1:${await closedPort()}`,
    'tls://example.com',
  ]
  const cases = urls.map((url) => ({ title: url, target: makeTarget({ url, timeoutMs: 250 }) }))
  await probeContract(t, { probe, clock, cases })
})
