// Who may read the metrics over HTTP, and whether Prometheus' own rules of naming hold.
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { startDaemon } from '../../support/daemon.ts'
import { startTestHttp, systemToken } from '../../support/http.ts'
import { skipWithout } from '../../support/programs.ts'

const daemon = await startDaemon(t)
const { text } = await daemon.ask('GET', '/metrics')

t.test('metrics are for this machine itself or the system token', async (t) => {
  const http = await startTestHttp()
  t.teardown(() => http.stop())
  await http.ask('/healthz')
  const own = await http.ask('/metrics')
  t.equal(own.status, 200)
  t.match(own.headers.get('content-type'), /text\/plain; version=0\.0\.4/)
  t.match(own.text, /stillup_http_requests_total\{route="healthz",status="200"\} 1/)
  t.match(own.text, /stillup_http_requests_running 1/)
  const proxied = await http.ask('/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })
  t.equal(proxied.status, 401)
  t.equal((await http.ask('/metrics', { headers: { via: '1.1 proxy' } })).status, 401)
  const bearer = (token: string) => ({
    headers: { 'x-forwarded-for': '192.0.2.1', authorization: `Bearer ${token}` },
  })
  t.equal((await http.ask('/metrics', bearer(systemToken))).status, 200)
  t.equal((await http.ask('/metrics', bearer('wrong'))).status, 401)
})

t.test('a name ends in _total where it is a counter, and nowhere else', async (t) => {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  t.ok(types.length > 30)
  const wrong = types.filter(
    ([, name = '', type]) => name.endsWith('_total') !== (type === 'counter'),
  )
  t.same(
    wrong.map(([line]) => line),
    [],
  )
})

t.test('promtool finds nothing to complain about', { skip: skipWithout('promtool') }, async (t) => {
  const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  t.equal(stdout + stderr, '')
  t.equal(status, 0)
})
