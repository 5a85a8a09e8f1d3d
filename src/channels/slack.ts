// Slack: a message in Block Kit to an incoming webhook.
//
// Requests and errors: https://api.slack.com/messaging/webhooks and
// https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks
// Blocks and their limits: https://api.slack.com/reference/block-kit/blocks
// Escaping, links and dates: https://api.slack.com/reference/surfaces/formatting
// 429 and Retry-After: https://api.slack.com/docs/rate-limits
import { object, text, toIso } from '../base/schema/schema.ts'
import type { Outcome } from '../domain/alerts/delivery.ts'
import { limits } from '../domain/limits/limits.ts'
import { defineChannel, type PlatformAnswer } from './model/definition.ts'
import type { Fact, Instant, Link, Message } from './model/message.ts'
import { httpOutcome } from './model/outcome.ts'

const headerCharsMax = 150
const sectionCharsMax = 3_000

export const slack = defineChannel({
  type: 'slack',
  title: 'Slack',
  guide: 'https://api.slack.com/messaging/webhooks',
  example: { webhookUrl: 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXX' },
  config: object({
    webhookUrl: text({
      charsMin: 1,
      charsMax: limits.urlCharsMax,
      description: "the URL of an incoming webhook of Slack; it is the channel's secret",
      example: 'https://hooks.slack.com/services/T00000000/B00000000/the-secret-of-this-webhook',
    }),
  }),
  secrets: ['webhookUrl'],
  urls: ['webhookUrl'],

  render: (message, { webhookUrl }) => ({
    url: webhookUrl,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'stillup' },
    body: JSON.stringify({
      // Notifications show this; the blocks take its place in the conversation.
      text: escaped(message.title, sectionCharsMax),
      blocks: blocksOf(message),
    }),
  }),

  outcome: outcomeOf,
})

/** At most three blocks, of the fifty that a message may have. */
function blocksOf({ title, facts, links, event, atMs }: Message): object[] {
  const header = { type: 'plain_text', text: escaped(title, headerCharsMax), emoji: false }
  const factCharsMax = Math.floor(sectionCharsMax / facts.length) - 1
  const lines = facts.map((fact) => factLine(fact, factCharsMax))
  const notes = [...links.map(linkText), `${event} · ${timeText({ atMs })}`]
  return [
    { type: 'header', text: header },
    { type: 'section', text: { type: 'mrkdwn', text: lines.join('\n') } },
    { type: 'context', elements: notes.map((text) => ({ type: 'mrkdwn', text })) },
  ]
}

function factLine({ label, value }: Fact, charsMax: number): string {
  const name = `*${escaped(label, Math.floor(charsMax / 2))}:* `
  const room = charsMax - name.length
  return name + (typeof value === 'string' ? escaped(value, room) : timeText(value))
}

/** Slack shows the reader's own time zone; the text after the bar is the fallback. */
function timeText({ atMs }: Instant): string {
  const format = '{date_short_pretty} {time_secs}'
  return `<!date^${Math.floor(atMs / 1_000)}^${format}|${toIso(atMs)}>`
}

function linkText({ label, url }: Link): string {
  return `<${escaped(url, limits.urlCharsMax)}|${escaped(label, headerCharsMax)}>`
}

/** Escapes Slack's three control characters, and cuts to a length that counts the escapes. */
function escaped(value: string, charsMax: number): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  const parts = [...value].map((char) => escapes[char] ?? char)
  if (parts.join('').length <= charsMax) return parts.join('')
  let cut = ''
  for (const part of parts) {
    if (cut.length + part.length >= charsMax) break
    cut += part
  }
  return `${cut}…`
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

/**
 * The outcome of a response. Slack reports an error in one word, and repeats it for the same
 * request.
 */
function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status, body: response } = answer
  if (status < 400 || status === 429 || status >= 500) return httpOutcome(answer, nowMs)
  const word = /^[a-z_]{1,60}$/.exec(response.trim())?.[0]
  const errorText = word === undefined ? String(status) : `${status} ${word}`
  const refused = { ok: false as const, mayRetry: false, status, response }
  const isGone =
    status === 404 || status === 410 || (word !== undefined && permanentErrors.has(word))
  return isGone
    ? { ...refused, reason: `The Slack webhook is gone (${errorText}).`, disablesChannel: true }
    : { ...refused, reason: `Slack refused the message (${errorText}).` }
}
