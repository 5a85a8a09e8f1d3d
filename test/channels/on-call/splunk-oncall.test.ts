// Splunk On-Call as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { splunkOncall } from '../../../src/channels/on-call/splunk-oncall.ts'
import type { IncidentPayload } from '../../../src/domain/alerts/payload.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

channelContract({
  definition: splunkOncall,
  accepts: { status: 200, body: '{"result":"success","entity_id":"inc_1"}' },
  answers: [
    {
      answer: { status: 200, body: '{"result":"failure","messages":["no"]}' },
      means: { mayRetry: true, reason: 'Splunk On-Call reports a failure.' },
    },
    {
      answer: { status: 200, body: '<html>Sign in</html>' },
      means: { ok: false, mayRetry: true, reason: /is the URL right/ },
    },
    {
      answer: { status: 400 },
      means: { mayRetry: false, reason: 'Splunk On-Call refused the message (400).' },
    },
    { answer: { status: 404 }, means: { mayRetry: true, reason: /does not accept the key/ } },
  ],
  fits(t, { body }) {
    const fields = JSON.parse(body)
    t.match(fields.message_type, /^(CRITICAL|WARNING|INFO|ACKNOWLEDGEMENT|RECOVERY)$/)
    t.ok(fields.state_message.length <= 20_480)
    t.ok(fields.entity_id.length <= 512)
    for (const [name, value] of Object.entries(fields)) {
      if (name.startsWith('vo_annotate.')) t.ok(String(value).length <= 1_124, name)
    }
  },
})

t.test('splunk-oncall: the place of the routing key must be filled', async (t) => {
  const url = 'https://alert.victorops.com/integrations/generic/20131114/alert/key/$routing_key'
  t.match(splunkOncall.problems?.({ url }), [{ pointer: '/url', keyword: 'placeholder' }])
})

t.test('splunk-oncall: news of an acknowledged incident does not ring', async (t) => {
  const { data, ...rest } = samplePayloads.updated as IncidentPayload
  const incident = { ...data.incident, state: 'acknowledged' as const }
  const monitors = data.monitors.concat(
    data.monitors.map((one) => ({ ...one, runbookUrl: 'https://wiki.test/two' })),
  )
  const message = messageFrom({ ...rest, data: { ...data, incident, monitors } })
  const context = { nowMs: 0, sign: () => '', channel: makeChannel() }
  const [request] = [splunkOncall.render(message, splunkOncall.example, context)].flat()
  t.match(JSON.parse(request?.body ?? ''), {
    message_type: 'ACKNOWLEDGEMENT',
    entity_id: incident.id,
    'vo_annotate.u.Run-book': 'https://wiki.test/run-book?page=shop',
    'vo_annotate.u.Run-book 2': 'https://wiki.test/two',
  })
})
