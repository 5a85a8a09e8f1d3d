// Webex: a message in Markdown from a bot.
//
// The request and its 7,439 bytes: https://developer.webex.com/docs/api/v1/messages/create-a-message
// Markdown, mentions, status codes and Retry-After: https://developer.webex.com/docs/basics
import { object } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { jsonFields, jsonPost, quotedOutcome } from '../model/json-api.ts'
import { commonMark, hardBreak } from '../model/markdown.ts'
import { defused, plainStyle, type TextStyle, textOf } from '../model/text.ts'
import { accountText, tokenText } from '../model/token.ts'

const messagesUrl = 'https://webexapis.com/v1/messages'
const bounds = { sizeMax: 7_439, sizeOf: Buffer.byteLength }

export const webex = defineChannel({
  type: 'webex',
  title: 'Webex',
  guide: 'https://developer.webex.com/docs/bots#creating-a-webex-bot',
  example: { token: 'the-access-token-of-a-bot', roomId: 'Y2lzY29zcGFyazovL3VzL1JPT00vZXhhbXBsZQ' },
  config: object({
    token: tokenText({
      description: 'the access token of a bot that is in the room',
      example: 'the-access-token-of-a-bot',
    }),
    roomId: accountText({
      description: 'the id of the room, as the API lists it',
      example: 'Y2lzY29zcGFyazovL3VzL1JPT00vZXhhbXBsZQ',
    }),
  }),
  secrets: ['token'],
  urls: [],

  render: (message, { token, roomId }) =>
    jsonPost(
      messagesUrl,
      {
        roomId,
        markdown: textOf(message, style, { ...bounds, lineBreak: hardBreak }),
        // Clients that show no Markdown show this.
        text: textOf(message, plainStyle, bounds),
      },
      { authorization: `Bearer ${token}` },
    ),

  outcome: outcomeOf,
})

const style: TextStyle = {
  ...commonMark,
  // `<@all>` mentions everybody, and is looked for by other rules than Markdown's.
  escape: (text) => defused(commonMark.escape(text), /</g),
}

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status, body } = answer
  const { message: words } = jsonFields(body)
  const isRefused = status === 413 || (status === 400 && words !== undefined)
  return quotedOutcome(answer, nowMs, { platform: 'Webex', words, mayRetry: !isRefused })
}
