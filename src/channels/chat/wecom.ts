// WeCom (WeChat Work): Markdown to a group, through the webhook of a group robot.
//
// Requests, Markdown, mentions and limits: https://developer.work.weixin.qq.com/document/path/91770
// Errors: https://developer.work.weixin.qq.com/document/path/90313
import { clip } from '../../base/clip.ts'
import { object } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { hookUrl } from '../model/hook.ts'
import { codedOutcome, jsonFields, jsonPost } from '../model/json-api.ts'
import { fullWidth, markdownLink } from '../model/markdown.ts'
import type { Message, Tone } from '../model/message.ts'
import { type TextStyle, textOf } from '../model/text.ts'

const contentBytesMax = 4_096
const titleCharsMax = 200

/** Orange-red, green and grey are all that there is. */
const colours: Readonly<Record<Tone, string>> = {
  bad: 'warning',
  warning: 'warning',
  neutral: 'comment',
  good: 'info',
}

/** Texts in which `<` is replaced: with it, a name could mention somebody (`<@id>`) or set a colour. */
const style: TextStyle = {
  escape: (text) =>
    fullWidth(text, /[\\`*[\]<>]/g)
      .split('\n')
      // What is a heading at the beginning of a line.
      .map((line, at) => (at === 0 ? line : line.replace(/^\s*#/, '＃')))
      .join('\n'),
  bold: (escaped) => `**${escaped}**`,
  link: markdownLink,
  linkedLabel: markdownLink,
}

const webhookUrl =
  'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=00000000-0000-0000-0000-000000000000'

export const wecom = defineChannel({
  type: 'wecom',
  title: 'WeCom',
  guide: 'https://developer.work.weixin.qq.com/document/path/91770',
  example: { webhookUrl },
  config: object({ webhookUrl: hookUrl('WeCom (a robot in a group)', webhookUrl) }),
  secrets: ['webhookUrl'],
  urls: ['webhookUrl'],

  render: (message, { webhookUrl }) =>
    jsonPost(webhookUrl, { msgtype: 'markdown', markdown: { content: contentOf(message) } }),

  outcome: outcomeOf,
})

function contentOf(message: Message): string {
  const oneLine = message.title.replaceAll(/\s+/g, ' ')
  const title = style.bold(style.escape(clip(oneLine, titleCharsMax)))
  const head = `<font color="${colours[message.tone]}">${title}</font>\n`
  const sizeMax = contentBytesMax - Buffer.byteLength(head)
  return head + textOf(message, style, { sizeMax, sizeOf: Buffer.byteLength, isUntitled: true })
}

/** A robot may send 20 messages in a minute. */
const rateWaitSeconds = 60
const rateCodes = new Set([45009, 45033])
const busyCode = -1
/** WeCom answers a message that is malformed or too long with the same code. */
const urlInvalidCode = 93000

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { errcode: code, errmsg } = jsonFields(answer.body)
  // A trace, our address and a URL follow its words.
  const words = typeof errmsg === 'string' ? errmsg.replace(/, hint: .*$/s, '') : ''
  const isTooMany = typeof code === 'number' && rateCodes.has(code)
  return codedOutcome(answer, nowMs, {
    platform: 'WeCom',
    code,
    words,
    mayRetry: isTooMany || code === busyCode,
    isGone: code === urlInvalidCode && /invalid webhook url/i.test(words),
    ...(isTooMany ? { waitSeconds: rateWaitSeconds } : {}),
  })
}
