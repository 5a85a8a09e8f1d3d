// LINE as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { line } from '../../../src/channels/chat/line.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const errorOf = (message: string) => JSON.stringify({ message })

channelContract({
  definition: line,
  accepts: { status: 200, body: '{"sentMessages":[{"id":"461230966842064897"}]}' },
  answers: [
    {
      answer: { status: 409, body: errorOf('The retry key is already accepted') },
      means: { ok: true, status: 409 },
    },
    { answer: { status: 409, body: errorOf('Conflict') }, means: { ok: false, mayRetry: true } },
    {
      answer: { status: 400, body: errorOf("The property, 'to', in the request body is invalid") },
      means: { mayRetry: false, disablesChannel: undefined, reason: /'to', in the request body/ },
    },
    {
      answer: { status: 400, body: errorOf('Failed to send messages') },
      means: { mayRetry: false },
    },
    {
      answer: {
        status: 401,
        body: errorOf('Authentication failed. Confirm that the token is ok.'),
      },
      means: { mayRetry: true },
    },
    {
      answer: { status: 429, body: errorOf('You have reached your monthly limit.') },
      means: {
        mayRetry: true,
        reason: 'LINE refused the message (429: You have reached your monthly limit).',
      },
    },
  ],
  fits(t, { body, headers }) {
    const { messages } = JSON.parse(body)
    t.equal(messages.length, 1)
    t.ok(messages[0].text.length > 0 && messages[0].text.length <= 5_000)
    t.match(headers['x-line-retry-key'], /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
  },
})

t.test('a repetition has the key of the first attempt, another message another one', async (t) => {
  const opened = messageFrom(samplePayloads.opened as NonNullable<typeof samplePayloads.opened>)
  const keyAt = (nowMs: number, id = opened.id) => {
    const channel = { id: 'chn_1' as never, orgId: 'org_1' as never, name: 'n' }
    const context = { nowMs, sign: () => '', channel }
    const [request] = [line.render({ ...opened, id }, line.example, context)].flat()
    return request?.headers['x-line-retry-key']
  }
  t.equal(keyAt(0), keyAt(3_600_000))
  t.not(keyAt(0), keyAt(0, 'msg_other'))
})
