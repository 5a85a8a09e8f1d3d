// Whether a server that speaks by datagrams is there already.
import { createSocket } from 'node:dgram'

/**
 * Whether it answers the question; one that is not there refuses it at once. `isSilent`: it says nothing to such
 * a question, so that it is there if it does not refuse it.
 */
export function answersDatagrams(
  port: number,
  question: Uint8Array,
  { isSilent = false } = {},
): Promise<boolean> {
  const socket = createSocket('udp4')
  return new Promise<boolean>((resolve) => {
    socket.on('message', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.connect(port, '127.0.0.1', () => socket.send(question))
    setTimeout(() => resolve(isSilent), 100)
  }).finally(() => socket.close())
}
