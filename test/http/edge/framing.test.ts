// Where a body ends: one clear statement, or none; everything else is for two readers to disagree.
import type { HttpRequest } from 'uWebSockets.js'
import t from 'tap'
import { framingOf } from '../../../src/http/edge/framing.ts'

type Header = readonly [name: string, value: string]

function framing(method: string, ...headers: Header[]) {
  const req = {
    getCaseSensitiveMethod: () => method,
    getHeader: (wanted: string) => headers.find(([name]) => name === wanted)?.[1] ?? '',
    forEach: (run: (name: string, value: string) => void) => {
      for (const [name, value] of headers) run(name, value)
    },
  }
  // What the library offers and the reader needs of it.
  return framingOf(req as unknown as HttpRequest)
}

t.test('a clear framing is understood', async (t) => {
  t.same(framing('GET', ['host', 'x']), { bodyBytes: 0, isChunked: false })
  t.same(framing('DELETE'), { bodyBytes: 0, isChunked: false })
  t.same(framing('POST', ['content-length', '0']), { bodyBytes: 0, isChunked: false })
  t.same(framing('POST', ['content-length', '13']), { bodyBytes: 13, isChunked: false })
  t.same(framing('GET', ['content-length', '13']), { bodyBytes: 13, isChunked: false })
  t.same(framing('POST', ['transfer-encoding', 'Chunked']), { bodyBytes: 0, isChunked: true })
})

t.test('what parsers read differently is refused', async (t) => {
  for (const length of ['+2', '-1', '2, 2', '0x2', '2x', '2.0', '1e3', '٣', '9'.repeat(16)]) {
    t.equal(framing('POST', ['content-length', length]), undefined, length)
  }
  t.equal(framing('POST', ['content-length', '']), undefined, 'empty')
  t.equal(framing('POST', ['transfer-encoding', '']), undefined, 'empty coding')
  t.equal(framing('POST', ['content-length', '2'], ['content-length', '2']), undefined)
  t.equal(framing('POST', ['content-length', ''], ['content-length', '2']), undefined)
  for (const coding of ['gzip', 'gzip, chunked', 'chunked, chunked', 'xchunked', 'identity']) {
    t.equal(framing('POST', ['transfer-encoding', coding]), undefined, coding)
  }
  t.equal(framing('POST', ['transfer-encoding', 'chunked'], ['content-length', '2']), undefined)
})
