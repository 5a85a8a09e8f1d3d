// Rocket.Chat: an attachment to an incoming webhook.
//
// Webhooks: https://docs.rocket.chat/docs/integrations and
// https://developer.rocket.chat/apidocs/post-message (attachments)
// Answers and errors: app/integrations/server/api of RocketChat/Rocket.Chat; errors say
// `{"success": false, "error": …}`
// Markup, which knows no escapes: packages/message-parser/src/grammar.pegjs
import { object } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { hookUrl } from '../model/hook.ts'
import { jsonFields, jsonPost, quotedOutcome, unexpected } from '../model/json-api.ts'
import { fullWidth, markdownLink } from '../model/markdown.ts'
import { defused, escapedWithin, type TextStyle, textOf } from '../model/text.ts'
import { colourOf } from '../model/tone.ts'

// The server's own limit is a setting, 5,000 characters at first.
const titleCharsMax = 500
const textCharsMax = 4_000

const webhookUrl =
  'https://chat.example.com/hooks/64b1f3f0a1b2c3d4e5f60718/the-secret-token-of-this-webhook'

export const rocketchat = defineChannel({
  type: 'rocketchat',
  title: 'Rocket.Chat',
  guide: 'https://docs.rocket.chat/docs/integrations',
  example: { webhookUrl },
  config: object({ webhookUrl: hookUrl('Rocket.Chat', webhookUrl) }),
  secrets: ['webhookUrl'],
  urls: ['webhookUrl'],

  render: (message, { webhookUrl }) =>
    jsonPost(webhookUrl, {
      // Notifications show this.
      text: style.bold(escapedWithin(message.title, style.escape, titleCharsMax)),
      attachments: [
        {
          color: colourOf(message.tone),
          text: textOf(message, style, { sizeMax: textCharsMax, isUntitled: true }),
        },
      ],
    }),

  outcome: outcomeOf,
})

const style: TextStyle = {
  escape: (text) => defused(fullWidth(text, /[*~`]|(?<![A-Za-z0-9])_/g), /[@#<[\]|]/g),
  bold: (text) => `*${text}*`,
  link: markdownLink,
  linkedLabel: markdownLink,
}

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status, body } = answer
  const { success, error: words } = jsonFields(body)
  if (status === 200 && success !== true) return unexpected(answer, 'Rocket.Chat')
  return quotedOutcome(answer, nowMs, {
    platform: 'Rocket.Chat',
    words,
    mayRetry: status !== 413 && words !== 'error-message-size-exceeded',
  })
}
