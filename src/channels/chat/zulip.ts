// Zulip: a message of a bot to a channel (a stream), in one topic for each incident.
//
// The request: https://zulip.com/api/send-message. Limits: 10,000 characters, 60 in a topic
// (max_message_length and max_topic_length of https://zulip.com/api/register-queue)
// Errors, 429 and its `retry-after`: https://zulip.com/api/rest-error-handling
// Times and mentions: https://zulip.com/api/message-formatting. The Markdown of the server knows no
// backslash escapes: zerver/lib/markdown/__init__.py of zulip/zulip
import { clip } from '../../base/clip.ts'
import { object, optional, text, toIso } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { localeTag } from '../../texts/languages.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { urlText } from '../model/hook.ts'
import { basicAuth, below, jsonFields, quotedOutcome } from '../model/json-api.ts'
import { fullWidth, markdownLink } from '../model/markdown.ts'
import type { Message } from '../model/message.ts'
import { defused, type TextStyle, textOf } from '../model/text.ts'
import { accountText, tokenText } from '../model/token.ts'

const contentCharsMax = 10_000
const topicCharsMax = 60

export const zulip = defineChannel({
  type: 'zulip',
  title: 'Zulip',
  guide: 'https://zulip.com/help/add-a-bot-or-integration',
  example: {
    site: 'https://acme.zulipchat.com',
    botEmail: 'alerts-bot@acme.zulipchat.com',
    apiKey: 'the-api-key-of-the-bot',
    stream: 'operations',
  },
  config: object({
    site: urlText(
      'the URL of the organization, or of a server of your own',
      'https://acme.zulipchat.com',
    ),
    botEmail: accountText({
      pattern: '^[^:\\s]+@[^:\\s]+$',
      rule: 'must be the e-mail address of a bot',
      description: 'the e-mail address of the bot, as Zulip shows it',
      example: 'alerts-bot@acme.zulipchat.com',
    }),
    apiKey: tokenText({
      description: 'the API key of the bot',
      example: 'the-api-key-of-the-bot',
    }),
    stream: text({
      charsMin: 1,
      charsMax: topicCharsMax,
      description: 'the name of a channel that the bot may write to',
      example: 'operations',
    }),
    topic: optional(
      text({
        charsMin: 1,
        charsMax: topicCharsMax,
        description: 'for all messages; where absent, each incident has a topic of its own',
        example: 'alerts',
      }),
    ),
  }),
  secrets: ['apiKey'],
  urls: ['site'],

  render: (message, { site, botEmail, apiKey, stream, topic = topicOf(message) }) => ({
    url: below(site, 'api/v1/messages'),
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'stillup',
      authorization: basicAuth(botEmail, apiKey),
    },
    body: new URLSearchParams({
      // The word that every version knows; it means a channel.
      type: 'stream',
      to: stream,
      topic,
      content: textOf(message, style, { sizeMax: contentCharsMax }),
    }).toString(),
  }),

  outcome: outcomeOf,
})

/** The same for all news of an incident, whatever its title says by then: "Shop, 22/11/2026, 21:05". */
function topicOf({ monitors, startedAtMs, locale }: Message): string {
  const [monitor] = monitors
  if (!monitor) return 'stillup'
  if (startedAtMs === null) return clip(monitor.name, topicCharsMax)
  const { language, timezone: timeZone } = locale
  const shown = { dateStyle: 'short', timeStyle: 'short', timeZone } as const
  const started = `, ${new Intl.DateTimeFormat(localeTag(language), shown).format(startedAtMs)}`
  return clip(monitor.name, topicCharsMax - started.length) + started
}

const style: TextStyle = {
  escape: (text) =>
    defused(fullWidth(text, /[*`]/g), /[@#<~$\]|]/g)
      .split('\n')
      // What begins a quotation or a list at the beginning of a line.
      .map((line, at) => (at > 0 && /^\s*[>+\-\d]/.test(line) ? `\u200b${line}` : line))
      .join('\n'),
  bold: (text) => `**${text}**`,
  link: markdownLink,
  linkedLabel: markdownLink,
  // Zulip shows it in the reader's own language and time zone.
  instant: ({ atMs }) => `<time:${toIso(atMs)}>`,
}

/** Zulip says 400 also of a channel that is missing, or closed to the bot, which people can repair. */
function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status, body } = answer
  const { code, msg: words, 'retry-after': waitSeconds } = jsonFields(body)
  const isRefused = status === 413 || /^REQUEST_VARIABLE_/.test(String(code))
  return quotedOutcome(answer, nowMs, {
    platform: 'Zulip',
    code,
    words,
    waitSeconds,
    mayRetry: !isRefused,
  })
}
