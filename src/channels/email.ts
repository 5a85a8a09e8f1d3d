// E-mail: one letter for each address, in a thread of its incident.
//
// Threads: https://www.rfc-editor.org/rfc/rfc5322#section-3.6.4; mail programs also compare the
// subject, so it stays the same: https://www.jwz.org/doc/threading.html

import { createHash } from 'node:crypto'
import { clip } from '../base/clip.ts'
import type { FieldProblem } from '../base/fault.ts'
import { described, listOf, object, optional, text } from '../base/schema/schema.ts'
import { limits } from '../domain/limits/limits.ts'
import { textsOf } from '../texts/texts.ts'
import { defineMailChannel } from './model/definition.ts'
import type { AlertLetter } from './model/letter.ts'
import type { Fact, Message } from './model/message.ts'
import { timeText } from './model/text.ts'
import { accountText } from './model/token.ts'

const subjectCharsMax = 200
const titleCharsMax = 500
const labelCharsMax = 200
const valueCharsMax = 2_000

/** Addresses of an e-mail channel. */
const channelAddressesMax = 20
const fromCharsMax = 320

export const email = defineMailChannel({
  type: 'email',
  title: 'E-mail',
  steps:
    'Goes through the mail server of the service: `mail.smtpUrl` and `mail.from` in its settings. ' +
    'A channel may have a mail server of its own, with a sender, and mostly with a user name and ' +
    'a password.',
  example: { to: ['on-call@example.com'] },
  config: object({
    to: described(
      { ...listOf(addressSchema(), channelAddressesMax), minItems: 1 },
      'the addresses; each gets a letter of its own, with a link that ends these letters',
      ['on-call@example.com', 'ann@example.com'],
    ),
    server: optional(
      text({
        charsMin: 1,
        charsMax: limits.urlCharsMax,
        pattern: '^smtps?://[^/?#@\\\\\\s]+$',
        rule: 'must be smtp:// or smtps://, a host and perhaps a port, such as smtp://mail.example.com:587',
        description:
          'a mail server that takes the place of the one of the service: smtps:// for TLS from the first ' +
          'byte (port 465), smtp:// for STARTTLS (port 587)',
        example: 'smtp://mail.example.com:587',
      }),
    ),
    username: optional(
      accountText({
        description: 'with password, if server asks for them',
        example: 'alerts@example.com',
      }),
    ),
    password: optional(
      accountText({
        description:
          'the password of username; where accounts have a second factor, an app password',
        example: 'the-password-of-alerts',
      }),
    ),
    from: optional(
      text({
        charsMin: 3,
        charsMax: fromCharsMax,
        pattern: '^(?:[^<>\\x00-\\x1f]*<[^\\s@<>]+@[^\\s@<>]+>|[^\\s@<>]+@[^\\s@<>]+)$',
        rule: 'must be an e-mail address, such as alerts@example.com or Alerts <alerts@example.com>',
        description: 'the sender of letters through server, which must let it pass',
        example: 'Alerts <alerts@example.com>',
      }),
    ),
  }),
  secrets: ['password'],
  urls: ['server'],
  problems: (config) => [...repeatedAddresses(config.to), ...serverProblems(config)],
  hasOwnServer: ({ server }) => server !== undefined,

  compose(message, { to, ...own }, { channel }) {
    const { id, atMs, locale, tone, matter, title, facts, links } = message
    const { letter } = textsOf('channels', locale.language)
    const content = {
      channel: { id: channel.id, orgId: channel.orgId },
      messageId: id,
      threadId: threadOf(message),
      atMs,
      language: locale.language,
      tone,
      subject: clip(matter, subjectCharsMax),
      title: clip(title, titleCharsMax),
      facts: facts.map((fact) => wordedFact(fact, message)),
      links: links.map(({ label, url }) => ({ label, url })),
      why: letter.why({ channel: clip(channel.name, labelCharsMax) }),
      unsubscribe: letter.unsubscribe,
      ...serverOf(own),
    }
    return to.map((address) => ({ ...content, to: address }))
  },
})

function addressSchema() {
  return text({ charsMin: 1, charsMax: limits.emailCharsMax, format: 'email' })
}

function repeatedAddresses(to: readonly string[]): FieldProblem[] {
  const known = to.map((address) => address.toLowerCase())
  return known.flatMap((address, at) =>
    known.indexOf(address) === at
      ? []
      : [{ pointer: `/to/${at}`, keyword: 'uniqueItems', message: 'is in the list twice' }],
  )
}

interface OwnServer {
  readonly server?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly from?: string | undefined
}

/** A server without a sender cannot send, and a sender without a server could be anybody's. */
function serverProblems({ server, username, password, from }: OwnServer): FieldProblem[] {
  const lacks = (name: string, message: string) => [
    { pointer: `/${name}`, keyword: 'server', message },
  ]
  if (server === undefined) {
    const isIdle = (from ?? username ?? password) === undefined
    return isIdle ? [] : lacks('server', 'is required for username, password and from')
  }
  if (from === undefined) return lacks('from', 'is required if there is a server')
  if ((username === undefined) === (password === undefined)) return []
  const missing = username === undefined ? 'username' : 'password'
  return lacks(missing, 'username and password go together')
}

function serverOf({ server, username, password, from }: OwnServer): Pick<AlertLetter, 'server'> {
  if (server === undefined || from === undefined) return {}
  const url = new URL(server)
  // Setters keep a % as it is.
  url.username = encodeURIComponent(username ?? '')
  url.password = encodeURIComponent(password ?? '')
  return { server: { url: url.href, from } }
}

/** The thread is in the characters of a Message-ID. A message that belongs to no matter has none. */
function threadOf({ id, dedupKey }: Message): string | null {
  if (dedupKey === id) return null
  if (/^[\w-]{1,64}$/.test(dedupKey)) return dedupKey
  return createHash('sha256').update(dedupKey).digest('hex').slice(0, 32)
}

function wordedFact({ label, value, url }: Fact, { locale }: Message) {
  return {
    label: clip(label, labelCharsMax),
    value: typeof value === 'string' ? clip(value, valueCharsMax) : timeText(value, locale),
    ...(url === undefined ? {} : { url }),
  }
}
