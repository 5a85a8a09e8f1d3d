// Webex as it is called: requests compared with golden files, its limits, its answers.
import { webex } from '../../../src/channels/chat/webex.ts'
import { channelContract } from '../../contracts/channel.contract.ts'

const error = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ message, errors: [{ description: message }], trackingId: 'ROUTER_1' }),
})

channelContract({
  definition: webex,
  accepts: { status: 200, body: '{"id":"Y2lz"}' },
  answers: [
    {
      answer: error(401, 'The request requires a valid access token set in the header.'),
      means: { mayRetry: true, reason: /\(401: The request requires a valid access token/ },
    },
    {
      answer: error(404, 'Could not find a room with provided ID.'),
      means: { mayRetry: true, disablesChannel: undefined },
    },
    {
      answer: error(400, 'The message is too long.'),
      means: {
        mayRetry: false,
        reason: 'Webex refused the message (400: The message is too long).',
      },
    },
    { answer: { status: 400, body: '<html>a proxy</html>' }, means: { mayRetry: true } },
    {
      answer: { ...error(429, 'Too many requests.'), headers: { 'retry-after': '59' } },
      means: { mayRetry: true, retryAfterMs: 59_000 },
    },
  ],
  fits(t, { body }) {
    const { markdown, text } = JSON.parse(body)
    for (const one of [markdown, text]) {
      t.ok(Buffer.byteLength(one) <= 7_439, `${Buffer.byteLength(one)} bytes`)
    }
    t.notMatch(markdown, /<(?!\u200b)/, 'nobody is mentioned')
  },
})
