// E-mail: one letter for each address, in a thread of its incident.
//
// Threads: https://www.rfc-editor.org/rfc/rfc5322#section-3.6.4; mail programs also compare the
// subject, so it stays the same: https://www.jwz.org/doc/threading.html

import { createHash } from 'node:crypto'
import { clip } from '../base/clip.ts'
import type { FieldProblem } from '../base/fault.ts'
import { described, listOf, object, text } from '../base/schema/schema.ts'
import { limits } from '../domain/limits/limits.ts'
import { textsOf } from '../texts/texts.ts'
import { defineMailChannel } from './model/definition.ts'
import type { Fact, Message } from './model/message.ts'
import { timeText } from './model/text.ts'

const subjectCharsMax = 200
const titleCharsMax = 500
const labelCharsMax = 200
const valueCharsMax = 2_000

/** Addresses of an e-mail channel. */
const channelAddressesMax = 20

export const email = defineMailChannel({
  type: 'email',
  title: 'E-mail',
  steps: 'Needs a mail server: `mail.smtpUrl` and `mail.from` in the settings of the service.',
  example: { to: ['on-call@example.com'] },
  config: object({
    to: described(
      { ...listOf(addressSchema(), channelAddressesMax), minItems: 1 },
      'the addresses; each gets a letter of its own, with a link that ends these letters',
      ['on-call@example.com', 'ann@example.com'],
    ),
  }),
  secrets: [],
  urls: [],
  problems: ({ to }) => repeatedAddresses(to),

  compose(message, { to }, { channel }) {
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
      openInstead: letter.openInstead,
      unsubscribe: letter.unsubscribe,
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
