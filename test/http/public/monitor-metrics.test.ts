// Who may read the metrics of monitors over HTTP, and whether Prometheus understands them.
import { spawnSync } from 'node:child_process'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { request } from 'undici'
import { addJob, mintKey, register } from '../../support/cast.ts'
import { startDaemon } from '../../support/daemon.ts'
import { skipWithout } from '../../support/programs.ts'

const systemToken = 'the-token-of-the-operator'
const daemon = await startDaemon(t, { env: { SYSTEM_TOKEN: systemToken } })
const [alice, bob] = [await register(daemon, 'alice'), await register(daemon, 'bob')]
const key = await mintKey(daemon, alice, 'viewer')
const job = await addJob(daemon, alice, 'Backup "nightly" \\ Ü')
await job.report('error')
await addJob(daemon, bob, 'Foreign')
const site = { name: 'Site', checkType: 'endpoint', url: 'https://shop.example/?a=b' }
const { org, cookie } = alice
await daemon.need('POST', `${org}/monitors`, { cookie, json: { ...site, isActive: false } })

const basic = (password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`any:${password}`).toString('base64')}` },
})
const paths = ['/metrics/monitors', '/metrics/http_sd'] as const

/** Prometheus 2.42 sends it so where it discovers. */
const bare = { headers: { authorization: key } }

t.test('a read key is enough, in each of the ways in which programs send it', async (t) => {
  for (const path of paths) {
    for (const way of [{ bearer: key }, { key }, basic(key), bare]) {
      const answer = await daemon.ask('GET', path, way)
      t.equal(answer.status, 200, path)
      t.equal(answer.headers.get('cache-control'), 'no-store')
    }
  }
})

t.test('nobody reads them without a credential, not even on this machine', async (t) => {
  const ended = await mintKey(daemon, alice, 'admin')
  const keys = await daemon.need('GET', `${org}/api-keys`, { cookie })
  const { id } = keys.find(({ name }: { name: string }) => name === 'admin key')
  await daemon.need('DELETE', `${org}/api-keys/${id}`, { cookie })
  const wrong = [
    {},
    { cookie },
    { bearer: ended },
    { key: ended },
    basic(ended),
    basic(''),
    basic(`${systemToken}x`),
    { headers: { authorization: 'Basic !' } },
  ]
  for (const path of paths) {
    for (const way of wrong) {
      const answer = await daemon.ask('GET', path, way)
      t.equal(answer.status, 401, `${path} ${JSON.stringify(way)}`)
      t.match(answer.headers.get('www-authenticate'), /^Bearer .*Basic /)
      t.notMatch(answer.text, /Backup|Site|Foreign/)
    }
  }
})

t.test('a key tells of its organization, the token of the operator of all', async (t) => {
  const own = await daemon.ask('GET', '/metrics/monitors', { bearer: key })
  t.match(
    own.text,
    /stillup_monitor_up\{id="mon_\w+",name="Backup \\"nightly\\" \\\\ Ü",type="push"\} 0/,
  )
  t.match(own.text, /stillup_monitor_state\{.*name="Site".*,state="paused"\} 1/)
  t.notMatch(own.text, /Foreign|organization=/)
  for (const way of [{ bearer: systemToken }, basic(systemToken)]) {
    const all = await daemon.ask('GET', '/metrics/monitors', way)
    t.match(all.text, new RegExp(`name="Foreign",type="push",organization="${bob.orgId}"\\} 1`))
    t.match(all.text, `organization="${alice.orgId}"`)
  }
  const off = { bearer: systemToken, json: { isDisabled: true } }
  const foreign = await mintKey(daemon, bob, 'viewer')
  await daemon.need('PATCH', `/system/orgs/${bob.orgId}`, off)
  t.equal((await daemon.ask('GET', '/metrics/monitors', { bearer: foreign })).status, 403)
  const rest = await daemon.ask('GET', '/metrics/monitors', { bearer: systemToken })
  t.notMatch(rest.text, /Foreign/, 'one that is switched off is not watched')
})

t.test('it is Prometheus’ text, or OpenMetrics where that is asked for', async (t) => {
  const accept = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5'
  const plain = await daemon.ask('GET', '/metrics/monitors', { bearer: key })
  t.equal(plain.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const open = await daemon.ask('GET', '/metrics/monitors', { bearer: key, headers: { accept } })
  t.match(open.headers.get('content-type'), /^application\/openmetrics-text; version=1\.0\.0/)
  t.ok(open.text.endsWith('\n# EOF\n'))
})

t.test('a large answer is compressed on its way to another machine', async (t) => {
  const json = { monitors: Array.from({ length: 60 }, (_, n) => ({ ...site, name: `Site ${n}` })) }
  await daemon.need('POST', `${org}/monitors/bulk`, { cookie, json })
  const ask = async (more: Record<string, string>) => {
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip', ...more }
    const { headers: got, body } = await request(`${daemon.url}/metrics/monitors`, { headers })
    return { coding: got['content-encoding'], bytes: Buffer.from(await body.arrayBuffer()) }
  }
  const near = await ask({})
  t.equal(near.coding, undefined)
  const far = await ask({ 'x-forwarded-for': '203.0.113.7' })
  t.equal(far.coding, 'gzip')
  t.equal(gunzipSync(far.bytes).length, near.bytes.length)
})

t.test('promtool finds nothing to complain about', { skip: skipWithout('promtool') }, async (t) => {
  const { text } = await daemon.ask('GET', '/metrics/monitors', { bearer: systemToken })
  const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  t.equal(stdout + stderr, '')
  t.equal(status, 0)
})
