// Feishu and Lark: a card to a group, through the webhook of a custom bot.
//
// Requests, signatures, limits and errors:
// https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot and
// https://open.larksuite.com/document/client-docs/bot-v3/add-custom-bot
// Cards: https://open.feishu.cn/document/feishu-cards/card-json-v1-structure
import { createHmac } from 'node:crypto'
import { clip } from '../../base/clip.ts'
import { object, optional } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { hookUrl } from '../model/hook.ts'
import { codedOutcome, jsonFields, jsonPost } from '../model/json-api.ts'
import type { Message, Tone } from '../model/message.ts'
import { plainStyle, textOf } from '../model/text.ts'
import { accountText } from '../model/token.ts'

const titleCharsMax = 200
/** The text's part of the 20 KB that a request may have; the rest is for the buttons. */
const textBytesMax = 8_000

const colours: Readonly<Record<Tone, string>> = {
  bad: 'red',
  warning: 'orange',
  neutral: 'blue',
  good: 'green',
}

const webhookUrl =
  'https://open.feishu.cn/open-apis/bot/v2/hook/00000000-0000-0000-0000-000000000000'

export const feishu = defineChannel({
  type: 'feishu',
  title: 'Feishu / Lark',
  guide: 'https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot',
  example: { webhookUrl },
  config: object({
    webhookUrl: hookUrl('Feishu or Lark (a custom bot in a group)', webhookUrl),
    secret: optional(
      accountText({
        description: 'the secret, if the bot verifies signatures',
        example: 'the-signing-secret-of-this-bot',
      }),
    ),
  }),
  secrets: ['webhookUrl', 'secret'],
  signs: ['secret'],
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

/** The bot may send again within a minute. */
const rateWaitSeconds = 60
const rateCode = 11232
const badRequestCode = 9499
/** The settings of the bot, which a person can change: disabled, signature, addresses, keywords. */
const repairableCodes = new Set([19007, 19021, 19022, 19024])
const tokenInvalidCode = 19001

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { code, msg } = jsonFields(answer.body)
  const words = typeof msg === 'string' ? msg : ''
  const isTooMany = code === rateCode || (code === badRequestCode && /too many/i.test(words))
  return codedOutcome(answer, nowMs, {
    platform: 'Feishu',
    code,
    words,
    mayRetry: isTooMany || (typeof code === 'number' && repairableCodes.has(code)),
    isGone: code === tokenInvalidCode && /token/i.test(words),
    ...(isTooMany ? { waitSeconds: rateWaitSeconds } : {}),
  })
}
