// Mattermost: an attachment to an incoming webhook.
//
// Webhooks: https://developers.mattermost.com/integrate/webhooks/incoming/
// Attachments: https://developers.mattermost.com/integrate/reference/message-attachments/
// Errors: HandleIncomingWebhook in server/channels/app/webhook.go of mattermost/mattermost, which
// also turns Slack's `<!channel>` into a mention. It answers 400 "invalid" for a webhook that is
// deleted and for one that its database cannot read, so that word ends nothing.
import { clip } from '../../base/clip.ts'
import { object } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { hookUrl } from '../model/hook.ts'
import { jsonFields, jsonPost, quotedOutcome } from '../model/json-api.ts'
import { hardBreak, markdownLink } from '../model/markdown.ts'
import { defused, type TextStyle, textOf } from '../model/text.ts'
import { colourOf } from '../model/tone.ts'

/** Attachments share 800,000 characters; this keeps one readable. */
const textCharsMax = 6_000
const fallbackCharsMax = 300

const webhookUrl = 'https://mattermost.example.com/hooks/the-secret-key-of-this-webhook'

export const mattermost = defineChannel({
  type: 'mattermost',
  title: 'Mattermost',
  guide: 'https://developers.mattermost.com/integrate/webhooks/incoming/',
  example: { webhookUrl },
  config: object({ webhookUrl: hookUrl('Mattermost', webhookUrl) }),
  secrets: ['webhookUrl'],
  urls: ['webhookUrl'],

  render: (message, { webhookUrl }) =>
    jsonPost(webhookUrl, {
      attachments: [
        {
          // What notifications show.
          fallback: mentionless(clip(message.title, fallbackCharsMax)),
          color: colourOf(message.tone),
          text: textOf(message, style, { sizeMax: textCharsMax, lineBreak: hardBreak }),
        },
      ],
    }),

  outcome: outcomeOf,
})

const style: TextStyle = {
  escape: (text) => mentionless(text.replace(/[\\*_~`[\]#|>]/g, '\\$&')),
  bold: (text) => `**${text}**`,
  link: markdownLink,
  linkedLabel: markdownLink,
}

function mentionless(text: string): string {
  return defused(text, /[@<]/g)
}

const refusals = new Set<unknown>([
  'web.incoming_webhook.parse.app_error',
  'web.incoming_webhook.text.app_error',
])

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { id, message: words } = jsonFields(answer.body)
  return quotedOutcome(answer, nowMs, {
    platform: 'Mattermost',
    words,
    mayRetry: answer.status !== 413 && !refusals.has(id),
  })
}
