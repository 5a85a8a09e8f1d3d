// Removes interim responses (1xx) before undici sees them. undici treats an unasked 100 as a broken
// server, and an interim response with `connection: close` or of HTTP/1.0 as the end of all
// responses.
import type { Readable } from 'node:stream'
import { limits } from '../../domain/limits/limits.ts'
import { headersTooLarge, tooManyBytes, tooManyInterims } from '../failure.ts'

/** The start of an interim status line. 101 is not interim: it ends HTTP on the connection. */
const interimStart = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]$/
const anInterim = 'HTTP/1.1 100 '
const nothing: Buffer = Buffer.alloc(0)
const headEnd = '\r\n\r\n'
/**
 * A head that may be too large comes in slices, up to the longest that can be within the bound: undici
 * makes an error for each header beyond it that it has, which took 0.1 s for 64 KB of short ones.
 */
const sliceBytes = 1_024
const slicedBytes = 128 * 1_024
const cr = 13
const lf = 10

/**
 * Readers of the socket no longer see the interim responses; from the final response on,
 * they see every byte unchanged. `began` is called at the first byte of each response. The socket
 * is destroyed after too many or too large interim responses, and after more bytes than any
 * response needs, because nothing else limits chunk extensions.
 */
export function readOverInterims(socket: Readable, began: () => void): void {
  const read = socket.read.bind(socket)
  const skim = createSkimmer(began, (cause) => socket.destroy(cause))
  let isFinal = false
  let bytes = 0
  /** How much of the final response was read while its head could become too large. */
  let headBytes = 0
  let isHeadOver = false
  function sliceOf(chunk: Buffer): Buffer {
    if (isHeadOver) return chunk
    const end = chunk.indexOf(headEnd)
    const isSmall = end >= 0 && headBytes + end < limits.responseHeaderBytesMax
    isHeadOver = isSmall || headBytes > slicedBytes
    const slice = isHeadOver ? chunk : chunk.subarray(0, sliceBytes)
    const rest = chunk.subarray(slice.length)
    headBytes += slice.length
    bytes -= rest.length
    if (rest.length > 0) socket.unshift(rest)
    return slice
  }
  // Readers put bytes back only while they read the final response, so no byte is skimmed twice.
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (chunk === null || socket.destroyed) return null
      bytes += chunk.length
      if (bytes > limits.responseWireBytesMax) socket.destroy(tooManyBytes)
      if (isFinal) return sliceOf(chunk)
      const final = skim(chunk)
      isFinal = final !== undefined
      if (final !== undefined) return sliceOf(final)
    }
  }
}

/** Gets chunk after chunk until it returns the beginning of the final response. */
type Skimmer = (chunk: Buffer) => Buffer | undefined

function createSkimmer(began: () => void, refuse: (cause: Error) => void): Skimmer {
  /** The beginning of a status line that may still be an interim one: at most 12 bytes. */
  let held = nothing
  let interims = 0
  let interimBytes = 0
  let isInterim = false
  let isLineEmpty = false

  /** Where the head of this interim response ends, or else the end of the chunk. */
  function skip(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; ) {
      const found = bytes.indexOf(lf, at)
      const end = found < 0 ? bytes.length : found
      isLineEmpty &&= end === at || (end === at + 1 && bytes[at] === cr)
      interimBytes += end - at
      if (interimBytes > limits.responseHeaderBytesMax) refuse(headersTooLarge)
      at = end + 1
      if (found < 0) break
      isInterim = !isLineEmpty
      if (!isInterim) return at
      isLineEmpty = true
    }
    return bytes.length
  }

  /**
   * Counts one more interim response. Skipping starts at the last byte of `anInterim`, which may be
   * the end of the line.
   */
  function enter(): void {
    interims += 1
    if (interims > limits.interimResponsesMax) refuse(tooManyInterims)
    isInterim = true
    isLineEmpty = false
    interimBytes = anInterim.length - 1
  }

  return (chunk) => {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    let hasBegun = held.length > 0
    held = nothing
    for (let at = 0; ; at += anInterim.length - 1) {
      if (isInterim) at = skip(bytes, at)
      // Parsers ignore empty lines before a response, and so does undici.
      while (bytes[at] === cr || bytes[at] === lf) at += 1
      if (at >= bytes.length) return undefined
      if (!hasBegun) began()
      hasBegun = false
      const start = bytes.toString('latin1', at, at + anInterim.length)
      if (!interimStart.test(start + anInterim.slice(start.length))) return bytes.subarray(at)
      if (start.length < anInterim.length) {
        held = bytes.subarray(at)
        return undefined
      }
      enter()
    }
  }
}
