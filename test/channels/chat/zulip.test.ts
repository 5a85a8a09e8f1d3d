// Zulip as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { zulip } from '../../../src/channels/chat/zulip.ts'
import type { Payload } from '../../../src/channels/model/message.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const error = (status: number, code: string, msg: string, more = {}) => ({
  status,
  body: JSON.stringify({ result: 'error', code, msg, ...more }),
})

function formOf(body: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body))
}

channelContract({
  definition: zulip,
  accepts: { status: 200, body: '{"result":"success","msg":"","id":42}' },
  answers: [
    {
      answer: error(401, 'INVALID_API_KEY', 'Invalid API key'),
      means: {
        mayRetry: true,
        reason: 'Zulip refused the message (INVALID_API_KEY: Invalid API key).',
      },
    },
    {
      answer: error(400, 'STREAM_DOES_NOT_EXIST', "Channel 'operations' does not exist"),
      means: { mayRetry: true, disablesChannel: undefined },
    },
    { answer: error(400, 'BAD_REQUEST', 'Not authorized'), means: { mayRetry: true } },
    {
      answer: error(400, 'REQUEST_VARIABLE_MISSING', "Missing 'content' argument"),
      means: { mayRetry: false },
    },
    {
      answer: error(429, 'RATE_LIMIT_HIT', 'API usage exceeded rate limit', {
        'retry-after': 28.706807374954224,
      }),
      means: { mayRetry: true, retryAfterMs: 28_707 },
    },
  ],
  fits(t, { body }) {
    const { type, to, topic = '', content = '' } = formOf(body)
    t.match({ type, to }, { type: 'stream', to: 'operations' })
    t.ok(topic.length > 0 && topic.length <= 60, `${topic.length} characters in the topic`)
    t.ok(content.length > 0 && content.length <= 10_000, `${content.length} in the content`)
    t.notMatch(content, '\ufffd', 'no character is cut in two')
    t.notMatch(content, /[@#](?!\u200b)/, 'nobody is mentioned')
  },
})

const topicOf = (payload: Payload | undefined, config: object = {}) => {
  const message = messageFrom(payload as Payload)
  const context = { nowMs: 0, sign: () => '', channel: {} as never }
  const [request] = [zulip.render(message, { ...zulip.example, ...config }, context)].flat()
  return formOf(request?.body ?? '').topic
}

t.test('all news of an incident are in one topic, with the time of its start', async (t) => {
  const { opened, resolved, certificate, digest } = samplePayloads
  t.match(topicOf(opened), /^Shop & <Cart> .*…, 01\/01\/1970, 00:00$/)
  t.equal(topicOf(resolved), topicOf(opened))
  t.match(topicOf(certificate), /^Shop & <Cart> /)
  t.equal(topicOf(digest), 'stillup')
})

t.test('a topic of the config is that of all messages', async (t) => {
  for (const payload of Object.values(samplePayloads)) {
    t.equal(topicOf(payload, { topic: 'alerts' }), 'alerts')
  }
})
