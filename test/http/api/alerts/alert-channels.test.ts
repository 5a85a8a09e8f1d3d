// The alert channel operations of the API: bodies, envelopes, roles, and the record of deliveries.

import t, { type Test } from 'tap'
import type { DeliveryId } from '../../../../src/base/ids.ts'
import { channelTypes } from '../../../../src/channels/registry.ts'
import type { Attempt } from '../../../../src/domain/alerts/attempt.ts'
import { alertChannels, alertDeliveries } from '../../../../src/http/api/alerts/alert-channels.ts'
import { openApiDocument } from '../../../../src/http/openapi/openapi.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { openChannelsService } from '../../../support/channels.ts'
import { orgA, orgB, startTestHttp } from '../../../support/http.ts'
import { makeDelivery, makeIncident } from '../../../support/make-incident.ts'
import { startReceiver } from '../../../support/receiver.ts'

const mask = '••••'
const body = { name: 'Pager', type: 'webhook', config: { url: 'https://hook.test/in' } }

async function open(t: Test) {
  const { store, box, channels } = openChannelsService(t)
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', [...alertChannels, ...alertDeliveries]),
    services: { channels },
  })
  t.teardown(() => server.stop())
  const send = (method: string, rest: string, json?: unknown, more: object = {}) =>
    server.ask(`/api/v1/orgs/${orgA}/alert-channels${rest}`, { as: 'alice', method, json, ...more })
  return { store, box, server, send }
}

t.test('a channel is created from exactly the fields of the interface', async (t) => {
  const { send } = await open(t)
  const { status, json, headers } = await send('POST', '', { ...body, isActive: true })
  t.equal(status, 200)
  t.match(json, { success: true, message: 'Alert channel created' })
  t.match(json.data, {
    id: /^chn_/,
    orgId: orgA,
    name: 'Pager',
    type: 'webhook',
    isActive: true,
    isDefault: true,
    minSeverity: 'degraded',
    delayMinutes: 0,
    disabledReason: null,
    config: { url: 'https://hook.test/in', secret: /^whsec_/ },
    createdAt: /Z$/,
    updatedAt: /Z$/,
  })
  t.equal(json.data.events.length, 11)
  t.notOk('secretsBox' in json.data)
  t.ok(headers.get('etag'))
  const shown = await send('GET', `/${json.data.id}`)
  t.equal(shown.json.data.config.secret, mask)
  t.match((await send('GET', '')).json, { data: [{ id: json.data.id, config: { secret: mask } }] })
})

t.test('a field that is wrong is named, and nothing is stored', async (t) => {
  const { send } = await open(t)
  const { url } = body.config
  const cases: [object, string][] = [
    [{ ...body, name: '' }, '/name'],
    [{ ...body, type: 'pigeon' }, '/type'],
    [{ ...body, config: {} }, '/config/url'],
    [{ ...body, config: 'x' }, '/config'],
    [{ ...body, config: { url: 'nowhere' } }, '/config/url'],
    [{ ...body, config: { url, headers: { Host: 'x' } } }, '/config/headers/Host'],
    [{ ...body, config: { url, colour: 'red' } }, '/config/colour'],
    [{ ...body, events: ['incident.imagined'] }, '/events/0'],
    [{ ...body, delayMinutes: -1 }, '/delayMinutes'],
    [{ ...body, minSeverity: 'mild' }, '/minSeverity'],
    [{ ...body, colour: 'red' }, '/colour'],
  ]
  for (const [json, pointer] of cases) {
    const answer = await send('POST', '', json)
    t.match(answer.json, { status: 422, errors: [{ pointer }] }, JSON.stringify(json))
  }
  t.same((await send('GET', '')).json.data, [])
})

t.test('a merge patch changes only the fields it names, unless somebody was faster', async (t) => {
  const { send } = await open(t)
  const made = await send('POST', '', body)
  const at = `/${made.json.data.id}`
  const headers = { 'if-match': made.headers.get('etag') ?? '' }
  const config = { ...made.json.data.config, secret: mask, headers: { 'X-Key': 'k' } }
  const changed = await send('PATCH', at, { name: 'Night', config, isDefault: null }, { headers })
  t.match(changed.json, {
    message: 'Alert channel updated',
    data: { name: 'Night', isDefault: false, config: { secret: mask, headers: { 'X-Key': mask } } },
  })
  t.equal((await send('PATCH', at, { name: 'Late' }, { headers })).status, 412)
  const without = await send('PATCH', at, { config: { headers: null } })
  t.notOk('headers' in without.json.data.config)
  t.match((await send('DELETE', at)).json, {
    success: true,
    message: 'Alert channel deleted',
    data: { usedByMonitors: 0 },
  })
  t.equal((await send('GET', at)).status, 404)
})

t.test('viewers read, admins write, strangers find nothing', async (t) => {
  const { send, server } = await open(t)
  const { id } = (await send('POST', '', body)).json.data
  const bob = { as: 'bob' }
  const seen = await send('GET', `/${id}`, undefined, bob)
  const { origin } = new URL(body.config.url)
  t.match(seen, { status: 200, json: { data: { config: { url: `${origin}/…` } } } })
  t.match((await send('GET', '', undefined, bob)).json.data, [{ config: { url: `${origin}/…` } }])
  t.match((await send('GET', `/${id}`)).json.data, { config: { url: body.config.url } })
  t.equal((await send('GET', `/${id}/deliveries`, undefined, bob)).status, 200)
  t.equal((await send('POST', '', body, bob)).status, 403)
  t.equal((await send('PATCH', `/${id}`, { name: 'x' }, bob)).status, 403)
  t.equal((await send('DELETE', `/${id}`, undefined, bob)).status, 403)
  t.equal((await send('POST', `/${id}/test`, undefined, bob)).status, 403)
  t.equal((await send('GET', `/${id}`, undefined, { as: 'charlie' })).status, 404)
  const foreign = `/api/v1/orgs/${orgB}/alert-channels/${id}`
  t.equal((await server.ask(foreign, { as: 'charlie' })).status, 404)
  const withKey = { as: undefined, key: 'key-admin' }
  t.equal((await send('POST', '', body, withKey)).status, 200)
})

t.test('a test reports the answer of the receiver', async (t) => {
  const { send } = await open(t)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  receiver.script({ status: 503, body: 'busy' }, { status: 204 })
  const made = await send('POST', '', { ...body, config: { url: receiver.url } })
  const { status, json } = await send('POST', `/${made.json.data.id}/test`)
  t.equal(status, 200)
  t.match(json.data, {
    delivered: false,
    status: 503,
    response: 'busy',
    error: 'The receiver answered 503.',
    durationMs: Number,
  })
  t.equal(
    json.message,
    'Test not delivered. The receiver answered 503. It is in trouble itself. It said: busy',
  )
  const again = await send('POST', `/${made.json.data.id}/test`)
  t.match(again.json.message, /^Test delivered: the receiver answered 204 after \d+ ms\.$/)
})

t.test(
  'each type has a branch in the document, with an example that makes a channel',
  async (t) => {
    const { send } = await open(t)
    const routes = atPrefix('/api/v1', alertChannels)
    const document = openApiDocument(routes, { baseUrl: 'https://up.test', version: '1' })
    const { paths, components } = JSON.parse(JSON.stringify(document))
    const { schema } =
      paths['/api/v1/orgs/{orgId}/alert-channels'].post.requestBody.content['application/json']
    t.equal(schema.discriminator.propertyName, 'type')
    t.same(Object.keys(schema.discriminator.mapping).sort(), [...channelTypes].sort())
    t.same(
      schema.oneOf.map(({ $ref }: { $ref: string }) => $ref),
      Object.values(schema.discriminator.mapping),
    )
    for (const [type, ref] of Object.entries<string>(schema.discriminator.mapping)) {
      const branch = components.schemas[ref.slice('#/components/schemas/'.length)]
      t.equal(branch.properties.type.const, type)
      t.match(
        branch.description,
        type === 'email' ? /mail\.smtpUrl/ : /(^|\n)Where to get .*<https:\/\/\S+>\.$/,
        type,
      )
      const [example] = branch.examples
      const made = await send('POST', '', example)
      t.match(made.json, { data: { type, name: branch.title } }, type)
      const wrong = await send('POST', '', { ...example, config: { colour: 'red' } })
      const pointers = wrong.json.errors.map(({ pointer }: { pointer: string }) => pointer)
      t.ok(pointers.includes('/config/colour'), `${type}: ${pointers}`)
      const required = branch.properties.config.required ?? []
      for (const name of required) t.ok(pointers.includes(`/config/${name}`), `${type}.${name}`)
      t.equal(pointers.length, required.length + 1, `${type}: nothing is said of another type`)
    }
  },
)

t.test('an unknown type is the only problem of its channel', async (t) => {
  const { send } = await open(t)
  const cases: [object, string][] = [
    [{ type: 'pigeon' }, `must be one of ${channelTypes.join(', ')}`],
    [{ type: undefined }, 'is required'],
  ]
  for (const [type, message] of cases) {
    const config = { loft: 'north' }
    const { json } = await send('POST', '', { name: 'Pager', ...type, config })
    t.match(json, { status: 422 })
    t.match(json.errors, [{ pointer: '/type', message }])
    t.equal(json.errors.length, 1)
  }
})

t.test('a template that names what no message has is refused when it is stored', async (t) => {
  const { send } = await open(t)
  const { url } = body.config
  const withTemplate = (bodyTemplate: string) => ({ ...body, config: { url, bodyTemplate } })
  const { json } = await send('POST', '', withTemplate('{"x": "{{data.incident.tilte}}"}'))
  t.match(json, { status: 422, errors: [{ pointer: '/config/bodyTemplate' }] })
  t.match(json.errors[0].message, /^names \{\{data\.incident\.tilte\}\}, .*known are title, text,/)
  t.equal((await send('POST', '', withTemplate('{"x": "{{data.incident.title}}"}'))).status, 200)
})

t.test('deliveries are listed and sent once more', async (t) => {
  const { send, store } = await open(t)
  const { id: channelId } = (await send('POST', '', body)).json.data
  const id = 'dlv_01k0000000000000000000000b' as DeliveryId
  const dead = { state: 'dead', attempts: 30, lastStatus: 500, lastError: 'It said 500.' } as const
  const row = makeDelivery({ id, orgId: orgA, channelId }, dead)
  await store.write((tx) => {
    store.incidents.put(tx, makeIncident({ orgId: orgA }))
    store.deliveries.put(tx, row)
  })
  const { json } = await send('GET', `/${channelId}/deliveries?state=dead`)
  t.match(json.data, [
    { id, state: 'dead', attempts: 30, lastStatus: 500, nextAttemptAt: null, createdAt: /Z$/ },
  ])
  t.notOk('payloadJson' in json.data[0])
  t.equal((await send('GET', `/${channelId}/deliveries?state=lost`)).status, 400)
  const again = await send('POST', `/${channelId}/deliveries/${id}/redeliver`)
  t.match(again.json.data, { id, state: 'pending', attempts: 0, nextAttemptAt: /Z$/ })
  t.equal((await send('POST', `/${channelId}/deliveries/${id}/redeliver`)).status, 409)
})

t.test('a delivery shows its attempts; the answers of the receiver only to admins', async (t) => {
  const { send, store, box, server } = await open(t)
  const { id: channelId } = (await send('POST', '', body)).json.data
  const log: Attempt = {
    atMs: 5_000,
    durationMs: 120,
    class: 'server_error',
    status: 500,
    reason: 'The receiver answered 500.',
    request: 'POST hook.test',
    answerBox: box.seal('a stack trace'),
  }
  const failed = { state: 'dead', attempts: 1, log: [log] } as const
  const row = makeDelivery({ orgId: orgA, channelId }, failed)
  await store.write((tx) => store.deliveries.put(tx, row))
  const path = `/${channelId}/deliveries/${row.id}`
  const { json } = await send('GET', path)
  t.match(json.data, { id: row.id, attempts: 1, waitsFor: null, dwellMs: null })
  t.same(json.data.attemptLog, [
    {
      at: '1970-01-01T00:00:05.000Z',
      durationMs: 120,
      class: 'server_error',
      status: 500,
      reason: 'The receiver answered 500.',
      request: 'POST hook.test',
      response: 'a stack trace',
    },
  ])
  const seen = await send('GET', path, undefined, { as: 'bob' })
  t.match(seen.json.data.attemptLog, [{ status: 500, response: null }])
  t.equal((await send('GET', path, undefined, { as: 'charlie' })).status, 404)
  t.equal((await send('GET', `/${channelId}/deliveries/dlv_none`)).status, 404)

  const all = await server.ask(`/api/v1/orgs/${orgA}/alert-deliveries?state=dead`, { as: 'bob' })
  t.match(all.json.data, [{ id: row.id, channelId, state: 'dead' }])
  t.notOk('attemptLog' in all.json.data[0])
})

t.test('the dead deliveries of a channel are sent again with one request', async (t) => {
  const { send, store } = await open(t)
  const { id: channelId } = (await send('POST', '', body)).json.data
  const dead = { state: 'dead', attempts: 30 } as const
  const row = makeDelivery({ orgId: orgA, channelId, nowMs: 60_000 }, dead)
  await store.write((tx) => {
    store.incidents.put(tx, makeIncident({ orgId: orgA }))
    store.deliveries.put(tx, row)
  })
  const at = `/${channelId}/redeliver`
  for (const wrong of [{}, { state: 'pending' }, { state: 'dead', since: 'yesterday' }]) {
    t.equal((await send('POST', at, wrong)).status, 422, JSON.stringify(wrong))
  }
  t.equal((await send('POST', at, { state: 'dead' }, { as: 'bob' })).status, 403)
  const later = { state: 'dead', since: '1970-01-01T00:02:00Z' }
  t.match((await send('POST', at, later)).json, {
    data: { redelivered: 0, hasMore: false },
    message: 'There was no dead delivery to send again',
  })
  t.match((await send('POST', at, { state: 'dead' })).json, {
    data: { redelivered: 1, hasMore: false },
    message: 'The dead deliveries are being sent again',
  })
  t.match((await send('GET', `/${channelId}`)).json.data.health, { state: 'untested', pending: 1 })
})
