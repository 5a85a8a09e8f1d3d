// Our own name servers fail, and then one name only: nobody is alarmed for the first.
import { createServer } from 'node:net'
import t from 'tap'
import { slotOf } from '../../src/domain/schedule/schedule.ts'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startDnsServer, type Zone } from '../support/dns-server.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const operator = 'the-token-of-the-operator'
const servfail = 2
const dayMs = 24 * 3_600_000

t.test('when no name resolves it is our fault, else it is the target’s', async (t) => {
  const zone: Zone = { 'shop.test': ['127.0.0.1'], 'blog.test': ['127.0.0.1'] }
  const dns = await startDnsServer(zone, 1)
  const target = await startTarget()
  // Answers whatever happens: the network itself is well.
  const sentinel = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise((resolve) => sentinel.once('listening', resolve))
  const address = sentinel.address()
  const port = typeof address === 'object' && address ? address.port : 0
  t.teardown(() => Promise.all([target.close(), dns.close(), sentinel.close()]))
  const clock = Object.assign(new FakeClock(Date.now()), { stop() {} })
  const daemon = await startDaemon(t, {
    clock,
    env: {
      DNS_SERVERS: dns.server,
      OBSERVER_SENTINELS: `127.0.0.1:${port}`,
      SYSTEM_TOKEN: operator,
    },
  })
  const { org, key } = await registerWithKey(daemon, 'alice', daemon.setupToken)
  const make = (name: string) =>
    daemon.need('POST', `${org}/monitors`, {
      key,
      json: {
        name,
        url: `http://${name}.test:${target.port}/`,
        failureThreshold: 1,
        isPublic: true,
        intervalSeconds: 3_600,
        // The time that a test lets pass is not the target's.
        timeoutMs: 60_000,
        degradedThresholdMs: null,
      },
    })
  const shop = await make('shop')
  const blog = await make('blog')
  await daemon.need('POST', `${org}/status-pages`, { key, json: { name: 'All', slug: 'all' } })
  const run = async ({ id }: { id: string }) => {
    await clock.advance(30_000)
    return daemon.need('POST', `${org}/monitors/${id}`, { key })
  }
  const info = () => daemon.need('GET', '/system/info', { bearer: operator })
  const page = async () => {
    await clock.advance(2_000)
    return (await daemon.ask('GET', '/status/all')).text
  }
  const stateOf = async ({ id }: { id: string }) =>
    (await daemon.need('GET', `${org}/monitors/${id}`, { key })).state
  const areUp = async (...all: readonly { id: string }[]) => {
    await clock.advance(100)
    const states = await Promise.all(all.map(stateOf))
    return states.every((state) => state === 'up')
  }
  await until(() => areUp(shop, blog))

  dns.zone = new Proxy<Zone>({}, { get: () => servfail })
  t.match(await run(shop), {
    outcome: 'unknown',
    state: 'unknown',
    openIncidentId: null,
    error: { kind: 'dns', message: /no name server of this machine currently answers/ },
  })
  t.match(await run(blog), { outcome: 'unknown' })
  const trial = { name: 'x', url: `http://shop.test:${target.port}/` }
  const tried = await daemon.need('POST', `${org}/monitors/test`, { key, json: trial })
  t.match(tried, { outcome: 'unknown' }, 'a trial is told the same')
  const { network } = await info()
  t.ok(network.lost.includes('dns'))
  t.match(network.lostSince, /^\d{4}-/)
  await until(async () => /Monitoring interrupted/.test(await page()))
  const { items } = await daemon
    .ask('GET', `/api/v1${org}/monitors?state=unknown`, { key })
    .then(({ json }) => ({ items: json.data }))
  t.equal(items.length, 2)

  dns.zone = { ...zone, 'shop.test': servfail }
  await until(async () => {
    await clock.advance(5_000)
    return (await info()).network.lost.length === 0
  })
  await until(async () => {
    await clock.advance(5_000)
    return areUp(blog)
  })
  t.pass('what was in the dark is looked at by itself')
  // A look that is under way while this clock leaps finds nobody, and is made good by the next two.
  const last = await until(async () => {
    const result = await run(shop)
    return result.outcome === 'down' && result
  })
  t.match(last, { state: 'down', error: { kind: 'dns' } })
  const incidents = await daemon.need('GET', `${org}/incidents`, { key })
  t.match(incidents, [{ monitorIds: [shop.id], state: 'open' }])
  t.equal(incidents.length, 1)
  t.match(daemon.lines.join('\n'), /the local network is failing/)
})

t.test('name servers that refuse all but their own names hide no outage', async (t) => {
  const refused = 5
  const dns = await startDnsServer(new Proxy<Zone>({}, { get: () => refused }), 1)
  t.teardown(() => dns.close())
  const clock = Object.assign(new FakeClock(Date.now()), { stop() {} })
  const env = { DNS_SERVERS: dns.server, OBSERVER_SENTINELS: dns.server }
  const daemon = await startDaemon(t, { clock, env })
  const { org, key } = await registerWithKey(daemon, 'alice', daemon.setupToken)
  const json = {
    name: 'gone',
    url: 'http://gone.test/',
    failureThreshold: 1,
    intervalMinutes: 1_440,
    timeoutMs: 60_000,
    degradedThresholdMs: null,
  }
  // A check of its own, while time leaps, would find nobody. Its id decides when it is made.
  const id = await until(async () => {
    const { id } = await daemon.need('POST', `${org}/monitors`, { key, json })
    const waitMs = (slotOf(id, dayMs) - (clock.nowMs() % dayMs) + dayMs) % dayMs
    if (waitMs > 3_600_000) return id
    await daemon.need('DELETE', `${org}/monitors/${id}`, { key })
  })
  // Time stands still while a question is under way: else its answer would come too late.
  const areAnswered = () =>
    !process.getActiveResourcesInfo().some((name) => /^(QueryReq|TCPConnect)Wrap$/.test(name))
  const advance = async (ms: number) => {
    for (let leftMs = ms; leftMs > 0; ) {
      await until(areAnswered)
      const stepMs = Math.min(leftMs, Math.max(1, clock.nextInMs ?? leftMs))
      await clock.advance(stepMs)
      leftMs -= stepMs
    }
    await until(areAnswered)
  }
  const run = async () => {
    await advance(60_000)
    return daemon.need('POST', `${org}/monitors/${id}`, { key })
  }
  t.match(await run(), { outcome: 'unknown', error: { message: /not answered for any name/ } })
  await advance(120_000)
  t.match(await run(), { outcome: 'down', error: { message: /refused to answer for gone\.test/ } })
  const incidents = await daemon.need('GET', `${org}/incidents`, { key })
  t.match(incidents, [{ monitorIds: [id], state: 'open' }])
  t.notMatch(daemon.lines.join('\n'), /the local network is failing/)
})
