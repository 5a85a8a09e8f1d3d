// Preloaded into a daemon (NODE_OPTIONS=--import=…): says at a socket how long the turns of its event
// loop took since it was last asked.
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'
import { measureTurns } from './turns.ts'

const path = process.env.TEST_LOOP_SOCKET

if (isMainThread && path !== undefined) {
  const turns = measureTurns()
  turns.timer.unref()
  // The file of a process before this one.
  rmSync(path, { force: true })
  createServer((socket) => {
    const memory = process.memoryUsage().rss
    socket.on('error', () => {}).end(JSON.stringify({ ...turns.take(), memory }))
  })
    .listen(path)
    .unref()
}
