// Ports that are free and stay so, for programs that must be told a number, and for closed doors.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import net from 'node:net'

/**
 * Below those that systems choose by themselves (32768 and up on Linux): a port of the system's choice
 * that was given up may belong to another test a moment later, also as the end of a connection.
 */
const range = { from: 12_000, to: 27_000 } as const
/** At most as many test files run at the same time, each with ports that no other one takes. */
const shares = 15
const sharePorts = (range.to - range.from) / shares
const own = range.from + (Number(process.env.TAP_JOB_ID ?? 0) % shares) * sharePorts
let next = Math.floor(Math.random() * sharePorts)

/**
 * A port of loopback that nobody uses, for connections and packets alike. Nobody is given the same
 * one later: it may be one of a program that is just stopped.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < sharePorts; tries += 1) {
    const port = own + (next % sharePorts)
    next += 1
    if ((await takesConnections(port)) && (await takesPackets(port))) return port
  }
  throw new Error('no port is free')
}

async function takesConnections(port: number): Promise<boolean> {
  const server = net.createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (isFree) await new Promise((resolve) => server.close(resolve))
  return isFree
}

async function takesPackets(port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1')
  const isFree = await once(socket, 'listening').then(
    () => true,
    () => false,
  )
  await new Promise<void>((resolve) => socket.close(resolve))
  return isFree
}
