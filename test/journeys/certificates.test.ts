// The daemon obtains certificates of its own from a real authority, and serves each host with its own.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import tls from 'node:tls'
import t, { type Test } from 'tap'
import { exitCodes } from '../../src/base/exit.ts'
import { tlsFilesLookedMs } from '../../src/services/system/certificate-files.ts'
import { testCertificates } from '../support/certificates.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { freePort } from '../support/free-port.ts'
import { startPebble } from '../support/pebble.ts'
import { skipWithout } from '../support/programs.ts'
import { until } from '../support/until.ts'

const skip = skipWithout('pebble', 'pebble-challtestsrv')
const token = 'the-token-of-the-operator'
const operator = { bearer: token }

interface Certificate {
  readonly host: string
  readonly state: string
  readonly expiresAt: string | null
  readonly nextAttemptAt: string | null
  readonly failures: number
  readonly reason: string | null
  readonly issuer: string | null
}

const own = 'up.stillup.test'
const pageHost = 'acme.status.stillup.test'

const envFor = (port: number) => ({
  SYSTEM_TOKEN: token,
  HTTP_LISTEN: `127.0.0.1:${port}`,
  HTTP_TLS_LISTEN: '127.0.0.1:0',
  HTTP_BASE_URL: `https://${own}`,
  HTTP_STATUS_DOMAIN: 'status.stillup.test',
})

const certificatesOf = (daemon: Daemon): Promise<Certificate[]> =>
  daemon.need('GET', '/system/certificates', operator)

async function certificateOf(daemon: Daemon, host: string): Promise<Certificate | undefined> {
  return (await certificatesOf(daemon)).find((one) => one.host === host)
}

const untilState = (daemon: Daemon, host: string, state: string) =>
  until(async () => {
    const found = await certificateOf(daemon, host)
    return found?.state === state && found
  })

/** The certificate that a host is served with; rejects if the handshake fails. */
async function served(daemon: Daemon, servername: string): Promise<tls.PeerCertificate> {
  const { tlsPort: port } = daemon
  const socket = tls.connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerCertificate()
  socket.destroy()
  return certificate
}

const servedNames = async (daemon: Daemon, host: string) =>
  (await served(daemon, host)).subjectaltname
const servedPrint = async (daemon: Daemon, host: string) =>
  (await served(daemon, host)).fingerprint256

async function makePage(daemon: Daemon): Promise<void> {
  const { setupToken } = daemon
  const registration = { email: 'alice@example.com', password: 'a long enough password' }
  const { organization, token: session } = await daemon.need('POST', '/auth/register', {
    json: { ...registration, organizationName: 'Acme', setupToken },
  })
  const pages = `/orgs/${organization.id}/status-pages`
  const me = { cookie: session }
  const page = await daemon.need('POST', pages, { ...me, json: { name: 'Acme', slug: 'acme' } })
  const json = { subdomain: 'acme' }
  await daemon.need('PATCH', `${pages}/${page.id}/subdomain`, { ...me, json })
}

async function begin(t: Test, noncesRefused = 0) {
  const port = await freePort()
  const pebble = await startPebble(t, { httpPort: port, noncesRefused })
  return { port, pebble, env: { ...envFor(port), ...pebble.env } }
}

t.test(
  'each host gets a certificate and is served with it, also a new one',
  { skip },
  async (t) => {
    // It meets some in nearly every run; ten in a row, which end an order, once in a million runs.
    const { env } = await begin(t, 15)
    const daemon = await startDaemon(t, { env })
    const issued = await untilState(daemon, own, 'issued')
    t.match(issued, { reason: null, failures: 0, expiresAt: /Z$/, nextAttemptAt: /Z$/ })
    t.ok(issued.issuer)
    t.equal(await servedNames(daemon, own), `DNS:${own}`)
    await t.rejects(servedNames(daemon, pageHost), 'no certificate, no handshake')
    await makePage(daemon)
    await untilState(daemon, pageHost, 'issued')
    t.equal(await servedNames(daemon, pageHost), `DNS:${pageHost}`)
    t.equal(await servedNames(daemon, own), `DNS:${own}`)
  },
)

t.test(
  'an authority that cannot reach the host says so, and is not asked in a loop',
  { skip },
  async (t) => {
    const port = await freePort()
    const pebble = await startPebble(t, { httpPort: await freePort() })
    const daemon = await startDaemon(t, { env: { ...envFor(port), ...pebble.env } })
    const failed = await untilState(daemon, own, 'failed')
    t.match(failed, { failures: 1, reason: /refused: .*[Cc]onnection refused/, expiresAt: null })
    const waitMs = Date.parse(failed.nextAttemptAt ?? '') - Date.now()
    t.ok(waitMs > 9 * 60_000 && waitMs <= 10 * 60_000, 'ten minutes')
    const ran = await daemon.need('POST', '/system/tasks/certificates/run', operator)
    t.match(ran, { lastOutcome: 'done', lastDetail: '1 hosts, 0 issued, 0 failed' })
    t.equal((await certificateOf(daemon, own))?.failures, 1, 'nor on request')
    await t.rejects(servedNames(daemon, own), 'no certificate, no handshake')
    t.equal((await daemon.ask('GET', '/healthz')).status, 200)
  },
)

/** Holds connections until it is told where they lead. */
async function startGate(t: Test) {
  let lead = (_port: number) => {}
  const target = new Promise<number>((resolve) => {
    lead = resolve
  })
  let began = () => {}
  const asked = new Promise<void>((resolve) => {
    began = resolve
  })
  const server = createServer(async (caller) => {
    began()
    const inner = connect(await target, '127.0.0.1')
    for (const socket of [caller, inner]) socket.on('error', () => {})
    caller.pipe(inner).pipe(caller)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return { port, asked, lead }
}

t.test(
  'an order goes on after a restart; a renewal replaces the certificate',
  { skip },
  async (t) => {
    const gate = await startGate(t)
    const pebble = await startPebble(t, { httpPort: gate.port })
    const port = await freePort()
    const env = { ...envFor(port), ...pebble.env }
    const dir = mkdtempSync(join(tmpdir(), 'stillup-'))
    t.teardown(() => rmSync(dir, { recursive: true }))
    const first = await startDaemon(t, { env, dir })
    await gate.asked
    await first.stop()
    const second = await startDaemon(t, { env, dir })
    gate.lead(port)
    const issued = await untilState(second, own, 'issued')
    t.equal(issued.failures, 0, 'the order that was begun before')
    const before = await servedPrint(second, own)
    await second.stop()

    class StoppableClock extends FakeClock {
      readonly stop = (): void => {}
    }
    const clock = new StoppableClock(Date.parse(issued.nextAttemptAt ?? '') - 60_000)
    const third = await startDaemon(t, { env, dir, clock })
    t.equal(await servedPrint(third, own), before, 'until it is due')
    await clock.advance(61_000)
    const task = third.need('POST', '/system/tasks/certificates/run', operator)
    const ran = await until(async () => {
      await clock.advance(20)
      return Promise.race([task, nextTurn(undefined)])
    })
    t.match(ran, { lastOutcome: 'done' })
    await until(async () => {
      await clock.advance(20)
      return (await servedPrint(third, own)) !== before
    })
    t.match(await certificateOf(third, own), { state: 'issued', failures: 0, reason: null })
  },
)

t.test('a certificate of the operator is used where it names the host', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'stillup-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  const [certFile, keyFile] = [join(dir, 'tls.crt'), join(dir, 'tls.key')]
  const write = ({ key, cert }: { readonly key: string; readonly cert: string }) => {
    writeFileSync(certFile, cert)
    writeFileSync(keyFile, key)
  }
  write(testCertificates.good)
  class StoppableClock extends FakeClock {
    readonly stop = (): void => {}
  }
  const clock = new StoppableClock()
  const env = {
    SYSTEM_TOKEN: token,
    HTTP_TLS_LISTEN: '127.0.0.1:0',
    HTTP_BASE_URL: 'https://localhost',
    HTTP_TLS_CERT_FILE: certFile,
    HTTP_TLS_KEY_FILE: keyFile,
    ACME_IS_ENABLED: 'false',
  }
  const daemon = await startDaemon(t, { env, clock })
  t.match(await servedNames(daemon, 'localhost'), /DNS:localhost/)
  t.match(await servedNames(daemon, 'stranger.example'), /DNS:localhost/, 'it is the default')
  const listed = await certificatesOf(daemon)
  t.match(listed, [{ host: 'localhost', source: 'file', state: 'issued', nextAttemptAt: null }])
  writeFileSync(certFile, testCertificates.other.cert)
  await clock.advance(tlsFilesLookedMs)
  t.match(await servedNames(daemon, 'localhost'), /DNS:localhost/, 'half of a change is not used')
  t.ok(daemon.lines.some((line) => line.includes('the former one stays')))
  writeFileSync(keyFile, testCertificates.other.key)
  await clock.advance(tlsFilesLookedMs)
  t.match(await servedNames(daemon, 'localhost'), /DNS:other\.example/)
  t.match(await certificatesOf(daemon), [
    { host: 'localhost', state: 'failed', reason: /does not name/ },
  ])
  writeFileSync(keyFile, 'no key')
  await t.rejects(startDaemon(t, { env }), {
    name: 'StartFailure',
    exitCode: exitCodes.config,
    message: /tls\.crt .* cannot be used/,
  })
})
