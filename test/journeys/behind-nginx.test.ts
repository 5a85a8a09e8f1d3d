// Behind nginx, with the lines of docs/operating.md: what the HTTP parser of stillup would let pass
// is refused, or arrives in a clean form.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { prepareNginx } from '../support/child-peer.ts'
import { startDaemon } from '../support/daemon.ts'
import { skipWithout } from '../support/programs.ts'
import { patienceMs } from '../support/until.ts'

const manual = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
const ours = 'http://127.0.0.1:8080'

function locationsFor(url: string): string {
  const [, block = ''] = /```nginx\n([\s\S]+?)```/.exec(manual) ?? []
  if (!block.includes(ours)) throw new Error('docs/operating.md has no lines for nginx')
  return block.replace(ours, new URL(url).origin)
}

/** The statuses of what comes back within a while. */
function statusesOf(port: number, bytes: string, wanted: number): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    const found = () => heard.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
      if (found().length >= wanted) socket.destroy()
    })
    socket.on('close', () => resolve(found()))
    socket.setTimeout(patienceMs, () => socket.destroy())
    socket.write(bytes, 'latin1')
  })
}

t.test('nginx refuses or repairs lenient framing', { skip: skipWithout('nginx') }, async (t) => {
  const daemon = await startDaemon(t)
  const nginx = await prepareNginx(t, locationsFor(daemon.url))
  await nginx.start()
  const { org, key } = await registerWithKey(daemon)
  const json = { name: 'Job', checkType: 'push' }
  const { pushUrl } = await daemon.need('POST', `${org}/monitors`, { key, json })
  const { pathname } = new URL(String(pushUrl))
  const post = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`
  const whole = 'Content-Length: 2\r\n\r\n{}'
  const refused: Record<string, string> = {
    'an empty length': `${post}Content-Length:\r\n\r\n`,
    'an empty length of a GET': 'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\n',
    'two lengths': `${post}Content-Length: 2\r\n${whole}`,
    'a length with a high byte': `${post}Content-Length: \xa02\r\n\r\n{}`,
    'an empty header name': `${post}: x\r\n${whole}`,
    'a high byte in a key': `${post}Idempotency-Key: \xc3\xa91\r\n${whole}`,
    'a chunk without its end': `${chunked}2\r\n{}XX0\r\n\r\n`,
    'a chunk size that is no number': `${chunked}g\r\n0123456789abcdef\r\n0\r\n\r\n`,
    'a large header': `${post}X-A: ${'a'.repeat(9_000)}\r\n${whole}`,
    'OPTIONS *': 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  }
  for (const [what, bytes] of Object.entries(refused)) {
    t.same(await statusesOf(nginx.port, bytes, 1), ['400'], what)
  }
  const repaired: Record<string, string> = {
    'a good key': `${post}Idempotency-Key: e1\r\n${whole}`,
    'a line feed after a chunk size': `${chunked}2\n{}\r\n0\r\n\r\n`,
    'a chunk extension': `${chunked}2;a=b\r\n{}\r\n0\r\n\r\n`,
    'a trailer': `${chunked}2\r\n{}\r\n0\r\nX-Trailer: y\r\n\r\n`,
    'a full URL': `${post}${whole}`.replace(pathname, `http://x${pathname}`),
    'HTTP/1.0': `GET ${pathname} HTTP/1.0\r\nHost: x\r\n\r\n`,
  }
  for (const [what, bytes] of Object.entries(repaired)) {
    t.same(await statusesOf(nginx.port, bytes, 1), ['200'], what)
  }
  const twice = `${post}${whole}`.repeat(2)
  t.same(await statusesOf(nginx.port, twice, 2), ['200', '200'], 'two writes in one packet')
})
