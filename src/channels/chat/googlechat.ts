// Google Chat: a card to an incoming webhook of a space, in one thread for each incident.
//
// Webhooks, threads: https://developers.google.com/workspace/chat/quickstart/webhooks
// The method, its query parameters and the limit of 32,000 bytes:
// https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create
// Cards: https://developers.google.com/workspace/chat/api/reference/rest/v1/cards
// HTML in cards, mentions: https://developers.google.com/workspace/chat/format-messages
// Errors: https://cloud.google.com/apis/design/errors
import { clip } from '../../base/clip.ts'
import { object } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { hookUrl } from '../model/hook.ts'
import { fieldsOf, jsonFields, jsonPost, quotedOutcome } from '../model/json-api.ts'
import type { Link, Message } from '../model/message.ts'
import { defused, htmlStyle, textOf } from '../model/text.ts'
import { colourOf } from '../model/tone.ts'

/** The text, the buttons and the fallback are together far below the limit of a message. */
const textBytesMax = 18_000
const fallbackCharsMax = 300

const webhookUrl =
  'https://chat.googleapis.com/v1/spaces/AAAAexample/messages?key=the-key&token=the-token-of-this-webhook'

export const googlechat = defineChannel({
  type: 'googlechat',
  title: 'Google Chat',
  guide: 'https://developers.google.com/workspace/chat/quickstart/webhooks#create-webhook',
  example: { webhookUrl },
  config: object({ webhookUrl: hookUrl('a space of Google Chat', webhookUrl) }),
  secrets: ['webhookUrl'],
  urls: ['webhookUrl'],

  render(message, { webhookUrl }) {
    const url = new URL(webhookUrl)
    url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    // A repetition returns the message that is there already.
    url.searchParams.set('requestId', message.id)
    return jsonPost(url.href, {
      thread: { threadKey: message.dedupKey },
      // Shown by notifications, where `<users/all>` would mention everybody.
      fallbackText: defused(clip(message.title, fallbackCharsMax), /</g),
      cardsV2: [{ cardId: 'alert', card: { sections: [{ widgets: widgetsOf(message) }] } }],
    })
  },

  outcome: outcomeOf,
})

function widgetsOf(message: Message): object[] {
  const { title, tone, links } = message
  const heading = htmlStyle.escape(clip(title, fallbackCharsMax))
  const coloured = `<b><font color="${colourOf(tone)}">${heading}</font></b>`
  const facts = textOf(message, htmlStyle, {
    sizeMax: textBytesMax,
    sizeOf: (text) => Buffer.byteLength(JSON.stringify(text)),
    isUntitled: true,
    isUnlinked: true,
    lineBreak: '<br>',
  })
  return [
    { textParagraph: { text: coloured } },
    { textParagraph: { text: facts } },
    ...(links.length === 0 ? [] : [{ buttonList: { buttons: links.map(button) } }]),
  ]
}

function button({ label, url }: Link): object {
  return { text: label, onClick: { openLink: { url } } }
}

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { code, status: word, message = '' } = fieldsOf(jsonFields(answer.body).error)
  // A wrong key in the URL is an invalid argument too, and a person may repair it.
  const isAboutKey = /\bAPI key\b/i.test(String(message))
  return quotedOutcome(answer, nowMs, {
    platform: 'Google Chat',
    code: word ?? code,
    words: message,
    mayRetry: word !== 'INVALID_ARGUMENT' || isAboutKey,
  })
}
