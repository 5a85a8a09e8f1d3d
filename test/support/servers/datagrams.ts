// Whether a server that speaks by datagrams is there already.
import { createSocket } from 'node:dgram'

/** Whether it answers the question; one that is not there refuses it at once. */
export function answersDatagrams(port: number, question: Uint8Array): Promise<boolean> {
  const socket = createSocket('udp4')
  return new Promise<boolean>((resolve) => {
    socket.on('message', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.connect(port, '127.0.0.1', () => socket.send(question))
    setTimeout(() => resolve(false), 100)
  }).finally(() => socket.close())
}
