// PagerDuty as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { createCheck } from '../../../src/base/schema/validate.ts'
import { pagerduty } from '../../../src/channels/on-call/pagerduty.ts'
import { channelContract } from '../../contracts/channel.contract.ts'

const invalid = (error: string) =>
  JSON.stringify({ status: 'invalid event', message: 'Event object is invalid', errors: [error] })

channelContract({
  definition: pagerduty,
  accepts: { status: 202, body: '{"status":"success","message":"Event processed"}' },
  answers: [
    { answer: { status: 200, body: '<html>' }, means: { ok: false, mayRetry: true } },
    {
      answer: { status: 400, body: invalid("'payload.summary' is missing or blank") },
      means: { mayRetry: false, reason: 'PagerDuty refused the message (400).' },
    },
    {
      answer: {
        status: 400,
        body: invalid("Length of 'routing_key' is incorrect (should be 32 characters)"),
      },
      means: { mayRetry: true, reason: /does not accept the key/ },
    },
    { answer: { status: 403 }, means: { mayRetry: true, reason: /does not accept the key/ } },
    { answer: { status: 410 }, means: { mayRetry: false, disablesChannel: true } },
  ],
  fits(t, { body }) {
    t.ok(Buffer.byteLength(body) <= 512 * 1024)
    const { event_action, dedup_key, payload } = JSON.parse(body)
    t.match(event_action, /^(trigger|acknowledge|resolve)$/)
    t.ok(dedup_key.length <= 255)
    if (event_action !== 'trigger') return
    t.ok(payload.summary.length <= 1_024)
    t.match(payload.severity, /^(critical|error|warning|info)$/)
    t.ok(payload.source.length > 0)
  },
})

t.test('pagerduty: a key of another length is refused', async (t) => {
  const problems = [...createCheck(pagerduty.config, 10)({ routingKey: 'short' })]
  t.match(problems, [{ pointer: '/routingKey', message: /32 letters and digits/ }])
})
