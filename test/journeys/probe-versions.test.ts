// Probes of the next and of the former version with this daemon, and this probe with the next daemon, all as real
// processes. The other versions are the sources of this one, with changes as later or earlier versions have them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { ApiClient } from '../support/api-client.ts'
import { type OwnerWithKey, registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startProcess } from '../support/daemon-process.ts'
import { isDeep } from '../support/depth.ts'
import { otherVersion } from '../support/other-version.ts'
import { startProbeProcess } from '../support/probe-program.ts'
import { answer, startTarget } from '../support/target.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'
import { welcomeTo } from '../support/websocket.ts'

/** After that a place that has said nothing is silent: two intervals, the time limit and 30 s. */
const silentMs = 2 * 10_000 + 1_000 + 30_000
const setupToken = 'a-setup-token-of-the-tests'

/** Both sides of another version; its variables say which one. */
const changes = {
  'domain/locations/protocol.ts': [
    ['probeProtocol = 1', 'probeProtocol = Number(process.env.OTHER_PROTOCOL ?? 1)'],
  ],
  'app/probe.ts': [
    [
      'hello: { protocol: probeProtocol, version, kinds },',
      `hello: {
        ...{ protocol: probeProtocol, version: process.env.OTHER_VERSION ?? '0.0.1' },
        kinds: process.env.OTHER_KINDS?.split(',') ?? [...kinds, 'quic'],
        ...{ features: ['shards'], stands: { latitude: 48.1, in: [{ region: 'eu' }] } },
      },`,
    ],
  ],
  'uplink/rounds.ts': [
    [
      'const result = { monitorId, revision, dueAtMs, try: tries, ...told }',
      `const result = {
        ...{ monitorId, revision, dueAtMs, try: tries, ...told, hops: [{ at: '::1', ms: 1 }] },
        phases: { ...told.phases, quicHandshake: 3 },
        ...(told.error ? { error: { ...told.error, kind: 'eclipse', phase: 'orbit', deep: {} } } : {}),
      }`,
    ],
  ],
  'uplink/uplink.ts': [
    ['&since=', '&shards=2&since='],
    [',"self":', ',"shards":[{}],"self":'],
    ['const self: ProbeLoad = {', 'const self = { heat: [21],'],
  ],
  'http/api/probe/probe.ts': [
    ['body: JSON.stringify(document) }', 'body: JSON.stringify(extended(document)) }'],
    [
      'const nothingNew',
      `function extended(document) {
        const { put, ask, ...more } = document
        const changed = (one) => ({
          ...{ ...one, shards: [1], expect: { ...one.expect, hologram: null } },
          ...(one.url.endsWith('/query') ? { method: 'QUERY' } : {}),
        })
        return {
          ...{ ...more, shards: [{ of: 2 }], advice: { pace: 'slow' } },
          ...(put ? { put: put.map(changed), ask: ask.map((one) => ({ ...one, why: 'vote' })) } : {}),
        }
      }
      const nothingNew`,
    ],
  ],
  'probes/registry.ts': [
    ['import { push }', "import { quic } from './quic.ts'\nimport { push }"],
    ['  tcp,\n', '  tcp,\n  quic,\n'],
  ],
} as const

/** A kind of checks that this version does not know. */
const quic = readFileSync(join(import.meta.dirname, '../../src/probes/tcp.ts'), 'utf8')
  .replace("type: 'tcp'", "type: 'quic'")
  .replaceAll("['tcp']", "['quic']")
  .replaceAll('tcp://', 'quic://')
  .replace('const tcp =', 'const quic =')
  .replace("typed: { keeps: 'port', servers: portsOfServers },", '')

function makeWorld(api: ApiClient & { readonly url: string }, { org, key, cookie }: OwnerWithKey) {
  return {
    async addProbe(name: string) {
      const { id } = await api.need('POST', `${org}/locations`, { cookie, json: { name } })
      const path = `${org}/locations/${id}/probes`
      const { token } = await api.need('POST', path, { cookie, json: { name } })
      return {
        ...{ id: String(id), token: String(token) },
        seen: async () => (await api.need('GET', path, { cookie }))[0],
      }
    },
    async addMonitor(name: string, url: string, locations: readonly string[], more = {}) {
      const json = {
        ...{ name, url, locations, intervalSeconds: 10, timeoutMs: 1_000, downWhen: 'any' },
        ...{ failureThreshold: 1, recoveryThreshold: 1, ...more },
      }
      // Our own description of the API does not know the kinds of another version.
      const response = await fetch(`${api.url}/api/v1${org}/monitors`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify(json),
      })
      const { data } = (await response.json()) as { data: { id: string } }
      const path = `${org}/monitors/${data.id}`
      const places = async () => {
        const { places } = await api.need('GET', `${path}/locations`, { key })
        return places.map(({ state }: { state: string }) => state).join(' ')
      }
      return {
        look: () => api.need('GET', path, { key }),
        change: (json: object) => api.need('PATCH', path, { key, json }),
        sees: (states: string, ms = 60_000) => until(async () => (await places()) === states, ms),
        checkNow: () =>
          api.need('POST', `${org}/monitors/check`, { key, json: { ids: [data.id] } }),
        checks: (query: string) => api.need('GET', `${path}/checks?${query}`, { key }),
      }
    },
  }
}

const env = { STILLUP_CHECKS_ALLOW: '127.0.0.0/8' }
const kindsOfFormer = 'endpoint,health,keyword,ssl,tcp,dns'

t.test('daemon and probe of different versions work together', async (t) => {
  const program = otherVersion(t, changes, { 'probes/quic.ts': quic })
  const site = await startTarget({
    '/': answer(),
    '/socket': (call) => call.socket.write(welcomeTo(call)),
  })
  t.teardown(() => site.close())
  const socketUrl = `${site.url.replace('http', 'ws')}/socket`

  await t.test('probes of the next and of the former version with this daemon', async (t) => {
    const daemon = await startDaemon(t)
    const world = makeWorld(daemon, await registerWithKey(daemon))
    const start = (token: string, more: Record<string, string>) => {
      daemon.secrets.add(token)
      return startProbeProcess(t, token, ['--server', daemon.url], { ...env, ...more }, { program })
    }
    const next = await world.addProbe('Next')
    const former = await world.addProbe('Former')
    const newer = start(next.token, { OTHER_VERSION: '99.0.0' })
    const older = start(former.token, { OTHER_VERSION: '0.0.1', OTHER_KINDS: kindsOfFormer })
    const both = [next.id, former.id]
    const website = await world.addMonitor('Website', site.url, both)
    const socket = await world.addMonitor('Socket', socketUrl, both, { checkType: 'websocket' })
    await website.sees('up up')
    await socket.sees('up pending')
    t.match(await next.seen(), { state: 'live', version: '99.0.0' })
    t.match(await former.seen(), { state: 'live', version: '0.0.1' })

    site.script = { '/': answer({ status: 503 }), '/socket': answer({ status: 503 }) }
    await website.checkNow()
    await socket.checkNow()
    await website.sees('down down')
    await socket.sees('down pending')
    const [failed] = await website.checks(`location=${next.id}&outcome=down`)
    t.match(failed.error, { kind: 'invalid_response', message: /503/ }, 'of a kind that is new')
    site.script = { '/': answer(), '/socket': (call) => call.socket.write(welcomeTo(call)) }
    await website.checkNow()
    await website.sees('up up')
    const rows = await socket.checks(`limit=100&location=${next.id}`)
    const asked = site.calls.filter(({ path }) => path === '/socket').length
    t.ok(asked - rows.length <= 1, 'only the probe that knows sockets was asked for them')
    if (isDeep) await socket.sees('up silent', silentMs + 30_000)
    for (const one of [newer, older]) {
      t.same(one.problems(), [])
      one.child.kill('SIGTERM')
      t.equal(await one.ended, 0)
    }
  })

  await t.test(
    'another protocol: which side to upgrade is said once, and it is tried again',
    async (t) => {
      const daemon = await startDaemon(t)
      const world = makeWorld(daemon, await registerWithKey(daemon))
      for (const [protocol, words] of [
        ['2', `the daemon at ${daemon.url} is too old for this probe: upgrade the daemon`],
        ['0', `this probe is too old for the daemon at ${daemon.url}: upgrade this probe`],
      ] as const) {
        const { token, seen } = await world.addProbe(`Protocol ${protocol}`)
        daemon.secrets.add(token)
        const own = { ...env, OTHER_PROTOCOL: protocol }
        const probe = startProbeProcess(t, token, ['--server', daemon.url], own, { program })
        await until(() => probe.problems().length > 0)
        t.same(probe.problems(), [words])
        t.equal(probe.child.exitCode, null, 'it stays, until the other side is upgraded')
        t.not((await seen()).state, 'live')
        probe.child.kill('SIGTERM')
        t.equal(await probe.ended, 0)
      }
    },
  )

  await t.test('this probe with the next daemon', async (t) => {
    const daemon = startProcess(
      t,
      testFolder(t),
      { STILLUP_AUTH_SETUP_TOKEN: setupToken, STILLUP_HTTP_RATE_API_PER_MINUTE: '0' },
      'unlimited',
      [],
      program,
    )
    await daemon.ready()
    const world = makeWorld(daemon, await registerWithKey(daemon, 'alice', setupToken))
    const place = await world.addProbe('Here')
    const probe = startProbeProcess(t, place.token, ['--server', daemon.url], env)
    site.script = { '/': answer(), '/changing': answer(), '/query': answer() }
    const website = await world.addMonitor('Website', site.url, [place.id])
    const changing = await world.addMonitor('Changing', `${site.url}/changing`, [place.id])
    const unknownUrl = site.url.replace('http', 'quic')
    const unknown = await world.addMonitor('Unknown', unknownUrl, [place.id], { checkType: 'quic' })
    await website.sees('up')
    await changing.sees('up')
    await unknown.sees('pending')
    t.same(probe.problems(), [], 'a kind that it does not know is not asked for')

    await changing.change({ url: `${site.url}/query` })
    const words = 'one monitor is not understood and not checked here: upgrade this probe'
    await until(() => probe.problems().includes(words))
    const before = site.calls.length
    site.script = { '/': answer({ status: 503 }) }
    for (const one of [changing, website]) await one.checkNow()
    await website.sees('down')
    const since = site.calls.slice(before).map(({ path }) => path)
    t.same(new Set(since), new Set(['/']), 'what it does not understand is not checked as it was')
    if (isDeep) {
      await unknown.sees('silent', silentMs + 30_000)
      await changing.sees('silent', silentMs + 30_000)
    }
    t.same(probe.problems(), [words])
    probe.child.kill('SIGTERM')
    t.equal(await probe.ended, 0)
  })
})
