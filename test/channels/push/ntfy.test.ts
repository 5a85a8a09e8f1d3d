// ntfy as it is called: requests compared with golden files, its limits, its answers.
import t from 'tap'
import { ntfy } from '../../../src/channels/push/ntfy.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const errorOf = (code: number, http: number, error: string) =>
  JSON.stringify({ code, http, error, link: 'https://ntfy.sh/docs/publish/' })

channelContract({
  definition: ntfy,
  config: { server: 'https://ntfy.test', topic: 'alerts', token: 'tk_secretsecret' },
  accepts: { status: 200, body: '{"id":"hwQ2YpKdmg","event":"message","topic":"alerts"}' },
  answers: [
    {
      answer: { status: 401, body: errorOf(40101, 401, 'unauthorized') },
      means: { mayRetry: true, reason: 'ntfy refused the message (40101: unauthorized).' },
    },
    {
      answer: { status: 403, body: errorOf(40301, 403, 'forbidden') },
      means: { mayRetry: true, disablesChannel: undefined },
    },
    {
      answer: { status: 400, body: errorOf(40018, 400, 'invalid request: actions invalid') },
      means: { mayRetry: false, disablesChannel: undefined },
    },
    {
      answer: { status: 413, body: errorOf(41303, 413, 'JSON body too large') },
      means: { mayRetry: false },
    },
    {
      answer: { status: 429, body: errorOf(42908, 429, 'limit reached: too many messages') },
      means: { mayRetry: true, retryAfterMs: undefined },
    },
    {
      answer: {
        status: 507,
        body: errorOf(50701, 507, 'cannot publish to UnifiedPush topic without active subscriber'),
      },
      means: { mayRetry: true, reason: /50701: cannot publish/ },
    },
    { answer: { status: 404, body: '<html>' }, means: { mayRetry: true, reason: /\(404\)/ } },
  ],
  fits(t, { body }) {
    const { title, message, actions = [], click } = JSON.parse(body)
    t.ok(Buffer.byteLength(body) <= 8_192, `${Buffer.byteLength(body)} bytes`)
    t.ok(Buffer.byteLength(message) <= 4_096, `${Buffer.byteLength(message)} bytes of message`)
    t.ok(message.length > 0 && title.length <= 200 && actions.length <= 3)
    t.equal(click, actions[0]?.url)
  },
})

t.test('a user and a password work in place of a token', async (t) => {
  const opened = messageFrom(samplePayloads.opened as NonNullable<typeof samplePayloads.opened>)
  const context = {
    nowMs: 0,
    sign: () => '',
    channel: { id: 'chn_1' as never, orgId: 'org_1' as never, name: 'n' },
  }
  const headersOf = (auth: object) => {
    const request = [ntfy.render(opened, { topic: 'alerts', ...auth }, context)].flat()[0]
    return [request?.url, request?.headers.authorization]
  }
  t.same(headersOf({ username: 'phil', password: 'mypass' }), [
    'https://ntfy.sh',
    'Basic cGhpbDpteXBhc3M=',
  ])
  t.same(headersOf({}), ['https://ntfy.sh', undefined])
  t.match(ntfy.problems?.({ topic: 'a', username: 'phil' }), [{ pointer: '/password' }])
  t.match(ntfy.problems?.({ topic: 'a', password: 'p' }), [{ pointer: '/username' }])
})

t.test('an outage has the priority that somebody chose, and nothing else', async (t) => {
  const priorityOf = (name: string, more: object) => {
    const payload = samplePayloads[name] as NonNullable<typeof samplePayloads.opened>
    const config = { ...ntfy.example, ...more }
    const context = { nowMs: 0, sign: () => '', channel: makeChannel() }
    const [request] = [ntfy.render(messageFrom(payload), config, context)].flat()
    return JSON.parse(request?.body ?? '').priority
  }
  t.equal(priorityOf('opened', { outagePriority: 5 }), 5)
  t.equal(priorityOf('resolved', { outagePriority: 5 }), priorityOf('resolved', {}))
  t.equal(priorityOf('opened', {}), 4)
})
