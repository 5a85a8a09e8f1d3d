// A new master key: added, taken up by a restart, the old one removed; and nothing was lost.
import { randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as OTPAuth from 'otpauth'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import type { Credential } from '../support/api-client.ts'
import { password, registerWithKey } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { fullFields } from '../support/kyc-person.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const header = 'header-value-of-the-target-7d1f'
const body = 'body-secret-of-the-request-91ac'
const halfMinuteMs = 30_000

type World = Awaited<ReturnType<typeof live>>

/** One of everything that lies sealed, and what must still be true of it in the end. */
async function live(t: Test, daemon: Daemon) {
  const target = await startTarget()
  const receiver = await startReceiver()
  t.teardown(() => Promise.all([target.close(), receiver.close()]))
  const { org, key, cookie, email } = await registerWithKey(daemon)
  const shop = { name: 'Shop', url: `${target.url}/`, headers: { 'X-Probe': header } }
  const monitor = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: { ...shop, method: 'POST', body },
  })
  const job = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: { name: 'Job', checkType: 'push' },
  })
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'Hook', type: 'webhook', config: { url: receiver.url } },
  })
  const once = { cookie, json: { name: 'once', role: 'viewer' } }
  const headers = { 'idempotency-key': 'the only one' }
  const repeat = (api: Daemon, who: Credential) =>
    api.ask('POST', `/api/v1${org}/api-keys`, { ...once, ...who, headers })
  const shownOnce = (await repeat(daemon, { cookie })).json
  await daemon.need('POST', '/identity/kyc/verify', {
    headers: { 'auth-token': cookie },
    json: fullFields,
  })

  const { otpauthUrl } = await daemon.need('POST', '/auth/totp', { cookie })
  const app = OTPAuth.URI.parse(otpauthUrl) as OTPAuth.TOTP
  const codeOf = (aheadMs: number) => app.generate({ timestamp: Date.now() + aheadMs })
  // Each code works once: this one ends soon, so that there are two left for the sign-ins. It may
  // end on its way, and then the next does not.
  await until(async () => {
    const json = { code: codeOf(-halfMinuteMs) }
    const { status } = await daemon.ask('POST', '/api/v1/auth/totp/confirm', { cookie, json })
    return status === 200
  })
  const parts = { target, receiver, monitor, job, channel, repeat, shownOnce, codeOf }
  return { ...parts, org, key, cookie, email }
}

/** The record as a caller sees it, and the revision that its ETag begins with. */
async function seen({ org, key }: World, daemon: Daemon, path: string) {
  const { json, headers } = await daemon.ask('GET', `/api/v1${org}${path}`, { key })
  const { name, pushToken, headers: sent, config, updatedAt } = json.data
  const [, revision] = /^"(\d+)-/.exec(headers.get('etag') ?? '') ?? []
  return { revision: Number(revision), name, pushToken, sent, config, updatedAt }
}

const everything = (world: World, daemon: Daemon) =>
  Promise.all([
    seen(world, daemon, `/monitors/${world.monitor.id}`),
    seen(world, daemon, `/monitors/${world.job.id}`),
    seen(world, daemon, `/alert-channels/${world.channel.id}`),
  ])

/** Everything that needs a secret, done once. */
async function useAll(t: Test, world: World, daemon: Daemon, codeAheadMs: number) {
  const { org, key, email, target, receiver, monitor, job, channel } = world
  const calls = target.calls.length
  t.match(await daemon.need('POST', `${org}/monitors/${monitor.id}`, { key }), { outcome: 'up' })
  const call = target.calls.slice(calls).find(({ path }) => path === '/')
  t.match(call, { headers: { 'x-probe': header }, body })
  await daemon.need('GET', `/push/${job.pushToken}`)

  const told = receiver.requests.length
  await daemon.need('POST', `${org}/alert-channels/${channel.id}/test`, { key })
  const [message] = (await receiver.received(told + 1)).slice(told)
  t.ok(new Webhook(channel.config.secret).verify(message?.body ?? '', message?.headers ?? {}))

  const json = { email, password, totp: world.codeOf(codeAheadMs) }
  const wrong = { ...json, totp: '000000' }
  t.equal((await daemon.ask('POST', '/api/v1/auth/login', { json: wrong })).status, 401)
  const { token: cookie } = await daemon.need('POST', '/auth/login', { json })
  const again = await world.repeat(daemon, { cookie })
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.same(again.json, world.shownOnce)
  const headers = { 'auth-token': cookie }
  const status = await daemon.need('GET', '/identity/kyc', { headers })
  t.equal(status.fields.length, 15)
}

t.test('a master key is changed by two restarts, and everything works as before', async (t) => {
  const dir = join(tmpdir(), `stillup-${randomBytes(6).toString('hex')}`, 'data')
  t.teardown(() => rmSync(join(dir, '..'), { recursive: true }))
  const first = await startDaemon(t, { dir })
  const world = await live(t, first)
  const was = await everything(world, first)
  await first.stop()

  const keyFile = join(dir, 'master.key')
  const fresh = `${randomBytes(32).toString('hex')}\n`
  const old = readFileSync(keyFile, 'utf8')
  writeFileSync(keyFile, fresh)
  await t.rejects(startDaemon(t, { dir }), { message: /does not belong to this data/ }, 'too early')

  writeFileSync(keyFile, old)
  appendFileSync(keyFile, fresh)
  const second = await startDaemon(t, { dir })
  const isDone = (line: string) => line.includes('secrets are sealed with the newest key')
  const line = JSON.parse(await until(() => second.lines.find(isDone)))
  t.match(line, {
    level: 'info',
    resealed: { monitors: 2, channels: 1, factors: 1, verifications: 1 },
  })
  t.ok(line.resealed.replays >= 1)
  // Its actors hold the records as they were before the pass.
  await useAll(t, world, second, 0)
  t.same(await everything(world, second), was)
  await second.stop()

  writeFileSync(keyFile, fresh)
  const third = await startDaemon(t, { dir })
  await useAll(t, world, third, halfMinuteMs)
  t.same(await everything(world, third), was)
  const { cookie } = world
  t.equal((await third.ask('GET', '/api/v1/auth/session', { cookie })).status, 401)
  t.notOk(third.lines.some(isDone), 'there is nothing left to do')
})
