// Telegram: a message of a bot to a chat, a channel or a topic.
//
// sendMessage, HTML, buttons, ResponseParameters and limits: https://core.telegram.org/bots/api
// Limits of frequency: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
// Hosts that a button may have (LinkManager::get_checked_link):
// https://github.com/tdlib/td/blob/master/td/telegram/LinkManager.cpp
import { escapedMarkup } from '../../base/formats/markup.ts'
import { described, integer, object, optional, text } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { urlText } from '../model/hook.ts'
import { below, failure, jsonFields, jsonPost, unexpected } from '../model/json-api.ts'
import type { Link, Message } from '../model/message.ts'
import { httpOutcome } from '../model/outcome.ts'
import { defused, marked, type TextStyle, textOf } from '../model/text.ts'

const publicApi = 'https://api.telegram.org'
/** The limit counts UTF-16 code units, after the markup is read. */
const textCharsMax = 4_096
const buttonUrlCharsMax = 512

export const telegram = defineChannel({
  type: 'telegram',
  title: 'Telegram',
  steps:
    'Write `/newbot` to @BotFather: it gives the bot token. Add the bot to the chat and ' +
    'write `/start@` and its name there. Open ' +
    '`https://api.telegram.org/bot<token>/getUpdates`: the chat id is the `id` in `chat`, ' +
    'with its minus sign.',
  guide: 'https://core.telegram.org/bots/features#botfather',
  example: { botToken: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11', chatId: '-1001234567890' },
  config: object({
    botToken: text({
      charsMax: 100,
      pattern: '^[0-9]{1,20}:[A-Za-z0-9_-]{1,75}$',
      rule: 'must be the token that BotFather gave, such as 123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
      description: 'the token of the bot, from @BotFather',
      example: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
    }),
    chatId: text({
      charsMax: 65,
      pattern: '^(-?[0-9]{1,20}|@[A-Za-z0-9_]{4,64})$',
      rule: 'must be the number of a chat or the @name of a public channel',
      description: 'the chat, in which the bot must be, or the @name of a public channel',
      example: '-1001234567890',
    }),
    messageThreadId: optional(
      described(integer(1, 2 ** 31 - 1), 'the topic of a forum, in which messages appear', 4),
    ),
    apiUrl: optional(
      urlText(
        `the URL of a Bot API server of your own; ${publicApi} where absent`,
        'https://telegram.example.com',
      ),
    ),
  }),
  secrets: ['botToken'],
  urls: ['apiUrl'],

  render: (message, { botToken, chatId, messageThreadId, apiUrl = publicApi }) =>
    jsonPost(below(apiUrl, `bot${botToken}/sendMessage`), {
      chat_id: chatId,
      ...(messageThreadId === undefined ? {} : { message_thread_id: messageThreadId }),
      ...contentOf(message),
      disable_notification: message.tone === 'good',
      link_preview_options: { is_disabled: true },
    }),

  outcome: outcomeOf,
})

/** Notifies a person in the chat who has that name. */
const mention = /(?<![\p{L}\p{N}_])@(?=\w)/gu

const html: TextStyle = {
  escape: (text) => htmlOf(defused(text, mention)),
  bold: (escaped) => `<b>${escaped}</b>`,
  link: linked,
  linkedLabel: (label, url) => (isLinkable(url) ? linked(label, url) : label),
}

const htmlOf = (text: string) => escapedMarkup(text, /[&<>"]/g)

/** Telegram drops a link whose host it does not accept: such an address is written out. */
function linked(label: string, url: string): string {
  return isLinkable(url) ? `<a href="${htmlOf(url)}">${label}</a>` : `${label}: ${htmlOf(url)}`
}

/** Whether the host has a domain name; Telegram refuses a whole message for a button without one. */
function isLinkable(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && parsed.username === '' && /\.[a-z][a-z0-9-]+$/i.test(parsed.hostname)
}

function contentOf(message: Message) {
  const isButton = ({ url }: Link) => isLinkable(url) && url.length <= buttonUrlCharsMax
  const buttons = message.links.filter(isButton)
  const links = message.links.filter((link) => !isButton(link))
  return {
    text: textOf({ ...marked(message), links }, html, {
      sizeMax: textCharsMax,
      sizeOf: shownChars,
    }),
    parse_mode: 'HTML',
    ...(buttons.length === 0
      ? {}
      : {
          reply_markup: {
            inline_keyboard: buttons.map(({ label, url }) => [{ text: label, url }]),
          },
        }),
  }
}

function shownChars(text: string): number {
  return text.replaceAll(/<[^<>]*>/g, '').replaceAll(/&(amp|lt|gt|quot);/g, ' ').length
}

/** The chat is deleted, or the account of its person. */
const goneWords = /user is deactivated|chat was deleted/i

/** What a person can repair in Telegram while the message waits. */
const repairableWords =
  /chat not found|not enough rights|have no rights|write_forbidden|administrator|thread not found|topic_closed|supergroup/i

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status, body } = answer
  const platform = 'Telegram'
  // Only the beginning of a long answer is known, which repeats the message.
  if (status < 300 && /^\s*\{\s*"ok"\s*:\s*true\b/.test(body)) return httpOutcome(answer, nowMs)
  const { ok, error_code: code, description, parameters } = jsonFields(body)
  const { retry_after: waitSeconds, migrate_to_chat_id: newChatId } = jsonFields(
    JSON.stringify(parameters ?? {}),
  )
  if (typeof waitSeconds === 'number') {
    return failure(answer, { platform, code, words: description, mayRetry: true, waitSeconds })
  }
  if (typeof newChatId === 'number') {
    const words = `the group became a supergroup, so chatId must be ${newChatId}`
    return failure(answer, { platform, code, words, mayRetry: true })
  }
  if (status < 300 && ok === undefined) return unexpected(answer, platform)
  if (status >= 300 && (status < 400 || status === 429 || status >= 500)) {
    return httpOutcome(answer, nowMs)
  }
  const words = typeof description === 'string' ? description : ''
  const mayRetry = [401, 403, 404].includes(status) || repairableWords.test(words)
  const isGone = goneWords.test(words)
  return failure(answer, { platform, code, words, mayRetry, isGone })
}
