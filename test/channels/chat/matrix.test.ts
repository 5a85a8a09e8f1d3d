// Matrix as it is called: requests compared with golden files, its limits, its answers.
import { matrix } from '../../../src/channels/chat/matrix.ts'
import { channelContract } from '../../contracts/channel.contract.ts'

const error = (status: number, errcode: string, words: string, more = {}) => ({
  status,
  body: JSON.stringify({ errcode, error: words, ...more }),
})

channelContract({
  definition: matrix,
  accepts: { status: 200, body: '{"event_id":"$YUwRidLecu:example.org"}' },
  answers: [
    {
      answer: error(401, 'M_UNKNOWN_TOKEN', 'Unrecognised access token', { soft_logout: false }),
      means: {
        mayRetry: true,
        disablesChannel: undefined,
        reason: 'Matrix refused the message (M_UNKNOWN_TOKEN: Unrecognised access token).',
      },
    },
    {
      answer: error(403, 'M_FORBIDDEN', 'User @alerts:example.org not in room !x:example.org'),
      means: { mayRetry: true },
    },
    {
      answer: error(429, 'M_LIMIT_EXCEEDED', 'Too Many Requests', { retry_after_ms: 2_000 }),
      means: { mayRetry: true, retryAfterMs: 2_000 },
    },
    {
      answer: error(413, 'M_TOO_LARGE', 'event too large'),
      means: { mayRetry: false, disablesChannel: undefined },
    },
    { answer: error(404, 'M_UNRECOGNIZED', 'Unrecognized request'), means: { mayRetry: true } },
  ],
  fits(t, { url, body }) {
    t.match(url, /\/send\/m\.room\.message\/msg_[0-9a-z]{26}$/)
    t.ok(Buffer.byteLength(body) <= 60_000, `${Buffer.byteLength(body)} bytes`)
    const { formatted_body, 'm.mentions': mentions } = JSON.parse(body)
    t.same(mentions, {})
    t.notMatch(formatted_body, /<(?!\/?(b|font|a|br)\b)/, 'only tags of our own')
    t.notMatch(formatted_body, /&(?!(amp|lt|gt|quot);)/, 'no escape is cut in two')
  },
})
