// A secret of the organization on its way: from the API into the requests of steps, here and at a probe elsewhere,
// and nowhere else.
import t from 'tap'
import { secretMask } from '../../src/domain/secret-mask.ts'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startProbeProcess } from '../support/probe-program.ts'
import { answer, type Call, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const [first, second] = ['sk_live_8JbFzuQ2', 'sk_live_x7Qm2LrT']

t.test('steps send a secret of the organization, to its hosts alone', async (t) => {
  const daemon = await startDaemon(t, { env: { AUTH_REGISTRATION: 'first-user' } })
  const { org, key } = await registerWithKey(daemon, 'ann', daemon.setupToken)
  for (const value of [first, second]) daemon.secrets.add(value)
  // It repeats what it was sent, as error pages do.
  const shop = await startTarget((call: Call) => {
    const sent = call.headers.authorization ?? ''
    const isRight = sent === `Bearer ${first}` || sent === `Bearer ${second}`
    answer({ status: isRight && call.path !== '/broken' ? 200 : 500, body: `You sent ${sent}` })(
      call,
    )
  })
  t.teardown(() => shop.close())
  const ask = (method: string, path: string, json?: object) =>
    daemon.ask(method, `/api/v1${org}${path}`, { key, ...(json && { json }) })
  const need = async (method: string, path: string, json?: object) => {
    const { status, json: said } = await ask(method, path, json)
    t.equal(status, 200, `${method} ${path}: ${JSON.stringify(said)}`)
    return said.data
  }
  const step = (url: string) => ({
    name: 'Orders',
    url,
    headers: { Authorization: 'Bearer {{secret.TOKEN}}' },
  })
  const monitor = {
    ...{ name: 'Shop', checkType: 'steps', url: shop.url, steps: [step('/orders')] },
    ...{ failureThreshold: 1, recoveryThreshold: 1, intervalSeconds: 86_400 },
  }

  const unknown = await ask('POST', '/monitors', monitor)
  t.match(unknown.json, {
    status: 422,
    errors: [{ pointer: '/steps/0', message: /is to send the secret TOKEN/ }],
  })
  const secret = await need('POST', '/secrets', {
    name: 'TOKEN',
    value: first,
    hosts: ['127.0.0.1'],
  })
  t.equal((await need('POST', '/monitors/test', monitor)).outcome, 'up', 'a trial sends it')
  const { id } = await need('POST', '/monitors', monitor)
  t.match(await need('POST', `/monitors/${id}`), { outcome: 'up' })
  t.equal(shop.calls.at(-1)?.headers.authorization, `Bearer ${first}`)
  t.match(await need('GET', `/secrets/${secret.id}`), { monitors: 1, monitorIds: [id] })
  t.match((await ask('DELETE', `/secrets/${secret.id}`)).json, { status: 409, detail: /Shop/ })

  await need('PATCH', `/secrets/${secret.id}`, { value: second })
  await need('POST', `/monitors/${id}`)
  t.equal(shop.calls.at(-1)?.headers.authorization, `Bearer ${second}`, 'the next check has it')

  await need('PATCH', `/monitors/${id}`, { steps: [step('/broken')] })
  await need('POST', `/monitors/${id}`)
  const [incident] = await need('GET', '/incidents')
  const { cause, evidence } = await need('GET', `/incidents/${incident.id}`)
  t.match(cause, /expected status 200, found 500/)
  const seen = JSON.stringify(evidence)
  t.ok(seen.includes('You sent') && seen.includes(secretMask), 'what the target repeats is masked')
  t.notMatch(seen, /sk_live/)

  const names = ['__proto__', 'constructor']
  for (const name of names) await need('POST', '/secrets', { name, value: `value of ${name}` })
  const body = names.map((name) => `{{secret.${name}}}`).join(', ')
  const odd = { ...step('/odd'), method: 'POST', body }
  t.equal((await need('POST', '/monitors/test', { ...monitor, steps: [odd] })).outcome, 'up')
  t.equal(shop.calls.at(-1)?.body, names.map((name) => `value of ${name}`).join(', '))

  await need('PATCH', `/secrets/${secret.id}`, { value: second, hosts: ['shop.example.com'] })
  const asked = shop.calls.length
  const { outcome, reading } = await need('POST', '/monitors/test', monitor)
  t.not(outcome, 'up')
  t.match(
    JSON.stringify(reading ?? (await need('POST', '/monitors/test', monitor))),
    /may not be sent to 127.0.0.1/,
  )
  t.equal(shop.calls.length, asked, 'it is not sent to another host')

  await need('PATCH', `/monitors/${id}`, { steps: [{ name: 'Open', url: '/open' }] })
  t.match(await need('GET', `/secrets/${secret.id}`), { monitors: 0 })
  await need('DELETE', `/secrets/${secret.id}`)
})

t.test('a probe elsewhere sends it too, and the next check has a new value', async (t) => {
  const daemon = await startDaemon(t)
  const { org, key, cookie } = await registerWithKey(daemon)
  for (const value of [first, second]) daemon.secrets.add(value)
  const shop = await startTarget()
  t.teardown(() => shop.close())
  const json = { name: 'Oslo' }
  const location = await daemon.need('POST', `${org}/locations`, { cookie, json })
  const probes = `${org}/locations/${location.id}/probes`
  const made = await daemon.need('POST', probes, { cookie, json })
  daemon.secrets.add(made.token)
  const server = ['--server', daemon.url]
  startProbeProcess(t, made.token, server, { STILLUP_CHECKS_ALLOW: '127.0.0.1' })
  const need = (method: string, path: string, json: object) =>
    daemon.need(method, `${org}${path}`, { key, json })
  const { id: secretId } = await need('POST', '/secrets', { name: 'TOKEN', value: first })
  const step = {
    name: 'Orders',
    url: '/',
    method: 'POST',
    body: '{"key": "{{secret.TOKEN|json}}"}',
  }
  const { id } = await need('POST', '/monitors', {
    ...{ name: 'Shop', checkType: 'steps', url: shop.url, steps: [step] },
    ...{ intervalSeconds: 10, locations: [location.id] },
  })
  await until(() => shop.calls.some(({ body }) => body.includes(first)))
  await need('PATCH', `/secrets/${secretId}`, { value: second })
  await need('POST', '/monitors/check', { ids: [id] })
  await until(() => shop.calls.some(({ body }) => body.includes(second)))
})
