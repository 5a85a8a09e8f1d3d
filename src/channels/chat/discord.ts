// Discord: an embed to a webhook of a channel.
//
// Execute Webhook, `wait`, `allowed_mentions` and the note on 404:
// https://discord.com/developers/docs/resources/webhook#execute-webhook and
// https://discord.com/developers/docs/topics/rate-limits
// Embeds and their limits: https://discord.com/developers/docs/resources/message#embed-object
// Times, mentions and the user agent: https://discord.com/developers/docs/reference
// Error codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
import { object, toIso } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { hookUrl } from '../model/hook.ts'
import { jsonFields, jsonPost, quotedOutcome } from '../model/json-api.ts'
import { commonMark } from '../model/markdown.ts'
import { escapedWithin, type TextStyle, textOf } from '../model/text.ts'
import { colourOf } from '../model/tone.ts'

// These bounds together are far below the 6,000 characters that an embed may have.
const titleCharsMax = 256
const descriptionCharsMax = 4_096

const webhookUrl =
  'https://discord.com/api/webhooks/223704706495545344/the-secret-token-of-this-webhook'

export const discord = defineChannel({
  type: 'discord',
  title: 'Discord',
  steps:
    'In the settings of the server open Integrations, then Webhooks, create a webhook for ' +
    'the channel, and copy its URL.',
  guide: 'https://support.discord.com/hc/en-us/articles/228383668-Intro-to-Webhooks',
  example: { webhookUrl },
  config: object({ webhookUrl: hookUrl('Discord', webhookUrl) }),
  secrets: ['webhookUrl'],
  urls: ['webhookUrl'],

  render(message, { webhookUrl }) {
    const { title, tone, atMs, links } = message
    const url = new URL(webhookUrl)
    // Discord would otherwise answer before it knows whether it can keep the message.
    url.searchParams.set('wait', 'true')
    const [link] = links
    return jsonPost(url.href, {
      embeds: [
        {
          title: escapedWithin(title, style.escape, titleCharsMax),
          ...(link ? { url: link.url } : {}),
          description: textOf(message, style, { sizeMax: descriptionCharsMax, isUntitled: true }),
          color: Number.parseInt(colourOf(tone).slice(1), 16),
          timestamp: toIso(atMs),
        },
      ],
      allowed_mentions: { parse: [] },
    })
  },

  outcome: outcomeOf,
})

/** A backslash works before any sign, so commonMark's escapes also end mentions and times. */
const style: TextStyle = {
  ...commonMark,
  // Discord shows it in the reader's own language and time zone.
  instant: ({ atMs }) => `<t:${Math.floor(atMs / 1_000)}:F>`,
}

const unknownChannel = 10_003
const unknownWebhook = 10_015

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status, body } = answer
  const { code, message: words, retry_after: waitSeconds } = jsonFields(body)
  const isRefused = (status === 400 || status === 413) && typeof code === 'number'
  const isGone = status === 404 && (code === unknownWebhook || code === unknownChannel)
  return quotedOutcome(answer, nowMs, {
    platform: 'Discord',
    words,
    waitSeconds,
    isGone,
    mayRetry: !isRefused,
  })
}
