// A question by UDP, asked again where no answer comes: networks lose packets.
import type { Socket } from 'node:dgram'
import { driverBytesMax, tooMuch } from './driver-socket.ts'
import type { ProbeRun } from './probe-run.ts'

export interface DatagramQuestion<Answer> {
  /** What is sent; called for each time. */
  readonly ask: () => Uint8Array
  /** What a datagram answers; undefined: nothing, and the wait goes on. Throws RunError. */
  readonly read: (bytes: Buffer) => Answer | undefined
  /** It is not asked again: twice could mean something else. */
  readonly isOnce?: true
}

const timesMax = 3
const againMsMin = 1_000

/** Resolves with the first answer. Where none comes, the deadline of the run says so. */
export function askByDatagram<Answer>(
  run: ProbeRun,
  socket: Socket,
  { ask, read, isOnce }: DatagramQuestion<Answer>,
): Promise<Answer> {
  const { clock, record } = run
  const againMs = Math.max(againMsMin, (run.untilMs - clock.monoMs()) / timesMax)
  let again: unknown
  let size = 0
  run.track({ destroy: () => clock.clearTimeout(again) })
  return new Promise((resolve, reject) => {
    const send = (): void => {
      socket.send(ask())
      if (!isOnce) again = clock.setTimeout(send, againMs)
    }
    socket.on('message', (bytes) => {
      if (run.isOver) return
      size += bytes.length
      if (size > driverBytesMax) return run.end(tooMuch(driverBytesMax))
      try {
        const answer = read(bytes)
        if (answer === undefined) return
        record.end('firstByte')
        resolve(answer)
      } catch (cause) {
        reject(cause)
      }
    })
    send()
  })
}
