// A prober that is out of file descriptors blames itself, whatever it was to look at.
import { execFile } from 'node:child_process'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { required } from '../../src/base/assert.ts'
import { addresses, startBadNameServer } from '../support/bad-name-server.ts'
import { asked, type Serve, startBadServer } from '../support/bad-server.ts'
import { bareNode } from '../support/bare-node.ts'
import { testCertificates } from '../support/certificates.ts'
import type { TargetFields } from '../support/make-target.ts'
import type { ManyChecks, ManyEnds } from '../support/many-checks.ts'
import type { Call } from '../support/target.ts'
import { patienceMs } from '../support/until.ts'
import { welcomeTo } from '../support/websocket.ts'

const run = promisify(execFile)
const script = join(import.meta.dirname, '../support/many-checks.ts')
const filesMax = 96
const count = 200
/** Answers late, so that all the connections are open together. */
const lateMs = 150

const late = (then: (socket: Socket, head: string) => void): Serve =>
  asked((socket, head) => setTimeout(() => then(socket, head), lateMs))
const answers = late((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
const welcomes = late((socket, head) => {
  const [, key = ''] = /^sec-websocket-key: (.*)\r$/im.exec(head) ?? []
  socket.end(welcomeTo({ headers: { 'sec-websocket-key': key } } as unknown as Call))
})
const mails: Serve = (socket) => {
  setTimeout(() => socket.write('220 mx.test\r\n'), lateMs)
  socket.on('data', (line) => socket.write(/^QUIT/.test(String(line)) ? '221 x\r\n' : '250 x\r\n'))
}
const speaks: Serve = (socket) => {
  setTimeout(() => socket.end('late'), lateMs)
}

const names = await startBadNameServer({ 'here.test': addresses(['127.0.0.1']) })
t.after(() => names.close())
const otherNames = await startBadNameServer({ 'here.test': addresses(['127.0.0.1']) })
t.after(() => otherNames.close())

interface Row {
  readonly serve: Serve
  readonly isTls?: boolean
  /** They ask few at a time, so there are files enough. */
  readonly areInTurn?: boolean
  readonly fields: (port: number) => TargetFields
}

/** What there is to look at, by what it takes files for. */
const rows: Readonly<Record<string, Row>> = {
  'web pages': { serve: answers, fields: (port) => ({ url: `http://127.0.0.1:${port}/` }) },
  'web pages by name': { serve: answers, fields: (port) => ({ url: `http://here.test:${port}/` }) },
  'secure web pages': {
    serve: answers,
    isTls: true,
    fields: (port) => ({ url: `https://127.0.0.1:${port}/`, ignoreTlsErrors: true }),
  },
  certificates: {
    serve: answers,
    isTls: true,
    fields: (port) => ({ url: `tls://127.0.0.1:${port}`, checkType: 'ssl' }),
  },
  ports: {
    serve: speaks,
    fields: (port) => ({
      url: `tcp://127.0.0.1:${port}`,
      checkType: 'tcp',
      expect: { bodyContains: 'late' },
    }),
  },
  'ports by ping': {
    serve: speaks,
    fields: (port) => ({ url: `ping://127.0.0.1:${port}`, checkType: 'ping' }),
  },
  WebSockets: {
    serve: welcomes,
    fields: (port) => ({ url: `ws://127.0.0.1:${port}/`, checkType: 'websocket' }),
  },
  'mail servers': {
    serve: mails,
    fields: (port) => ({ url: `smtp://127.0.0.1:${port}`, checkType: 'smtp' }),
  },
  names: {
    serve: speaks,
    areInTurn: true,
    fields: () => ({ url: 'dns://here.test', checkType: 'dns' }),
  },
  'names at a server': {
    serve: speaks,
    fields: () => ({ url: `dns://here.test?server=${otherNames.server}`, checkType: 'dns' }),
  },
}

/** How the checks of each row ended: a process without files enough makes them. */
async function endsOfAll(): Promise<ManyEnds[]> {
  const servers = await Promise.all(
    Object.values(rows).map(({ serve, isTls }) =>
      startBadServer(serve, isTls ? { tls: testCertificates.good } : {}),
    ),
  )
  t.after(() => Promise.all(servers.map((server) => server.close())))
  const targets = Object.values(rows).map(({ fields }, at) => ({
    timeoutMs: patienceMs,
    ...fields(required(servers[at], 'a server').port),
  }))
  const input: ManyChecks = { targets, count, nameServer: names.server }
  const limited = `ulimit -n ${filesMax} && exec "$0" "$@"`
  const [command, args] = bareNode([script, JSON.stringify(input)])
  const { stdout } = await run('/bin/sh', ['-c', limited, command, ...args])
  return JSON.parse(stdout)
}

const ends = await endsOfAll()
for (const [at, [what, { areInTurn = false }]] of Object.entries(rows).entries()) {
  t.test(`${count} checks of ${what} with ${filesMax} files blame no target`, async (t) => {
    const { atOnce, after, messages } = required(ends[at], 'its ends')
    const kinds = Object.keys(atOnce)
    t.same(
      kinds.filter((end) => end.startsWith('failed')),
      [],
      JSON.stringify({ atOnce, messages }),
    )
    t.equal(
      kinds.some((end) => end.startsWith('unknown')),
      !areInTurn,
      `${areInTurn ? 'all' : 'not all'} could be made: ${JSON.stringify(atOnce)}`,
    )
    t.equal(after, 'good', 'the next one can')
  })
}
