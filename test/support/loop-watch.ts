// Preloaded into a daemon (NODE_OPTIONS=--import=…): says at a socket how long the turns of its event
// loop took. Processor time of the main thread counts, so other programs of the machine do not.
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

const path = process.env.TEST_LOOP_SOCKET
/** Turns shorter than this are not told apart. */
const tickMs = 2

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

if (isMainThread && path !== undefined) {
  let beforeMs = cpuMs()
  let longestMs = 0
  let allMs = 0
  const look = () => {
    const nowMs = cpuMs()
    longestMs = Math.max(longestMs, nowMs - beforeMs)
    allMs += nowMs - beforeMs
    beforeMs = nowMs
  }
  setInterval(look, tickMs).unref()
  // Of a process before this one.
  rmSync(path, { force: true })
  createServer((socket) => {
    look()
    const memory = process.memoryUsage().rss
    socket.on('error', () => {}).end(JSON.stringify({ longestMs, allMs, memory }))
    longestMs = 0
    allMs = 0
  })
    .listen(path)
    .unref()
}
