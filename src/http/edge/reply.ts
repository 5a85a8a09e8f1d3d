// Replies in wire format: a status line, one block of headers, a body.
import { STATUS_CODES } from 'node:http'
import { assert } from '../../base/assert.ts'
import type { OpenLine } from './stream.ts'

/**
 * A finished reply. `head` is the value of Content-Type followed by the other headers, each on its
 * own line: one call into uWebSockets.js writes them all.
 */
export interface WireReply {
  readonly status: number
  readonly head: string
  readonly body?: string | Uint8Array | undefined
  /** Closes the connection after the reply, because whatever the caller sends next is not wanted. */
  readonly closes?: boolean
  /** Receives the open line and sends the body in parts. Only for GET, and without `body`. */
  readonly open?: (line: OpenLine) => void
  /** Whether the caller still has a right to the rest of a long body. */
  readonly mayGoOn?: (() => boolean) | undefined
  /** The entity tag that `head` already contains, for code that stores the reply. */
  readonly etag?: string
}

type Header = readonly [name: string, value: string]

const namePattern = /^[A-Za-z0-9-]+$/
// Visible ASCII, space and tab: what RFC 9110 allows in a value, without its obsolete part.
const valuePattern = /^[\t\x20-\x7e]*$/

/**
 * Joins headers to lines of one block. A line break inside a value would start another header, so
 * it is a bug.
 */
export function headerLines(headers: readonly Header[]): string {
  let lines = ''
  for (const [name, value] of headers) {
    assert(namePattern.test(name) && valuePattern.test(value), `header ${name} is well-formed`)
    lines += `\r\n${name}: ${value}`
  }
  return lines
}

const statusLines = new Map<number, string>()

/** Such as `404 Not Found`. */
export function statusLine(status: number): string {
  let line = statusLines.get(status)
  if (line === undefined) {
    line = `${status} ${STATUS_CODES[status] ?? 'Unknown'}`
    statusLines.set(status, line)
  }
  return line
}

/** Statuses that have no body by definition (RFC 9110). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304
}
