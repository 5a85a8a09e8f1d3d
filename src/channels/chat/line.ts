// LINE: a push message of an Official Account to a user, a group or a room.
//
// Push messages, status codes and errors: https://developers.line.biz/en/reference/messaging-api/#send-push-message
// Retry keys, and 409 for a message that was accepted before:
// https://developers.line.biz/en/docs/messaging-api/retrying-api-request/
// How the characters of a text are counted (UTF-16 code units):
// https://developers.line.biz/en/docs/messaging-api/text-character-count/
import { createHash } from 'node:crypto'
import { object, text } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { jsonFields, jsonPost, quotedOutcome } from '../model/json-api.ts'
import { marked, plainStyle, textOf } from '../model/text.ts'
import { tokenText } from '../model/token.ts'

const textCharsMax = 5_000

export const line = defineChannel({
  type: 'line',
  title: 'LINE',
  guide: 'https://developers.line.biz/en/docs/basics/channel-access-token/',
  example: {
    channelAccessToken: 'the-channel-access-token-of-your-messaging-api-channel',
    to: 'U4af4980629a1b2c3d4e5f60718293a4b',
  },
  config: object({
    channelAccessToken: tokenText({
      description: 'the channel access token of a Messaging API channel',
      example: 'the-channel-access-token-of-your-messaging-api-channel',
    }),
    to: text({
      charsMax: 33,
      pattern: '^[UCR][0-9a-f]{32}$',
      rule: 'must be U, C or R and 32 hexadecimal digits',
      description:
        'the id of a user (U…), a group (C…) or a room (R…), as webhooks of LINE name it',
      example: 'U4af4980629a1b2c3d4e5f60718293a4b',
    }),
  }),
  secrets: ['channelAccessToken'],
  urls: [],

  render: (message, { channelAccessToken, to }) =>
    jsonPost(
      'https://api.line.me/v2/bot/message/push',
      {
        to,
        messages: [
          { type: 'text', text: textOf(marked(message), plainStyle, { sizeMax: textCharsMax }) },
        ],
        notificationDisabled: message.tone === 'good',
      },
      {
        authorization: `Bearer ${channelAccessToken}`,
        // LINE accepts a key once within 24 hours, which is as long as we try.
        'x-line-retry-key': uuidOf(message.id),
      },
    ),

  outcome: outcomeOf,
})

const namespace = Buffer.from('8f0c0f0e5d3b4c6b9a7e2d1c4b5a6978', 'hex')

/** The UUID of a name (RFC 9562, version 5): the same for every attempt. */
function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status, body } = answer
  const { message: words } = jsonFields(body)
  // An earlier attempt arrived, although we did not get the answer.
  if (status === 409 && typeof words === 'string' && /already accepted/i.test(words)) {
    return { ok: true, status, response: body }
  }
  // 409 without those words: the first attempt is still in progress.
  const mayRetry = [401, 403, 404, 409].includes(status)
  return quotedOutcome(answer, nowMs, { platform: 'LINE', words, mayRetry })
}
