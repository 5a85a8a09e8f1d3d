// Refusals: each is told to the audit log once, wherever in a request it came from.
import t, { type Test } from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { anyText, object } from '../../../src/base/schema/schema.ts'
import { atPrefix, get, post, resource } from '../../../src/http/routing/route.ts'
import type { Caller } from '../../../src/services/context.ts'
import { orgA, orgB, startTestHttp } from '../../support/http.ts'

const deny = (code: 'forbidden' | 'invalid_credentials' | 'link_expired' | 'conflict') => () => {
  throw new Fault(code)
}

const routes = atPrefix('/api/v1', [
  ...resource('/orgs/:orgId/things', {
    write: post('/', { who: { role: 'admin' } }).handledBy(() => {}),
    inside: post('/inside', { who: { role: 'viewer' } }).handledBy(deny('forbidden')),
    later: post('/later', { who: { role: 'viewer' } }).handledBy(async () => deny('forbidden')()),
    sudo: get('/sudo', { who: { role: 'viewer', sudo: true } }).handledBy(() => {}),
    conflict: post('/conflict', { who: { role: 'viewer' } }).handledBy(deny('conflict')),
  }),
  ...resource('/doors', {
    system: get('/system', { who: { system: true } }).handledBy(() => {}),
    login: post('/login', {
      who: { public: true },
      rate: 'auth',
      rateField: 'email',
      body: object({ email: anyText }),
    }).handledBy(deny('invalid_credentials')),
    link: post('/link', { who: { public: true }, rate: 'auth' }).handledBy(deny('link_expired')),
    stale: post('/stale', { who: { public: true } }).handledBy(deny('link_expired')),
  }),
])

async function open(t: Test, hasRoom = true) {
  const told: unknown[][] = []
  const who = ({ principal }: Caller) => ('userId' in principal ? principal.userId : principal.kind)
  const http = await startTestHttp({
    routes,
    hasRoom: () => hasRoom,
    services: {
      audit: {
        refused: (caller, where, what) => void told.push(['refused', who(caller), where, what]),
        signInFailed: (caller, email, what) => void told.push(['failed', who(caller), email, what]),
      },
    },
  })
  t.teardown(() => http.stop())
  const things = (rest: string, org: string = orgA) => `/api/v1/orgs/${org}/things${rest}`
  return { http, told, things }
}

t.test('a refusal is recorded with the caller, the place and the operation', async (t) => {
  const { http, told, things } = await open(t)
  const bob = { as: 'bob', json: {} }
  await http.ask(things(''), bob)
  await http.ask(things('/inside'), bob)
  await http.ask(things('/later'), bob)
  await http.ask(things('/sudo'), { as: 'stale' })
  await http.ask('/api/v1/doors/system', { as: 'bob' })
  const own = ['refused', 'usr_bob', { orgId: orgA }]
  t.same(told, [
    [...own, 'things.write: forbidden'],
    [...own, 'things.inside: forbidden'],
    [...own, 'things.later: forbidden'],
    ['refused', 'usr_stale', { orgId: orgA }, 'things.sudo: reauthentication_required'],
    ['refused', 'usr_bob', 'system', 'doors.system: forbidden'],
  ])
})

t.test('a failed sign-in is recorded with the typed address', async (t) => {
  const { http, told } = await open(t)
  await http.ask('/api/v1/doors/login', { json: { email: 'ann@example.com' } })
  await http.ask('/api/v1/doors/link', { json: {} })
  t.same(told, [
    ['failed', 'anonymous', 'ann@example.com', 'doors.login: invalid_credentials'],
    ['failed', 'anonymous', undefined, 'doors.link: link_expired'],
  ])
})

t.test('other responses are not recorded', async (t) => {
  const { http, told, things } = await open(t)
  await http.ask(things('/conflict'), { as: 'bob', json: {} })
  await http.ask(things('', orgB), { as: 'bob', json: {} })
  await http.ask(things(''), { json: {} })
  await http.ask('/api/v1/doors/stale', { json: {} })
  t.same(told, [])
})

t.test('on a full disk nothing is recorded', async (t) => {
  const { http, told, things } = await open(t, false)
  const { status } = await http.ask(things(''), { as: 'bob', json: {} })
  t.equal(status, 403)
  t.same(told, [])
})
