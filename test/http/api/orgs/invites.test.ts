// Invitations over HTTP: the token shown once, then known only by whoever has it.
import t from 'tap'
import { inviteTokens } from '../../../../src/http/api/orgs/invite-tokens.ts'
import { invites } from '../../../../src/http/api/orgs/invites.ts'
import { serveAccess } from '../../../support/access-api.ts'

const body = { email: 'new@example.com', role: 'member' }

t.test('an invitation is created, listed without its token, viewed and withdrawn', async (t) => {
  const { ask, enrol } = await serveAccess(t, [...invites, ...inviteTokens])
  const { token: cookie, organization } = await enrol('alice')
  const path = `/orgs/${organization.id}/invites`
  const made = await ask('POST', path, { cookie, body })
  t.match(made.body, { message: 'Invitation sent', data: { ...body, invitedBy: /^usr_/ } })
  const { token, url, id } = made.body.data
  t.match(url, token)
  const listed = await ask('GET', path, { cookie })
  t.match(listed.body.data, [{ id, ...body }])
  t.notMatch(JSON.stringify(listed.body), new RegExp(`${token}|Hash|AtMs|url`))
  const shown = await ask('GET', `/invites/${token}`)
  t.match(shown.body.data, { organization: { id: organization.id }, ...body })
  t.same(Object.keys(shown.body.data).sort(), ['email', 'expiresAt', 'organization', 'role'])
  t.match((await ask('DELETE', `${path}/${id}`, { cookie })).body, { data: { id } })
  for (const dead of [token, 'x', 'y'.repeat(43)]) {
    const answer = await ask('GET', `/invites/${dead}`)
    t.match(answer, { status: 410, body: { code: 'link_expired' } })
    t.equal((await ask('POST', `/invites/${dead}/accept`, { cookie })).status, 410)
  }
})

t.test('asking again with the same Idempotency-Key invites once', async (t) => {
  const { ask, enrol, letters } = await serveAccess(t, [...invites, ...inviteTokens])
  const { token: cookie, organization } = await enrol('alice')
  const path = `/orgs/${organization.id}/invites`
  const options = { cookie, body, headers: { 'idempotency-key': '"once"' } }
  const sent = () => letters.filter(({ subject }) => /^Invitation/.test(subject)).length
  const made = await ask('POST', path, options)
  const again = await ask('POST', path, options)
  t.same(again.body, made.body, 'the token of the first, not a new one')
  t.equal(sent(), 1)
  const other = await ask('POST', path, { ...options, body: { ...body, role: 'admin' } })
  t.match(other, { status: 422, body: { code: 'idempotency_key_reused' } })
  t.equal((await ask('GET', `/invites/${made.body.data.token}`)).status, 200)
})

t.test('only admins who just signed in invite, and never a key', async (t) => {
  const { ask, enrol, enrolIn, keys, clock } = await serveAccess(t, [...invites, ...inviteTokens])
  const { token: cookie, scope, organization } = await enrol('alice')
  const max = await enrolIn(organization.id, 'max', 'member')
  const charlie = await enrol('charlie')
  const { key } = await keys.create(scope, { name: 'ci', role: 'admin' })
  const path = `/orgs/${organization.id}/invites`
  t.equal((await ask('POST', path, { key, body })).status, 403)
  t.equal((await ask('GET', path, { key })).status, 403)
  t.equal((await ask('POST', path, { cookie: max.token, body })).status, 403)
  t.equal((await ask('GET', path, { cookie: max.token })).status, 403)
  t.equal((await ask('POST', path, { cookie: charlie.token, body })).status, 404)
  for (const [wrong, pointer] of [
    [{ email: 'nobody' }, '/email'],
    [{ ...body, role: 'root' }, '/role'],
    [{ ...body, token: 'mine' }, '/token'],
    [{ ...body, expiresAt: '2099-01-01T00:00:00Z' }, '/expiresAt'],
  ] as const) {
    const answer = await ask('POST', path, { cookie, body: wrong })
    t.match(answer, { status: 422, body: { errors: [{ pointer }] } })
  }
  await clock.advance(16 * 60_000)
  const late = await ask('POST', path, { cookie, body })
  t.match(late, { status: 403, body: { code: 'reauthentication_required' } })
})
