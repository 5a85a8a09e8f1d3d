// stillup probe as its own process: what it says where something is missing, and what it delivers.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startClock } from '../../src/base/clock.ts'
import type { Assignment } from '../../src/domain/locations/protocol.ts'
import { probeBox, probeSecrets } from '../../src/seal/probe-token.ts'
import { mintToken } from '../../src/seal/tokens.ts'
import { testCa, testCertificates } from '../support/certificates.ts'
import { startProxy } from '../support/connect-proxy.ts'
import { fakeHost, typed } from '../support/fake-host.ts'
import { freePort } from '../support/free-port.ts'
import { makeAssignment, probeDaemon, serveDaemon } from '../support/probe-daemon.ts'
import { startProbeProcess } from '../support/probe-program.ts'
import { until } from '../support/until.ts'

const token = mintToken('stp')
const secrets = probeSecrets(token)

async function startDaemon(t: Test, tls = false) {
  const clock = startClock()
  t.teardown(() => clock.stop())
  const daemon = probeDaemon(clock, { auth: secrets.auth })
  const url = await serveDaemon(t, daemon, tls ? testCertificates.good : undefined)
  return { daemon, url }
}

/** A server on loopback, and the headers that it was asked with. */
async function startSite(t: Test) {
  const asked: (string | undefined)[] = []
  const server = createServer((request, reply) => {
    asked.push(request.headers.authorization)
    reply.end('fine')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return { asked, url: `http://127.0.0.1:${port}/` }
}

/** Assigns a monitor, and has it checked now. */
function check(daemon: ReturnType<typeof probeDaemon>, changes: Partial<Assignment>): void {
  const assignment = makeAssignment(changes)
  daemon.assign(assignment)
  daemon.ask(assignment.monitorId)
}

t.test('what is missing on the command line is said in one line', async (t) => {
  const server = ['--server', 'https://status.example.com']
  const wrong = mintToken('sup')
  const folder = t.testdir({ empty: '\n' })
  for (const [args, env, code, words] of [
    [[], {}, 64, /probe needs the address of the daemon: --server/],
    [['--server', 'status.example.com'], {}, 64, /--server must be an http or https address/],
    [[...server, '--health', 'x'], {}, 64, /--health must be host:port/],
    [server, {}, 78, /there is no token of a probe: set STILLUP_PROBE_TOKEN/],
    [server, { STILLUP_PROBE_TOKEN: wrong }, 78, /STILLUP_PROBE_TOKEN is not the token of a probe/],
    [[...server, '--token-file', 'empty'], {}, 78, /empty is empty: set/],
    [[...server, '--token-file', 'none'], {}, 78, /the token cannot be read: ENOENT/],
    [server, { STILLUP_PROBE_TOKEN_FILE: 'none' }, 78, /the token cannot be read: ENOENT/],
    [
      server,
      { CREDENTIALS_DIRECTORY: folder },
      78,
      /the token cannot be read: ENOENT.*probe-token/,
    ],
  ] as const) {
    const host = fakeHost(folder, env)
    t.equal(await typed(host, 'probe', ...args), code)
    t.equal(host.complaints.length, 1)
    t.match(host.complaints[0], words)
    t.notOk(host.complaints[0]?.includes(wrong))
  }
})

t.test('a server that cannot be used is told in one line, and tried again', async (t) => {
  const port = await freePort()
  const untrusted = await startDaemon(t, true)
  const refusing = await startDaemon(t)
  const cases = [
    [`http://127.0.0.1:${port}`, {}, /cannot be reached: nothing listens there$/],
    [
      untrusted.url,
      {},
      /cannot be reached: its certificate is not trusted; name its authority with/,
    ],
    [refusing.url, { STILLUP_PROBE_TOKEN: mintToken('stp') }, /refuses the token \(401/],
  ] as const
  const probes = cases.map(([url, env]) => startProbeProcess(t, token, ['--server', url], env))
  for (const [at, probe] of probes.entries()) {
    const found = await until(() => probe.problems().find((line) => cases[at]?.[2].test(line)))
    t.equal(probe.problems().filter((line) => line === found).length, 1)
    probe.child.kill('SIGTERM')
    t.equal(await probe.ended, 0)
  }
  t.same(refusing.daemon.heard.hellos, [])
})

t.test(
  'it checks what its own settings allow, and delivers, through a proxy and TLS',
  async (t) => {
    const { daemon, url } = await startDaemon(t, true)
    const site = await startSite(t)
    const proxy = await startProxy(t)
    const folder = t.testdir({ 'ca.pem': testCa, token: `${token}\n` })
    const healthPort = await freePort()
    const sealed = probeBox(secrets.sealKey).seal(
      JSON.stringify({ headers: { Authorization: 'Bearer of-the-target' }, body: null }),
    )
    check(daemon, { url: site.url, sealed })
    const args = [
      '--server',
      url,
      '--ca',
      join(folder, 'ca.pem'),
      '--health',
      `127.0.0.1:${healthPort}`,
    ]
    const probe = startProbeProcess(t, token, [...args, '--token-file', join(folder, 'token')], {
      STILLUP_PROBE_TOKEN: '',
      STILLUP_CHECKS_ALLOW: '127.0.0.1',
      HTTPS_PROXY: proxy.url,
    })
    const result = await until(() => daemon.heard.results[0])
    t.match(result, { result: 'good', status: 200, address: '127.0.0.1', try: 1 })
    t.same(site.asked, ['Bearer of-the-target'])
    t.ok(proxy.asked.includes(new URL(url).host))
    t.ok(daemon.heard.hellos[0]?.kinds.includes('endpoint'))
    t.notOk(daemon.heard.hellos[0]?.kinds.some((kind) => kind === 'push' || kind === 'domain'))
    t.same(probe.problems(), [])
    for (const [path, status] of [
      ['/healthz', 200],
      ['/readyz', 200],
      ['/', 404],
    ] as const) {
      t.equal((await fetch(`http://127.0.0.1:${healthPort}${path}`)).status, status)
    }
    probe.child.kill('SIGTERM')
    t.equal(await probe.ended, 0)
    t.notOk(probe.lines().some((line) => line.includes(token) || line.includes(secrets.auth)))
  },
)

t.test('it does not look at private addresses that its settings do not allow', async (t) => {
  const { daemon, url } = await startDaemon(t)
  const site = await startSite(t)
  check(daemon, { url: site.url })
  startProbeProcess(t, token, ['--server', url])
  const result = await until(() => daemon.heard.results[0])
  t.match(result, { result: 'unknown', error: { kind: 'blocked' } })
  t.same(site.asked, [])
})

t.test('a signal makes it send what it holds', async (t) => {
  const { daemon, url } = await startDaemon(t)
  const site = await startSite(t)
  daemon.break((path) => (path === 'results' ? { status: 503, text: '' } : undefined))
  check(daemon, { url: site.url })
  const probe = startProbeProcess(t, token, ['--server', url], { STILLUP_CHECKS_TARGETS: 'any' })
  await until(() => daemon.heard.questions.includes('POST results'))
  daemon.repair()
  probe.child.kill('SIGTERM')
  t.equal(await probe.ended, 0)
  t.match(daemon.heard.results, [{ result: 'good' }])
})
