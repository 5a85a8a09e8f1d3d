// Slack as it is called: requests compared with golden files, its limits, its answers.
import { slack } from '../../../src/channels/chat/slack.ts'
import { channelContract } from '../../contracts/channel.contract.ts'

const gone: [number, string][] = [
  [404, 'channel_not_found'],
  [404, 'no_service'],
  [410, 'channel_is_archived'],
  [403, 'invalid_token'],
  [400, 'no_team'],
]

channelContract({
  definition: slack,
  answers: [
    ...gone.map(([status, body]) => ({
      answer: { status, body },
      means: {
        ok: false,
        mayRetry: false,
        disablesChannel: true,
        status,
        reason: `The receiver at Slack is gone (${status}: ${body}).`,
      },
    })),
    {
      answer: { status: 400, body: 'invalid_payload' },
      means: {
        mayRetry: false,
        disablesChannel: undefined,
        reason: 'Slack refused the message (400: invalid_payload).',
      },
    },
    // An administrator of Slack may lift the restriction.
    { answer: { status: 403, body: 'action_prohibited' }, means: { mayRetry: true } },
    // Not in the words of Slack, but of something before it.
    { answer: { status: 404, body: '<html>a page</html>' }, means: { mayRetry: true } },
    {
      answer: { status: 429, headers: { 'retry-after': '30' } },
      means: { mayRetry: true, retryAfterMs: 30_000 },
    },
    { answer: { status: 500, body: 'rollup_error' }, means: { mayRetry: true } },
  ],
  fits(t, { body }) {
    const { text, blocks, attachments } = JSON.parse(body)
    t.ok(text.length <= 3_000)
    const [header] = blocks
    t.ok(header.text.text.length <= 150, `${header.text.text.length} characters in the header`)
    t.equal(attachments.length, 1)
    for (const { type, text, elements = [] } of attachments[0].blocks) {
      if (type === 'section') {
        t.ok(text.text.length > 0 && text.text.length <= 3_000, `${text.text.length} in a section`)
        t.notMatch(text.text, /&(?!amp;|lt;|gt;)/, 'no escape is cut in two')
      }
      if (type === 'actions') t.ok(elements.length <= 25)
      for (const { text, url = '' } of elements) {
        t.ok((text.text ?? text).length <= (type === 'actions' ? 75 : 3_000))
        t.ok(url.length <= 3_000)
      }
    }
  },
})
