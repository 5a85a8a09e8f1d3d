// Opsgenie as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { opsgenie } from '../../../src/channels/on-call/opsgenie.ts'
import type { IncidentPayload } from '../../../src/domain/alerts/payload.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

channelContract({
  definition: opsgenie,
  accepts: { status: 202, body: '{"result":"Request will be processed","took":0.1}' },
  answers: [
    {
      answer: { status: 401, body: '{"message":"Could not authenticate"}' },
      means: { mayRetry: true, reason: /does not accept the key/ },
    },
    {
      answer: { status: 403, body: '{"code":40301}' },
      means: { mayRetry: true, reason: /does not accept the key/ },
    },
    // The subscription does not include it.
    { answer: { status: 402 }, means: { ok: false, mayRetry: true } },
    {
      answer: { status: 422, body: '{"message":"Request body is not processable."}' },
      means: { mayRetry: false, reason: 'Opsgenie refused the message (422).' },
    },
    { answer: { status: 410 }, means: { mayRetry: false, disablesChannel: true } },
  ],
  fits(t, { url, body }) {
    const { message, alias, description, details, entity, note } = JSON.parse(body)
    if (!url.endsWith('/v2/alerts')) return t.ok(note.length <= 25_000)
    t.ok([...message].length <= 130, `${[...message].length} characters`)
    t.ok(description.length <= 15_000)
    t.ok(alias.length <= 512)
    t.ok((entity ?? '').length <= 512 * 2)
    t.ok(Object.entries(details).flat().join('').length <= 8_000)
  },
})

t.test('opsgenie: an outage that becomes worse gets its priority', async (t) => {
  const updated = samplePayloads.updated as IncidentPayload
  const payload = {
    ...updated,
    data: { ...updated.data, update: { ...updated.data.update, kind: 'worsened' } },
  } as IncidentPayload
  const requestsIn = (region: string, more: object = {}) => {
    const context = { nowMs: 0, sign: () => '', channel: makeChannel() }
    const config = { apiKey: 'a-key-of-opsgenie', region, ...more }
    return [opsgenie.render(messageFrom(payload), config, context)].flat()
  }
  const shown = (region: string) => requestsIn(region).map(({ method, url }) => `${method} ${url}`)
  const alias = payload.data.incident.id
  t.same(shown('us'), [
    `POST https://api.opsgenie.com/v2/alerts/${alias}/notes?identifierType=alias`,
    `PUT https://api.opsgenie.com/v2/alerts/${alias}/priority?identifierType=alias`,
  ])
  t.same(JSON.parse(requestsIn('us')[1]?.body ?? ''), { priority: 'P1' })
  const chosen = requestsIn('us', { outagePriority: 'P2' })[1]
  t.same(JSON.parse(chosen?.body ?? ''), { priority: 'P2' })
  const atlassian = 'https://api.atlassian.com/jsm/ops/integration/v2/alerts'
  t.same(shown('jsm'), [`POST ${atlassian}/${alias}/notes?identifierType=alias`])
})
