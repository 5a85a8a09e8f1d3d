// Pushover as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { pushover } from '../../../src/channels/push/pushover.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const request = '5042853c-402d-4a18-abcb-168734a801de'

channelContract({
  definition: pushover,
  accepts: { status: 200, body: JSON.stringify({ status: 1, request }) },
  answers: [
    {
      answer: {
        status: 400,
        body: JSON.stringify({
          user: 'invalid',
          errors: ['user identifier is invalid'],
          status: 0,
          request,
        }),
      },
      means: {
        mayRetry: false,
        disablesChannel: undefined,
        reason: 'Pushover refused the message (400: user identifier is invalid).',
      },
    },
    {
      answer: { status: 200, body: JSON.stringify({ status: 0, errors: ['no'], request }) },
      means: { ok: false, mayRetry: false },
    },
    {
      answer: { status: 200, body: '<html>a page</html>' },
      means: { ok: false, mayRetry: true, reason: /did not say that it accepted/ },
    },
    {
      answer: {
        status: 429,
        body: JSON.stringify({ errors: ['application is over its quota'], status: 0, request }),
      },
      means: { mayRetry: true, reason: /429: application is over its quota/ },
    },
    { answer: { status: 500, body: 'no' }, means: { mayRetry: true, retryAfterMs: 5_000 } },
  ],
  fits(t, { body }) {
    const fields = Object.fromEntries(new URLSearchParams(body))
    const { title = '', message = '', url = '', url_title = '' } = fields
    t.ok(title.length <= 250, `${title.length} characters of title`)
    t.ok(message.length > 0 && message.length <= 1_024, `${message.length} of message`)
    t.match(message, /: /, 'facts are left')
    t.ok(url.length <= 512 && url_title.length <= 100)
  },
})

const context = {
  nowMs: 0,
  sign: () => '',
  channel: { id: 'chn_1' as never, orgId: 'org_1' as never, name: 'n' },
}

function requestsOf(name: string, outagePriority: number) {
  const payload = samplePayloads[name] as NonNullable<typeof samplePayloads.opened>
  const config = { ...pushover.example, outagePriority }
  return [pushover.render(messageFrom(payload), config, context)].flat()
}

t.test('an emergency repeats until it is acknowledged or over', async (t) => {
  const [opened, ...rest] = requestsOf('opened', 2)
  t.same(rest, [])
  const fields = Object.fromEntries(new URLSearchParams(opened?.body))
  t.match(fields, { priority: '2', retry: '60', expire: '3600', tags: /^inc_/ })
  for (const name of ['acknowledged', 'resolved']) {
    const [notice, end] = requestsOf(name, 2)
    t.notMatch(notice?.body, /priority=2/)
    t.equal(end?.url, `https://api.pushover.net/1/receipts/cancel_by_tag/${fields.tags}.json`)
    t.equal(end?.body, `token=${pushover.example.appToken}`)
    t.equal(requestsOf(name, 1).length, 1, 'without emergencies there is nothing to end')
  }
  t.notMatch(requestsOf('reminder', 2)[0]?.body, /priority=2/, 'no second one for a reminder')
})
