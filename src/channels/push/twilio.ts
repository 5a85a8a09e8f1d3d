// Twilio: an SMS to each of several phone numbers.
//
// The Messages resource, its parameters and limits:
// https://www.twilio.com/docs/messaging/api/message-resource#create-a-message
// Errors: https://www.twilio.com/docs/api/errors, such as …/errors/21211, 21610, 21614, 20003, 20429
// What makes a message longer and dearer: https://www.twilio.com/docs/glossary/what-is-gsm-7-character-encoding
import type { FieldProblem } from '../../base/fault.ts'
import { described, listOf, object, optional, text } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { limits } from '../../domain/limits/limits.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { basicAuth, failure, jsonFields, unexpected } from '../model/json-api.ts'
import { httpOutcome } from '../model/outcome.ts'
import { plainStyle, textOf } from '../model/text.ts'
import { tokenText } from '../model/token.ts'

/**
 * Twilio takes 1,600 characters, but cuts them into segments and bills each: this is at most five
 * segments, ten if a name has characters beyond GSM-7.
 */
const bodyCharsMax = 640

const phonePattern = '^\\+[1-9][0-9]{6,14}$'
const phoneRule = 'must be a phone number such as +15017122661'

export const twilio = defineChannel({
  type: 'twilio',
  title: 'Twilio (SMS)',
  guide: 'https://www.twilio.com/docs/usage/api#authenticate-with-http',
  example: {
    accountSid: 'ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    authToken: 'the-auth-token-of-this-account',
    from: '+15017122661',
    to: ['+15558675310'],
  },
  config: object({
    accountSid: text({
      charsMax: 34,
      pattern: '^AC[0-9a-fA-F]{32}$',
      rule: 'must be AC and 32 hexadecimal digits',
      description: 'the SID of the account',
      example: 'ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    }),
    authToken: tokenText({
      description: 'the Auth Token of the account',
      example: 'the-auth-token-of-this-account',
    }),
    from: optional(
      text({
        charsMax: 16,
        pattern: '^(\\+[1-9][0-9]{6,14}|[0-9]{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$',
        rule: 'must be a phone number such as +15017122661, a short code or a sender name',
        description: 'the number or name of the sender; required without messagingServiceSid',
        example: '+15017122661',
      }),
    ),
    messagingServiceSid: optional(
      text({
        charsMax: 34,
        pattern: '^MG[0-9a-fA-F]{32}$',
        rule: 'must be MG and 32 hexadecimal digits',
        description: 'the messaging service that chooses the sender; takes the place of from',
        example: 'MGaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      }),
    ),
    to: described(
      listOf(
        text({ charsMax: 16, pattern: phonePattern, rule: phoneRule }),
        limits.channelRecipientsMax,
      ),
      'each of these phone numbers gets an SMS',
      ['+15558675310'],
    ),
  }),
  secrets: ['authToken'],
  urls: [],
  problems: ({ from, messagingServiceSid, to }) => [
    ...senderProblems(from ?? messagingServiceSid),
    ...recipientProblems(to),
  ],

  render(message, { accountSid, authToken, from = '', messagingServiceSid, to }) {
    const body = shortened(
      textOf(message, plainStyle, {
        sizeMax: bodyCharsMax,
        sizeOf: (text) => shortened(text).length,
      }),
    )
    const sender =
      messagingServiceSid === undefined
        ? { From: from }
        : { MessagingServiceSid: messagingServiceSid }
    return to.map((recipient) => ({
      recipient,
      url: `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages.json`,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'stillup',
        authorization: basicAuth(accountSid, authToken),
      },
      body: new URLSearchParams({ To: recipient, ...sender, Body: body }).toString(),
    }))
  },

  outcome: outcomeOf,
})

/** One character beyond GSM-7 would more than double the segments, so ours are replaced. */
function shortened(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll('…', '...')
}

function senderProblems(sender: string | undefined): FieldProblem[] {
  if (sender !== undefined) return []
  const message = 'is required where there is no messagingServiceSid'
  return [{ pointer: '/from', keyword: 'required', message }]
}

function recipientProblems(to: readonly string[]): FieldProblem[] {
  if (to.length > 0 && new Set(to).size === to.length) return []
  const message = to.length === 0 ? 'must have at least 1 item' : 'must not contain duplicates'
  return [{ pointer: '/to', keyword: to.length === 0 ? 'minItems' : 'uniqueItems', message }]
}

/**
 * Errors that a person can repair at Twilio while the message waits: a wrong sender, a region that
 * is not enabled, a number that a trial account must verify first, a service without senders.
 */
const repairableCodes = new Set([
  20003, 20404, 20429, 21408, 21603, 21606, 21608, 21659, 21660, 21701, 21703, 21705,
])

/** What is wrong with one number ends only its own SMS. */
function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status } = answer
  const { code, message: words, sid } = jsonFields(answer.body)
  const platform = 'Twilio'
  // The answer to a long message may be cut, so that its SID cannot be read.
  if (status === 201 || (status < 300 && sid !== undefined)) return httpOutcome(answer, nowMs)
  if (status < 300) return unexpected(answer, platform)
  if (status < 400 || status === 429 || status >= 500) return httpOutcome(answer, nowMs)
  const isRepairable = typeof code === 'number' && repairableCodes.has(code)
  const mayRetry = isRepairable || [401, 403, 404].includes(status)
  return failure(answer, { platform, code, words, mayRetry })
}
