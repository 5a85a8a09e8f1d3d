// Kept addresses: senders of Uptime Kuma and Healthchecks report as they did, and are answered as they were.
import t, { type Test } from 'tap'
import type { RunningClock } from '../../../src/base/clock.ts'
import { getAtHost } from '../../support/at-host.ts'
import { type Owner, register, registerWithKey } from '../../support/cast.ts'
import { type Daemon, startDaemon } from '../../support/daemon.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { createDice } from '../../support/fuzz.ts'
import { until } from '../../support/until.ts'

const uuid = '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'
const token = 'Sx7mPq2kVn9dTc4LwZ1rBf8hYj3gQa6e'
const key = 'fqOOd6-F4MMNuCEnzTU01w'
const rid = '728b3763-ea80-4113-9fc0-f49b3adf226a'
const kumaPath = `/api/push/${token}`
const uuidPath = `/ping/${uuid}`
const slugPath = `/ping/${key}/database-backup`

const pushMonitor = (name: string, fields: object) => ({
  name,
  checkType: 'push',
  intervalMinutes: 5,
  graceSeconds: 60,
  ...fields,
})

const documentOf = (...monitors: object[]) => ({ format: 'stillup/1', monitors })

/** What a sender sees. */
async function send(daemon: Daemon, path: string, init: RequestInit = {}) {
  const response = await fetch(daemon.url + path, { redirect: 'manual', ...init })
  const { status, headers } = response
  return { status, headers, body: await response.text() }
}

const plain = async (daemon: Daemon, path: string, init: RequestInit = {}) => {
  const { status, body } = await send(daemon, path, init)
  return `${status} ${body}`
}

async function open(
  t: Test,
  fields: object,
  env: Record<string, string> = {},
  clock?: RunningClock,
) {
  const daemon = await startDaemon(t, { env, ...(clock && { clock }) })
  for (const secret of [uuid, token, key]) daemon.secrets.add(secret)
  const owner = await registerWithKey(daemon)
  const json = documentOf(pushMonitor('Backup', fields))
  await daemon.need('POST', `${owner.org}/import`, { key: owner.key, json })
  const [{ id }] = await daemon.need('GET', `${owner.org}/monitors`, { key: owner.key })
  const path = `${owner.org}/monitors/${id}`
  return {
    daemon,
    owner,
    monitor: path,
    look: () => daemon.need('GET', path, { key: owner.key }),
    runs: () => daemon.need('GET', `${path}/runs`, { key: owner.key }),
    say: (rest: string, init?: RequestInit) => plain(daemon, rest, init),
  }
}

t.test('the address of Uptime Kuma is answered as there, and means the same', async (t) => {
  const { say, look, daemon } = await open(t, { keptAddresses: [kumaPath] })
  const { status, body, headers } = await send(daemon, `${kumaPath}?status=up&msg=OK&ping=`)
  t.same([status, body], [200, '{"ok":true}'])
  t.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  t.match(await look(), { state: 'up', responseTimeMs: 0 })

  t.equal(await say(`${kumaPath}?status=down&msg=disk%20full&ping=12.6`), '200 {"ok":true}')
  const down = await look()
  t.match(down, { state: 'down', responseTimeMs: 13, lastError: { message: /disk full/ } })
  t.match(down.openIncidentId, /^inc_/)

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    t.equal(await say(kumaPath, { method }), '200 {"ok":true}', method)
  }
  t.match(await look(), { state: 'up', openIncidentId: null })
  t.equal((await send(daemon, kumaPath, { method: 'HEAD' })).status, 200)
  t.equal(await say(`${kumaPath}?status=maybe`), '200 {"ok":true}')
  t.equal((await look()).state, 'down', 'whatever is not up is down')
  t.equal(await say(`${kumaPath}?status=&msg=%zz&ping=abc`), '200 {"ok":true}')
  t.equal((await look()).state, 'up')
  t.equal(await say(`${kumaPath}?status=up&status=down`), '200 {"ok":true}')
  t.equal((await look()).state, 'down', 'a list is not up')

  for (const ping of ['-1', '100000000001', '1e999']) {
    t.equal(await say(`${kumaPath}?ping=${ping}`), '200 {"ok":true}')
    t.match(await look(), { state: 'up', responseTimeMs: 0 }, 'a time out of range is passed over')
  }
  const unknown = '404 {"ok":false,"msg":"Monitor not found or not active."}'
  t.equal(await say('/api/push/nobodyKnowsThisToken'), unknown)
  t.equal(await say('/api/push/x'), unknown)
  const json = JSON.stringify({ status: 'down' })
  const init = { method: 'POST', body: json, headers: { 'content-type': 'application/json' } }
  t.equal(await say(kumaPath, init), '200 {"ok":true}')
  t.equal((await look()).state, 'up', 'only the query counts')
})

t.test('of a monitor that is upside down, Uptime Kuma turns reports round', async (t) => {
  const keptRules = { isUpsideDown: true }
  const fields = { keptAddresses: [kumaPath], keptRules, autoRecoveryMinutes: 1 }
  const clock = Object.assign(new FakeClock(), { onJump() {}, stop() {} })
  const { say, look } = await open(t, fields, {}, clock)
  t.equal(await say(`${kumaPath}?status=down&msg=nobody`), '200 {"ok":true}')
  t.match(await look(), { state: 'up', nextCheckAt: null }, 'no report is expected')
  t.equal(await say(`${kumaPath}?status=up&msg=intruder`), '200 {"ok":true}')
  t.match(await look(), { state: 'down', lastError: { message: /intruder/ } })
  await clock.advance(59_000)
  t.equal((await look()).state, 'down')
  await clock.advance(2_000)
  await until(async () => (await look()).state === 'up')
  t.match(await look(), { nextCheckAt: null }, 'up again after an interval without reports')
  for (const word of ['maybe', 'UP', '']) {
    t.equal(await say(`${kumaPath}?status=${word}`), '200 {"ok":true}')
    t.equal((await look()).state, word === '' ? 'down' : 'up', word)
  }
})

for (const path of [uuidPath, slugPath]) {
  t.test(`${path} is answered as by Healthchecks, with all its endings`, async (t) => {
    const { say, look, runs, daemon } = await open(t, { keptAddresses: [path] })
    const { status, body, headers } = await send(daemon, path)
    t.same([status, body], [200, 'OK'])
    t.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
    t.equal(headers.get('access-control-allow-origin'), '*')
    t.equal(headers.get('ping-body-limit'), '16384')
    t.match(headers.get('cache-control'), /no-store/)
    t.equal((await look()).state, 'up')
    t.equal(await say(`${path}/fail`), '200 OK')
    t.equal((await look()).state, 'down')
    t.equal(await say(`${path}/0`), '200 OK')
    t.match(await look(), { state: 'up', openIncidentId: null })
    t.equal(await say(`${path}/123`, { method: 'POST', body: 'certbot: no' }), '200 OK')
    t.equal((await look()).state, 'down')
    const [run] = await runs()
    t.match(run, { status: 'error', exitCode: 123, hasLog: true })
    t.equal(await say(`${path}/log`, { method: 'POST', body: 'step 2 of 3' }), '200 OK')
    t.equal((await look()).state, 'down', 'a log changes nothing')
    t.match((await runs())[0], { status: 'log', hasLog: true })
    t.equal(await say(`${path}/start?rid=${rid}`), '200 OK')
    t.match((await runs())[0], { status: 'running', runId: rid })
    t.equal(await say(`${path}?rid=${rid.toUpperCase()}`), '200 OK')
    t.match((await runs())[0], { status: 'ok', runId: rid })
    t.equal((await look()).state, 'up')
    for (const status of ['256', '99999999999']) {
      t.equal(await say(`${path}/${status}`), '400 invalid url format')
    }
    t.equal(await say(`${path}/start?rid=12345`), '400 invalid uuid format')
    t.equal((await send(daemon, path, { method: 'HEAD' })).status, 200)
  })
}

t.test('long outputs are cut, and unknown addresses are told as there', async (t) => {
  const { say, daemon } = await open(t, { keptAddresses: [uuidPath, slugPath] })
  const long = await send(daemon, uuidPath, { method: 'POST', body: 'x'.repeat(1_000_000) })
  t.same([long.status, long.body], [200, 'OK'], 'a long output is cut, not refused')
  t.equal(await say(`${uuidPath}/`), '200 OK')
  t.equal(await say('/ping/07c2f548-9850-4b27-af5d-6c9dc157ec02'), '404 not found')
  t.equal(await say(`/ping/${key}/another`), '404 not found')
  t.equal(await say(`/ping/${key}/another?create=1`), '404 not found')
  t.equal(await say(`/ping/${key}/Database-Backup`), '400 invalid url format')
})

t.test('methods and words of the body decide as they did', async (t) => {
  const keptRules = {
    methods: 'POST',
    otherwise: 'ignore',
    failureWords: ['FAILED'],
    successWords: ['DONE'],
    startWords: ['BEGIN'],
  }
  const { say, look, runs } = await open(t, { keptAddresses: [uuidPath], keptRules })
  const post = (body: string) => say(uuidPath, { method: 'POST', body })
  t.equal(await say(uuidPath), '200 OK')
  t.equal((await look()).state, 'pending', 'a GET is only logged')
  t.match(await runs(), [{ status: 'log' }])
  t.equal(await post('nothing to see'), '200 OK')
  t.equal((await look()).state, 'pending')
  await post('BEGIN')
  t.match((await runs())[0], { status: 'running' })
  await post('all DONE')
  t.equal((await look()).state, 'up')
  await post('DONE, but FAILED')
  t.equal((await look()).state, 'down')
})

t.test('without any such address the paths do not exist', async (t) => {
  const daemon = await startDaemon(t)
  const { org, key: apiKey } = await registerWithKey(daemon)
  const look = async (path: string, method = 'GET') => {
    const { status, headers, body } = await send(daemon, path, { method })
    const names = [...headers.keys()].filter((name) => name !== 'date').sort()
    return { status, names, body: body.replace(/"(instance|requestId)":"[^"]*"/g, '') }
  }
  const pairs = [
    [kumaPath, '/api/nothing/here'],
    [uuidPath, '/nothing/here'],
    [`${slugPath}/start`, '/nothing/here/at/all'],
  ] as const
  for (const [path, nothing] of pairs) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      t.same(await look(path, method), await look(nothing, method), `${method} ${path}`)
    }
  }
  const json = documentOf(pushMonitor('Backup', { keptAddresses: [uuidPath] }))
  await daemon.need('POST', `${org}/import`, { key: apiKey, json })
  t.equal(await plain(daemon, uuidPath), '200 OK')
  t.match(await plain(daemon, `${uuidPath}/what/ever`), /^404 <!DOCTYPE html>/i)
})

t.test(
  'members see the addresses, and take them away; viewers and exports do not have them',
  async (t) => {
    const { daemon, owner, look, monitor, say } = await open(t, {
      keptAddresses: [uuidPath, kumaPath],
    })
    t.same((await look()).keptAddresses, [uuidPath, kumaPath])
    const viewer = { key: '' }
    const { key: viewerKey } = await daemon.need('POST', `${owner.org}/api-keys`, {
      cookie: owner.cookie,
      json: { name: 'viewer', role: 'viewer' },
    })
    viewer.key = viewerKey
    t.notOk('keptAddresses' in (await daemon.need('GET', monitor, viewer)))
    const exported = await daemon.need('GET', `${owner.org}/export`, { key: owner.key })
    t.notOk('keptAddresses' in exported.monitors[0])
    t.ok(exported.secretsOmitted.includes('/monitors/0/keptAddresses'))

    const change = (keptAddresses: unknown) =>
      daemon.ask('PATCH', `/api/v1${monitor}`, { key: owner.key, json: { keptAddresses } })
    t.match(await change([uuidPath, '/ping/somebody-elses/address']), {
      status: 422,
      json: { errors: [{ pointer: '/keptAddresses/1', keyword: 'enum' }] },
    })
    t.equal((await change([kumaPath])).status, 200)
    t.same((await look()).keptAddresses, [kumaPath])
    t.equal(await say(uuidPath), '404 not found')
    t.equal(await say(kumaPath), '200 {"ok":true}')
    t.equal((await change([])).status, 200)
    t.notOk('keptAddresses' in (await look()))
    t.match(
      await say(kumaPath),
      /^404 .*"code":"not_found"/,
      'with none left there is no such path',
    )
  },
)

t.test('an address belongs to one monitor of the installation', async (t) => {
  const { daemon, owner, monitor, say } = await open(t, { keptAddresses: [uuidPath] })
  const bob: Owner = await register(daemon, 'bob')
  const taken = (who: { org: string; cookie: string }, ...items: object[]) =>
    daemon.ask('POST', `/api/v1${who.org}/import`, {
      cookie: who.cookie,
      json: documentOf(...items),
    })
  const mine = pushMonitor('Mine', { keptAddresses: [kumaPath, uuidPath] })
  for (const who of [bob, owner]) {
    const { status, json } = await taken(who, mine)
    t.equal(status, 422)
    t.match(json.errors, [{ pointer: '/monitors/0/keptAddresses/1', keyword: 'uniqueItems' }])
    t.notMatch(JSON.stringify(json), /alice|Backup|mon_/, 'whose it is remains unsaid')
  }
  t.equal(await say(kumaPath), '404 {"ok":false,"msg":"Monitor not found or not active."}')
  const twice = [1, 2].map((n) => pushMonitor(`${n}`, { keptAddresses: [kumaPath] }))
  t.equal((await taken(bob, ...twice)).status, 422)
  const wrong = [['/api/v1/push/x'], ['/ping/x'], [`${uuidPath}/start`], [`/ping/${key}/UPPER`]]
  for (const keptAddresses of wrong) {
    t.equal((await taken(bob, pushMonitor('x', { keptAddresses }))).status, 422, `${keptAddresses}`)
  }
  const check = { name: 'x', url: 'https://example.com', keptAddresses: [kumaPath] }
  t.match((await taken(bob, check)).json.errors, [{ pointer: '/monitors/0/keptAddresses' }])

  await daemon.need('DELETE', monitor, { key: owner.key })
  t.equal((await taken(bob, mine)).status, 200, 'a deleted monitor gives its addresses back')
  t.equal(await say(uuidPath), '200 OK')
  await daemon.need('DELETE', bob.org, { cookie: bob.cookie })
  t.match(await say(uuidPath), /^404/, 'and so does an organization')
})

t.test('a paused monitor is resumed by a result that comes as to Healthchecks', async (t) => {
  const { daemon, owner, monitor, say, look } = await open(t, {
    keptAddresses: [uuidPath, kumaPath],
  })
  const pause = () => daemon.need('POST', `${monitor}/pause`, { key: owner.key })
  await pause()
  t.equal(await say(kumaPath), '404 {"ok":false,"msg":"Monitor not found or not active."}')
  for (const rest of ['/log', '/start']) t.equal(await say(`${uuidPath}${rest}`), '200 OK')
  t.match(await look(), { state: 'paused', lastCheckAt: null })
  t.equal(await say(`${uuidPath}?rid=x`), '400 invalid uuid format')
  t.equal((await look()).state, 'paused', 'nor does what is refused')

  const both = await Promise.all([say(uuidPath), say(uuidPath)])
  t.same(both, ['200 OK', '200 OK'])
  t.match(await look(), { state: 'up', isActive: true })
  const resumed = `${owner.org}/audit-log?action=monitor.resumed`
  const log = await daemon.need('GET', resumed, { key: owner.key })
  t.match(log, [{ actor: { kind: 'daemon' } }])
  t.equal(log.length, 1, 'two at once resume it once')

  await pause()
  t.equal(await say(`${uuidPath}/7`), '200 OK')
  t.equal((await look()).state, 'down', 'a failure resumes it, too')
})

t.test('an undo of an import takes back what only a report resumed', async (t) => {
  const { daemon, owner, say, look } = await open(t, { keptAddresses: [uuidPath], isActive: false })
  t.equal(await say(uuidPath), '200 OK')
  t.equal((await look()).state, 'up')
  const [{ id }] = await daemon.need('GET', `${owner.org}/imports`, { key: owner.key })
  await daemon.need('POST', `${owner.org}/imports/${id}/undo`, { key: owner.key })
  t.match(await say(uuidPath), /^404/)
  t.equal((await daemon.need('GET', `${owner.org}/monitors`, { key: owner.key })).length, 0)
})

t.test('a paused monitor stays paused where a person is to resume it', async (t) => {
  const keptRules = { isResumedByHand: true }
  const { daemon, owner, monitor, say, look } = await open(t, {
    keptAddresses: [uuidPath],
    keptRules,
  })
  t.equal(await say(uuidPath), '200 OK')
  await daemon.need('POST', `${monitor}/pause`, { key: owner.key })
  for (const rest of ['', '/fail', '/start']) t.equal(await say(`${uuidPath}${rest}`), '200 OK')
  t.equal((await look()).state, 'paused')
  await daemon.need('POST', `${monitor}/resume`, { key: owner.key })
  t.equal(await say(uuidPath), '200 OK')
  t.equal((await look()).state, 'up')
})

t.test('a slug of several is answered as there, and reports to none of them', async (t) => {
  const daemon = await startDaemon(t)
  daemon.secrets.add(key)
  const { org, key: apiKey } = await registerWithKey(daemon)
  const sharedAddresses = [slugPath]
  const monitors = ['One', 'Two'].map((name) => pushMonitor(name, { sharedAddresses }))
  const json = { ...documentOf(...monitors), keptPingKeys: [key] }
  await daemon.need('POST', `${org}/import`, { key: apiKey, json })
  const say = (path: string, init?: RequestInit) => plain(daemon, path, init)
  for (const rest of ['', '/fail', '/300', '?rid=x', '?create=1']) {
    t.equal(await say(`${slugPath}${rest}`), '409 ambiguous slug')
  }
  t.equal(await say(slugPath.toUpperCase().replace('/PING', '/ping')), '400 invalid url format')
  const all = await daemon.need('GET', `${org}/monitors`, { key: apiKey })
  t.match(all, [{ state: 'pending', lastCheckAt: null }, { state: 'pending' }])
  t.same(all[0].keptAddresses, [slugPath])

  await daemon.need('DELETE', `${org}/monitors/${all[0].id}`, { key: apiKey })
  t.equal(await say(slugPath), '200 OK', 'the one that is left has it alone')
  t.match(await daemon.need('GET', `${org}/monitors`, { key: apiKey }), [{ state: 'up' }])
})

t.test('what senders write in other ways means the same as there', async (t) => {
  const { say, look, daemon } = await open(t, { keptAddresses: [uuidPath, slugPath] })
  for (const path of [uuidPath, slugPath]) {
    const { status, body, headers } = await send(daemon, path, { method: 'OPTIONS' })
    t.same([status, body], [200, 'OK'], 'OPTIONS is a ping as any other')
    t.equal(headers.get('access-control-allow-origin'), '*')
  }
  t.equal((await look()).state, 'up')
  t.equal(await say('/ping/nobody-knows-it/x', { method: 'OPTIONS' }), '404 not found')
  t.equal(await say(`${uuidPath}/${'0'.repeat(300)}1`), '200 OK')
  t.equal((await look()).state, 'down')
  t.equal(await say(uuidPath.replaceAll('-', '%2D')), '200 OK')
  t.equal((await look()).state, 'up', 'a path may be encoded')
  const large = { method: 'POST', body: 'x'.repeat(2_621_441) }
  t.match(await say(uuidPath, large), /^400 bad request/)
})

t.test('reports have a rate: of the monitor, and of who knows no address', async (t) => {
  const { daemon, say } = await open(
    t,
    { keptAddresses: [uuidPath, kumaPath] },
    { HTTP_RATE_PUSH_PER_MINUTE: '5' },
  )
  for (let sent = 0; sent < 5; sent += 1) t.equal(await say(uuidPath), '200 OK')
  const { status, body, headers } = await send(daemon, uuidPath)
  t.same([status, body], [429, 'rate limited'])
  t.match(headers.get('retry-after'), /^\d+$/)
  t.equal(await say(kumaPath), '429 {"ok":false,"msg":"Too many requests"}')
  const invented = (n: number) => `/ping/0000000${n}-0000-4000-8000-000000000000`
  for (let n = 0; n < 5; n += 1) t.equal(await say(invented(n)), '404 not found')
  t.equal(await say(invented(5)), '429 rate limited')
})

t.test('a ping key makes monitors for new slugs, as there', async (t) => {
  const daemon = await startDaemon(t, { env: { QUOTAS_MONITORS: '3' } })
  daemon.secrets.add(key)
  const owner = await registerWithKey(daemon)
  const { org, key: apiKey } = owner
  const bob = await register(daemon, 'bob')
  const say = (path: string, init?: RequestInit) => plain(daemon, path, init)
  const monitors = () => daemon.need('GET', `${org}/monitors`, { key: apiKey })
  const keptPingKeys = [key]
  const bring = (who: { org: string; cookie: string }) =>
    daemon.ask('POST', `/api/v1${who.org}/import`, {
      cookie: who.cookie,
      json: { format: 'stillup/1', keptPingKeys },
    })
  t.match(await say(`/ping/${key}/srv01?create=1`), /^404 <!DOCTYPE/i)
  t.equal((await bring(owner)).status, 200)
  t.equal((await bring(owner)).status, 200, 'its own may come again')
  t.match((await bring(bob)).json.errors, [{ pointer: '/keptPingKeys/0', keyword: 'uniqueItems' }])

  t.equal(await say(`/ping/${key}/srv01`), '404 not found', 'only who asks for it has one made')
  t.equal(await say(`/ping/${key}/srv01?create=0`), '404 not found')
  t.equal(await say(`/ping/${key}/Srv01?create=1`), '400 invalid url format')
  t.equal((await monitors()).length, 0, 'what is refused at once makes nothing')
  t.equal(await say(`/ping/${key}/srv01?create=1`), '201 Created')
  t.equal(await say(`/ping/${key}/srv01?create=1`), '200 OK')
  const [made] = await monitors()
  t.match(made, {
    name: 'srv01',
    checkType: 'push',
    intervalSeconds: 86_400,
    graceSeconds: 3_600,
    state: 'up',
    keptAddresses: [`/ping/${key}/srv01`],
  })
  const log = await daemon.need('GET', `${org}/audit-log?action=monitor.created`, { key: apiKey })
  t.match(log, [{ actor: { kind: 'daemon' }, objectId: made.id }])

  t.equal(
    await say(`/ping/${key}/srv02/fail?create=1`, { method: 'POST', body: 'x' }),
    '201 Created',
  )
  t.equal((await monitors())[0].state, 'down')
  const both = await Promise.all([1, 2].map(() => say(`/ping/${key}/srv03/start?create=1`)))
  t.same(both.map((one) => one.slice(0, 3)).sort(), ['201', '201'].sort(), 'two at once make one')
  t.equal((await monitors()).length, 3)
  t.equal(await say(`/ping/${key}/srv04?create=1`), '404 not found', 'not beyond the quota')
  t.equal(await say('/ping/another-ping-key/srv01?create=1'), '404 not found')
  const [newest] = await monitors()
  await daemon.need('DELETE', `${org}/monitors/${newest.id}`, { key: apiKey })
  const long = 'x'.repeat(200)
  t.equal(await say(`/ping/${key}/${long}/300?create=1`), '400 invalid url format')
  t.match(
    (await monitors())[0],
    { name: long.slice(0, 119), state: 'pending' },
    'made all the same',
  )
  t.equal(await say(`/ping/${key}/${long}`), '200 OK')
  await daemon.need('DELETE', `${org}/monitors/${(await monitors())[0].id}`, { key: apiKey })
  t.equal(await say(`/ping/${key}/srv05?create=1&rid=1`), '400 invalid uuid format')
  t.match((await monitors())[0], { name: 'srv05', state: 'pending' })

  const { pingKeys } = await daemon.need('GET', `${org}/ping-keys`, { key: apiKey })
  t.match(pingKeys, [{ hint: key.slice(0, 4) }])
  t.notMatch(JSON.stringify(pingKeys), key)
  const path = `/api/v1${org}/ping-keys/${pingKeys[0].hash}`
  const foreign = `/api/v1${bob.org}/ping-keys/${pingKeys[0].hash}`
  t.equal((await daemon.ask('DELETE', foreign, { cookie: bob.cookie })).status, 404)
  t.equal((await daemon.ask('DELETE', path, { key: apiKey })).status, 200)
  await daemon.need('DELETE', `${org}/monitors/${made.id}`, { key: apiKey })
  t.equal(
    await say(`/ping/${key}/srv04?create=1`),
    '404 not found',
    'a key that was removed makes none',
  )
  t.equal(await say(`/ping/${key}/srv02`), '200 OK', 'what it made goes on')
  t.equal((await bring(bob)).status, 200)
})

t.test('the addresses are answered at hosts of status pages, too', async (t) => {
  const env = { HTTP_STATUS_DOMAIN: 'status.test' }
  const { daemon, owner, look } = await open(t, { keptAddresses: [kumaPath, uuidPath] }, env)
  const page = { name: 'Status', slug: 'acme' }
  const { id } = await daemon.need('POST', `${owner.org}/status-pages`, {
    key: owner.key,
    json: page,
  })
  const json = { subdomain: 'acme' }
  await daemon.need('PATCH', `${owner.org}/status-pages/${id}/subdomain`, { key: owner.key, json })
  const at = (path: string) => getAtHost(daemon.url + path, 'acme.status.test')
  t.equal((await at('/')).status, 200)
  t.match(await at(`${kumaPath}?status=up`), { status: 200, text: '{"ok":true}' })
  t.match(await at(uuidPath), { status: 200, text: 'OK' })
  t.equal((await look()).state, 'up')
  t.equal((await at('/ping/what/ever/else')).status, 404)
})

t.test('below a path the addresses are there, and at the root of the name', async (t) => {
  const env = { HTTP_BASE_URL: 'http://example.test/up' }
  const { say } = await open(t, { keptAddresses: [kumaPath, uuidPath] }, env)
  for (const base of ['', '/up']) {
    t.equal(await say(`${base}${kumaPath}`), '200 {"ok":true}')
    t.equal(await say(`${base}${uuidPath}/start`), '200 OK')
  }
})

t.test('random requests end in an answer, and make nothing', async (t) => {
  const { daemon, owner, say } = await open(t, { keptAddresses: [uuidPath, slugPath] })
  const dice = createDice()
  const parts = ['ping', 'api', 'push', uuid, key, 'start', 'fail', '0', '%00', '%2e%2e', '%', 'x']
  const queries = [
    '',
    '?rid=%ff',
    '?create=1',
    '?create=1&create=0',
    '?&&=',
    '?status=%',
    '?ping=1e999',
  ]
  const methods = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'PATCH', 'DELETE']
  const broken: string[] = []
  for (let sent = 0; sent < 300; sent += 1) {
    const some = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(parts))
    const first = dice.pick(['ping', 'api/push', 'ping', 'api'])
    const path = `/${[first, ...some].join('/')}${dice.pick(queries)}`
    const method = dice.pick(methods)
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const init = hasBody ? { method, body: dice.bytes(dice.below(2_000)) } : { method }
    const { status } = await send(daemon, path, init)
    if (status < 200 || status >= 500) broken.push(`${method} ${path}: ${status}`)
  }
  t.same(broken, [])
  t.equal((await daemon.need('GET', `${owner.org}/monitors`, { key: owner.key })).length, 1)
  t.equal(await say(uuidPath), '200 OK')
})

t.test('an external endpoint of Gatus is answered as there, and means the same', async (t) => {
  const secret = 'potato-of-some-length'
  const path = '/api/v1/endpoints/core_nightly-job/external'
  const { daemon, look } = await open(t, { keptAddresses: [`${path}#${secret}`] })
  daemon.secrets.add(secret)
  const post = (query: string, authorization?: string, method = 'POST') =>
    plain(daemon, `${path}${query}`, {
      method,
      headers: authorization === undefined ? {} : { authorization },
    })
  const bearer = `Bearer ${secret}`
  t.equal(await post('?success=true&duration=1.5s', bearer), '200 ')
  t.match(await look(), { state: 'up', responseTimeMs: 1_500 })
  t.equal(await post('?success=false&error=no%20space', bearer), '200 ')
  t.match(await look(), { state: 'down' })
  t.equal(await post('', bearer), '400 missing or invalid success query parameter')
  t.equal(await post('?success=yes', bearer), '400 missing or invalid success query parameter')
  t.equal(await post('?success=true'), '401 invalid Authorization header')
  t.equal(await post('?success=true', 'Bearer another-token'), '401 invalid token')
  t.match(
    await post('?success=true&duration=soon', bearer),
    '400 invalid duration: time: invalid duration "soon"',
  )
  t.match(await post('?success=true', bearer, 'GET'), /^404 /)
  const shouted = path.replace('core', 'CORE')
  const init = { method: 'POST', headers: { authorization: bearer } }
  t.equal(await plain(daemon, `${shouted}?success=true`, init), '200 ', 'the case does not matter')
})

t.test('the operator may let ping keys make nothing', async (t) => {
  const daemon = await startDaemon(t, { env: { HTTP_CREATE_BY_PING_KEY: 'false' } })
  const { org, cookie } = await register(daemon, 'alice')
  const json = { format: 'stillup/1', keptPingKeys: [key] }
  await daemon.need('POST', `${org}/import`, { cookie, json })
  t.equal(await plain(daemon, `/ping/${key}/srv01?create=1`), '404 not found')
})
