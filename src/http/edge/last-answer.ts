// uWebSockets.js buffers responses that a caller does not read, and reports the size of the buffer
// only while a body is sent. A caller that requests responses without a body and reads none of them
// could fill the memory. So when an address gets very many such responses within seconds, one of
// them now and then is marked as the last of its connection, with `Connection: close`. The
// connection stays open until the next request; then the library closes it.
import type { HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'

export interface LastAnswers {
  /** Counts a response without a body; returns whether it should be the last of its connection. */
  isDue(address: string): boolean
  /**
   * Ends the head after the other headers were written. `contentBytes`: the length of the body that
   * is omitted. The library would write Date and Content-Length only at the end of the response, so
   * they are written here.
   */
  write(res: HttpResponse, contentBytes?: number): void
}

export function createLastAnswers(clock: Clock): LastAnswers {
  const counts = new Map<string, number>()
  let forgetAtMs = 0

  return {
    isDue(address) {
      const nowMs = clock.monoMs()
      if (nowMs >= forgetAtMs) {
        counts.clear()
        forgetAtMs = nowMs + limits.bodilessAnswers.windowSeconds * 1_000
      }
      const count = (counts.get(address) ?? 0) + 1
      counts.set(address, count)
      return count % limits.bodilessAnswers.quota === 0
    },

    write(res, contentBytes) {
      const length = contentBytes === undefined ? '' : `\r\nContent-Length: ${contentBytes}`
      const date = new Date(clock.nowMs()).toUTCString()
      // This value ends with one line break, and the library adds the second one, which ends the
      // head.
      res.writeHeader('Connection', `close\r\nDate: ${date}${length}\r\n`)
      const timer = clock.setTimeout(() => res.close(), limits.lastAnswerMs)
      res.onAborted(() => clock.clearTimeout(timer))
    },
  }
}
