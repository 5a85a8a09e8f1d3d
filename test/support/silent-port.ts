// A port on loopback that answers no attempt to connect: its queue is full, and nobody empties it.
import { once } from 'node:events'
import net from 'node:net'
import { Worker } from 'node:worker_threads'

export interface SilentPort {
  readonly port: number
  close(): Promise<void>
}

/** Listens in a thread that sleeps, so that nothing is ever accepted. */
const sleeper = `
  const { workerData, parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(workerData, 0, 0)
  })
`
const queuedMax = 16
/** Silence is counted in ticks: on a busy machine one comes late, but answers are read before it. */
const quietTicks = 30
const quietTickMs = 10

/** Undefined where this machine answers all the same. */
export async function startSilentPort(): Promise<SilentPort | undefined> {
  const wake = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(sleeper, { eval: true, workerData: wake })
  const [port]: number[] = await once(worker, 'message')
  const queued: net.Socket[] = []
  const close = async (): Promise<void> => {
    for (const socket of queued) socket.destroy()
    Atomics.store(wake, 0, 1)
    Atomics.notify(wake, 0)
    await worker.terminate()
  }
  while (port !== undefined && queued.length < queuedMax) {
    const socket = net.connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    queued.push(socket)
    if (!(await connects(socket))) return { port, close }
  }
  await close()
  return undefined
}

function connects(socket: net.Socket): Promise<boolean> {
  return new Promise((resolve) => {
    let ticks = 0
    const end = (isOpen: boolean): void => {
      clearInterval(timer)
      resolve(isOpen)
    }
    const timer = setInterval(() => {
      ticks += 1
      if (ticks === quietTicks) end(false)
    }, quietTickMs)
    socket.once('connect', () => end(true))
  })
}
