// Where the body of a request ends, according to its headers.
import type { HttpRequest } from 'uWebSockets.js'

export interface Framing {
  /** The announced length; 0 for no body and for a chunked one. */
  readonly bodyBytes: number
  readonly isChunked: boolean
}

const noBody: Framing = { bodyBytes: 0, isChunked: false }
const chunked: Framing = { bodyBytes: 0, isChunked: true }

/** More digits than any body needs; the library keeps flags in the upper bits of the number. */
const lengthPattern = /^\d{1,15}$/

/**
 * The framing of a request, or undefined if parsers could disagree about it: uWebSockets.js takes
 * the first of two lengths, takes an empty one for none, and treats any coding as `chunked`.
 */
export function framingOf(req: HttpRequest): Framing | undefined {
  const length = req.getHeader('content-length')
  const coding = req.getHeader('transfer-encoding')
  if (length === '' && coding === '') {
    // Looking for an empty header is slow, and these requests rarely have a body.
    const method = req.getCaseSensitiveMethod()
    if (method === 'GET' || method === 'HEAD') return noBody
    return countFraming(req) === 0 ? noBody : undefined
  }
  if (countFraming(req) > 1) return undefined
  if (coding !== '') return coding.toLowerCase() === 'chunked' ? chunked : undefined
  return lengthPattern.test(length) ? { bodyBytes: Number(length), isChunked: false } : undefined
}

function countFraming(req: HttpRequest): number {
  let count = 0
  req.forEach((name) => {
    if (name === 'content-length' || name === 'transfer-encoding') count += 1
  })
  return count
}
