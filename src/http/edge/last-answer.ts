// Marks the last response of a connection, for callers that request many responses without a body.
//
// uWebSockets.js keeps what a caller does not read, and reports its size only while a body is sent.
// A caller that requests responses without one and reads none of them would fill the memory. So for
// an address that gets very many of them within seconds, now and then one is the last of its
// connection. It announces that and the connection stays open; the library cuts it on the next
// request.
import type { HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'

export interface LastAnswers {
  /** Counts a response without a body; returns whether it should be the last of its connection. */
  isDue(address: string): boolean
  /**
   * Ends the head, after the other headers were written. `contentBytes`: the length of a body that
   * is omitted. The library writes date and length only when it ends the response, so they are
   * written here.
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
      // The library adds one line break; together with the one before, that ends the head.
      res.writeHeader('Connection', `close\r\nDate: ${date}${length}\r\n`)
      const timer = clock.setTimeout(() => res.close(), limits.lastAnswerMs)
      res.onAborted(() => clock.clearTimeout(timer))
    },
  }
}
