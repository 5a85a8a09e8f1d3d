// WeCom (WeChat Work): Markdown to a group, through the webhook of a group robot.
//
// Requests, Markdown, mentions and limits: https://developer.work.weixin.qq.com/document/path/91770
// Errors: https://developer.work.weixin.qq.com/document/path/90313
import { clip } from '../../base/clip.ts'
import { object, text } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { limits } from '../../domain/limits/limits.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { failure, jsonFields, jsonPost, unexpected } from '../model/json-api.ts'
import { fullWidth, markdownLink } from '../model/markdown.ts'
import type { Message, Tone } from '../model/message.ts'
import { httpOutcome } from '../model/outcome.ts'
import { type TextStyle, textOf } from '../model/text.ts'

const contentBytesMax = 4_096
const titleCharsMax = 200
/** A robot may send 20 messages in a minute. */
const rateWaitMs = 60_000

/** Orange-red, green and grey are all that there is. */
const colours: Readonly<Record<Tone, string>> = {
  bad: 'warning',
  warning: 'warning',
  neutral: 'comment',
  good: 'info',
}

/** Without `<` a name can neither mention anybody (`<@id>`) nor set a colour. */
const style: TextStyle = {
  escape: (text) => fullWidth(text, /[\\`*[\]<>]/g).replaceAll(/\n\s*#/g, '\n＃'),
  bold: (escaped) => `**${escaped}**`,
  link: markdownLink,
  linkedLabel: markdownLink,
}

export const wecom = defineChannel({
  type: 'wecom',
  title: 'WeCom',
  guide: 'https://developer.work.weixin.qq.com/document/path/91770',
  example: {
    webhookUrl:
      'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=00000000-0000-0000-0000-000000000000',
  },
  config: object({
    webhookUrl: text({
      charsMin: 1,
      charsMax: limits.urlCharsMax,
      description: 'the webhook of a robot in a group, with its key',
      example:
        'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=00000000-0000-0000-0000-000000000000',
    }),
  }),
  secrets: ['webhookUrl'],
  urls: ['webhookUrl'],

  render: (message, { webhookUrl }) =>
    jsonPost(webhookUrl, { msgtype: 'markdown', markdown: { content: contentOf(message) } }),

  outcome: outcomeOf,
})

function contentOf(message: Message): string {
  const title = style.bold(style.escape(clip(message.title, titleCharsMax)))
  const head = `<font color="${colours[message.tone]}">${title}</font>\n`
  const sizeMax = contentBytesMax - Buffer.byteLength(head)
  return head + textOf(message, style, { sizeMax, sizeOf: Buffer.byteLength, isUntitled: true })
}

const rateCodes = new Set([45009, 45033])
const busyCode = -1
/** Also the code for a message that is malformed or too long. */
const urlInvalidCode = 93000

/** The code decides: errors have the status 200. */
function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status } = answer
  const platform = 'WeCom'
  const { errcode: code, errmsg } = jsonFields(answer.body)
  if (typeof code !== 'number') {
    if (status < 300) return unexpected(answer, platform)
    if (status < 400 || status === 429 || status >= 500) return httpOutcome(answer, nowMs)
    return failure(answer, { platform, mayRetry: [401, 403, 404].includes(status) })
  }
  if (code === 0 && status < 300) return httpOutcome(answer, nowMs)
  // After its words come a trace, our address and a URL.
  const words = typeof errmsg === 'string' ? errmsg.replace(/, hint: .*$/s, '') : undefined
  if (rateCodes.has(code)) {
    return failure(answer, { platform, code, words, mayRetry: true, retryAfterMs: rateWaitMs })
  }
  const isGone = code === urlInvalidCode && /invalid webhook url/i.test(words ?? '')
  const mayRetry = code === busyCode || status >= 500
  return failure(answer, { platform, code, words, mayRetry, isGone })
}
