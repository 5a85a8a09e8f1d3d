// WeCom as it is called: requests compared with golden files, its limits, its answers.
import { wecom } from '../../../src/channels/chat/wecom.ts'
import { channelContract } from '../../contracts/channel.contract.ts'

const answerOf = (errcode: number, errmsg: string) => ({
  status: 200,
  body: JSON.stringify({ errcode, errmsg }),
})
const hint =
  ', hint: [1592021214_50_551fc8807c], from ip: 192.0.2.1, more info at ' +
  'https://open.work.weixin.qq.com/devtool/query?e=93000'

channelContract({
  definition: wecom,
  accepts: answerOf(0, 'ok'),
  answers: [
    {
      answer: answerOf(93000, `invalid webhook url${hint}`),
      means: {
        ok: false,
        mayRetry: false,
        disablesChannel: true,
        reason: 'The receiver at WeCom is gone (93000: invalid webhook url).',
      },
    },
    {
      answer: answerOf(
        93000,
        `Invalid input : content exceed max length. invalid Request Parameter${hint}`,
      ),
      means: { ok: false, mayRetry: false, disablesChannel: undefined },
    },
    {
      answer: answerOf(45009, `api freq out of limit${hint}`),
      means: { ok: false, mayRetry: true, retryAfterMs: 60_000 },
    },
    { answer: answerOf(-1, 'system busy'), means: { ok: false, mayRetry: true } },
    { answer: answerOf(40008, 'invalid message type'), means: { ok: false, mayRetry: false } },
    { answer: { status: 200, body: '<html>' }, means: { ok: false, mayRetry: true } },
  ],
  fits(t, { body }) {
    const { content } = JSON.parse(body).markdown
    t.ok(Buffer.byteLength(content) <= 4_096, `${Buffer.byteLength(content)} bytes`)
    const others = content
      .replace(/^<font color="(warning|info|comment)">(.*)<\/font>\n/, '$2\n')
      .replaceAll(/\[([^[\]]*)\]\(https:[^()]*\)/g, '$1')
      .replaceAll('**', '')
    t.notMatch(others, /[\\`*[\]<>]/, 'all markup is ours')
  },
})
