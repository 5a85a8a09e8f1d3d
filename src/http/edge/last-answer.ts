// The last answer of a connection: whoever asks again on it is cut.
//
// uWebSockets.js keeps what a caller does not read and does not tell how much that is, unless there
// is a body. Somebody who asks and asks for answers without one, and reads none, would fill the
// memory. So now and then such an answer says that it is the last, and is left open: as long as it
// is, the library cuts the connection on the next request.
import type { HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'

/**
 * Ends the head, after the other headers were written. `contentBytes`: what a body would have. The
 * library writes date and length only where it ends the answer, so they are written here.
 */
export function writeLast(res: HttpResponse, clock: Clock, contentBytes?: number): void {
  const length = contentBytes === undefined ? '' : `\r\nContent-Length: ${contentBytes}`
  const date = new Date(clock.nowMs()).toUTCString()
  // The library adds one line break; together with the one before, that ends the head.
  res.writeHeader('Connection', `close\r\nDate: ${date}${length}\r\n`)
  const timer = clock.setTimeout(() => res.close(), limits.lastAnswerMs)
  res.onAborted(() => clock.clearTimeout(timer))
}
