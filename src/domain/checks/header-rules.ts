// Which request headers a tenant may set: only headers that cannot change how a request is parsed.
import { type FieldProblem, pointerPart } from '../../base/fault.ts'
import { limits } from '../limits/limits.ts'
import { maskRule, secretMask } from '../secret-mask.ts'

/** RFC 9110 token characters. */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Prevents header injection through line breaks. */
const control = /(?!\t)\p{Cc}/u
const beyondLatin1 = /[\u{100}-\u{10ffff}]/u

const secretName =
  /cookie|authoriz|authenticate|token|secret|api-?key|password|credential|session|signature/i

/** Whether a header of this name probably contains a secret, so that its value is never shown. */
export function isSecretHeader(name: string): boolean {
  return secretName.test(name)
}

/** Whether the text is a valid header name. */
export function isHeaderName(name: string): boolean {
  return name.length <= limits.headerNameCharsMax && namePattern.test(name)
}

/**
 * Framing, hop-by-hop (RFC 9110 7.6.1) and reserved names: a receiver that sees `webhook-signature`
 * assumes a notification from this service.
 */
const refused: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'http2-settings',
  'expect',
  'te',
  'trailer',
  'keep-alive',
  'cookie2',
])
const refusedStarts = ['proxy-', 'sec-', 'webhook-']

/** The problems of request headers, each with its pointer below `/headers`. */
export function headerProblems(headers: Readonly<Record<string, string>>): FieldProblem[] {
  const seen = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    const isTwice = seen.has(lower) ? 'is given twice' : null
    seen.add(lower)
    const message = headerProblem(name, value) ?? isTwice
    const pointer = `/headers/${pointerPart(name)}`
    return message ? [{ pointer, keyword: 'header', message }] : []
  })
}

/** What is wrong with a request header, as a sentence without its subject, or null. */
function headerProblem(name: string, value: string): string | null {
  const lower = name.toLowerCase()
  if (!isHeaderName(name)) return 'is not a valid header name'
  if (refused.has(lower) || refusedStarts.some((start) => lower.startsWith(start))) {
    return 'is a header that cannot be set'
  }
  if (value.length > limits.headerValueCharsMax) {
    return `must have at most ${limits.headerValueCharsMax} characters`
  }
  if (value === secretMask) return maskRule
  if (control.test(value)) return 'must not contain control characters'
  if (!beyondLatin1.test(value)) return null
  return 'must contain only Latin-1 characters: HTTP headers allow no others'
}
