// Signal: a message to people and groups, through a gateway of one's own (signal-cli-rest-api).
//
// POST /v2/send, its fields and errors: https://bbernhard.github.io/signal-cli-rest-api/ and
// https://github.com/bbernhard/signal-cli-rest-api/blob/master/src/api/api.go
// Groups, and why they are not mixed with numbers:
// https://github.com/bbernhard/signal-cli-rest-api/blob/master/doc/EXAMPLES.md
// What failures look like: issues 374, 412, 714 and 881 of that repository
import type { FieldProblem } from '../../base/fault.ts'
import { described, listOf, object, optional, text } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { limits } from '../../domain/limits/limits.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { urlText } from '../model/hook.ts'
import { basicAuth, below, failure, jsonFields, jsonPost, unexpected } from '../model/json-api.ts'
import { httpOutcome } from '../model/outcome.ts'
import { marked, plainStyle, textOf } from '../model/text.ts'
import { accountText } from '../model/token.ts'

/** Signal's apps send what is longer as an attachment. */
const messageBytesMax = 2_000

export const signal = defineChannel({
  type: 'signal',
  title: 'Signal',
  guide: 'https://github.com/bbernhard/signal-cli-rest-api#getting-started',
  example: {
    url: 'https://signal.example.com',
    from: '+15017122661',
    to: ['+15558675310'],
  },
  config: object({
    url: urlText(
      'the URL of your gateway, a server of signal-cli-rest-api',
      'https://signal.example.com',
    ),
    from: text({
      charsMax: 16,
      pattern: '^\\+[1-9][0-9]{6,14}$',
      rule: 'must be a phone number such as +15017122661',
      description: 'the number that is registered at the gateway',
      example: '+15017122661',
    }),
    to: described(
      listOf(
        text({
          charsMax: 200,
          pattern:
            '^(\\+[1-9][0-9]{6,14}|group\\.[A-Za-z0-9+/=_-]{1,190}|[A-Za-z_][A-Za-z0-9_]{2,31}\\.[0-9]{2,9})$',
          rule: 'must be a phone number, a group (group.…) or a user name (name.01)',
        }),
        limits.channelRecipientsMax,
      ),
      'each of these numbers, user names or groups (group.…, as the gateway lists them) gets a message',
      ['+15558675310'],
    ),
    username: optional(
      accountText({
        description: 'with password, where a proxy protects the gateway',
        example: 'stillup',
      }),
    ),
    password: optional(
      accountText({
        description: 'the password of username',
        example: 'the-password-of-the-proxy',
      }),
    ),
  }),
  secrets: ['password'],
  urls: ['url'],
  problems: ({ to, username, password }) => [
    ...recipientProblems(to),
    ...proxyProblems(username, password),
  ],

  /**
   * A request for each recipient: the gateway answers a whole request with an error if one of its
   * recipients failed, and then nobody could tell who has the message.
   */
  render(message, { url, from, to, username, password }) {
    const headers =
      username === undefined || password === undefined
        ? {}
        : { authorization: basicAuth(username, password) }
    const words = textOf(marked(message), plainStyle, {
      sizeMax: messageBytesMax,
      sizeOf: Buffer.byteLength,
    })
    return to.map((recipient) => ({
      recipient,
      ...jsonPost(
        below(url, 'v2/send'),
        // The gateway may be set to read markup, which names could contain.
        { number: from, recipients: [recipient], message: words, text_mode: 'normal' },
        headers,
      ),
    }))
  },

  outcome: outcomeOf,
})

function recipientProblems(to: readonly string[]): FieldProblem[] {
  if (to.length === 0) {
    return [{ pointer: '/to', keyword: 'minItems', message: 'must have at least 1 item' }]
  }
  if (new Set(to).size === to.length) return []
  return [{ pointer: '/to', keyword: 'uniqueItems', message: 'must not contain duplicates' }]
}

function proxyProblems(username?: string, password?: string): FieldProblem[] {
  if ((username === undefined) === (password === undefined)) return []
  const missing = username === undefined ? 'username' : 'password'
  const message = 'username and password go together'
  return [{ pointer: `/${missing}`, keyword: 'auth', message }]
}

/**
 * The gateway answers 400 to nearly everything: a number that is not registered at Signal, a
 * request that it cannot read, but also Signal's network failures and limits, which pass.
 */
function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status } = answer
  const platform = 'Signal'
  const { error: words, timestamp } = jsonFields(answer.body)
  if (status === 201 || (status < 300 && timestamp !== undefined)) return httpOutcome(answer, nowMs)
  if (status < 300) return unexpected(answer, platform)
  if (status < 400 || status === 429 || status >= 500) return httpOutcome(answer, nowMs)
  const isRefused =
    typeof words === 'string' && /unregistered user|couldn't process request/i.test(words)
  return failure(answer, { platform, words, mayRetry: !isRefused })
}
