// What a module says on a connection, and expects to hear: here one message, and what must be in the answer.
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import { fieldsOf, listOf, textOf } from '../foreign.ts'
import { sentText } from '../sent-text.ts'

export interface ProbeTalk {
  readonly isEmpty: boolean
  /** The mail protocol whose way into TLS it is. */
  readonly protocol?: 'smtp' | 'imap' | 'pop3'
  /** All that is sent: with escapes, and as it is. */
  readonly body: string
  readonly text: string
  readonly assertions: readonly object[]
  /** It begins TLS on the way, or says what it heard before. */
  readonly isLost: boolean
}

export function talkOf(steps: unknown): ProbeTalk {
  const given = listOf(steps).map(fieldsOf)
  const sent = given.map(({ send }) => (typeof send === 'string' ? send : '')).filter(Boolean)
  const expected = given.flatMap(({ expect, expect_bytes }) => [
    ...(textOf(expect) === '' ? [] : [{ source: 'body', type: 'regex', value: textOf(expect) }]),
    ...(textOf(expect_bytes) === ''
      ? []
      : [{ source: 'body', type: 'contains', value: textOf(expect_bytes) }]),
  ])
  const startsTls = given.some(({ starttls }) => starttls === true)
  const protocol = startsTls
    ? protocolOf(
        sent,
        expected.map(({ value }) => value),
      )
    : undefined
  // The exporter ends each line.
  const text = sent.map((line) => `${line}\n`).join('')
  return {
    isEmpty: given.length === 0,
    ...(protocol === undefined ? {} : { protocol }),
    body: sentText(text),
    text: sent.join('\n'),
    assertions: expected.slice(0, limits.assertionsMax),
    isLost: startsTls || sent.some((line) => /\$\{?\d/.test(line)),
  }
}

function protocolOf(
  sent: readonly string[],
  expected: readonly string[],
): ProbeTalk['protocol'] | undefined {
  const all = [...sent, ...expected].join('\n').toUpperCase()
  if (/\b(EHLO|HELO|ESMTP|SMTP)\b/.test(all)) return 'smtp'
  if (/\bSTLS\b/.test(all)) return 'pop3'
  return /IMAP|CAPABILITY|OK\.\*STARTTLS/.test(all) ? 'imap' : undefined
}

export function talkWords({ text }: ProbeTalk): string {
  return `"${clip(text.replace(/[\s\p{Cc}\ufffd]+/gu, ' ').trim(), 80)}"`
}
