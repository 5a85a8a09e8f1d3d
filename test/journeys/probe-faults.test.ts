// Three real `stillup probe` processes behind a proxy that ends TLS, in trouble of every kind: no false alarm,
// none missed, and each result counts once.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { required } from '../../src/base/assert.ts'
import { registerWithKey } from '../support/cast.ts'
import { testCa, testCertificates } from '../support/certificates.ts'
import { startDaemon } from '../support/daemon.ts'
import { isDeep } from '../support/depth.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { believing, startProbeProcess } from '../support/probe-program.ts'
import { skipWithout } from '../support/programs.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

type Trouble = 'none' | 'cut' | 'twice'

/** Whom the proxies lead to. */
interface Upstream {
  url: string
}

/** A proxy of one probe: ends TLS, and does to requests what its trouble says. */
async function startTroubledProxy(t: Test, upstream: Upstream) {
  const proxy = { url: '', trouble: 'none' as Trouble }
  const forward = (method: string, path: string, headers: object, body: Buffer) =>
    new Promise<{ status: number; type: string; text: Buffer }>((resolve, reject) => {
      const url = new URL(path, upstream.url)
      const sent = request(
        url,
        { method, headers: { ...headers, host: url.host } },
        async (got) => {
          const parts: Buffer[] = []
          for await (const part of got) parts.push(part)
          const type = got.headers['content-type'] ?? 'text/plain'
          resolve({ status: got.statusCode ?? 502, type, text: Buffer.concat(parts) })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  const server = createTlsServer(testCertificates.good, async (asked, reply) => {
    const parts: Buffer[] = []
    for await (const part of asked) parts.push(part)
    const body = Buffer.concat(parts)
    const { method = '', url = '', headers } = asked
    const { trouble } = proxy
    try {
      if (trouble === 'cut') throw new Error('cut')
      const ask = () => forward(method, url, headers, body)
      if (trouble === 'twice' && method === 'POST') await ask()
      const { status, type, text } = await ask()
      if (proxy.trouble === 'cut') throw new Error('cut')
      reply.writeHead(status, { 'content-type': type }).end(text)
    } catch {
      reply.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  proxy.url = `https://localhost:${(server.address() as AddressInfo).port}`
  return {
    proxy,
    set(trouble: Trouble) {
      proxy.trouble = trouble
      // What is held or kept open ends as well.
      if (trouble === 'cut') server.closeAllConnections()
    },
  }
}

/** What each location sees of one target: it answers at three addresses. */
async function startTargets(t: Test) {
  const targets = ['127.0.0.21', '127.0.0.22', '127.0.0.23'].map((address) => {
    return { address, isDown: false, asked: 0 }
  })
  let port = 0
  for (const target of targets) {
    const server = createServer((_asked, reply) => {
      target.asked += 1
      reply.writeHead(target.isDown ? 503 : 200).end('hello')
    })
    server.listen(port, target.address)
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
  }
  return { targets, port }
}

const names = ['Frankfurt', 'Paris', 'Oslo']
/** A day before, a day after. */
const clocks = ['-1d', '+1d', undefined]
const intervalMs = 10_000
/** The newest result is too old to count: two intervals, the time limit and 30 s. */
const silentMs = 2 * intervalMs + 5_000 + 30_000

t.test(
  'probes are cut off, hang, die and come back',
  { skip: isDeep ? skipWithout('faketime') : 'minutes of real time' },
  async (t) => {
    let daemon = await startDaemon(t)
    const upstream = { url: daemon.url }
    const { dir } = daemon
    const { org, key, cookie } = await registerWithKey(daemon)
    const receiver = await startReceiver()
    t.teardown(() => receiver.close())
    const channel = { name: 'On call', type: 'webhook', config: { url: receiver.url } }
    await daemon.need('POST', `${org}/alert-channels`, { key, json: channel })
    const { targets, port } = await startTargets(t)
    const ca = join(testFolder(t), 'ca.pem')
    writeFileSync(ca, testCa)

    const stations = await Promise.all(
      names.map(async (name, at) => {
        const json = { name }
        const location = await daemon.need('POST', `${org}/locations`, { cookie, json })
        const path = `${org}/locations/${location.id}/probes`
        const { proxy, set } = await startTroubledProxy(t, upstream)
        const zone = { 'site.test': [required(targets[at]).address] }
        const dns = await startDnsServer(zone, 1)
        t.teardown(() => dns.close())
        const begin = async () => {
          const made = await daemon.need('POST', path, { cookie, json: { name: `${name} ${at}` } })
          daemon.secrets.add(made.token)
          const offset = clocks[at]
          const process = startProbeProcess(t, made.token, ['--server', proxy.url, '--ca', ca], {
            STILLUP_CHECKS_ALLOW: '127.0.0.0/8',
            STILLUP_DNS_SERVERS: dns.server,
            ...(offset === undefined ? {} : believing(offset)),
          })
          return { id: made.id as string, process }
        }
        return { id: location.id as string, path, proxy, set, begin, probe: await begin() }
      }),
    )
    const [frankfurt, paris, oslo] = stations.map((one) => required(one))
    if (!frankfurt || !paris || !oslo) throw new Error('three stations')
    const fail = (...isDown: boolean[]) => {
      for (const [at, target] of targets.entries()) target.isDown = isDown[at] ?? false
    }

    const { id } = await daemon.need('POST', `${org}/monitors`, {
      key,
      json: {
        name: 'Website',
        url: `http://site.test:${port}/`,
        ...{ failureThreshold: 1, recoveryThreshold: 1, intervalSeconds: 10, timeoutMs: 5_000 },
        degradedThresholdMs: null,
        locations: stations.map((station) => station.id),
      },
    })
    const look = () => daemon.need('GET', `${org}/monitors/${id}`, { key })
    const seenFrom = async () => {
      const { places } = await daemon.need('GET', `${org}/monitors/${id}/locations`, { key })
      return places.map(({ state }: { state: string }) => state).join(' ')
    }
    const sees = (states: string, timeoutMs = 30_000) =>
      until(async () => (await seenFrom()) === states, timeoutMs)
    const becomes = (state: string, timeoutMs = 30_000) =>
      until(async () => (await look()).state === state, timeoutMs)
    const news = () => receiver.requests.map((call) => bodyOf(call).type)

    await sees('up up up')
    fail(true)
    await sees('down up up')
    t.match(await look(), { state: 'up', failingFrom: { failing: 1, of: 3 } }, 'one of three')
    fail(true, true)
    await becomes('down')
    t.match(await seenFrom(), /^down down/)
    fail()
    await sees('up up up')
    await becomes('up')
    t.same(news(), ['incident.opened', 'incident.resolved'])

    // A partition in which its target fails there, a proxy that sends all twice, and clocks that are days off.
    frankfurt.set('cut')
    oslo.set('twice')
    fail(true)
    const cutAtMs = Date.now()
    await until(() => Date.now() - cutAtMs > 3 * intervalMs, 60_000)
    fail()
    await until(() => Date.now() - cutAtMs > 5 * intervalMs, 60_000)
    frankfurt.set('none')
    const path = `${org}/monitors/${id}/checks?location=${frankfurt.id}&outcome=down&limit=100`
    const came = await until(async () => {
      const failures = await daemon.need('GET', path, { key })
      const late = failures.filter(({ at }: { at: string }) => Date.parse(at) >= cutAtMs)
      return late.length >= 2 && late.length
    })
    t.ok(came, `${came} failures came late, and are kept`)
    await sees('up up up')
    t.same(news(), ['incident.opened', 'incident.resolved'], 'they open nothing')

    // One is killed and one stands still; then the target fails everywhere.
    paris.probe.process.child.kill('SIGKILL')
    frankfurt.probe.process.child.kill('SIGSTOP')
    fail(true, true, true)
    await becomes('down', silentMs + 60_000)
    frankfurt.probe.process.child.kill('SIGCONT')
    const again = await paris.begin()
    await sees('down down down', 60_000)
    fail()
    await becomes('up', 60_000)
    await sees('up up up', 60_000)
    // Four turns within an hour are one message more, and no recovery until it is steady.
    const told = ['incident.opened', 'incident.resolved', 'incident.opened', 'incident.updated']
    t.same(news(), told)

    // The daemon starts anew.
    await daemon.stop()
    daemon = await startDaemon(t, { dir })
    upstream.url = daemon.url
    const startedAtMs = Date.now()
    await until(async () => {
      const { places } = await daemon.need('GET', `${org}/monitors/${id}/locations`, { key })
      return places.every(
        ({ lastCheckAt }: { lastCheckAt: string }) => Date.parse(lastCheckAt) > startedAtMs,
      )
    }, 90_000)
    t.equal((await look()).state, 'up')

    await daemon.need('DELETE', `${paris.path}/${again.id}`, { cookie })
    await until(
      () => again.process.problems().some((line) => line.includes('refuses the token')),
      60_000,
    )
    t.same(news(), told, 'nothing else was told')
    for (const [at, station] of stations.entries()) {
      const path = `${org}/monitors/${id}/checks?location=${station.id}&limit=200`
      const rows = await daemon.need('GET', path, { key })
      const times = new Set(rows.map(({ at }: { at: string }) => at))
      const { asked } = required(targets[at])
      t.equal(times.size, rows.length, `${names[at]}: each once`)
      t.ok(rows.length <= asked, `${rows.length} results of ${asked} requests`)
      if (at === 2) t.ok(asked - rows.length <= 2, `${asked - rows.length} are on their way`)
    }
  },
)
