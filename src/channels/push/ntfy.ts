// ntfy: a notification to a topic of ntfy.sh or of a server of one's own.
//
// Publishing as JSON, priorities, tags, actions and limits: https://docs.ntfy.sh/publish/
// Error codes, and the limit of a JSON body (twice that of a message):
// https://github.com/binwiederhier/ntfy/blob/main/server/errors.go and …/server/server.go
import { clip } from '../../base/clip.ts'
import type { FieldProblem } from '../../base/fault.ts'
import { described, integer, object, optional, text } from '../../base/schema/schema.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { defineChannel, type PlatformAnswer } from '../model/definition.ts'
import { urlText } from '../model/hook.ts'
import { basicAuth, failure, jsonFields, jsonPost } from '../model/json-api.ts'
import type { Link, Message, Tone } from '../model/message.ts'
import { httpOutcome } from '../model/outcome.ts'
import { plainStyle, textOf } from '../model/text.ts'
import { accountText, tokenText } from '../model/token.ts'

const publicServer = 'https://ntfy.sh'
/** A longer message becomes a file that the notification only names. */
const messageBytesMax = 4_000
const bodyBytesMax = 8_192
const titleCharsMax = 200
const actionsMax = 3

const priorities: Readonly<Record<Tone, number>> = { bad: 4, warning: 3, neutral: 3, good: 2 }

/** The names of emoji: https://docs.ntfy.sh/emojis/ */
const tags: Readonly<Record<Tone, string>> = {
  bad: 'rotating_light',
  warning: 'warning',
  neutral: 'information_source',
  good: 'white_check_mark',
}

export const ntfy = defineChannel({
  type: 'ntfy',
  title: 'ntfy',
  steps:
    'Choose a topic that nobody can guess and subscribe to it in the ntfy app. Only a ' +
    'protected topic needs a token, or a user name and a password.',
  guide: 'https://docs.ntfy.sh/publish/#authentication',
  example: { topic: 'acme-alerts-7Qm3xT' },
  config: object({
    server: optional(
      urlText(`the server; ${publicServer} where absent`, 'https://ntfy.example.com'),
    ),
    topic: text({
      charsMax: 64,
      pattern: '^[-_A-Za-z0-9]{1,64}$',
      rule: 'must be 1 to 64 letters, digits, hyphens and underscores',
      description: 'who knows the name of a public topic can read it, so it is kept as a secret',
      example: 'acme-alerts-7Qm3xT',
      proposed: 'stillup-',
    }),
    token: optional(
      tokenText({
        description: 'an access token; takes the place of username and password',
        example: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2',
      }),
    ),
    username: optional(
      accountText({ description: 'with password, for a topic that is protected', example: 'phil' }),
    ),
    password: optional(
      accountText({ description: 'the password of username', example: 'the-password-of-phil' }),
    ),
    outagePriority: optional(
      described(integer(1, 5), 'the priority of an outage; 4 where absent; 5 is the loudest', 4),
    ),
  }),
  secrets: ['topic', 'token', 'password'],
  urls: ['server'],
  problems: authProblems,

  render(message, { server = publicServer, topic, outagePriority = priorities.bad, ...login }) {
    const authorization = authorizationOf(login)
    const headers = authorization === undefined ? {} : { authorization }
    const requests = [actionsMax, 2, 1, 0].map((shown) =>
      jsonPost(server, { topic, ...notification(message, shown, outagePriority) }, headers),
    )
    const [first, ...shorter] = requests
    const fitting = requests.find(({ body }) => Buffer.byteLength(body) <= bodyBytesMax)
    return fitting ?? shorter.at(-1) ?? first ?? []
  },

  outcome: outcomeOf,
})

function notification(message: Message, actionsShown: number, outagePriority: number) {
  const { title, tone, links } = message
  const shown = links.slice(0, actionsShown)
  const [first] = shown
  return {
    title: clip(title, titleCharsMax),
    message: textOf(message, plainStyle, {
      sizeMax: messageBytesMax,
      sizeOf: jsonBytes,
      isUntitled: true,
      isUnlinked: true,
    }),
    priority: tone === 'bad' ? outagePriority : priorities[tone],
    tags: [tags[tone]],
    ...(first ? { click: first.url, actions: shown.map(actionOf) } : {}),
  }
}

function actionOf({ label, url }: Link) {
  return { action: 'view', label, url }
}

/** The result is at least the bytes of the text itself, so that both limits are kept. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}

interface NtfyAuth {
  readonly token?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
}

function authorizationOf({ token, username, password }: NtfyAuth): string | undefined {
  if (token !== undefined) return `Bearer ${token}`
  return username === undefined || password === undefined
    ? undefined
    : basicAuth(username, password)
}

function authProblems({ username, password }: NtfyAuth): FieldProblem[] {
  if ((username === undefined) === (password === undefined)) return []
  const missing = username === undefined ? 'username' : 'password'
  return [{ pointer: `/${missing}`, keyword: 'auth', message: 'username and password go together' }]
}

/** 42908 is the limit of a day; like the others of 429 it is tried again. */
function outcomeOf(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status } = answer
  const { code, error } = jsonFields(answer.body)
  // 507: a topic of UnifiedPush that nobody listens to yet.
  const mayPass = status < 400 || status === 429 || status >= 500
  if (mayPass && status !== 507) return httpOutcome(answer, nowMs)
  const isRepairable = [401, 403, 404, 507].includes(status)
  return failure(answer, { platform: 'ntfy', code, words: error, mayRetry: isRepairable })
}
