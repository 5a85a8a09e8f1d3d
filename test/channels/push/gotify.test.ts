// Gotify as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { gotify } from '../../../src/channels/push/gotify.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const errorOf = (errorCode: number, error: string, errorDescription: string) =>
  JSON.stringify({ error, errorCode, errorDescription })

channelContract({
  definition: gotify,
  config: { server: 'https://push.test/gotify/', token: 'AKsjdlfjs2lkfj3' },
  accepts: { status: 200, body: '{"id":25,"appid":5,"message":"m","date":"2026-01-01T00:00:00Z"}' },
  answers: [
    {
      answer: {
        status: 401,
        body: errorOf(401, 'Unauthorized', 'you need to provide a valid access token'),
      },
      means: {
        mayRetry: true,
        disablesChannel: undefined,
        reason: 'Gotify refused the message (401: you need to provide a valid access token).',
      },
    },
    {
      answer: { status: 403, body: errorOf(403, 'Forbidden', 'you are not allowed') },
      means: { mayRetry: true },
    },
    { answer: { status: 404, body: 'not found' }, means: { mayRetry: true } },
    {
      answer: { status: 400, body: errorOf(400, 'Bad Request', "Field 'message' is required") },
      means: { mayRetry: false, reason: /Field 'message' is required/ },
    },
  ],
  fits(t, { body, url }) {
    const { title, message, extras } = JSON.parse(body)
    t.equal(url, 'https://push.test/gotify/message')
    t.ok(title.length <= 250 && message.length <= 6_000 && message.length > 0)
    const unescaped = message.replaceAll(/\\./gs, '').replaceAll(/\[[^\]]*\]\(https:[^)]*\)/g, '')
    t.notMatch(unescaped.replaceAll('**', ''), /[<>`[\]*_]/, 'all markup is escaped')
    t.equal(extras['client::display'].contentType, 'text/markdown')
  },
})

t.test('an outage has the priority that somebody chose, and nothing else', async (t) => {
  const priorityOf = (name: string, more: object) => {
    const payload = samplePayloads[name] as NonNullable<typeof samplePayloads.opened>
    const config = { ...gotify.example, ...more }
    const context = { nowMs: 0, sign: () => '', channel: makeChannel() }
    const [request] = [gotify.render(messageFrom(payload), config, context)].flat()
    return JSON.parse(request?.body ?? '').priority
  }
  t.equal(priorityOf('opened', { outagePriority: 5 }), 5)
  t.equal(priorityOf('resolved', { outagePriority: 5 }), priorityOf('resolved', {}))
  t.equal(priorityOf('opened', {}), 8)
})
