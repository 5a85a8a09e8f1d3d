// Members over HTTP: endpoint and envelope, who is let in, and what a body may not say.
import t from 'tap'
import { members, transfer } from '../../../../src/http/api/orgs/members.ts'
import { serveAccess } from '../../../support/access-api.ts'

t.test('a role is changed in place, and the same person is refused at once', async (t) => {
  const { ask, enrol, enrolIn } = await serveAccess(t, members)
  const { token: cookie, organization, user } = await enrol('alice', { name: 'Alice' })
  const ann = await enrolIn(organization.id, 'ann', 'admin')
  const path = `/orgs/${organization.id}/members`
  const body = { userId: ann.user.id, role: 'viewer' }
  const changed = await ask('PATCH', path, { cookie, body })
  t.equal(changed.status, 200)
  t.match(changed.body, { success: true, message: 'Member changed' })
  const fields = ['apiKeys', 'email', 'joinedAt', 'name', 'role', 'userId']
  t.same(Object.keys(changed.body.data).sort(), fields)
  const up = { cookie: ann.token, body: { userId: ann.user.id, role: 'owner' } }
  t.equal((await ask('PATCH', path, up)).status, 403)
  const listed = await ask('GET', `${path}?limit=1`, { cookie: ann.token })
  t.match(listed.body, { data: [{ role: 'viewer' }], meta: { limit: 1, nextCursor: String } })
  const last = await ask('PATCH', path, { cookie, body: { userId: user.id, role: 'admin' } })
  t.match(last, { status: 409, body: { code: 'last_owner' } })
})

t.test('a body contains the person and the role, and nothing else', async (t) => {
  const { ask, enrol } = await serveAccess(t, members)
  const { token: cookie, organization, user } = await enrol('alice')
  const charlie = await enrol('charlie')
  const path = `/orgs/${organization.id}/members`
  for (const [body, pointer] of [
    [{ userId: user.id, role: 'root' }, '/role'],
    [{ userId: user.id }, '/role'],
    [{ role: 'viewer' }, '/userId'],
    [{ userId: 'me', role: 'viewer' }, '/userId'],
    [{ userId: user.id, role: 'viewer', orgId: charlie.organization.id }, '/orgId'],
    [{ userId: user.id, role: 'viewer', joinedAt: '2020-01-01T00:00:00Z' }, '/joinedAt'],
  ] as const) {
    const answer = await ask('PATCH', path, { cookie, body })
    t.equal(answer.status, 422, pointer)
    t.match(answer.body, { errors: [{ pointer }] })
  }
  const told = []
  for (const userId of [charlie.user.id, 'usr_01jd0000000000000000000000']) {
    const answer = await ask('PATCH', path, { cookie, body: { userId, role: 'viewer' } })
    t.equal(answer.status, 404)
    told.push({ ...answer.body, requestId: '' })
  }
  t.same(told[0], told[1], 'a foreign person looks as if there were none')
})

t.test('changing others needs a recent sign-in, leaving does not', async (t) => {
  const { ask, enrol, enrolIn, clock } = await serveAccess(t, members)
  const { token: cookie, organization } = await enrol('alice')
  const ann = await enrolIn(organization.id, 'ann', 'admin')
  const vic = await enrolIn(organization.id, 'vic', 'viewer')
  await clock.advance(16 * 60_000)
  const path = `/orgs/${organization.id}/members`
  const body = { userId: vic.user.id, role: 'member' }
  for (const answer of [
    await ask('PATCH', path, { cookie, body }),
    await ask('DELETE', `${path}/${vic.user.id}`, { cookie }),
  ]) {
    t.match(answer, { status: 403, body: { code: 'reauthentication_required' } })
  }
  const left = await ask('DELETE', `${path}/${ann.user.id}`, { cookie: ann.token })
  t.match(left.body, { message: 'Membership ended', data: { email: 'ann@example.com' } })
  t.equal((await ask('GET', path, { cookie: ann.token })).status, 404)
})

t.test('neither a key nor a stranger sees members or ends anything', async (t) => {
  const { ask, enrol, enrolIn, keys } = await serveAccess(t, [...members, ...transfer])
  const { scope, organization } = await enrol('alice')
  const charlie = await enrol('charlie')
  const vic = await enrolIn(organization.id, 'vic', 'viewer')
  const { key } = await keys.create(scope, { name: 'ci', role: 'admin' })
  const path = `/orgs/${organization.id}`
  const tried: [method: string, path: string, body?: object][] = [
    ['GET', `${path}/members`],
    ['PATCH', `${path}/members`, { userId: vic.user.id, role: 'admin' }],
    ['DELETE', `${path}/members/${vic.user.id}`],
    ['POST', `${path}/transfer`, { userId: vic.user.id }],
  ]
  for (const [method, where, body] of tried) {
    const withBody = body ? { body } : {}
    t.equal((await ask(method, where, { key, ...withBody })).status, 403, `${method} ${where}`)
    t.equal((await ask(method, where, { cookie: charlie.token, ...withBody })).status, 404)
    t.equal((await ask(method, where, withBody)).status, 401)
  }
})

t.test('an organization is handed over by its owner only', async (t) => {
  const { ask, enrol, enrolIn } = await serveAccess(t, [...members, ...transfer])
  const { token: cookie, organization, user } = await enrol('alice')
  const ann = await enrolIn(organization.id, 'ann', 'admin')
  const path = `/orgs/${organization.id}/transfer`
  const refused = { cookie: ann.token, body: { userId: ann.user.id } }
  t.equal((await ask('POST', path, refused)).status, 403)
  const self = await ask('POST', path, { cookie, body: { userId: user.id } })
  t.match(self, { status: 422, body: { errors: [{ pointer: '/userId' }] } })
  const done = await ask('POST', path, { cookie, body: { userId: ann.user.id } })
  t.match(done.body, { message: 'Organization handed over', data: { role: 'owner' } })
  t.equal((await ask('POST', path, { cookie, body: { userId: ann.user.id } })).status, 403)
})
