// Documents that are ready: answered at once, with the same bounds as everything else.
import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { bodilessAnswers } from '../../../src/http/edge/last-answer.ts'
import type { RateSettings } from '../../../src/http/pipeline/rate.ts'
import { type RawRoute, rawHead } from '../../../src/http/routing/raw-route.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { startTestHttp } from '../../support/http.ts'

const open: RateSettings = { api: null, auth: null, push: null, page: null }
const rest = (text: string) => Buffer.from(text)
const body = Buffer.from('quick')

/** `/known` has a quick answer, and 304 for whoever names its tag; both paths have an ordinary one. */
async function start(t: Test, rates = open) {
  const looked: string[] = []
  const route = (path: string): RawRoute => ({
    name: path,
    path,
    rate: 'page',
    quick(request) {
      looked.push(`${request.path}?${request.queryText} ${request.header('x-a')}`)
      if (request.path !== '/known') return undefined
      return request.header('if-none-match') === '"1"'
        ? { status: 304, firstName: 'ETag', rest: rest('"1"\r\nX-B: c') }
        : { status: 200, firstName: 'Content-Type', rest: rest('text/css\r\nX-B: c'), body }
    },
    handle: () => ({ status: 200, head: rawHead([]), body: 'ordinary' }),
  })
  const http = await startTestHttp({
    rawRoutes: [route('/known'), route('/unknown')],
    settings: { rates },
    // Quotas are counted in windows of time.
    clock: new FakeClock(),
  })
  t.teardown(() => http.stop())
  return { http, looked }
}

t.test('what is known is answered with its headers; the rest in the ordinary way', async (t) => {
  const { http, looked } = await start(t)
  const known = await http.ask('/known?a=b', { headers: { 'x-a': '1' } })
  t.match(known, { status: 200, text: 'quick' })
  t.equal(known.headers.get('content-type'), 'text/css')
  t.equal(known.headers.get('x-b'), 'c')
  t.equal(known.headers.get('content-length'), '5')
  t.match(await http.ask('/unknown'), { status: 200, text: 'ordinary' })
  t.same(looked, ['/known?a=b 1', '/unknown? '])
  const same = await http.ask('/known', { headers: { 'if-none-match': '"1"' } })
  t.match(same, { status: 304, text: '' })
  t.equal(same.headers.get('etag'), '"1"')
  t.equal(same.headers.get('x-b'), 'c')
})

t.test('HEAD, a body, and other methods are not taken for a plain GET', async (t) => {
  const { http, looked } = await start(t)
  const head = await http.ask('/known', { method: 'HEAD' })
  t.match(head, { status: 200, text: '' })
  t.equal((await http.ask('/known', { method: 'POST' })).status, 405)
  const host = 'Host: up.example\r\nConnection: close\r\n'
  const twice = `GET /known HTTP/1.1\r\n${host}Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello`
  t.match(await http.raw(twice, 1_000), /^HTTP\/1\.1 400/)
  const chunked = `GET /known HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
  t.match(await http.raw(chunked, 1_000), 'ordinary')
  t.same(looked, [], 'none of these was looked up')
})

t.test(
  'quick answers count for the rate of their caller, and end when it is used up',
  async (t) => {
    const { http } = await start(t, { ...open, page: { quota: 3, windowSeconds: 60 } })
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1) statuses.push((await http.ask('/known')).status)
    t.same(statuses, [200, 200, 200, 429, 429])
    const refused = await http.ask('/known')
    t.ok(Number(refused.headers.get('retry-after')) > 0)
  },
)

t.test('requests in one packet are answered in order, quick or not', async (t) => {
  const { http } = await start(t)
  const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: up.example\r\n\r\n`
  const answer = await http.raw(one('/known') + one('/unknown') + one('/known'), 1_000)
  t.same(answer.match(/quick|ordinary/g), ['quick', 'ordinary', 'quick'])
})

t.test('of very many answers without a body one is the last of its connection', async (t) => {
  const { http } = await start(t)
  const { quota } = bodilessAnswers
  const socket = connect(http.port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  const answers: string[] = []
  while (!/^Connection: close\r$/m.test(answers.at(-1) ?? '')) {
    socket.write('GET /known HTTP/1.1\r\nHost: up.example\r\nIf-None-Match: "1"\r\n\r\n')
    answers.push(String((await once(socket, 'data'))[0]))
  }
  t.equal(answers.length, quota)
  t.match(answers.at(-1), /^HTTP\/1\.1 304 Not Modified\r\nETag: "1"\r\nX-B: c\r\n/)
})
