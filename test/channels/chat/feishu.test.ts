// Feishu as it is called: requests compared with golden files, signatures, its limits, its answers.
import t from 'tap'
import { feishu } from '../../../src/channels/chat/feishu.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const answerOf = (code: number, msg: string, status = 200) => ({
  status,
  body: JSON.stringify({ code, msg, data: {} }),
})

channelContract({
  definition: feishu,
  config: { ...feishu.example, secret: 'the-secret' },
  accepts: { status: 200, body: '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{}}' },
  answers: [
    {
      answer: answerOf(11232, 'frequency limited psm[lark.oapi.app_platform_runtime]'),
      means: { ok: false, mayRetry: true, retryAfterMs: 60_000 },
    },
    {
      answer: answerOf(9499, 'too many request', 400),
      means: { mayRetry: true, retryAfterMs: 60_000 },
    },
    {
      answer: answerOf(9499, 'Bad Request'),
      means: { ok: false, mayRetry: false, disablesChannel: undefined, retryAfterMs: undefined },
    },
    {
      answer: answerOf(19021, 'sign match fail or timestamp is not within one hour'),
      means: {
        ok: false,
        mayRetry: true,
        reason: /^Feishu refused the message \(19021: sign match fail/,
      },
    },
    { answer: answerOf(19022, 'Ip Not Allowed'), means: { ok: false, mayRetry: true } },
    { answer: answerOf(19024, 'Key Words Not Found'), means: { ok: false, mayRetry: true } },
    {
      answer: answerOf(19001, 'param invalid: incoming webhook access token invalid'),
      means: { ok: false, mayRetry: false, disablesChannel: true, reason: /is gone/ },
    },
    { answer: answerOf(19001, 'param invalid'), means: { mayRetry: false } },
    { answer: { status: 200, body: '<html>' }, means: { ok: false, mayRetry: true } },
    { answer: { status: 404, body: 'not found' }, means: { mayRetry: true } },
  ],
  fits(t, { body }) {
    const { card } = JSON.parse(body)
    t.ok(Buffer.byteLength(body) <= 20_000, `${Buffer.byteLength(body)} bytes`)
    const texts = JSON.stringify(card).match(/"tag":"(?!plain_text|div|action|button)/)
    t.equal(texts, null, 'nothing is markup')
    t.ok(card.elements[0].text.content.length > 0)
  },
})

t.test('the signature is that of the documentation', async (t) => {
  const opened = messageFrom(samplePayloads.opened as NonNullable<typeof samplePayloads.opened>)
  const channel = { id: 'chn_1' as never, orgId: 'org_1' as never, name: 'n' }
  const bodyAt = (config: object) => {
    const context = { nowMs: 1_599_360_473_999, sign: () => '', channel }
    const [request] = [feishu.render(opened, { ...feishu.example, ...config }, context)].flat()
    return JSON.parse(request?.body ?? '')
  }
  t.equal(bodyAt({}).sign, undefined)
  // printf '' | openssl dgst -sha256 -hmac $'1599360473\ndemo' -binary | base64
  t.match(bodyAt({ secret: 'demo' }), {
    timestamp: '1599360473',
    sign: 'l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8=',
  })
})
