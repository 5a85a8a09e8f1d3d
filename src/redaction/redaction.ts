// Redaction: what a check sent to its target is masked in what the target answers.
import { limits } from '../domain/limits/limits.ts'
import type { EndpointTarget } from '../domain/monitors/monitor.ts'
import { secretMask as mask } from '../domain/secret-mask.ts'
import { decodedTexts, unescaped } from './decoded-text.ts'
import { SecretMatcher } from './secret-matcher.ts'
import { secretsSent } from './sent-secrets.ts'

/**
 * Masks every secret that this check sent in a text of its target. Of a text that is longer than
 * `limits.redactedTextCharsMax` only the beginning comes back.
 */
export type Redact = (text: string) => string

/**
 * `also`: what was sent in addition to the headers and the body of the target.
 *
 * Programs repeat what they were sent as it is, percent-encoded, with JSON escapes, with HTML
 * entities or in Base64, in any case of letters: each of these is found, also in part. Not found:
 * - encodings within encodings, and others such as hexadecimal digits, hashes and compression;
 * - parts of fewer than eight characters, and parts with line breaks or markup between them;
 * - values without a telling name that are shorter than four characters or are usual words of
 *   headers such as `true`: an answer without these could not be read.
 * A target that wants to reveal a secret knows it and can; this hides what programs repeat.
 */
export function redactorFor(target: EndpointTarget, also: readonly string[] = []): Redact {
  // Made on first use: most checks succeed, and show nothing.
  let matcher: SecretMatcher | undefined
  return (text) => {
    matcher ??= matcherFor(target, also)
    if (matcher.isEmpty) return text
    const head = text.slice(0, limits.redactedTextCharsMax)
    const isSecret = new Uint8Array(head.length)
    for (const decoded of decodedTexts(head)) matcher.mark(decoded, isSecret)
    return masked(head, isSecret)
  }
}

function matcherFor(target: EndpointTarget, also: readonly string[]): SecretMatcher {
  const { values, wholes } = secretsSent(target, also)
  const matcher = new SecretMatcher()
  let charsLeft: number = limits.redactedSecretCharsMax
  for (const value of values) {
    const known = value.slice(0, charsLeft)
    charsLeft -= known.length
    // Targets undo the escapes in what they are sent.
    for (const text of new Set([known, unescaped(known).text])) matcher.addValue(text)
  }
  for (const whole of wholes) matcher.addWhole(whole.slice(0, limits.redactedTextCharsMax))
  return matcher
}

function masked(text: string, isSecret: Uint8Array): string {
  let shown = ''
  let from = 0
  for (let at = isSecret.indexOf(1); at >= 0; at = isSecret.indexOf(1, from)) {
    const next = isSecret.indexOf(0, at)
    const end = next < 0 ? text.length : next
    // The spaces around a secret stay.
    const before = /\s/.test(text.charAt(at)) ? text.charAt(at) : ''
    const behind = /\s/.test(text.charAt(end - 1)) ? text.charAt(end - 1) : ''
    shown += text.slice(from, at) + before + mask + behind
    from = end
  }
  return shown + text.slice(from)
}
