// Slack as it is called: requests compared with golden files, its limits, its answers.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { messageOf, type Payload } from '../../src/channels/model/message.ts'
import { createSender } from '../../src/channels/sender.ts'
import { slack } from '../../src/channels/slack.ts'
import { certificatePayload, incidentPayload } from '../../src/domain/alerts/payload.ts'
import { resolvedIncident } from '../../src/domain/incidents/incident.ts'
import type { WebAnswer, WebRequest } from '../../src/net/http-client/guarded-client.ts'
import { senderContract } from '../contracts/sender.contract.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeChannel } from '../support/make-channel.ts'
import { makeIncident } from '../support/make-incident.ts'
import { makeMonitor, monitorNo } from '../support/make-page.ts'

const webhookUrl = 'https://hooks.slack.test/services/T0/B0/x'
const channelAt = (url: string) => ({
  channel: makeChannel({ type: 'slack', config: {} }),
  config: { webhookUrl: url },
})

senderContract({ type: 'slack', channelAt, final: [400, 401, 403, 404, 422] })

/** Sends a payload to a Slack that answers as told; shows the request and what came of it. */
async function send(payload: Payload, answer: Partial<Extract<WebAnswer, { status: number }>>) {
  const requests: WebRequest[] = []
  const sender = createSender({
    sign: () => 'unused',
    async request(request) {
      requests.push(request)
      return { kind: 'answered', status: 200, headers: {}, body: 'ok', ...answer }
    },
  })
  const payloadJson = JSON.stringify(payload)
  const message = messageOf({ webhookId: 'msg_1', event: payload.type, payloadJson })
  const outcome = await sender(message, channelAt(webhookUrl), { clock: new FakeClock() })
  const [request] = requests
  return { request, outcome, body: JSON.parse(request?.body ?? '{}') }
}

const monitor = makeMonitor({ name: 'Shop & <Cart>' })
const title = 'Shop & <Cart> is down'
const incident = makeIncident({ title, cause: 'status: 503 is not in 200-299' })
const base = 'https://up.test'
const opened = incidentPayload('incident.opened', incident, [monitor], 61_000, base)
const over = { resolution: 'recovered', resolvedAtMs: 91_000, atMs: 121_000 } as const
const resolved = resolvedIncident(incident, over)
const certificate = { expiresAtMs: 1_768_000_000_000, issuer: 'Test CA' }
const notice = { certificate, daysLeft: 5, thresholdDays: 7 }
const digest: Payload = {
  type: 'incident.digest',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: {
    orgId: 'org',
    incidents: Array.from({ length: 12 }, () => opened.data.incident),
    incidentsTotal: 40,
  },
}
const test: Payload = {
  type: 'channel.test',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { orgId: 'org', channel: { id: 'chn', name: 'On call' } },
}

t.test('each kind of message is the request of its golden file', async (t) => {
  const payloads: Payload[] = [
    opened,
    incidentPayload('incident.resolved', resolved, [monitor], 121_000, base),
    certificatePayload(monitor, notice, 121_000, base),
    digest,
    test,
  ]
  for (const payload of payloads) {
    const { request, body } = await send(payload, {})
    t.match(request, {
      url: webhookUrl,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    const file = join(import.meta.dirname, 'slack-requests', `${payload.type}.json`)
    t.same(body, JSON.parse(readFileSync(file, 'utf8')), payload.type)
  }
})

t.test('the longest message stays within the limits of Slack', async (t) => {
  const long = '<&>'.repeat(2_000)
  const monitors = Array.from({ length: 30 }, (_, at) =>
    makeMonitor({ id: monitorNo(at), name: long }),
  )
  const huge = makeIncident({ title: long, cause: long })
  const longPayload = incidentPayload('incident.opened', huge, monitors, 61_000, base)
  const incidents = Array(100).fill(longPayload.data.incident)
  const longDigest: Payload = { ...digest, data: { ...digest.data, incidents } }
  for (const payload of [longPayload, longDigest]) {
    const { body } = await send(payload, {})
    t.ok(body.blocks.length <= 50)
    const [header, section] = body.blocks
    t.ok(header.text.text.length <= 150, `${header.text.text.length} characters in the header`)
    t.ok(section.text.text.length <= 3_000, `${section.text.text.length} in the section`)
    t.ok(body.text.length <= 3_000)
    t.notMatch(section.text.text, /&(?!amp;|lt;|gt;)/, 'no escape is cut in two')
  }
})

t.test('one word of Slack decides whether the channel is over', async (t) => {
  const gone: [number, string][] = [
    [404, 'channel_not_found'],
    [404, 'no_service'],
    [410, 'channel_is_archived'],
    [403, 'invalid_token'],
    [400, 'no_team'],
  ]
  for (const [status, body] of gone) {
    const { outcome } = await send(test, { status, body })
    t.match(outcome, { ok: false, mayRetry: false, disablesChannel: true, status })
    t.match(outcome, { reason: `The Slack webhook is gone (${status} ${body}).` })
  }
  const refused: [number, string][] = [
    [400, 'invalid_payload'],
    [403, 'action_prohibited'],
  ]
  for (const [status, body] of refused) {
    const { outcome } = await send(test, { status, body })
    t.match(outcome, { ok: false, mayRetry: false, status })
    t.notOk('disablesChannel' in outcome, 'the channel stays as it is')
  }
  const { outcome } = await send(test, { status: 400, body: '<html>a page</html>' })
  t.match(outcome, { reason: 'Slack refused the message (400).' })
  const limited = await send(test, { status: 429, headers: { 'retry-after': '30' } })
  t.match(limited.outcome, { mayRetry: true, retryAfterMs: 30_000 })
  t.match((await send(test, { status: 500, body: 'rollup_error' })).outcome, { mayRetry: true })
})

t.test('the URL is the secret', async (t) => {
  t.same(slack.secrets, ['webhookUrl'])
  t.same(slack.urls, ['webhookUrl'])
})
