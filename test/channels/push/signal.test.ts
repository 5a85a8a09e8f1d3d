// Signal as its gateway is called: requests compared with golden files, limits, answers.
import t from 'tap'
import { signal } from '../../../src/channels/push/signal.ts'
import { channelContract } from '../../contracts/channel.contract.ts'

const errorOf = (error: string) => JSON.stringify({ error })

channelContract({
  definition: signal,
  config: {
    url: 'https://signal.test/gateway/',
    from: '+15017122661',
    to: ['+15558675310', 'group.ckRzaEd4VmRz'],
    username: 'stillup',
    password: 'the-password',
  },
  accepts: { status: 201, body: '{"timestamp":"1767225600000"}' },
  answers: [
    {
      answer: {
        status: 400,
        body: errorOf('Failed to send (some) messages:\n+15558675310: Unregistered user "+1555"\n'),
      },
      means: { mayRetry: false, disablesChannel: undefined, reason: /Unregistered user/ },
    },
    {
      answer: { status: 400, body: errorOf("Couldn't process request - invalid request") },
      means: { mayRetry: false },
    },
    {
      answer: { status: 400, body: errorOf('Failed to send message: [413] Rate limit exceeded') },
      means: { mayRetry: true, reason: /Rate limit exceeded/ },
    },
    {
      answer: { status: 400, body: errorOf('User +15017122661 is not registered.') },
      means: { mayRetry: true },
    },
    {
      answer: {
        status: 429,
        body: errorOf('Failed to send message due to rate limiting. Use the challenge tokens.'),
      },
      means: { mayRetry: true },
    },
    { answer: { status: 401, body: 'the proxy refuses' }, means: { mayRetry: true } },
    { answer: { status: 200, body: '<html>' }, means: { ok: false, mayRetry: true } },
  ],
  fits(t, { url, headers, body }) {
    const { message, recipients, text_mode } = JSON.parse(body)
    t.equal(url, 'https://signal.test/gateway/v2/send')
    t.match(headers.authorization, /^Basic /)
    t.ok(message.length > 0 && Buffer.byteLength(message) <= 2_000)
    t.equal(recipients.length, 1)
    t.equal(text_mode, 'normal')
  },
})

t.test('a config names recipients that are different', async (t) => {
  t.match(signal.problems?.({ ...signal.example, to: [] }), [{ keyword: 'minItems' }])
  t.match(signal.problems?.({ ...signal.example, to: ['+1', '+1'] }), [{ keyword: 'uniqueItems' }])
  t.match(signal.problems?.({ ...signal.example, username: 'u' }), [{ pointer: '/password' }])
})
