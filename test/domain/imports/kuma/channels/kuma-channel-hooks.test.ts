// Services without a kind of their own get the request that Uptime Kuma sends them.
import t from 'tap'
import { messageOf, type Payload } from '../../../../../src/channels/model/message.ts'
import { webhook } from '../../../../../src/channels/webhook.ts'
import type { CertificateNotice } from '../../../../../src/domain/alerts/expiry-notice.ts'
import {
  type CertificateUsers,
  certificatePayload,
  incidentPayload,
} from '../../../../../src/domain/alerts/payload.ts'
import type { ForeignFields } from '../../../../../src/domain/imports/foreign.ts'
import { kumaChannelOf } from '../../../../../src/domain/imports/kuma/channels/kuma-channels.ts'
import { defaultLocale } from '../../../../../src/domain/language.ts'
import { kumaSettings } from '../../../../support/kuma-providers.ts'
import { makeIncident } from '../../../../support/make-incident.ts'
import { makeMonitor } from '../../../../support/make-page.ts'

const monitor = makeMonitor({ name: 'The "shop"' })
const incident = (event: 'incident.opened' | 'incident.resolved', over: object = {}) =>
  incidentPayload(
    event,
    makeIncident({ cause: 'found "503"', ...over }),
    [monitor],
    121_000,
    'https://up.test',
  )
const down = incident('incident.opened')
const up = incident('incident.resolved', { state: 'resolved', resolvedAtMs: 120_000 })
const certificateSeen = { expiresAtMs: 9e11, issuer: 'CA' }
const notice = { certificate: certificateSeen, daysLeft: 7, thresholdDays: 7 } as CertificateNotice
const users: CertificateUsers = { monitors: [monitor], total: 1 }
const certificate = certificatePayload(users, notice, 1_000)

function sent(settings: ForeignFields, payload: Payload) {
  const said: string[] = []
  const found = kumaChannelOf({ id: 1, name: 'Hook', ...settings }, (text) => said.push(text))
  const channel = found?.channel
  const payloadJson = JSON.stringify(payload)
  const message = messageOf(
    { webhookId: 'msg_1', event: payload.type, payloadJson },
    { locale: defaultLocale, nowMs: Date.parse(payload.timestamp) },
  )
  const context = {
    nowMs: 0,
    sign: () => '',
    channel: { id: 'chn_1', orgId: 'org_1', name: 'Hook' } as never,
  }
  const [request] = [webhook.render(message, channel?.config as ForeignFields, context)].flat()
  return { ...request, isActive: channel?.isActive, said }
}

t.test('every body is JSON for an outage, for its end, and for a certificate', async (t) => {
  for (const [type, settings] of kumaSettings) {
    const channel = kumaChannelOf({ id: 1, name: type, ...settings, type }, () => {})?.channel
    if (channel?.type !== 'webhook') continue
    t.notMatch(channel.events, ['incident.digest'], `${type} gets each incident by itself`)
    for (const payload of [down, up, certificate]) {
      const { url, method, body = '' } = sent({ ...settings, type }, payload)
      const text = method === 'GET' ? decodeURIComponent(url ?? '') : body
      if (method !== 'GET') t.doesNotThrow(() => JSON.parse(body), `${type} ${payload.type}`)
      t.notMatch(`${url}${body}`, /\{\{|\\u0001/, `${type} ${payload.type}`)
      t.ok(text.length > 20, type)
    }
  }
})

t.test('platforms that keep an alert hear of its end by the same key', async (t) => {
  const states: Readonly<Record<string, readonly [object, object]>> = {
    AlertNow: [{ status: 'open' }, { status: 'close' }],
    FlashDuty: [{ event_status: 'Critical' }, { event_status: 'Ok' }],
    GoAlert: [{ action: '' }, { action: 'close' }],
    GrafanaOncall: [{ state: 'alerting' }, { state: 'ok' }],
    PagerTree: [{ event_type: 'create' }, { event_type: 'resolve' }],
    SIGNL4: [{ 'X-S4-Status': 'new' }, { 'X-S4-Status': 'resolved' }],
    squadcast: [{ status: 'trigger' }, { status: 'resolve' }],
    alerta: [{ severity: 'critical' }, { severity: 'cleared' }],
    notifery: [{ code: 1 }, { code: 0 }],
  }
  for (const [type, [open, closed]] of Object.entries(states)) {
    const settings = { ...kumaSettings.get(type), type }
    const [first, last] = [down, up].map((one) => JSON.parse(sent(settings, one).body ?? ''))
    t.match(first, open, type)
    t.match(last, closed, type)
  }
  const settings = { ...kumaSettings.get('HeiiOnCall'), type: 'HeiiOnCall' }
  t.match(sent(settings, down).url, /\/trigger-7\/alert$/)
  t.match(sent(settings, up).url, /\/trigger-7\/resolve$/)
})

t.test('credentials are in headers, or in the address that the service gave', async (t) => {
  for (const [type, settings] of kumaSettings) {
    const channel = kumaChannelOf({ id: 1, ...settings, type }, () => {})?.channel
    if (channel?.type !== 'webhook') continue
    t.notMatch((channel.config as ForeignFields).bodyTemplate, /secret-/, type)
  }
})

const hook = { type: 'webhook', webhookURL: 'https://h.test/x', httpMethod: 'post' }

t.test("Kuma's own webhook keeps its fields: state, monitor and message", async (t) => {
  const { body, method, said } = sent(hook, up)
  t.equal(method, 'POST')
  t.match(JSON.parse(body ?? ''), {
    heartbeat: { status: 1, msg: 'found "503"', important: true },
    monitor: { name: 'The "shop"', url: 'https://inside.test/health' },
    msg: /^✅ Resolved: /,
  })
  t.match(JSON.parse(sent(hook, down).body ?? ''), { heartbeat: { status: 0 }, msg: /^🔴 / })
  t.match(JSON.parse(sent(hook, certificate).body ?? ''), { heartbeat: null, monitor: null })
  t.same(said, ['its ids of monitors, which are others here'])
})

t.test('a webhook by GET has the same in its query, a form in its field', async (t) => {
  const got = sent({ ...hook, webhookURL: 'https://h.test/x?a=1', httpMethod: 'get' }, up)
  const query = Object.fromEntries(new URL(got.url ?? '').searchParams)
  t.match(query, { a: '1', msg: /^✅ Resolved: /, heartbeat: /"status":1/ })
  t.equal(got.body, '')
  const headers = '{"X-Token":"t"}'
  const form = sent(
    { ...hook, webhookContentType: 'form-data', webhookAdditionalHeaders: headers },
    up,
  )
  const { headers: formHeaders, body } = form
  const parsed = await new Response(body, { headers: formHeaders ?? {} }).formData()
  t.match(JSON.parse(String(parsed.get('data'))), { heartbeat: { status: 1 } })
  t.match(formHeaders, { 'x-token': 't' })
})

t.test('a body in Liquid is sent as it is there, or the channel waits for one', async (t) => {
  const liquid = '{"text": "{{ name }}: {{ status }}"}'
  const own = { ...hook, webhookContentType: 'custom', webhookCustomBody: liquid }
  t.same(JSON.parse(sent(own, down).body ?? ''), { text: 'The "shop": 🔴 Down' })
  const waiting = sent({ ...own, webhookCustomBody: '{% if msg contains 1 %}x{% endif %}' }, down)
  t.equal(waiting.isActive, false)
  t.match(waiting.said.at(-1), /^its own body, in Liquid/)
})

t.test('headers that are no JSON are named', async (t) => {
  const { said } = sent({ ...hook, webhookAdditionalHeaders: 'X-Token: t' }, down)
  t.match(said, ['its headers are not JSON, and were left out', /^its ids of monitors/])
})

t.test('a forum of Discord gets a post for each message, as in Kuma', async (t) => {
  const forum = { discordChannelType: 'createNewForumPost', postName: 'Alerts' }
  const { url, body } = sent({ ...kumaSettings.get('discord'), ...forum, type: 'discord' }, up)
  t.equal(url, 'https://discord.com/api/webhooks/1/secret-1')
  const embeds = [{ title: /^✅ Resolved: /, color: 65_280 }]
  t.match(JSON.parse(body ?? ''), { thread_name: 'Alerts', embeds })
})

t.test(
  'chats get a message in the channel that Kuma names, with the mention that it makes',
  async (t) => {
    const of = (type: string, more: ForeignFields) => {
      const { body, url } = sent({ ...kumaSettings.get(type), ...more, type }, down)
      return { url, ...JSON.parse(body ?? '') }
    }
    const attachments = [{ color: '#e01e5a', text: /^Cause: / }]
    const slack = of('slack', {
      slackchannel: '#ops',
      slackusername: 'Kuma',
      slackchannelnotify: true,
    })
    t.match(slack, { channel: '#ops', username: 'Kuma', text: /^🔴 .* <!channel>$/, attachments })
    const mattermost = { mattermostchannel: 'Ops', mattermosticonemo: ':ok: :fire:' }
    t.match(of('mattermost', mattermost), { channel: 'ops', icon_emoji: ':fire:', attachments })
    t.match(of('rocket.chat', { rocketchannel: '#ops' }), { channel: '#ops', attachments })
    const plain = kumaChannelOf({ ...kumaSettings.get('slack'), type: 'slack' }, () => {})
    t.equal(plain?.channel.type, 'slack', 'and the kind itself where it names none')
  },
)
