// Raw routes: what they are given, and what becomes of their answers.
import t from 'tap'
import type { Exchange } from '../../../src/http/edge/exchange.ts'
import { rawEndpoint } from '../../../src/http/pipeline/raw.ts'
import type { RawRoute, Reply } from '../../../src/http/routing/raw-route.ts'
import { startTestHttp } from '../../support/http.ts'

function route(reply: Reply): RawRoute {
  return { name: 'r', method: 'GET', path: '/r', rate: null, bodyBytesMax: 0, handle: () => reply }
}

t.test(
  'constant and fresh headers are sent alike, with a type of their own or a plain one',
  async (t) => {
    const frozen = Object.freeze([['Content-Type', 'image/svg+xml']] as const)
    const replies: Record<string, Reply> = {
      '/a': { status: 200, headers: frozen, body: 'x' },
      '/b': {
        status: 404,
        headers: [
          ['X-A', 'b'],
          ['content-type', 'text/css'],
        ],
        body: 'x',
      },
      '/c': { status: 200, body: Buffer.from([1, 2, 3]) },
      '/d': { status: 303, headers: [['Location', '/a']] },
    }
    const rawRoutes = Object.entries(replies).map(([path, reply]) => ({
      ...route(reply),
      path,
      name: path,
    }))
    const http = await startTestHttp({ rawRoutes })
    t.teardown(() => http.stop())
    for (const round of [1, 2]) {
      const { headers } = await http.ask('/a')
      t.equal(headers.get('content-type'), 'image/svg+xml', `round ${round}`)
      t.equal(headers.get('x-content-type-options'), 'nosniff')
      t.ok(headers.get('x-request-id'))
    }
    const b = await http.ask('/b')
    t.equal(b.status, 404)
    t.equal(b.headers.get('content-type'), 'text/css')
    t.equal(b.headers.get('x-a'), 'b')
    t.equal((await http.ask('/c')).text, '\x01\x02\x03')
    t.equal((await http.ask('/d')).headers.get('location'), '/a')
  },
)

t.test('a header with a line break is a bug of ours, not an answer', async (t) => {
  const bad = route({ status: 200, headers: [['Content-Type', 'a\r\nX: y']] })
  const arrivals = {
    headers: [],
    note: () => {},
    refuseWhileDraining: () => {},
    callerOf: () => undefined,
  }
  const endpoint = rawEndpoint(bad, { arrivals, gates: {}, services: {} } as never)
  t.throws(() => endpoint.run({ params: [], lines: '' } as unknown as Exchange), /well-formed/)
})
