// The last response of a connection, marked with `Connection: close`. The connection stays open for
// a while, so that the caller can read the response; if it sends another request, the library
// closes it. Two kinds of callers get one:
//
// uWebSockets.js buffers responses that a caller does not read, and reports the size of the buffer
// only while a body is sent. A caller that requests responses without a body and reads none of them
// could fill the memory. So when an address gets very many such responses within seconds, one of
// them now and then is the last of its connection.
//
// A caller that is answered before its whole request was read could send the rest for ever.
import type { HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../base/clock.ts'

export interface LastAnswers {
  /** Counts a response without a body; returns whether it should be the last of its connection. */
  isDue(address: string): boolean
  /**
   * Ends the head after the other headers were written, and sends the body if there is one.
   * `contentBytes`: the length of the body, also if it is omitted. The library would write Date and
   * Content-Length only at the end of the response, so they are written here. Returns a function
   * that ends the connection now.
   */
  write(res: HttpResponse, contentBytes?: number, body?: string | Uint8Array): () => void
}

/** The library adds this to the value of a header. */
const lineBreak = Buffer.from('\r\n')

/** After this many bodiless responses to one address in a window, one closes its connection. */
export const bodilessAnswers = { quota: 128, windowSeconds: 10 } as const
/** How long the connection then stays open for the caller to close it. */
export const lastAnswerMs = 2_000

export function createLastAnswers(clock: Clock): LastAnswers {
  const counts = new Map<string, number>()
  let forgetAtMs = 0

  return {
    isDue(address) {
      const nowMs = clock.monoMs()
      if (nowMs >= forgetAtMs) {
        counts.clear()
        forgetAtMs = nowMs + bodilessAnswers.windowSeconds * 1_000
      }
      const count = (counts.get(address) ?? 0) + 1
      counts.set(address, count)
      return count % bodilessAnswers.quota === 0
    },

    write(res, contentBytes, body) {
      const bytes =
        contentBytes === undefined || body === undefined
          ? contentBytes
          : contentBytes + lineBreak.byteLength
      const length = bytes === undefined ? '' : `\r\nContent-Length: ${bytes}`
      const date = new Date(clock.wallMs()).toUTCString()
      // Without a body, this value ends with one line break, and the library adds the second one,
      // which ends the head. With a body, the library's line break is the end of the body.
      const head = Buffer.from(`close\r\nDate: ${date}${length}\r\n`)
      // As bytes, because a compressed body is not text.
      const rest = body === undefined ? [] : [lineBreak, Buffer.from(body)]
      res.writeHeader('Connection', Buffer.concat([head, ...rest]))
      const timer = clock.setTimeout(() => res.close(), lastAnswerMs)
      res.onAborted(() => clock.clearTimeout(timer))
      return () => {
        clock.clearTimeout(timer)
        // Not `close`: that is unsafe while the library goes through the chunks of a body. This
        // closes after the bytes that were read; the caller ignores what it adds to the response.
        res.end('', true)
      }
    },
  }
}
