// Error reports: what went wrong somewhere, and which reports tell of the same thing.
import { hash } from 'node:crypto'
import type { ErrorId } from '../../base/ids.ts'
import type { Principal } from '../access.ts'
import { limits } from '../limits/limits.ts'

/** What is reported, before secrets are taken out of it. */
export interface ErrorReport {
  /** Which program it comes from. */
  readonly source: string
  readonly message: string
  readonly stack?: string | undefined
  /** Whatever helps: a version, an address, what somebody did. */
  readonly context?: Readonly<Record<string, unknown>> | undefined
}

/** One kind of error: how often it came, and the last one as it came. */
export interface ErrorRecord {
  readonly id: ErrorId
  readonly fingerprint: string
  readonly source: string
  readonly message: string
  readonly stack: string | null
  readonly context: Readonly<Record<string, unknown>>
  /** Who reported the last one: a user's or a key's id; null for nobody in particular. */
  readonly reporter: { readonly kind: Principal['kind'] | 'daemon'; readonly id: string | null }
  readonly count: number
  readonly firstSeenAtMs: number
  readonly lastSeenAtMs: number
}

/** What this daemon's own errors have for a source; nobody else may use it. */
export const ownSource = 'daemon'

// What differs between two reports of one error: ids, addresses, line numbers, counts. Longest
// first, so that a part of an id is not taken for a number.
const particulars: readonly RegExp[] = [
  /\b[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  /\b0x[0-9a-f]+\b/gi,
  /\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b/gi,
  /\d+(?:[.,:]\d+)*/g,
]

/** The same for reports that tell of the same error, whatever ids and numbers are in them. */
export function fingerprintOf({ source, message, stack }: ErrorReport): string {
  const parts = [source, generalized(message), ...framesOf(stack ?? '')]
  return hash('sha256', parts.join('\n'), 'hex').slice(0, 32)
}

function generalized(text: string): string {
  return particulars.reduce((rest, pattern) => rest.replace(pattern, '#'), text).trim()
}

/** The innermost places of a stack; its first line is the message again. */
function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s*at |@/.test(line))
    .slice(0, limits.errorFramesCompared)
    .map(generalized)
}
