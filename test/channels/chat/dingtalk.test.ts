// DingTalk as it is called: requests compared with golden files, signatures, limits, answers.
import t from 'tap'
import { dingtalk } from '../../../src/channels/chat/dingtalk.ts'
import { channelContract } from '../../contracts/channel.contract.ts'
import { messageFrom, samplePayloads } from '../../support/sample-messages.ts'

const answerOf = (errcode: number, errmsg: string) => ({
  status: 200,
  body: JSON.stringify({ errcode, errmsg }),
})

channelContract({
  definition: dingtalk,
  config: { ...dingtalk.example, secret: 'SECdemo' },
  accepts: answerOf(0, 'ok'),
  answers: [
    {
      answer: {
        status: 200,
        body: JSON.stringify({
          status: 1111,
          wait: 5,
          punish: 'deny',
          errcode: 130101,
          errmsg: 'send too fast, exceed 20 times per minute',
        }),
      },
      means: { ok: false, mayRetry: true, retryAfterMs: 600_000 },
    },
    { answer: answerOf(410100, 'too fast'), means: { mayRetry: true, retryAfterMs: 600_000 } },
    {
      answer: answerOf(310000, 'keywords not in content'),
      means: {
        ok: false,
        mayRetry: true,
        disablesChannel: undefined,
        reason: 'DingTalk refused the message (310000: keywords not in content).',
      },
    },
    { answer: answerOf(310000, 'sign not match'), means: { ok: false, mayRetry: true } },
    { answer: answerOf(-1, '系统繁忙'), means: { ok: false, mayRetry: true } },
    {
      answer: answerOf(300005, 'token is not exist'),
      means: { ok: false, mayRetry: false, disablesChannel: true },
    },
    { answer: answerOf(400013, '群已被解散'), means: { disablesChannel: true } },
    { answer: answerOf(40035, '缺少参数 json'), means: { ok: false, mayRetry: false } },
    { answer: answerOf(430104, '含有不合适的内容'), means: { ok: false, mayRetry: false } },
    { answer: { status: 200, body: '<html>' }, means: { ok: false, mayRetry: true } },
  ],
  fits(t, { body }) {
    const { markdown, at } = JSON.parse(body)
    t.ok(Buffer.byteLength(body) <= 20_000, `${Buffer.byteLength(body)} bytes`)
    t.same(at, { isAtAll: false })
    t.ok(markdown.title.length > 0 && markdown.title.length <= 100)
    const others = markdown.text
      .replaceAll(/\[([^[\]]*)\]\(https:[^()]*\)/g, '$1')
      .replaceAll('**', '')
    t.notMatch(others, /[\\`*_[\]<>#~|]/, 'all markup is ours')
  },
})

t.test('the signature is in the query, escaped', async (t) => {
  const opened = messageFrom(samplePayloads.opened as NonNullable<typeof samplePayloads.opened>)
  const channel = { id: 'chn_1' as never, orgId: 'org_1' as never, name: 'n' }
  const urlOf = (config: object) => {
    const context = { nowMs: 1_577_808_000_000, sign: () => '', channel }
    const [request] = [dingtalk.render(opened, { ...dingtalk.example, ...config }, context)].flat()
    return request?.url
  }
  t.equal(urlOf({}), dingtalk.example.webhookUrl)
  // printf '1577808000000\nSECdemo' | openssl dgst -sha256 -hmac SECdemo -binary | base64
  t.equal(
    urlOf({ secret: 'SECdemo' }),
    `${dingtalk.example.webhookUrl}&timestamp=1577808000000&sign=SFqI8mtuQw6r87NiZIWLBWL38%2B%2BgElAGVS%2FzEomx%2Bfw%3D`,
  )
})
