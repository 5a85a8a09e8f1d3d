// Slack as it is called: requests compared with golden files, its limits, its answers.
import { slack } from '../../src/channels/slack.ts'
import { channelContract } from '../contracts/channel.contract.ts'

const gone: [number, string][] = [
  [404, 'channel_not_found'],
  [404, 'no_service'],
  [410, 'channel_is_archived'],
  [403, 'invalid_token'],
  [400, 'no_team'],
]
const refused: [number, string][] = [
  [400, 'invalid_payload'],
  [403, 'action_prohibited'],
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
        reason: `The Slack webhook is gone (${status} ${body}).`,
      },
    })),
    ...refused.map(([status, body]) => ({
      answer: { status, body },
      means: { ok: false, mayRetry: false, status, disablesChannel: undefined },
    })),
    {
      answer: { status: 400, body: '<html>a page</html>' },
      means: { mayRetry: false, reason: 'Slack refused the message (400).' },
    },
    {
      answer: { status: 429, headers: { 'retry-after': '30' } },
      means: { mayRetry: true, retryAfterMs: 30_000 },
    },
    { answer: { status: 500, body: 'rollup_error' }, means: { mayRetry: true } },
  ],
  fits(t, { body }) {
    const { text, blocks } = JSON.parse(body)
    t.ok(text.length <= 3_000)
    t.ok(blocks.length <= 50)
    const [header, section, context] = blocks
    t.ok(header.text.text.length <= 150, `${header.text.text.length} characters in the header`)
    t.ok(section.text.text.length <= 3_000, `${section.text.text.length} in the section`)
    t.notMatch(section.text.text, /&(?!amp;|lt;|gt;)/, 'no escape is cut in two')
    t.ok(context.elements.length <= 10)
    for (const { text } of context.elements) t.ok(text.length <= 3_000, `${text.length} in a note`)
  },
})
