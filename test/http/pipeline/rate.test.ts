// Rate limits as callers see them.
import t from 'tap'
import { mintToken } from '../../../src/seal/tokens.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { orgA, startTestHttp } from '../../support/http.ts'
import { notesApi, rawNotes } from '../../support/http-routes.ts'

const world = { made: 0, aborted: 0, release: () => {} }
const notes = `/api/v1/orgs/${orgA}/notes`

t.test('each credential has a quota, sees what remains, and when to retry', async (t) => {
  const clock = new FakeClock()
  const rates = { api: { quota: 2, windowSeconds: 60 }, auth: null, push: null, page: null }
  const http = await startTestHttp({ routes: notesApi(world), settings: { rates }, clock })
  t.teardown(() => http.stop())
  const first = await http.ask(notes, { as: 'bob' })
  t.equal(first.headers.get('ratelimit-policy'), '"api";q=2;w=60')
  t.equal(first.headers.get('ratelimit'), '"api";r=1;t=30')
  t.equal((await http.ask(notes, { as: 'bob' })).headers.get('ratelimit'), '"api";r=0;t=60')
  const refused = await http.ask(notes, { as: 'bob' })
  t.equal(refused.status, 429)
  t.equal(refused.json.code, 'rate_limited')
  t.equal(refused.headers.get('retry-after'), '30')
  t.equal(refused.headers.get('ratelimit'), '"api";r=0;t=60')
  t.equal((await http.ask(notes, { as: 'alice' })).status, 200, 'another credential')
  await clock.advance(30_000)
  t.equal((await http.ask(notes, { as: 'bob' })).status, 200)
})

t.test('guessing credentials is counted by address', async (t) => {
  const rates = { api: { quota: 3, windowSeconds: 60 }, auth: null, push: null, page: null }
  const http = await startTestHttp({
    routes: notesApi(world),
    settings: { rates },
    clock: new FakeClock(),
  })
  t.teardown(() => http.stop())
  const statuses: number[] = []
  for (const key of ['a', 'b', 'c', 'd']) statuses.push((await http.ask(notes, { key })).status)
  t.same(statuses, [401, 401, 401, 429])
  t.equal((await http.ask(notes, { as: 'bob' })).status, 200)
})

t.test('signing in is counted by address and by e-mail address', async (t) => {
  const rates = { api: null, auth: { quota: 3, windowSeconds: 60 }, push: null, page: null }
  const settings = { rates, trustedProxies: ['127.0.0.0/8'] }
  const http = await startTestHttp({ routes: notesApi(world), settings, clock: new FakeClock() })
  t.teardown(() => http.stop())
  const login = async (email: string, from: string) => {
    const headers = { 'x-forwarded-for': from }
    return (await http.ask('/api/v1/misc/login', { json: { email }, headers })).status
  }
  const byAddress: number[] = []
  for (const email of ['a', 'b', 'c', 'd']) byAddress.push(await login(email, '192.0.2.1'))
  t.same(byAddress, [200, 200, 200, 429])
  const byEmail: number[] = []
  for (const last of [2, 3, 4, 5]) byEmail.push(await login('Same@x', `192.0.2.${last}`))
  t.same(byEmail, [200, 200, 200, 429])
  t.equal(await login('  same@X ', '192.0.2.6'), 429, 'in any spelling that finds the account')
  t.equal(await login('other@x', '2001:db8::1'), 200)
})

t.test('reports are counted by their token; pages do not mention limits', async (t) => {
  const policy = { quota: 1, windowSeconds: 60 }
  const rates = { api: null, auth: null, push: policy, page: policy }
  const http = await startTestHttp({
    routes: notesApi(world),
    rawRoutes: rawNotes,
    settings: { rates },
    clock: new FakeClock(),
  })
  t.teardown(() => http.stop())
  const [one, two] = [mintToken('spp'), mintToken('spp')]
  const report = (token: string) => http.ask(`/api/v1/echo/${token}`, { method: 'POST' })
  t.equal((await report(one)).headers.get('ratelimit'), '"push";r=0;t=60')
  t.equal((await report(one)).status, 429)
  t.equal((await report(two)).status, 200)
  t.same([(await report('odd')).status, (await report('odder')).status], [200, 429], 'by sender')
  t.equal((await http.ask('/page')).headers.get('ratelimit'), null)
  const page = await http.ask('/page')
  t.equal(page.status, 429)
  t.match(page.headers.get('content-type'), /text\/html/)
  for (let probes = 0; probes < 5; probes += 1) t.equal((await http.ask('/healthz')).status, 200)
})

t.test('a class that is switched off is neither counted nor mentioned', async (t) => {
  const http = await startTestHttp({ routes: notesApi(world) })
  t.teardown(() => http.stop())
  t.equal((await http.ask(notes, { as: 'bob' })).headers.get('ratelimit-policy'), null)
})
