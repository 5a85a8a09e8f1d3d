// A daemon and a real `stillup probe`: what the probe sees becomes incidents, until its token is revoked.
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startProbeProcess } from '../support/probe-program.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { answer, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

t.test('what a probe sees elsewhere opens and ends incidents', async (t) => {
  const daemon = await startDaemon(t)
  const { org, key, cookie } = await registerWithKey(daemon)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const site = await startTarget()
  t.teardown(() => site.close())
  const channel = { name: 'On call', type: 'webhook', config: { url: receiver.url } }
  await daemon.need('POST', `${org}/alert-channels`, { key, json: channel })
  const location = await daemon.need('POST', `${org}/locations`, { cookie, json: { name: 'Oslo' } })
  const probes = `${org}/locations/${location.id}/probes`
  const made = await daemon.need('POST', probes, { cookie, json: { name: 'oslo-1' } })
  daemon.secrets.add(made.token)
  const server = ['--server', daemon.url]
  const probe = startProbeProcess(t, made.token, server, { STILLUP_CHECKS_ALLOW: '127.0.0.1' })

  site.script = answer()
  const { id } = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: {
      name: 'Website',
      url: site.url,
      headers: { Authorization: 'Bearer of-the-target' },
      failureThreshold: 1,
      recoveryThreshold: 1,
      intervalSeconds: 10,
      locations: [location.id],
    },
  })
  const look = () => daemon.need('GET', `${org}/monitors/${id}`, { key })
  await until(async () => (await look()).state === 'up')
  t.equal(site.calls[0]?.headers.authorization, 'Bearer of-the-target', 'with its headers')

  site.script = answer({ status: 503 })
  await daemon.need('POST', `${org}/monitors/check`, { key, json: { ids: [id] } })
  await until(async () => (await look()).state === 'down')
  const [opened] = await receiver.received(1)
  t.match(bodyOf(opened), { type: 'incident.opened' })
  site.script = answer()
  await daemon.need('POST', `${org}/monitors/check`, { key, json: { ids: [id] } })
  await until(async () => (await look()).state === 'up')

  const [seen] = await daemon.need('GET', probes, { key })
  t.match(seen, { state: 'live', version: String })
  await daemon.need('DELETE', `${probes}/${seen.id}`, { cookie })
  await until(() => probe.problems().some((line) => line.includes('refuses the token')))
  const asked = site.calls.length
  probe.child.kill('SIGTERM')
  t.equal(await probe.ended, 0)
  t.equal(site.calls.length, asked, 'a revoked probe checks nothing')
})

t.test(
  'a probe that may not open a private address says so, and its monitor is not down',
  async (t) => {
    const daemon = await startDaemon(t)
    const { org, key, cookie } = await registerWithKey(daemon)
    const site = await startTarget()
    t.teardown(() => site.close())
    const location = await daemon.need('POST', `${org}/locations`, {
      cookie,
      json: { name: 'Oslo' },
    })
    const probes = `${org}/locations/${location.id}/probes`
    const { token } = await daemon.need('POST', probes, { cookie, json: { name: 'oslo-1' } })
    daemon.secrets.add(token)
    startProbeProcess(t, token, ['--server', daemon.url])
    const json = {
      name: 'Intranet',
      url: site.url,
      failureThreshold: 1,
      intervalSeconds: 10,
      locations: [location.id],
    }
    const { id } = await daemon.need('POST', `${org}/monitors`, { key, json })
    const places = () => daemon.need('GET', `${org}/monitors/${id}/locations`, { key })
    await until(async () => (await places()).places[0].error !== null)
    t.match(await places(), {
      vote: { voting: 0 },
      places: [{ error: { kind: 'blocked', message: /loopback .* STILLUP_CHECKS_ALLOW$/ } }],
    })
    t.not((await daemon.need('GET', `${org}/monitors/${id}`, { key })).state, 'down')
    t.same(await daemon.need('GET', `${org}/incidents`, { key }), [])
    t.equal(site.calls.length, 0)
  },
)

t.test('what the daemon may not open is opened by the probe alone', async (t) => {
  const daemon = await startDaemon(t, { env: { CHECKS_TARGETS: 'public' } })
  const { org, key, cookie } = await registerWithKey(daemon)
  const site = await startTarget()
  t.teardown(() => site.close())
  const location = await daemon.need('POST', `${org}/locations`, { cookie, json: { name: 'Oslo' } })
  const json = { name: 'Intranet', url: site.url, intervalSeconds: 3_600, locations: [location.id] }
  const monitors = `${org}/monitors`
  const refused = await daemon.ask('POST', `/api/v1${monitors}`, {
    key,
    json: { ...json, locations: [] },
  })
  t.match(refused.json, { code: 'target_not_allowed', errors: [{ pointer: '/url' }] })
  const { id } = await daemon.need('POST', monitors, { key, json })
  const patch = (locations: readonly string[]) =>
    daemon.ask('PATCH', `/api/v1${monitors}/${id}`, { key, json: { locations } })
  for (const locations of [[], ['home'], [location.id, 'home']]) {
    t.match((await patch(locations)).json, {
      code: 'target_not_allowed',
      errors: [{ pointer: '/locations', message: /other than home: .* checks\.targets/ }],
    })
  }
  t.equal((await daemon.ask('POST', `/api/v1${monitors}/test`, { key, json })).status, 422)
  await daemon.need('POST', `${monitors}/check`, { key, json: { ids: [id] } })
  t.equal(site.calls.length, 0, 'the daemon has not looked itself')

  const made = await daemon.need('POST', `${org}/locations/${location.id}/probes`, {
    ...{ cookie, json: { name: 'oslo-1' } },
  })
  daemon.secrets.add(made.token)
  const server = ['--server', daemon.url]
  startProbeProcess(t, made.token, server, { STILLUP_CHECKS_ALLOW: '127.0.0.1' })
  // Its first result does not wait for the hour.
  await until(async () => (await daemon.need('GET', `${monitors}/${id}`, { key })).state === 'up')
})
