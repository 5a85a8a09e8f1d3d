// The operator's list of people over HTTP: who may look, who may change, and what shows of whom.
import t from 'tap'
import { password, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'

const systemToken = 'the-token-of-the-operator'
const operator = { bearer: systemToken }

t.test('the operator finds, switches off and appoints users, and stays one', async (t) => {
  const daemon = await startDaemon(t, { env: { SYSTEM_TOKEN: systemToken } })
  const alice = await register(daemon, 'alice', daemon.setupToken)
  const bob = await register(daemon, 'bob')
  const by = { cookie: alice.cookie }
  const listed = await daemon.ask('GET', '/api/v1/system/users?limit=1', by)
  t.match(listed.json, {
    data: [{ id: bob.userId, email: bob.email, isSystemAdmin: false, organizations: 1 }],
    meta: { nextCursor: /.+/ },
  })
  t.notMatch(listed.text, /argon2|Hash/)
  const rest = `/system/users?limit=1&cursor=${listed.json.meta.nextCursor}`
  t.match(await daemon.need('GET', rest, by), [{ id: alice.userId, isSystemAdmin: true }])
  t.match(await daemon.need('GET', '/system/users?q=BOB%40', operator), [{ id: bob.userId }])
  t.same(await daemon.need('GET', '/system/users?q=nobody', operator), [])

  const change = (userId: string, json: object, credential: object = by) =>
    daemon.ask('PATCH', `/api/v1/system/users/${userId}`, { ...credential, json })
  t.equal((await change(bob.userId, { isDisabled: true }, { cookie: bob.cookie })).status, 403)
  t.match(await change(bob.userId, { isDisabled: true }), { status: 200 })
  t.equal((await daemon.ask('GET', '/api/v1/user', { cookie: bob.cookie })).status, 401)
  const json = { email: bob.email, password }
  t.equal((await daemon.ask('POST', '/api/v1/auth/login', { json })).status, 401)
  const last = { status: 409, json: { code: 'conflict' } }
  t.match(await change(alice.userId, { isSystemAdmin: false }), last)
  t.match(await change(alice.userId, { isDisabled: true }, operator), last)
  for (const [body, pointer] of [
    [{ resetTotp: false }, '/resetTotp'],
    [{ isSystemAdmin: 'yes' }, '/isSystemAdmin'],
    [{ email: 'x@example.com' }, '/email'],
  ] as const) {
    t.match(await change(bob.userId, body), { status: 422, json: { errors: [{ pointer }] } })
  }
  t.equal((await change('usr_01jd0000000000000000000000', {})).status, 404)
  t.equal((await change('nobody', {})).status, 404)
})
