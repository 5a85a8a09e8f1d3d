// Feishu and Lark: a card to a group, through the webhook of a custom bot.
//
// Requests, signatures, limits and errors:
// https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot and
// https://open.larksuite.com/document/client-docs/bot-v3/add-custom-bot
// Cards: https://open.feishu.cn/document/feishu-cards/card-json-v1-structure
import { createHmac } from 'node:crypto'
import { clip } from '../../base/clip.ts'
import { object, optional, text } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { limits } from '../../domain/limits/limits.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { failure, jsonFields, jsonPost, unexpected } from '../model/json-api.ts'
import type { Message, Tone } from '../model/message.ts'
import { httpOutcome } from '../model/outcome.ts'
import { plainStyle, textOf } from '../model/text.ts'

const titleCharsMax = 200
/** Of the 20 KB that a request may have; the rest is for the buttons. */
const textBytesMax = 8_000
/** The bot may send again within a minute. */
const rateWaitMs = 60_000

const colours: Readonly<Record<Tone, string>> = {
  bad: 'red',
  warning: 'orange',
  neutral: 'blue',
  good: 'green',
}

export const feishu = defineChannel({
  type: 'feishu',
  title: 'Feishu / Lark',
  guide: 'https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot',
  example: {
    webhookUrl: 'https://open.feishu.cn/open-apis/bot/v2/hook/00000000-0000-0000-0000-000000000000',
  },
  config: object({
    webhookUrl: text({
      charsMin: 1,
      charsMax: limits.urlCharsMax,
      description: 'the webhook of a custom bot in a group of Feishu or Lark',
      example: 'https://open.feishu.cn/open-apis/bot/v2/hook/00000000-0000-0000-0000-000000000000',
    }),
    secret: optional(
      text({
        charsMin: 1,
        charsMax: limits.channelTokenCharsMax,
        description: 'the secret, if the bot verifies signatures',
        example: 'the-signing-secret-of-this-bot',
      }),
    ),
  }),
  secrets: ['webhookUrl', 'secret'],
  urls: ['webhookUrl'],

  render: (message, { webhookUrl, secret }, { nowMs }) =>
    jsonPost(webhookUrl, {
      ...(secret === undefined ? {} : signature(secret, Math.floor(nowMs / 1_000))),
      msg_type: 'interactive',
      card: cardOf(message),
    }),

  outcome: outcomeOf,
})

/** The time and the secret are the key; what is signed is empty. */
function signature(secret: string, timestampSeconds: number) {
  const sign = createHmac('sha256', `${timestampSeconds}\n${secret}`).digest('base64')
  return { timestamp: String(timestampSeconds), sign }
}

/** All texts are plain: they can neither be markup nor mention anybody. */
function cardOf(message: Message) {
  const { title, tone, links } = message
  const text = textOf(message, plainStyle, {
    sizeMax: textBytesMax,
    sizeOf: (text) => Buffer.byteLength(JSON.stringify(text)),
    isUntitled: true,
    isUnlinked: true,
  })
  const buttons = links.map(({ label, url }) => ({ tag: 'button', text: plain(label), url }))
  return {
    config: { wide_screen_mode: true },
    header: { template: colours[tone], title: plain(clip(title, titleCharsMax)) },
    elements: [
      { tag: 'div', text: plain(text) },
      ...(buttons.length === 0 ? [] : [{ tag: 'action', actions: buttons }]),
    ],
  }
}

function plain(content: string) {
  return { tag: 'plain_text', content }
}

/** 11232 and 11233: too many requests, of the bot and of the group. */
const rateCodes = new Set([11232, 11233])

/** The settings of the bot, which a person can change: signature, allowed addresses, keywords. */
const repairableCodes = new Set([19021, 19022, 19024])

const tokenInvalidCode = 19001

/** The code decides: errors mostly have the status 200. */
function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status } = answer
  const platform = 'Feishu'
  const { code, msg: words } = jsonFields(answer.body)
  if (typeof code !== 'number') {
    if (status < 300) return unexpected(answer, platform)
    if (status < 400 || status === 429 || status >= 500) return httpOutcome(answer, nowMs)
    return failure(answer, { platform, mayRetry: [401, 403, 404].includes(status) })
  }
  if (code === 0 && status < 300) return httpOutcome(answer, nowMs)
  if (rateCodes.has(code)) {
    return failure(answer, { platform, code, words, mayRetry: true, retryAfterMs: rateWaitMs })
  }
  const isGone = code === tokenInvalidCode && typeof words === 'string' && /token/i.test(words)
  const mayRetry = repairableCodes.has(code) || status === 429 || status >= 500
  return failure(answer, { platform, code, words, mayRetry, isGone })
}
