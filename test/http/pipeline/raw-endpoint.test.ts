// Raw routes: what becomes of their answers.
import t from 'tap'
import { type RawReply, type RawRoute, rawHead } from '../../../src/http/routing/raw-route.ts'
import { startTestHttp } from '../../support/http.ts'

t.test('answers are sent with a type of their own or a plain one', async (t) => {
  const odd = [
    ['X-A', 'b'],
    ['content-type', 'text/css'],
  ] as const
  const replies: Record<string, RawReply> = {
    '/a': { status: 200, head: rawHead([['Content-Type', 'image/svg+xml']]), body: 'x' },
    '/b': { status: 404, head: rawHead(odd), body: 'x' },
    '/c': { status: 200, head: rawHead([]), body: Buffer.from([1, 2, 3]) },
    '/d': { status: 303, head: rawHead([['Location', '/a']]) },
  }
  const rawRoutes = Object.entries(replies).map(
    ([path, reply]): RawRoute => ({ name: path, path, rate: null, handle: () => reply }),
  )
  const http = await startTestHttp({ rawRoutes })
  t.teardown(() => http.stop())
  const { headers } = await http.ask('/a')
  t.equal(headers.get('content-type'), 'image/svg+xml')
  t.equal(headers.get('x-content-type-options'), 'nosniff')
  t.ok(headers.get('x-request-id'))
  const b = await http.ask('/b')
  t.equal(b.status, 404)
  t.equal(b.headers.get('content-type'), 'text/css')
  t.equal(b.headers.get('x-a'), 'b')
  const c = await http.ask('/c')
  t.equal(c.text, '\x01\x02\x03')
  t.equal(c.headers.get('content-type'), 'text/plain; charset=utf-8')
  t.equal((await http.ask('/d')).headers.get('location'), '/a')
})

t.test('a header with a line break is a bug of ours, not an answer', async (t) => {
  t.throws(() => rawHead([['Content-Type', 'a\r\nX: y']]), /well-formed/)
  t.throws(() => rawHead([['X-A', 'a\r\nX: y']]), /well-formed/)
})
