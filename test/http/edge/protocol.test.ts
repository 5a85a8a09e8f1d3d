// What the HTTP library does not do, as docs/limits.md says: it ends the connection, and answers nobody twice.

import type { HttpResponse } from 'uWebSockets.js'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { listen } from '../../../src/http/edge/server.ts'

const host = 'Host: up.test\r\n'

t.test('pipelining, absolute addresses and headers without a name', async (t) => {
  const waiting: HttpResponse[] = []
  let served = 0
  const { port, close } = await listen(
    '127.0.0.1',
    0,
    [
      {
        method: 'get',
        pattern: '/waits',
        handle: (res) => void waiting.push(res.onAborted(() => {})),
      },
      {
        method: 'any',
        pattern: '/*',
        handle(res, req) {
          served += 1
          const isOver = req.getUrl() === '/last'
          res.end(`${req.getUrl()} ${req.getHeader('x-after')};`, isOver)
        },
      },
    ],
    { connectionsMax: 9 },
  )
  t.teardown(close)
  /** Everything that comes back until the connection ends. */
  const send = async (...requests: string[]) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(requests.join(''))
    return text(socket)
  }
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${host}${more}\r\n`

  t.match(await send(get('/a'), get('/last')), /\/a ;[\s\S]*\/last ;$/, 'answered in order')
  served = 0
  t.equal(await send(get('/waits'), get('/b')), '', 'behind one that waits, the connection ends')
  t.equal(waiting.length, 1)
  t.match(await send(get('http://up.test/a')), /^HTTP\/1\.1 505 /)
  t.match(await send(`OPTIONS * HTTP/1.1\r\n${host}\r\n`), /^HTTP\/1\.1 505 /)
  t.match(await send(get('/a', 'a b: v\r\n')), /^HTTP\/1\.1 400 /)
  t.equal(served, 0)
  const hidden = await send(get('/last', ': v\r\nX-After: hidden\r\n'))
  t.match(hidden, /\/last ;$/, 'what follows an empty name is not read')
  const noName = `POST /a HTTP/1.1\r\n${host}: v\r\nContent-Length: 9\r\n\r\n`
  t.match(await send(noName, get('/last')), /\/a ;[\s\S]*\/last ;$/, 'nor is the length of a body')
})
