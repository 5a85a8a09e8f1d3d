// DingTalk: Markdown to a group, through the webhook of a custom robot.
//
// Requests, signatures, errors and limits: https://open.dingtalk.com/document/robots/custom-robot-access
// and https://open.dingtalk.com/document/robots/customize-robot-security-settings
// Markdown, which has no escapes, and mentions: https://open.dingtalk.com/document/robots/message-types-and-data-format
import { createHmac } from 'node:crypto'
import { clip } from '../../base/clip.ts'
import { object, optional } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { hookUrl } from '../model/hook.ts'
import { codedOutcome, jsonFields, jsonPost } from '../model/json-api.ts'
import { brokenBy, fullWidth, markdownLink } from '../model/markdown.ts'
import { marked, type TextStyle, textOf } from '../model/text.ts'
import { accountText } from '../model/token.ts'

const titleCharsMax = 100
/** The text's part of the 20,000 bytes that a message may have. */
const textBytesMax = 16_000

/** A single line break does not show. */
const paragraph = '\n\n'

const style: TextStyle = {
  escape: (text) => brokenBy(paragraph, fullWidth(text, /[\\`*_[\]<>#~|]/g)),
  bold: (escaped) => `**${escaped}**`,
  link: markdownLink,
  linkedLabel: markdownLink,
}

const webhookUrl = 'https://oapi.dingtalk.com/robot/send?access_token=the-token-of-this-robot'

export const dingtalk = defineChannel({
  type: 'dingtalk',
  title: 'DingTalk',
  guide: 'https://open.dingtalk.com/document/robots/custom-robot-access',
  example: { webhookUrl },
  config: object({
    webhookUrl: hookUrl('DingTalk (a custom robot in a group)', webhookUrl),
    secret: optional(
      accountText({
        description: 'the secret (SEC…), if the robot verifies signatures',
        example: 'SEC000000000000000000000',
      }),
    ),
  }),
  secrets: ['webhookUrl', 'secret'],
  signs: ['secret'],
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

/** A robot that sends more than 20 messages in a minute is silenced for ten minutes. */
const rateWaitSeconds = 600
const rateCodes = new Set([130101, 410100])
/** The platform is busy; the security settings refuse; the robot is disabled. */
const repairableCodes = new Set([-1, 310000, 400102])
/** The group is dissolved; the token or the robot is not there any more. */
const goneCodes = new Set([300005, 400013, 400101, 400106])

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { errcode: code, errmsg: words } = jsonFields(answer.body)
  const isOneOf = (codes: ReadonlySet<number>) => typeof code === 'number' && codes.has(code)
  const isTooMany = isOneOf(rateCodes)
  return codedOutcome(answer, nowMs, {
    platform: 'DingTalk',
    code,
    words,
    mayRetry: isTooMany || isOneOf(repairableCodes),
    isGone: isOneOf(goneCodes),
    ...(isTooMany ? { waitSeconds: rateWaitSeconds } : {}),
  })
}
