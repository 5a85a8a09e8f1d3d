// A UDP socket that sends to one judged address, and hears nothing of any other.
import { createSocket, type Socket } from 'node:dgram'
import { isIP } from 'node:net'
import type { Guard } from '../egress-policy.ts'
import { connectFailure, type Failure } from '../failure.ts'
import { placeOf } from './connect.ts'

export interface DatagramPlace {
  /** Judged already. */
  readonly address: string
  readonly port: number
}

/** The result: exactly one of the two. */
export interface DatagramListener {
  opened(): void
  failed(failure: Failure): void
}

export type DatagramSocket = ReturnType<typeof openDatagrams>

/**
 * Connects a socket, which says nothing to the peer. A refusal that comes back later, by ICMP, is an error of
 * the socket.
 */
export function openDatagrams(
  { address, port }: DatagramPlace,
  guard: Guard,
  listener: DatagramListener,
) {
  const family = isIP(address) === 6 ? 6 : 4
  let socket: Socket | undefined = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    // What is connected to is an address: nothing is looked up.
    lookup: (name, _, found) => found(null, name, family),
  })
  const opened = socket
  let isOpen = false
  const failureOf = (cause: unknown): Failure =>
    connectFailure(cause, placeOf(address, port), { isAtOnce: !isOpen })
  opened.on('error', (cause) => socket && !isOpen && listener.failed(failureOf(cause)))
  const connected = (cause?: Error | null): void => {
    if (socket === undefined) return
    const peer = cause ? address : opened.remoteAddress().address
    const judgement = guard.judgeAddress(peer, port)
    if (cause) listener.failed(failureOf(cause))
    else if (peer !== address && !judgement.allowed) {
      listener.failed(guard.refusal('the connection leads to', judgement))
    } else {
      isOpen = true
      listener.opened()
    }
  }
  opened.connect(port, address, connected as () => void)
  return {
    socket: opened,
    failureOf,
    /** May be called more than once, as a socket may not. */
    destroy(): void {
      socket?.close()
      socket = undefined
    },
  }
}
