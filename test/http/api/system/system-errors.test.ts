// Error reports over the API: from anybody, within bounds, and without what is secret.
import t from 'tap'
import { mintKey, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { systemToken as paperToken, startTestHttp } from '../../../support/http.ts'
import { notesApi } from '../../../support/http-routes.ts'

const token = 'the-token-of-the-operator'
const daemon = await startDaemon(t, { env: { SYSTEM_TOKEN: token } })
const operator = { bearer: token }
const api = (path: string) => `/api/v1/system${path}`

t.test('errors are reported by anybody, and read by the operator', async (t) => {
  const other = await register(daemon, 'bob')
  const key = await mintKey(daemon, other, 'viewer')
  const send = (json: object, credential = {}) =>
    daemon.ask('POST', api('/errors'), { json, ...credential })
  const first = await send({ message: 'cannot read 7 of 9', source: 'agent' })
  t.match(first.json.data, { fingerprint: /^[0-9a-f]{32}$/ })
  t.same(Object.keys(first.json.data), ['fingerprint'])
  const again = await send({ message: 'cannot read 8 of 9', source: 'agent' }, { key })
  t.equal(again.json.data.fingerprint, first.json.data.fingerprint)
  await send({
    message: `refused ${key}`,
    stack: `Error\n    at x (http://h/?token=${key})`,
    context: { apiKey: key, cookie: other.cookie, seen: ['a', 1, null] },
  })
  const [newest, older] = await daemon.need('GET', '/system/errors', operator)
  t.match(newest, { source: 'client', message: 'refused sup_[hidden]', reporter: { id: null } })
  t.match(newest.context, { apiKey: '[hidden]', cookie: '[hidden]', seen: ['a', 1, null] })
  t.match(older, { source: 'agent', count: 2, reporter: { kind: 'key' }, id: /^err_/ })

  t.equal((await send({ message: '' })).status, 422)
  t.equal((await send({ message: 'x', level: 'bad' })).status, 422)
  t.equal((await send({ message: 'x', source: 'daemon' })).status, 422)
  t.equal((await send({ message: 'x', source: '<script>' })).status, 422)
  t.equal((await send({ message: 'x', context: { a: 'x'.repeat(17_000) } })).status, 413)
  t.equal((await send({ message: 'x' }, { key: 'sup_garbage' })).status, 401)
  const codes = []
  for (let n = 0; n < 12; n += 1) codes.push(await send({ message: 'flood' }))
  const refused = codes.find(({ status }) => status === 429)
  t.ok(refused?.headers.get('retry-after'))
  t.equal((await send({ message: 'x' }, { key })).status, 200, 'whoever is known is not stopped')
})

t.test('what fails in the service itself is among the errors', async (t) => {
  const own: { message: string; context?: object }[] = []
  const http = await startTestHttp({
    routes: notesApi({ made: 0, aborted: 0, release: () => {} }),
    services: { errorReports: { own: (report: { message: string }) => own.push(report) } as never },
  })
  t.teardown(() => http.stop())
  await http.ask('/api/v1/misc/throw-now')
  await http.ask('/api/v1/misc/throw-later')
  await http.ask('/api/v1/misc/me')
  t.match(own, [
    { message: 'inside knowledge', context: { route: 'misc.throwNow', requestId: /^req_/ } },
    { message: 'inside knowledge', context: { route: 'misc.throwLater' } },
  ])
  const asOperator = { headers: { authorization: `Bearer ${paperToken}` } }
  t.equal((await http.ask('/api/v1/misc/system', asOperator)).status, 200)
})
