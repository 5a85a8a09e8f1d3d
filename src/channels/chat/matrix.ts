// Matrix: a message of a user, usually a bot, to a room.
//
// The request, HTML and `m.mentions`: https://spec.matrix.org/v1.16/client-server-api/ (PUT
// …/send/{eventType}/{txnId}, m.room.message, "User and room mentions")
// An event has at most 65,536 bytes, with what the server adds: "Size limits" there
// Errors and retry_after_ms: "Standard error response" there
import { object, text } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { urlText } from '../model/hook.ts'
import { below, jsonFields, jsonPost, quotedOutcome } from '../model/json-api.ts'
import type { Message } from '../model/message.ts'
import { htmlStyle, plainStyle, textOf } from '../model/text.ts'
import { tokenText } from '../model/token.ts'
import { colourOf } from '../model/tone.ts'

/** The text is sent twice, plain and as HTML, which is far from the limit of an event. */
const bounds = { sizeMax: 16_000, sizeOf: jsonBytes }

export const matrix = defineChannel({
  type: 'matrix',
  title: 'Matrix',
  guide: 'https://spec.matrix.org/latest/client-server-api/#login',
  example: {
    homeserver: 'https://matrix.example.org',
    roomId: '!qporfwt:example.org',
    token: 'syt_YWxlcnRz_the-access-token',
  },
  config: object({
    homeserver: urlText('the URL of the server of the account', 'https://matrix.example.org'),
    roomId: text({
      charsMin: 2,
      charsMax: 255,
      pattern: '^!',
      rule: 'must be the id of a room, which begins with !',
      description: 'a room that the account is in and that is not encrypted; not an alias',
      example: '!qporfwt:example.org',
    }),
    token: tokenText({
      description: 'an access token of the account',
      example: 'syt_YWxlcnRz_the-access-token',
    }),
  }),
  secrets: ['token'],
  urls: ['homeserver'],

  render(message, { homeserver, roomId, token }) {
    const room = encodeURIComponent(roomId)
    // The server sends nothing twice that has the same transaction id.
    const transaction = encodeURIComponent(message.id)
    const path = `_matrix/client/v3/rooms/${room}/send/m.room.message/${transaction}`
    const headers = { authorization: `Bearer ${token}` }
    return { ...jsonPost(below(homeserver, path), contentOf(message), headers), method: 'PUT' }
  },

  outcome: outcomeOf,
})

function contentOf(message: Message): object {
  const colour = colourOf(message.tone)
  const dot = `<font color="${colour}" data-mx-color="${colour}">●</font> `
  return {
    // The usual rules of clients keep m.notice silent.
    msgtype: 'm.text',
    body: textOf(message, plainStyle, bounds),
    format: 'org.matrix.custom.html',
    formatted_body: dot + textOf(message, htmlStyle, { ...bounds, lineBreak: '<br>' }),
    // Nobody is mentioned, whatever the text has: `@room` counts only without this.
    'm.mentions': {},
  }
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}

const refusals = new Set<unknown>(['M_BAD_JSON', 'M_INVALID_PARAM', 'M_NOT_JSON', 'M_TOO_LARGE'])

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { errcode: code, error: words, retry_after_ms: waitMs } = jsonFields(answer.body)
  return quotedOutcome(answer, nowMs, {
    platform: 'Matrix',
    code,
    words,
    waitSeconds: typeof waitMs === 'number' ? waitMs / 1_000 : undefined,
    mayRetry: !refusals.has(code),
  })
}
