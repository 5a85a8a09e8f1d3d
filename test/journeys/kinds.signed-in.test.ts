// A kind of check that signs in, on the whole daemon: in its own process, in a thread, and at a remote probe,
// against a PostgreSQL server that others wrote.
import t, { type Test } from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { startProbeProcess } from '../support/probe-program.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { skipWithoutPostgres, startPostgres } from '../support/servers/postgres.ts'
import { until } from '../support/until.ts'

const skip = skipWithoutPostgres

/** A monitor of the shop's database that one verdict turns, with a channel that hears of it. */
async function watchShop(t: Test, daemon: Daemon, url: string) {
  const cast = await registerWithKey(daemon, 'alice', daemon.setupToken)
  const { org, key } = cast
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const channel = { name: 'Hook', type: 'webhook', config: { url: receiver.url } }
  await daemon.need('POST', `${org}/alert-channels`, { key, json: channel })
  const json = {
    ...{ name: 'Shop', checkType: 'postgres', url, username: 'ada', password: 's3cret' },
    ...{ body: 'SELECT 41 + 1 AS answer', failureThreshold: 1, recoveryThreshold: 1 },
    ...{ intervalMinutes: 1_440, degradedThresholdMs: null },
  }
  const made = await daemon.need('POST', `${org}/monitors`, { key, json })
  const path = `${org}/monitors/${made.id}`
  return {
    ...cast,
    made,
    receiver,
    run: () => daemon.need('POST', path, { key }),
    look: () => daemon.need('GET', path, { key }),
    latest: () => daemon.need('GET', `${path}/checks/latest`, { key }),
    change: (json: object) => daemon.need('PATCH', path, { key, json }),
  }
}

t.test('a server that all of them share', { skip }, async (t) => {
  const server = await startPostgres(t)

  for (const workers of ['0', '1']) {
    await t.test(`a database is up, down and up again, with ${workers} threads`, async (t) => {
      const env = { AUTH_REGISTRATION: 'first-user', CHECKS_WORKERS: workers }
      const daemon = await startDaemon(t, { env })
      const url = `postgres://127.0.0.1:${server.port}/shop?tls=off`
      const shop = await watchShop(t, daemon, url)
      t.match(shop.made, { username: 'ada', password: '••••' })
      const up = await shop.run()
      t.match(
        up,
        { outcome: 'up', found: { value: 42, rows: [{ answer: 42 }] } },
        up.error?.message,
      )

      await shop.change({ password: 'wr0ng-s3cret' })
      const down = await shop.run()
      t.match(down, { state: 'down', error: { kind: 'status', message: /refused the sign-in/ } })
      const [opened] = await shop.receiver.received(1)
      t.match(bodyOf(opened), { type: 'incident.opened' })
      const shown = JSON.stringify([down, await shop.latest(), await shop.look(), bodyOf(opened)])
      t.notMatch(shown, /s3cret/, 'no password is shown or sent')

      await shop.change({ password: 's3cret' })
      t.match(await shop.run(), { state: 'up' })
      const assertions = [{ source: 'json', path: '$.value', type: 'lessThan', value: '42' }]
      await shop.change({ assertions })
      t.match(await shop.run(), { state: 'down', error: { kind: 'assertion' } })
      t.match((await shop.latest()).failure, { body: /"answer":42/ })
      await server.stop()
      t.match(await shop.run(), { error: { kind: 'connect' } })
      await server.start()
    })
  }

  await t.test('a probe elsewhere signs in with the password of the monitor', async (t) => {
    const daemon = await startDaemon(t)
    const { org, key, cookie } = await registerWithKey(daemon, 'alice', daemon.setupToken)
    const location = await daemon.need('POST', `${org}/locations`, {
      cookie,
      json: { name: 'Oslo' },
    })
    const probes = `${org}/locations/${location.id}/probes`
    const { token } = await daemon.need('POST', probes, { cookie, json: { name: 'oslo-1' } })
    daemon.secrets.add(token)
    const allow = { STILLUP_CHECKS_ALLOW: '127.0.0.1' }
    startProbeProcess(t, token, ['--server', daemon.url], allow)
    const json = {
      ...{ name: 'Shop', checkType: 'postgres', username: 'ada', password: 's3cret' },
      ...{ url: `postgres://127.0.0.1:${server.port}/shop`, ignoreTlsErrors: true },
      ...{ body: 'SELECT 1', intervalSeconds: 10, failureThreshold: 1, locations: [location.id] },
    }
    const { id } = await daemon.need('POST', `${org}/monitors`, { key, json })
    const look = () => daemon.need('GET', `${org}/monitors/${id}`, { key })
    await until(async () => (await look()).state === 'up')
    const password = 'wr0ng-s3cret'
    await daemon.need('PATCH', `${org}/monitors/${id}`, { key, json: { password } })
    await until(async () => (await look()).state === 'down')
    t.match((await look()).lastError, { kind: 'status', message: /refused the sign-in/ })
  })
})
