// Client certificates: servers that others wrote ask for one, take it or refuse it, and nobody else is offered it.
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { completedStep } from '../../../src/domain/steps/step.ts'
import { clientFailure } from '../../../src/net/connection/client-identity.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { answersOn, childOf, prepareNginx } from '../../support/child-peer.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import { pathOf, skipWithout } from '../../support/programs.ts'
import { startMosquitto } from '../../support/servers/mosquitto.ts'
import { skipWithoutPostgres, startPostgres } from '../../support/servers/postgres.ts'
import { innerFolder } from '../../support/test-folder.ts'

const { good, expired, self } = testCertificates
const clock = startClock()
t.after(() => clock.stop())
const probe = openProbe(t, clock, { ca: [testCa] })
const look = (fields: TargetFields) =>
  probe(makeTarget({ timeoutMs: 10_000, ...fields }), { clock, keepsAnswer: true })
const resultOf = async (fields: TargetFields) => {
  const { result, error } = await look(fields)
  return error === undefined ? result : error.message
}
const as = ({ cert, key }: { readonly cert: string; readonly key: string }) => ({
  clientCertificate: cert,
  clientKey: key,
})
const refused = /^the server refused the client certificate \(/
const expiredText = 'the server refused the client certificate, which has expired'
const asks = 'the server asks for a client certificate'

t.test('nginx that verifies clients', { skip: skipWithout('nginx') }, async (t) => {
  const nginx = await prepareNginx(t, '')
  const ca = join(innerFolder(t, 'ca'), 'ca.pem')
  writeFileSync(ca, testCa)
  const elsewhere = await startObserver(t)
  const locations = `
    ssl_client_certificate ${ca}; ssl_verify_client on;
    location / { return 200 "hello $ssl_client_s_dn"; }
    location /away { return 302 https://localhost:${elsewhere.port}/; }
    location /back { return 302 https://localhost:${nginx.tlsPort}/; }`
  await nginx.start({ locations })
  const url = `https://localhost:${nginx.tlsPort}`
  const expect = { bodyContains: 'hello CN=good' }
  t.equal(await resultOf({ url, expect, ...as(good) }), 'good')
  t.equal(await resultOf({ url: `${url}/back`, expect, ...as(good) }), 'good', 'the same origin')
  t.match(await look({ url }), {
    error: { message: 'expected status 200, found 400' },
    evidence: { body: /No required SSL certificate was sent/ },
  })
  t.match(await resultOf({ url, ...as(self) }), /^expected status 200, found 400$/)
  t.equal(
    await resultOf({ url, ...as(expired) }),
    'expected status 200, found 400; the client certificate has expired',
  )
  t.equal(
    await resultOf({ url, clientCertificate: good.cert }),
    'the check could not be made: the key of the client certificate is missing',
  )
  const away = await look({ url: `${url}/away`, ...as(good) })
  t.match(away, { result: 'good' })
  t.same(elsewhere.seen, [undefined], 'another origin is offered nothing')
  const own = { url: `https://localhost:${elsewhere.port}/`, ...as(good) }
  t.equal(await resultOf(own), 'good')
  t.same(elsewhere.seen, [undefined, 'good'], 'but the server of the URL is')
  const steps = [url, `https://localhost:${elsewhere.port}/`].map((url) =>
    completedStep({ name: 'a', url }),
  )
  t.equal(await resultOf({ url, checkType: 'steps', steps, ...as(good) }), 'good')
  t.equal(elsewhere.seen.pop(), undefined, 'nor is a step that leads elsewhere')
  t.equal(await resultOf({ url: own.url }), 'good')
  t.same(elsewhere.seen, [undefined, 'good', undefined], 'and nobody else has it after that')
})

/** Answers every request with 200, and notes the name in the certificate of each client. */
async function startObserver(t: Test) {
  const seen: (string | undefined)[] = []
  const options = { ...good, requestCert: true, rejectUnauthorized: false }
  const server = tls.createServer(options, (socket) => {
    const { subject } = socket.getPeerCertificate()
    seen.push(subject === undefined ? undefined : String(subject.CN))
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { port: (server.address() as AddressInfo).port, seen }
}

for (const version of ['tls1_2', 'tls1_3']) {
  t.test(`OpenSSL with ${version}`, { skip: skipWithout('openssl') }, async (t) => {
    const dir = innerFolder(t, version)
    mkdirSync(dir, { recursive: true })
    const files = { 'ca.pem': testCa, 'cert.pem': good.cert, 'key.pem': good.key }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
    const port = await freePort()
    const child = childOf(t, pathOf('openssl') ?? '', {}, { cwd: dir })
    const verify = ['-Verify', '1', '-verify_return_error', '-CAfile', 'ca.pem']
    const keys = ['-cert', 'cert.pem', '-key', 'key.pem']
    const args = ['s_server', '-quiet', '-www', `-${version}`, '-accept', `127.0.0.1:${port}`]
    await child.start([...args, ...verify, ...keys], () => answersOn(port))
    const url = `https://localhost:${port}/`
    t.equal(await resultOf({ url, ...as(good) }), 'good')
    t.match(await resultOf({ url, ...as(self) }), refused)
    t.equal(await resultOf({ url, ...as(expired) }), expiredText)
    const without = version === 'tls1_3' ? asks : /^the TLS handshake failed/
    t.match(await resultOf({ url }), without)
    t.match(await look({ url, ...as(self) }), { error: { kind: 'tls' } })
  })
}

t.test('Mosquitto with require_certificate', { skip: skipWithout('mosquitto') }, async (t) => {
  const { mutualPort } = await startMosquitto(t)
  const fields = { checkType: 'mqtt', url: `mqtts://localhost:${mutualPort}` } as const
  t.equal(await resultOf({ ...fields, ...as(good) }), 'good')
  t.equal(await resultOf(fields), asks)
  t.match(await resultOf({ ...fields, ...as(self) }), refused)
  t.equal(await resultOf({ ...fields, ...as(expired) }), expiredText)
})

t.test('PostgreSQL that signs in by certificate', { skip: skipWithoutPostgres }, async (t) => {
  const { port } = await startPostgres(t)
  const url = `postgres://localhost:${port}/shop`
  const fields = { checkType: 'postgres', url, username: 'good', body: 'SELECT 1' } as const
  t.equal(await resultOf({ ...fields, ...as(good) }), 'good')
  t.match(await resultOf(fields), /^the server refused the sign-in.*requires a valid client cert/)
  t.match(await resultOf({ ...fields, ...as(self) }), refused)
})

t.test('an alert about certificates is read as what it says of ours', (t) => {
  const said = (name: string, isOffered: boolean) => {
    const identity = { cert: good.cert, key: good.key, isExpired: false }
    const cause = Object.assign(new Error('alert'), { code: `ERR_SSL_${name}` })
    return clientFailure(cause, isOffered ? identity : undefined)?.message
  }
  t.equal(
    said('TLSV1_ALERT_UNKNOWN_CA', true),
    'the server refused the client certificate (unknown ca)',
  )
  t.equal(
    said('TLSV1_ALERT_ACCESS_DENIED', true),
    'the server refused the client certificate (access denied)',
  )
  t.equal(said('SSLV3_ALERT_BAD_CERTIFICATE', false), asks, 'as Go has it')
  t.equal(said('TLSV13_ALERT_CERTIFICATE_REQUIRED', true), asks)
  for (const name of [
    'TLSV1_ALERT_ACCESS_DENIED',
    'SSLV3_ALERT_HANDSHAKE_FAILURE',
    'WRONG_VERSION_NUMBER',
  ]) {
    t.equal(said(name, false), undefined, name)
  }
  t.end()
})
