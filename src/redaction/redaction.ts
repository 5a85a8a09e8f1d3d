// Redaction: finds what a check sent to its target in the target's answer, and masks it.
import { limits } from '../domain/limits/limits.ts'
import type { EndpointTarget } from '../domain/monitors/monitor.ts'
import { secretMask } from '../domain/secret-mask.ts'
import { decodedTexts, unescaped } from './decoded-text.ts'
import { SecretMatcher } from './secret-matcher.ts'
import { secretsSent } from './sent-secrets.ts'

/** Masks the secrets of this check; cuts the text at limits.redactedTextCharsMax. */
export type Redact = (text: string) => string

/**
 * `also`: what was sent in addition to the headers and the body of the target.
 *
 * Finds secrets as they are, percent-encoded, with JSON escapes, with HTML entities and in Base64,
 * in upper and lower case, whole and in part. Does not find:
 * - encodings within encodings, and others such as hexadecimal digits, hashes and compression;
 * - parts of fewer than eight characters, and parts with line breaks or markup between them;
 * - values without a secret name that are shorter than four characters or are usual words of
 *   headers such as `true`: without them an answer could not be read.
 * A target that wants to reveal a secret can; this hides what programs repeat.
 */
export function redactorFor(target: EndpointTarget, also: readonly string[] = []): Redact {
  return redactorBy(() => matcherFor(target, also))
}

/** Masks these texts where they are whole, in the same encodings. */
export function redactorOf(secrets: readonly string[]): Redact {
  return redactorBy(() => {
    const matcher = new SecretMatcher()
    for (const secret of secrets) matcher.addWhole(secret)
    return matcher
  })
}

function redactorBy(create: () => SecretMatcher): Redact {
  // Created on first use: most checks succeed and show nothing.
  let matcher: SecretMatcher | undefined
  return (text) => {
    matcher ??= create()
    if (matcher.isEmpty) return text
    const head = text.slice(0, limits.redactedTextCharsMax)
    const isSecret = new Uint8Array(head.length)
    for (const decoded of decodedTexts(head)) matcher.mark(decoded, isSecret)
    return masked(head, isSecret)
  }
}

/** All characters of the masked values of a check; longer ones are recognized by their beginnings. */
const redactedSecretCharsMax = 128 * 1024

function matcherFor(target: EndpointTarget, also: readonly string[]): SecretMatcher {
  const { values, wholes } = secretsSent(target, also)
  const matcher = new SecretMatcher()
  let charsLeft: number = redactedSecretCharsMax
  for (const value of values) {
    const known = value.slice(0, charsLeft)
    charsLeft -= known.length
    // A target may decode the escapes in a value before it repeats it.
    for (const text of new Set([known, unescaped(known)])) matcher.addValue(text)
  }
  for (const whole of wholes) matcher.addWhole(whole)
  return matcher
}

function masked(text: string, isSecret: Uint8Array): string {
  let shown = ''
  let end = 0
  for (let at = isSecret.indexOf(1); at >= 0; at = isSecret.indexOf(1, end)) {
    shown += text.slice(end, at)
    const next = isSecret.indexOf(0, at)
    end = next < 0 ? text.length : next
    // White space at the ends of a secret is kept, so that the text remains readable.
    shown += text.slice(at, end).replace(/\S(.*\S)?/s, secretMask)
  }
  return shown + text.slice(end)
}
