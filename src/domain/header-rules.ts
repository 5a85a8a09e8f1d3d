// Which request headers a tenant may set: those that cannot change how a request is read.
import { limits } from './limits.ts'

/** RFC 9110 token characters. */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Visible characters of Latin-1, spaces and tabs: no line end can smuggle in another header. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

/** Framing, hop-by-hop (RFC 9110 7.6.1) and names whose meaning is not the tenant's to give. */
const refused: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
  'cookie2',
])
const refusedStarts = ['proxy-', 'sec-', 'webhook-']

/** What is wrong with a request header, as a sentence without its subject; null: nothing. */
export function headerProblem(name: string, value: string): string | null {
  const lower = name.toLowerCase()
  if (name.length > limits.headerNameCharsMax || !namePattern.test(name)) {
    return 'is not a valid header name'
  }
  if (refused.has(lower) || refusedStarts.some((start) => lower.startsWith(start))) {
    return 'is a header that cannot be set'
  }
  if (value.length > limits.headerValueCharsMax) {
    return `must have at most ${limits.headerValueCharsMax} characters`
  }
  return valuePattern.test(value) ? null : 'must not contain control characters'
}
