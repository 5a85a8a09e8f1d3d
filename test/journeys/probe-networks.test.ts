// Three locations, the daemon and the target, each in a network of its own with a router between them. The networks
// fail one after the other, in one direction and in both: no false alarm, none missed, each result counts once. Real
// time in network namespaces: only in a deep run, as root.
import { spawn } from 'node:child_process'
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startProcess } from '../support/daemon-process.ts'
import { isDeep } from '../support/depth.ts'
import { namespaceProblem, openStar } from '../support/network-namespace.ts'
import { startProbeProcess } from '../support/probe-program.ts'
import { skipWithout } from '../support/programs.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTarget } from '../support/target.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const skip =
  (!isDeep && 'minutes of real time: only in a deep run') ||
  skipWithout('ip', 'nft') ||
  namespaceProblem()

const stationNames = ['Frankfurt', 'Paris', 'Oslo'] as const
type Station = (typeof stationNames)[number]
const intervalMs = 10_000
const timeoutMs = 3_000
/** A place votes for so long after its newest result. */
const votesForMs = 2 * intervalMs + timeoutMs + 30_000
/** In this time Frankfurt, cut off, sees at least one failure. */
const failsForMs = 1.5 * intervalMs
const port = 8080
const proxyPort = 9090
/** Only in the network of Oslo. */
const insideAddress = '10.66.0.7'
const setupToken = 'a-setup-token-of-the-tests'

interface IncidentNews {
  readonly type: string
  readonly data: { readonly monitors: readonly { readonly name: string }[] }
}

/** Counts who asked for what; `/counts` tells. */
const targetScript = `
const counts = {}
require('node:http').createServer((asked, reply) => {
  if (asked.url === '/counts') return reply.end(JSON.stringify(counts))
  const key = asked.socket.remoteAddress + asked.url
  counts[key] = (counts[key] ?? 0) + 1
  reply.end('hello')
}).listen(${port}, '0.0.0.0')`

/** Leads to the daemon at \`--daemon\`, and everything takes its time. */
const slowProxyScript = (daemonUrl: string) => `
const net = require('node:net')
const { hostname, port } = new URL('${daemonUrl}')
net.createServer((near) => {
  const far = net.connect(Number(port), hostname)
  for (const [one, other] of [[near, far], [far, near]]) {
    one.on('data', (bytes) => setTimeout(() => other.writable && other.write(bytes), 700))
    one.on('error', () => {})
    one.on('close', () => other.destroy())
  }
}).listen(${proxyPort}, '127.0.0.1')`

t.test('networks fail between probes, daemon and target', { skip }, async (t) => {
  const star = openStar(t, ['daemon', 'target', ...stationNames])
  const run = (name: Parameters<typeof star.within>[0], script: string) => {
    const [command = '', ...words] = [...star.within(name), process.execPath, '-e', script]
    const child = spawn(command, words, { stdio: 'inherit' })
    t.teardown(() => child.kill('SIGKILL'))
  }
  run('target', targetScript)
  const [ip = '', ...words] = [...star.within('Oslo'), 'ip', 'address']
  spawn(ip, [...words, 'add', `${insideAddress}/32`, 'dev', 'lo'])
  run('Oslo', targetScript)
  const receiver = await startReceiver(star.testAddress)
  t.teardown(() => receiver.close())
  const sentinel = await startTarget(undefined, { address: star.testAddress })
  t.teardown(() => sentinel.close())

  const daemon = startProcess(
    t,
    testFolder(t),
    {
      STILLUP_HTTP_LISTEN: `${star.addressOf('daemon')}:0`,
      STILLUP_AUTH_SETUP_TOKEN: setupToken,
      STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
    },
    'unlimited',
    star.within('daemon'),
  )
  await daemon.ready()
  run('Oslo', slowProxyScript(daemon.url))
  const { org, key, cookie } = await registerWithKey(daemon, 'alice', setupToken)
  const channel = { name: 'On call', type: 'webhook', config: { url: receiver.url } }
  await daemon.need('POST', `${org}/alert-channels`, { key, json: { ...channel, isDefault: true } })

  const addStation = async (name: string, at: Station, allow: string) => {
    const { id } = await daemon.need('POST', `${org}/locations`, { cookie, json: { name } })
    const path = `${org}/locations/${id}/probes`
    const made = await daemon.need('POST', path, { cookie, json: { name } })
    const server = at === 'Oslo' ? `http://127.0.0.1:${proxyPort}` : daemon.url
    const env = {
      STILLUP_CHECKS_ALLOW: allow,
      STILLUP_OBSERVER_SENTINELS: `${star.testAddress}:${sentinel.port}`,
    }
    const within = star.within(at)
    startProbeProcess(t, made.token, ['--server', server], env, { within })
    const probeState = async () => (await daemon.need('GET', path, { cookie }))[0].state
    return { id: String(id), probeState }
  }
  const network = '10.252.0.0/24'
  const frankfurt = await addStation('Frankfurt', 'Frankfurt', network)
  const paris = await addStation('Paris', 'Paris', network)
  const oslo = await addStation('Oslo', 'Oslo', `${network},10.66.0.0/16`)
  const strict = await addStation('Oslo, strict', 'Oslo', network)
  const all = [frankfurt, paris, oslo]

  const addMonitor = async (name: string, address: string, places: typeof all, more = {}) => {
    const json = {
      ...{ name, url: `http://${address}:${port}/${name}`, intervalSeconds: 10, timeoutMs },
      ...{ failureThreshold: 1, recoveryThreshold: 1, degradedThresholdMs: null },
      locations: places.map(({ id }) => id),
      ...more,
    }
    return String((await daemon.need('POST', `${org}/monitors`, { key, json })).id)
  }
  const target = star.addressOf('target')
  const most = await addMonitor('most', target, all)
  const any = await addMonitor('any', target, all, { downWhen: 'any' })
  const every = await addMonitor('every', target, all, { downWhen: 'all' })
  const inside = await addMonitor('inside', insideAddress, [oslo])
  const forbidden = await addMonitor('forbidden', insideAddress, [strict])

  const look = (id = most) => daemon.need('GET', `${org}/monitors/${id}`, { key })
  const becomes = (id: string, state: string, ms = 30_000) =>
    until(async () => (await look(id)).state === state, ms)
  const seenFrom = async (id = most) => {
    const { places } = await daemon.need('GET', `${org}/monitors/${id}/locations`, { key })
    return places.map(({ state }: { state: string }) => state).join(' ')
  }
  const sees = (states: string, ms = 30_000) => until(async () => (await seenFrom()) === states, ms)
  const newsOf = (name: string) =>
    receiver.requests
      .map(({ body }): IncidentNews => JSON.parse(body))
      .filter(({ data }) => data.monitors[0]?.name === name)
      .map(({ type }) => type.replace('incident.', ''))
  const startedMs = Date.now()
  const say = (what: string) =>
    t.comment(`${Math.round((Date.now() - startedMs) / 1_000)} s: ${what}`)
  const drop = star.drop

  await sees('up up up')
  for (const id of [any, every, inside]) await becomes(id, 'up')
  const refused = await until(async () => {
    const { places } = await daemon.need('GET', `${org}/monitors/${forbidden}/locations`, { key })
    return places[0].error ?? undefined
  })
  t.match(refused, { kind: 'blocked', message: `${insideAddress} is a private address` })
  say('all see it')

  drop('Frankfurt', 'target')
  await sees('down up up')
  await becomes(any, 'down')
  t.match(await look(), { state: 'up', failingFrom: { failing: 1, of: 3 } }, 'one of three')
  // The packets of Paris arrive, and the answers vanish.
  drop('target', 'Paris')
  await becomes(most, 'down')
  const [{ id: incident }] = await daemon.need('GET', `${org}/incidents?monitorId=${most}`, { key })
  const { decisions } = await daemon.need('GET', `${org}/incidents/${incident}/explain`, { key })
  t.equal(decisions[0].seenFrom, 'Fails from Frankfurt and Paris, works from Oslo.')
  t.equal((await look(every)).state, 'up')
  star.heal()
  await sees('up up up')
  for (const id of [most, any]) await becomes(id, 'up')
  const firstNews = ['opened', 'resolved']
  await until(() => newsOf('most').length === 2 && newsOf('any').length === 2)
  t.same([newsOf('most'), newsOf('any'), newsOf('every')], [firstNews, firstNews, []])
  say('the target was unreachable from two')

  // Frankfurt is cut off from the daemon in both directions while its target fails; what Paris says vanishes, and
  // what it is told arrives.
  const cutMs = Date.now()
  drop('Frankfurt', 'daemon')
  drop('daemon', 'Frankfurt')
  drop('Paris', 'daemon')
  const mend = drop('Frankfurt', 'target')
  await timeIs(cutMs + failsForMs)
  mend()
  for (const one of [frankfurt, paris])
    await until(async () => (await one.probeState()) === 'silent')
  t.ok(Date.now() - cutMs < 45_000, `silent after ${Date.now() - cutMs} ms`)
  await sees('silent silent up', votesForMs)
  for (const id of [most, any, every]) t.equal((await look(id)).state, 'up')
  // The failures are now too old to vote.
  await timeIs(cutMs + failsForMs + votesForMs + 2_000)
  star.heal()
  await sees('up up up')
  const late = `${org}/monitors/${most}/checks?location=${frankfurt.id}&outcome=down&limit=100`
  const kept = await until(async () => {
    const failures = await daemon.need('GET', late, { key })
    const came = failures.filter(({ at }: { at: string }) => Date.parse(at) > cutMs)
    return came.length > 0 && came.length
  })
  say(`two were cut off, ${kept} failures came late`)

  // What Frankfurt sends arrives, and no answer does, so that it comes twice. Oslo has no network at all, so it
  // blames no target.
  const lossMs = Date.now()
  drop('daemon', 'Frankfurt')
  star.unplug('Oslo')
  await timeIs(lossMs + 2 * intervalMs)
  for (const id of [most, any, every]) t.equal((await look(id)).state, 'up')
  star.heal()
  await until(async () => {
    const { places } = await daemon.need('GET', `${org}/monitors/${most}/locations`, { key })
    return places.every(
      ({ lastCheckAt }: { lastCheckAt: string }) =>
        Date.parse(lastCheckAt) > lossMs + 2 * intervalMs,
    )
  })
  await sees('up up up')
  say('answers were lost, and one had no network')

  // The daemon is cut off from all of them, and reaches all else.
  for (const name of stationNames) {
    drop(name, 'daemon')
    drop('daemon', name)
  }
  for (const id of [most, any, every, inside]) await becomes(id, 'unknown', votesForMs + 20_000)
  star.heal()
  for (const id of [most, any, every, inside]) await becomes(id, 'up')
  t.same([newsOf('most'), newsOf('any'), newsOf('every')], [firstNews, firstNews, []])
  say('all were cut off')

  star.unplug('target')
  for (const id of [most, any, every]) await becomes(id, 'down')
  star.heal()
  for (const id of [most, any, every]) await becomes(id, 'up')
  await sees('up up up')
  say('the target was gone')
  await until(() => newsOf('any').length === 4 && newsOf('most').length === 4)
  t.same(
    ['most', 'any', 'every', 'inside', 'forbidden'].map(newsOf),
    [
      // Four turns within an hour: no recovery until it is steady.
      [...firstNews, 'opened', 'updated'],
      [...firstNews, 'opened', 'updated'],
      firstNews,
      [],
      [],
    ],
    'no false alarm, and none missed',
  )
  const incidents = await daemon.need('GET', `${org}/incidents?limit=100`, { key })
  t.equal(incidents.length, 3, 'an outage soon after another one of its monitor continues that')

  const response = await fetch(`http://${target}:${port}/counts`)
  const counts = (await response.json()) as Record<string, number>
  for (const [at, { id: location }] of all.entries()) {
    const name = stationNames[at] ?? 'Oslo'
    for (const [word, id] of Object.entries({ most, any, every })) {
      const path = `${org}/monitors/${id}/checks?location=${location}&limit=200`
      const rows: { at: string; outcome: string }[] = await daemon.need('GET', path, { key })
      t.equal(new Set(rows.map((row) => row.at)).size, rows.length, `${name}, ${word}: each once`)
      const good = rows.filter(({ outcome }) => outcome === 'up').length
      const asked = counts[`${star.addressOf(name)}/${word}`] ?? 0
      // Some are on their way, and an answer that was cut off was no success.
      t.ok(good <= asked + 1 && asked - good <= 3, `${name}, ${word}: ${good} of ${asked}`)
    }
  }
})

const timeIs = (atMs: number) => until(() => Date.now() >= atMs, 2 * votesForMs)
