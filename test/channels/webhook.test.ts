// A webhook as its receiver sees it: the signature, the body, the headers; and the sender contract.

import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { createSender } from '../../src/channels/sender.ts'
import { webhook } from '../../src/channels/webhook.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import type { WebRequest } from '../../src/net/http-client/guarded-client.ts'
import { createEgress } from '../../src/net/http-client/guarded-client.ts'
import { mintWebhookSecret, signWebhook } from '../../src/seal/sign.ts'
import { channelContract } from '../contracts/channel.contract.ts'
import { openedMessage, senderContract } from '../contracts/sender.contract.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeChannel } from '../support/make-channel.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'

const secret = mintWebhookSecret()
const channelWith = (config: object) => ({ channel: makeChannel(), config: { secret, ...config } })

senderContract({
  type: 'webhook',
  channelAt: (url) => channelWith({ url }),
  retried: [400, 401, 403, 404, 422],
})

const goldenSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq='

channelContract({
  definition: webhook,
  config: { url: 'https://hooks.test/stillup', secret: goldenSecret },
  answers: [
    { answer: { status: 202 }, means: { ok: true } },
    { answer: { status: 415 }, means: { ok: false, mayRetry: true } },
    { answer: { status: 410 }, means: { mayRetry: false, disablesChannel: true } },
  ],
  fits(t, { body, headers }) {
    t.equal(typeof JSON.parse(body), 'object')
    t.match(headers, { 'webhook-id': /^msg_/, 'webhook-signature': /^v1,/ })
  },
})

/** A sender on a fake clock that shows the requests it would make. */
function startSender() {
  const clock = new FakeClock(Date.now())
  const requests: WebRequest[] = []
  const send = createSender({
    sign: signWebhook,
    request: async (request) => {
      requests.push(request)
      return { kind: 'answered', status: 200, headers: {}, body: '' }
    },
  })
  return {
    requests,
    clock,
    send: (config: object) => send(openedMessage, channelWith(config), { clock }),
  }
}

t.test('a receiver can verify what it gets with a Standard Webhooks library', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const clock = new FakeClock(Date.now())
  const deps = { guard: createGuard({ targets: 'any' }), resolver: createResolver({ clock }) }
  const send = createSender({ request: createEgress({ ...deps, clock }), sign: signWebhook })
  await send(openedMessage, channelWith({ url: `${receiver.url}?key=1` }), { clock })
  const [request] = receiver.requests
  t.match(request, {
    method: 'POST',
    path: '/hook?key=1',
    headers: { 'content-type': 'application/json', 'webhook-id': openedMessage.id },
  })
  t.equal(request?.body, openedMessage.payloadJson, 'byte for byte')
  const payload = new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})
  t.match(payload, { type: 'incident.opened', data: { incident: { title: 'API is down' } } })
  t.throws(() =>
    new Webhook(mintWebhookSecret()).verify(request?.body ?? '', request?.headers ?? {}),
  )
})

t.test('each attempt is signed for its own time, under one id', async (t) => {
  const { requests, clock, send } = startSender()
  await send({ url: 'http://hook.test/' })
  await clock.advance(3_600_000)
  await send({ url: 'http://hook.test/' })
  const [first, second] = requests.map(({ headers }) => headers)
  t.equal(first?.['webhook-id'], second?.['webhook-id'])
  t.equal(Number(second?.['webhook-timestamp']) - Number(first?.['webhook-timestamp']), 3_600)
  t.not(first?.['webhook-signature'], second?.['webhook-signature'])
})

t.test('custom headers and the method are sent, the signature stays ours', async (t) => {
  const { requests, send } = startSender()
  const headers = { Authorization: 'Bearer x', 'User-Agent': 'ours', 'Content-Type': 'text/json' }
  await send({ url: 'http://hook.test/', method: 'PUT', headers })
  t.match(requests[0], {
    method: 'PUT',
    headers: { authorization: 'Bearer x', 'user-agent': 'ours', 'content-type': 'text/json' },
  })
})

t.test('with GET, everything is in the URL', async (t) => {
  const { requests, send } = startSender()
  await send({ url: 'http://hook.test/?text={{title}}', method: 'GET' })
  t.match(requests[0], { method: 'GET', url: 'http://hook.test/?text=API%20is%20down', body: '' })
  t.equal(requests[0]?.headers['content-type'], undefined)
  const pointers = (config: object) => webhook.problems?.({ url: 'http://hook.test/', ...config })
  t.match(pointers({ method: 'GET', bodyTemplate: '{{title}}' }), [{ pointer: '/bodyTemplate' }])
  t.match(pointers({ url: 'http://{{title}}/' }), [{ pointer: '/url', keyword: 'template' }])
})

t.test('a body template is filled in, escaped for JSON, and signed as sent', async (t) => {
  const { requests, send } = startSender()
  const bodyTemplate =
    '{"text": "{{title}}: {{ data.incident.cause }}", "ms": {{data.incident.durationMs}},' +
    ' "no": "{{data.nothing.here}}{{constructor.name}}", "all": {{data.monitors}}}'
  await send({ url: 'http://hook.test/', bodyTemplate })
  const { body = '', headers = {} } = requests[0] ?? {}
  t.same(JSON.parse(body), {
    text: 'API is down: timeout: no answer within 10,000 ms',
    ms: 60_000,
    no: '',
    all: [],
  })
  t.doesNotThrow(() => new Webhook(secret).verify(body, headers))
})

t.test('quotes and line ends in a value cannot break out of the template', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const clock = new FakeClock()
  const deps = { guard: createGuard({ targets: 'any' }), resolver: createResolver({ clock }) }
  const send = createSender({ request: createEgress({ ...deps, clock }), sign: signWebhook })
  const payload = JSON.parse(openedMessage.payloadJson)
  payload.data.incident.title = '"}\n{{data.orgId}} \\ "evil": "'
  const message = { ...openedMessage, payloadJson: JSON.stringify(payload) }
  const bodyTemplate = '{"text": "{{data.incident.title}}"}'
  await send(message, channelWith({ url: receiver.url, bodyTemplate }), { clock })
  t.same(bodyOf(receiver.requests[0]), { text: payload.data.incident.title })
})

t.test('as a CloudEvent, the payload is its data', async (t) => {
  const { requests, send } = startSender()
  await send({ url: 'http://hook.test/', format: 'cloudevents' })
  const { body = '', headers = {} } = requests[0] ?? {}
  t.equal(headers['content-type'], 'application/cloudevents+json; charset=utf-8')
  const payload = JSON.parse(openedMessage.payloadJson)
  t.same(JSON.parse(body), {
    specversion: '1.0',
    id: openedMessage.id,
    source: `/orgs/${payload.data.orgId}`,
    type: 'stillup.incident.opened',
    subject: payload.data.incident.id,
    time: payload.timestamp,
    datacontenttype: 'application/json',
    data: payload.data,
  })
  t.doesNotThrow(() => new Webhook(secret).verify(body, headers), 'it is signed as sent')
  const pointersOf = (config: object) =>
    webhook
      .problems?.({ url: 'http://hook.test/', format: 'cloudevents', ...config })
      .map(({ pointer }) => pointer)
  t.same(pointersOf({}), [])
  t.same(pointersOf({ method: 'PUT' }), ['/method', '/format'])
  t.same(pointersOf({ bodyTemplate: '{}' }), ['/bodyTemplate', '/format'])
})

t.test('a receiver that hangs is given up after twenty seconds', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  receiver.script('hang')
  const clock = new FakeClock()
  const deps = { guard: createGuard({ targets: 'any' }), resolver: createResolver({ clock }) }
  const send = createSender({ request: createEgress({ ...deps, clock }), sign: signWebhook })
  const outcome = send(openedMessage, channelWith({ url: receiver.url }), { clock })
  await receiver.received(1)
  await clock.advance(20_000)
  t.match(await outcome, { ok: false, mayRetry: true, reason: 'No answer within 20 seconds.' })
  t.equal(clock.pending, 0, 'no timer is left')
})

t.test('an invalid config reports its problems', async (t) => {
  const config = { url: 'http://hook.test/' }
  t.same(webhook.problems?.({ ...config, secret }), [])
  t.match(webhook.problems?.({ ...config, secret: 'short' }), [{ pointer: '/secret' }])
  const headers = { Host: 'x', 'webhook-id': 'x', 'a b': 'x', ok: 'a\r\nb', 'X-Fine': 'ünd so' }
  t.same(
    webhook.problems?.({ ...config, headers }).map(({ pointer }) => pointer),
    ['/headers/Host', '/headers/webhook-id', '/headers/a b', '/headers/ok'],
  )
})
