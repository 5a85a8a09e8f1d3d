// Slack: a message in Block Kit to an incoming webhook.
//
// Requests and errors: https://api.slack.com/messaging/webhooks and
// https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks
// Blocks, buttons and their limits: https://api.slack.com/reference/block-kit/blocks and
// https://api.slack.com/reference/block-kit/block-elements#button
// The colour of a secondary attachment: https://api.slack.com/reference/messaging/attachments
// Escaping, links and dates: https://api.slack.com/reference/surfaces/formatting
// 429 and Retry-After: https://api.slack.com/docs/rate-limits
import { object, toIso } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { hookUrl } from '../model/hook.ts'
import { jsonPost, quotedOutcome } from '../model/json-api.ts'
import { fullWidth } from '../model/markdown.ts'
import type { Instant, Link, Message } from '../model/message.ts'
import { encodedFor, escapedWithin, type TextStyle, textOf } from '../model/text.ts'
import { colourOf } from '../model/tone.ts'

const headerCharsMax = 150
const sectionCharsMax = 3_000
const buttonCharsMax = 75

const webhookUrl = 'https://hooks.slack.com/services/T00000000/B00000000/the-secret-of-this-webhook'

export const slack = defineChannel({
  type: 'slack',
  title: 'Slack',
  steps:
    'Create a Slack app, switch on Incoming Webhooks, choose Add New Webhook to Workspace ' +
    'and a channel, and copy the URL of the webhook.',
  guide: 'https://api.slack.com/messaging/webhooks',
  example: { webhookUrl },
  config: object({ webhookUrl: hookUrl('Slack', webhookUrl) }),
  secrets: ['webhookUrl'],
  urls: ['webhookUrl'],

  render: (message, { webhookUrl }) =>
    jsonPost(webhookUrl, {
      // Notifications show this; the blocks take its place in the conversation.
      text: escapedWithin(message.title, escaped, sectionCharsMax),
      blocks: [
        { type: 'header', text: plainText(escapedWithin(message.title, escaped, headerCharsMax)) },
      ],
      attachments: [{ color: colourOf(message.tone), blocks: detailBlocks(message) }],
    }),

  outcome: outcomeOf,
})

/** Slack has escapes for mentions and links, but none for the marks of bold text and the like. */
const style: TextStyle = {
  escape: (text) => escaped(fullWidth(text, /[*~`]|(?<![A-Za-z0-9])_/g)),
  bold: (text) => `*${text}*`,
  link,
  linkedLabel: link,
  instant: timeText,
}

function detailBlocks(message: Message): object[] {
  const { links, atMs } = message
  const text = textOf(message, style, {
    sizeMax: sectionCharsMax,
    isUntitled: true,
    isUnlinked: true,
  })
  return [
    { type: 'section', text: { type: 'mrkdwn', text } },
    ...(links.length === 0 ? [] : [{ type: 'actions', elements: links.map(button) }]),
    { type: 'context', elements: [{ type: 'mrkdwn', text: timeText({ atMs }) }] },
  ]
}

function button({ label, url }: Link, at: number): object {
  const text = plainText(escapedWithin(label, escaped, buttonCharsMax))
  return { type: 'button', action_id: `open-${at}`, text, url }
}

function plainText(text: string): object {
  return { type: 'plain_text', text, emoji: false }
}

/** Slack shows the reader's own time zone; the text after the bar is the fallback. */
function timeText({ atMs }: Instant): string {
  const format = '{date_short_pretty} {time_secs}'
  return `<!date^${Math.floor(atMs / 1_000)}^${format}|${toIso(atMs)}>`
}

function link(label: string, url: string): string {
  return `<${encodedFor(url, /[|<>]/g)}|${label}>`
}

/** Escapes Slack's three control characters. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Responses which mean that the URL will never work again. */
const permanentErrors = new Set([
  'channel_is_archived',
  'channel_not_found',
  'invalid_token',
  'no_active_hooks',
  'no_service',
  'no_service_id',
  'no_team',
  'team_disabled',
])

/** Slack reports an error in one word. */
function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const word = /^[a-z_]{1,60}$/.exec(answer.body.trim())?.[0]
  return quotedOutcome(answer, nowMs, {
    platform: 'Slack',
    words: word,
    mayRetry: answer.status !== 400 || word === undefined,
    isGone: word !== undefined && permanentErrors.has(word),
  })
}
