// Streams: a line that stays open, a reader that does not read, a reader that leaves.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import {
  type OpenLine,
  streamBufferBytesMax,
  streamGatherMs,
} from '../../../src/http/edge/stream.ts'
import { atPrefix, get, resource } from '../../../src/http/routing/route.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { startTestHttp } from '../../support/http.ts'
import { until } from '../../support/until.ts'

const lines: { line: OpenLine; closed: number }[] = []
const routes = atPrefix('/api/v1', [
  ...resource('/lines', {
    open: get('/', { who: { public: true }, streams: true }).handledBy(({ lastEventId }) => ({
      stream: true,
      open(line) {
        const entry = { line, closed: 0 }
        lines.push(entry)
        line.onClosed(() => {
          entry.closed += 1
        })
        line.write(`data: after ${lastEventId || 'nothing'}\n\n`)
      },
    })),
  }),
])
const clock = new FakeClock()
const http = await startTestHttp({ routes, clock })
t.teardown(() => http.stop())

async function openSocket(t: { teardown(f: () => void): void }, method = 'GET'): Promise<Socket> {
  const socket = connect(http.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`${method} /api/v1/lines HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 7-1\r\n\r\n`)
  return socket
}

t.test('written text arrives, until the line is closed properly', async (t) => {
  const response = await fetch(http.url('/api/v1/lines'))
  t.match(response.headers.get('content-type'), /^text\/event-stream/)
  t.match(response.headers.get('cache-control'), /no-store/)
  const line = lines.at(-1)?.line
  line?.write('data: two\n\n')
  line?.close()
  line?.write('data: too late\n\n')
  t.equal(await response.text(), 'data: after nothing\n\ndata: two\n\n')
  t.equal(lines.at(-1)?.closed, 1)
})

t.test('what may wait goes at once after a silence, then together, in order', async (t) => {
  const socket = await openSocket(t)
  const pieces: string[] = []
  await once(socket, 'data')
  socket.on('data', (piece) => void pieces.push(String(piece)))
  const line = lines.at(-1)?.line
  line?.writeSoon('data: 1\n\n')
  await until(() => pieces.length === 1)
  for (const number of [2, 3, 4]) line?.writeSoon(`data: ${number}\n\n`)
  line?.write('data: 5\n\n')
  await clock.advance(streamGatherMs - 1)
  t.equal(pieces.length, 1)
  await clock.advance(1)
  await until(() => pieces.length > 1)
  t.same(
    pieces.map((piece) => piece.match(/data: \d/g)?.join()),
    ['data: 1', 'data: 2,data: 3,data: 4,data: 5'],
  )
  line?.writeSoon('data: 6\n\n')
  line?.writeSoon('data: 7\n\n')
  line?.close()
  line?.writeSoon('data: nobody\n\n')
  await until(() => pieces.at(-1)?.endsWith('\r\n0\r\n\r\n'))
  t.match(pieces.join(''), /data: 6[\s\S]*data: 7/)
  t.notMatch(pieces.join(''), /nobody/)
})

t.test('a reader who leaves closes the line, once', async (t) => {
  const socket = await openSocket(t)
  const [first] = await once(socket, 'data')
  t.match(String(first), /after 7-1/)
  socket.resetAndDestroy()
  const entry = lines.at(-1)
  await until(() => entry?.closed === 1)
  entry?.line.write('data: nobody\n\n')
  entry?.line.close()
  t.equal(entry?.closed, 1)
})

t.test('a reader who does not read is cut off at the bound, and others are not', async (t) => {
  const before = lines.length
  const socket = await openSocket(t)
  socket.pause()
  const good = await openSocket(t)
  let goodBytes = 0
  good.on('data', (chunk) => {
    goodBytes += chunk.length
  })
  await until(() => lines.length === before + 2)
  const [slow, quick] = [lines[before], lines[before + 1]]
  const chunk = `data: ${'x'.repeat(60_000)}\n\n`
  let written = 0
  while (slow?.closed === 0 && written < 100 * streamBufferBytesMax) {
    slow.line.write(chunk)
    written += chunk.length
    if (written % (20 * chunk.length) === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  t.equal(slow?.closed, 1)
  quick?.line.write(chunk)
  await until(() => goodBytes > chunk.length)
  t.equal(quick?.closed, 0)
})

t.test('a HEAD request opens no stream', async (t) => {
  const response = await fetch(http.url('/api/v1/lines'), { method: 'HEAD' })
  t.match(response.headers.get('content-type'), /^text\/event-stream/)
  t.equal(lines.at(-1)?.closed, 1)
})
