// Error reports: what went wrong, and which reports are about the same error.
import { hash } from 'node:crypto'
import type { ErrorId } from '../../base/ids.ts'
import type { Principal } from '../access.ts'

/** The reported content, before secrets are removed. */
export interface ErrorReport {
  /** The program that reports it. */
  readonly source: string
  readonly message: string
  readonly stack?: string | undefined
  /** Anything helpful: a version, an address, what a person did. */
  readonly context?: Readonly<Record<string, unknown>> | undefined
}

/** One kind of error: how often it occurred, and its last report. */
export interface ErrorRecord {
  readonly id: ErrorId
  readonly fingerprint: string
  readonly source: string
  readonly message: string
  readonly stack: string | null
  readonly context: Readonly<Record<string, unknown>>
  /** Who sent the last report: the id of a user or key, or null. */
  readonly reporter: { readonly kind: Principal['kind'] | 'daemon'; readonly id: string | null }
  readonly count: number
  readonly firstSeenAtMs: number
  readonly lastSeenAtMs: number
}

/** The source of this daemon's own errors; reports cannot use it. */
export const ownSource = 'daemon'

// Parts that differ between reports of the same error: ids, addresses, line numbers, counts.
// Longest first, so that part of an id is not taken for a number.
const particulars: readonly RegExp[] = [
  /\b[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  /\b0x[0-9a-f]+\b/gi,
  /\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b/gi,
  /\d+(?:[.,:]\d+)*/g,
]

/** The same for all reports of one error, whatever ids and numbers they contain. */
export function fingerprintOf({ source, message, stack }: ErrorReport): string {
  const parts = [source, generalized(message), ...framesOf(stack ?? '')]
  return hash('sha256', parts.join('\n'), 'hex').slice(0, 32)
}

function generalized(text: string): string {
  return particulars.reduce((rest, pattern) => rest.replace(pattern, '#'), text).trim()
}

const errorFramesCompared = 3

/** The innermost frames of a stack; its first line repeats the message. */
function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s*at |@/.test(line))
    .slice(0, errorFramesCompared)
    .map(generalized)
}
