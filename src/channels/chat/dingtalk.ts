// DingTalk: Markdown to a group, through the webhook of a custom robot.
//
// Requests, signatures, errors and limits: https://open.dingtalk.com/document/robots/custom-robot-access
// and https://open.dingtalk.com/document/robots/customize-robot-security-settings
// Markdown, which has no escapes, and mentions: https://open.dingtalk.com/document/robots/message-types-and-data-format
import { createHmac } from 'node:crypto'
import { clip } from '../../base/clip.ts'
import { object, optional, text } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { limits } from '../../domain/limits/limits.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { failure, jsonFields, jsonPost, unexpected } from '../model/json-api.ts'
import { fullWidth, markdownLink } from '../model/markdown.ts'
import { httpOutcome } from '../model/outcome.ts'
import { marked, type TextStyle, textOf } from '../model/text.ts'

const titleCharsMax = 100
/** Of the 20,000 bytes that a message may have. */
const textBytesMax = 16_000
/** Who sends more than 20 messages in a minute is silenced for ten. */
const rateWaitMs = 10 * 60_000

/** A single line break does not show. */
const paragraph = '\n\n'

const style: TextStyle = {
  escape: (text) => fullWidth(text, /[\\`*_[\]<>#~|]/g).replaceAll(/\s*\n\s*/g, paragraph),
  bold: (escaped) => `**${escaped}**`,
  link: markdownLink,
  linkedLabel: markdownLink,
}

export const dingtalk = defineChannel({
  type: 'dingtalk',
  title: 'DingTalk',
  guide: 'https://open.dingtalk.com/document/robots/custom-robot-access',
  example: {
    webhookUrl: 'https://oapi.dingtalk.com/robot/send?access_token=the-token-of-this-robot',
  },
  config: object({
    webhookUrl: text({
      charsMin: 1,
      charsMax: limits.urlCharsMax,
      description: 'the webhook of a custom robot in a group, with its access_token',
      example: 'https://oapi.dingtalk.com/robot/send?access_token=the-token-of-this-robot',
    }),
    secret: optional(
      text({
        charsMin: 1,
        charsMax: limits.channelTokenCharsMax,
        description: 'the secret (SEC…), if the robot verifies signatures',
        example: 'SEC000000000000000000000',
      }),
    ),
  }),
  secrets: ['webhookUrl', 'secret'],
  urls: ['webhookUrl'],

  render(message, { webhookUrl, secret }, { nowMs }) {
    const text = textOf(marked(message), style, {
      sizeMax: textBytesMax,
      sizeOf: (text) => Buffer.byteLength(JSON.stringify(text)),
      lineBreak: paragraph,
    })
    return jsonPost(secret === undefined ? webhookUrl : signedUrl(webhookUrl, secret, nowMs), {
      msgtype: 'markdown',
      // The title is what the notification shows.
      markdown: { title: clip(message.title, titleCharsMax), text },
      // Only whom this lists is mentioned, whatever the text says.
      at: { isAtAll: false },
    })
  },

  outcome: outcomeOf,
})

function signedUrl(webhookUrl: string, secret: string, nowMs: number): string {
  const timestamp = String(Math.floor(nowMs))
  const sign = createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64')
  const separator = webhookUrl.includes('?') ? '&' : '?'
  return `${webhookUrl}${separator}${new URLSearchParams({ timestamp, sign })}`
}

/** Too many messages: of the robot, and of the API as a whole. */
const rateCodes = new Set([130101, 90018])
const busyCode = -1
/** The security settings refuse: no keyword, a wrong signature or time, an address not allowed. */
const settingsCode = 310000
const tokenUnknownCode = 300005

/** The code decides: errors have the status 200. */
function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status } = answer
  const platform = 'DingTalk'
  const { errcode: code, errmsg: words } = jsonFields(answer.body)
  if (typeof code !== 'number') {
    if (status < 300) return unexpected(answer, platform)
    if (status < 400 || status === 429 || status >= 500) return httpOutcome(answer, nowMs)
    return failure(answer, { platform, mayRetry: [401, 403, 404].includes(status) })
  }
  if (code === 0 && status < 300) return httpOutcome(answer, nowMs)
  if (rateCodes.has(code)) {
    return failure(answer, { platform, code, words, mayRetry: true, retryAfterMs: rateWaitMs })
  }
  const mayRetry = code === busyCode || code === settingsCode || status >= 500
  return failure(answer, { platform, code, words, mayRetry, isGone: code === tokenUnknownCode })
}
