// The floor of a server: uWebSockets.js and LMDB with nothing of ours between them.
//
// GET answers with given bytes; POST with two, once its body is durable by one put.

import uws from 'uWebSockets.js'
import { readFileSync } from 'node:fs'
import { open } from 'lmdb'
import { saveMemory } from '../../../src/base/memory/v8-flags.ts'

export interface FloorInput {
  /** What a GET answers with. */
  readonly bodyFile: string
  /** The headers of a GET: the name of the first, its value followed by the others as lines. */
  readonly head: readonly [firstName: string, rest: string]
  /** Where the database is made. */
  readonly dir: string
}

const { bodyFile, head, dir }: FloorInput = JSON.parse(process.argv[2] ?? '{}')
const body = readFileSync(bodyFile)
const [firstName, rest] = [head[0], Buffer.from(head[1], 'latin1')]
// As the daemon opens it: what is visible is durable.
const env = open<Buffer, string>({ path: dir, overlappingSync: false, encoding: 'binary' })
const db = env.openDB<Buffer, string>({ name: 'reports', encoding: 'binary' })

const app = uws.App()
app.get('/*', (res) => {
  res.writeHeader(firstName, rest)
  res.end(body)
})
app.post('/*', (res, req) => {
  const key = req.getUrl()
  let isAborted = false
  res.onAborted(() => {
    isAborted = true
  })
  res.onData((chunk, isLast) => {
    if (!isLast) return
    void db.put(key, Buffer.from(chunk.slice(0))).then(() => {
      if (!isAborted) res.cork(() => res.end('ok'))
    })
  })
})
// As the daemon does.
saveMemory()
process.once('disconnect', () => process.exit())
app.listen('127.0.0.1', 0, (socket) => {
  if (socket) process.send?.({ port: uws.us_socket_local_port(socket) })
})
