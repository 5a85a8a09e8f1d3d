// Redaction: what a check sent to its target is blotted out of what the target says.
import { limits } from '../domain/limits/limits.ts'
import type { EndpointTarget } from '../domain/monitors/monitor.ts'
import { secretMask as mask } from '../domain/secret-mask.ts'
import { Needles } from './needles.ts'
import { plainWord, secretsSent } from './sent-secrets.ts'
import type { Sheet } from './sheet.ts'
import { plainReadings, readAll } from './spellings.ts'

/**
 * Blots out, in a text of the target, every secret that this check sent to it. Of a text that is
 * longer than `limits.redactedTextCharsMax` only the beginning comes back.
 */
export type Redact = (text: string) => string

/**
 * `also`: what was sent beside the headers and the body as they stand in the target.
 *
 * Secrets are looked for in every reading of the text: as it is and in any case of letters, with
 * percent signs, backslashes, entities, quoted-printable, Base64, hexadecimal digits and lists of
 * bytes undone, in each other up to a depth, over line breaks, and where a charset was mistaken.
 *
 * What is not found, since nothing short of the target's own program could find it:
 * - a secret that was worked on: hashed, encrypted, compressed, reversed, written in Base32 or
 *   UTF-7 or EBCDIC, or in Base64 of which the letters lost their case;
 * - one in pieces of less than eight characters, with words or markup between them;
 * - of a value without a telling name, one of fewer than four characters, and the usual words of
 *   headers such as `true`: an answer without them could not be read;
 * - spellings in each other beyond the depth, or in so much noise that the bound ends the search.
 * Nor is it looked for in the message and the issuer that tell of a certificate: a certificate is
 * shown before anything is sent.
 *
 * A target may do all that on purpose. It knows the secret and could tell it in any other way;
 * what this keeps from the readers of evidence is what programs repeat by themselves.
 */
export function redactorFor(target: EndpointTarget, also: readonly string[] = []): Redact {
  // Made when it is first needed: most checks end well, and show nothing.
  let needles: Needles | undefined
  return (text) => {
    needles ??= needlesFor(target, also)
    if (needles.isEmpty) return text
    const found = needles
    // Bounds the time, and costs nobody anything: less than this is shown of any text.
    const head = text.slice(0, limits.redactedTextCharsMax)
    const isSecret = new Uint8Array(head.length)
    const read = (sheet: Sheet) => found.mark(sheet, isSecret)
    readAll(head, { isAscii: found.isAscii, read })
    return blotted(head, isSecret)
  }
}

function needlesFor(target: EndpointTarget, also: readonly string[]): Needles {
  const { values, wholes } = secretsSent(target, also)
  const needles = new Needles(plainWord)
  let left: number = limits.redactedNeedleCharsMax
  for (const value of values) {
    if (left <= 0) break
    for (const reading of plainReadings(value.slice(0, left))) {
      left -= reading.length
      needles.addValue(reading)
    }
  }
  needles.indexParts()
  left = limits.redactedTextCharsMax
  for (const whole of wholes) {
    // What is longer than any text that is looked at is not in it; together they are as bounded.
    if (whole.length > left) continue
    for (const reading of plainReadings(whole)) {
      left -= reading.length
      needles.addWhole(reading)
    }
  }
  return needles
}

function blotted(text: string, isSecret: Uint8Array): string {
  let shown = ''
  let from = 0
  for (let at = isSecret.indexOf(1); at >= 0; at = isSecret.indexOf(1, from)) {
    const next = isSecret.indexOf(0, at)
    const end = next < 0 ? text.length : next
    // The space before a word and the one behind it are nobody's secret.
    const [, before = '', behind = ''] = /^(\s?).*?(\s?)$/s.exec(text.slice(at, end)) ?? []
    shown += text.slice(from, at) + before + mask + behind
    from = end
  }
  return shown + text.slice(from)
}
