// Secrets in documents: names and hosts, and no values.
import t from 'tap'
import { secretMask } from '../../../src/domain/secret-mask.ts'
import { register } from '../../support/cast.ts'
import { startDaemon } from '../../support/daemon.ts'

const whole = {
  name: 'SHOP_TOKEN',
  value: 'sk_live_8JbFzuQ2',
  hosts: ['api.example.com'],
  description: 'Of the test customer',
}

t.test('a document has no value, and what it brings waits for one', async (t) => {
  const daemon = await startDaemon(t)
  const [from, to] = [await register(daemon, 'from'), await register(daemon, 'to')]
  await daemon.need('POST', `${from.org}/secrets`, { cookie: from.cookie, json: whole })
  const other = { ...whole, name: 'KNOWN', description: null }
  await daemon.need('POST', `${from.org}/secrets`, { cookie: from.cookie, json: other })
  const known = { name: 'KNOWN', value: 'their own value', hosts: ['else.test'] }
  const kept = await daemon.need('POST', `${to.org}/secrets`, { cookie: to.cookie, json: known })

  const document = await daemon.need('GET', `${from.org}/export`, { cookie: from.cookie })
  t.notMatch(JSON.stringify(document), /sk_live/)
  t.match(document.secretsOmitted, ['/secrets/0/value', '/secrets/1/value'])
  const step = { name: 'Orders', url: '/', headers: { 'X-Key': '{{secret.SHOP_TOKEN}}' } }
  const shop = { name: 'Shop', checkType: 'steps', url: 'http://127.0.0.1:9/', steps: [step] }
  const json = { format: document.format, secrets: document.secrets, monitors: [shop] }
  const made = await daemon.need('POST', `${to.org}/import`, { cookie: to.cookie, json })
  t.match(made, { secrets: 2, awaitingValues: [{ id: /^sct_/, name: whole.name }] })
  t.equal(made.awaitingValues.length, 1)
  const list = await daemon.need('GET', `${to.org}/secrets`, { cookie: to.cookie })
  t.match(list, [
    { name: whole.name, value: null, hosts: whole.hosts, monitors: 1 },
    { ...kept, value: secretMask, hosts: known.hosts, revision: 1 },
  ])
  t.equal(list.length, 2, 'one that is there under its name stays, with its value and its hosts')
  const [monitorId] = list[0].monitorIds
  await daemon.need('POST', `${to.org}/monitors/${monitorId}`, { cookie: to.cookie })
  const checked = await daemon.need('GET', `${to.org}/monitors/${monitorId}`, { cookie: to.cookie })
  t.match(checked, {
    lastOutcome: 'unknown',
    lastError: { message: /the organization has no value for the secret SHOP_TOKEN/ },
  })
  const path = `${to.org}/secrets/${made.awaitingValues[0].id}`
  const given = { hosts: null, value: whole.value }
  const now = await daemon.need('PATCH', path, { cookie: to.cookie, json: given })
  t.match(now, { value: secretMask, hosts: [] })
  const withValue = { ...json, secrets: [{ name: 'NEW', value: 'a value' }] }
  const refused = await daemon.ask('POST', `/api/v1${to.org}/import`, {
    cookie: to.cookie,
    json: withValue,
  })
  t.match(refused.json, { status: 422, errors: [{ pointer: '/secrets/0/value' }] })
})
