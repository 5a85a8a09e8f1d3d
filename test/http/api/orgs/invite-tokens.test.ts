// An invitation's token over HTTP: a page with two ways in, and an acceptance that cannot be bent.
import t, { type Test } from 'tap'
import { inviteTokens } from '../../../../src/http/api/orgs/invite-tokens.ts'
import { invites } from '../../../../src/http/api/orgs/invites.ts'
import { serveAccess } from '../../../support/access-api.ts'

const body = { email: 'new@example.com', role: 'member' }
const password = 'seven lives of a dog'

async function openInvitation(t: Test) {
  const served = await serveAccess(t, [...invites, ...inviteTokens])
  const alice = await served.enrol('alice', { organizationName: '<i>Rockets</i>' })
  const path = `/orgs/${alice.organization.id}/invites`
  const made = await served.ask('POST', path, { cookie: alice.token, body })
  const { token, url } = made.body.data
  return { ...served, alice, made, inviteUrl: url, path: `/invites/${token}` }
}

t.test('the accepting person cannot choose a role or anything else', async (t) => {
  const { ask, enrol, store, alice, path: invitation } = await openInvitation(t)
  const guest = await enrol('new')
  await store.write((tx) => store.users.put(tx, { ...guest.user, emailVerifiedAtMs: 1 }))
  const path = `${invitation}/accept`
  for (const field of ['role', 'email', 'userId', 'orgId']) {
    const answer = await ask('POST', path, { cookie: guest.token, body: { [field]: 'owner' } })
    t.match(answer, { status: 422, body: { errors: [{ pointer: `/${field}` }] } })
  }
  t.equal((await ask('POST', path)).status, 401)
  const other = await ask('POST', path, { cookie: alice.token })
  t.match(other, { status: 403, body: { message: /is for new@example\.com/ } })
  const accepted = await ask('POST', path, { cookie: guest.token, body: {} })
  t.match(accepted.body, { message: 'Invitation accepted', data: { role: 'member' } })
  t.equal((await ask('POST', path, { cookie: guest.token })).status, 410)
})

t.test('with the token an account is created, for the invited address and no other', async (t) => {
  const { ask, path, store, identity, signedIn, alice } = await openInvitation(t)
  for (const field of ['email', 'role', 'organizationName', 'setupToken']) {
    const answer = await ask('POST', `${path}/join`, { body: { password, [field]: 'x' } })
    t.match(answer, { status: 422, body: { errors: [{ pointer: `/${field}` }] } })
  }
  const weak = await ask('POST', `${path}/join`, { body: { password: 'short' } })
  t.match(weak, { status: 422, body: { errors: [{ pointer: '/password' }] } })
  const joined = await ask('POST', `${path}/join`, { body: { password, name: 'Nina' } })
  t.match(joined.body, {
    data: {
      user: { email: 'new@example.com', name: 'Nina', emailVerifiedAt: null },
      organization: { id: alice.organization.id, role: 'member' },
    },
  })
  t.match(joined.headers.get('set-cookie'), /^auth-token=s1\..*HttpOnly/)
  const caller = signedIn(joined.body.data.token)
  t.ok(identity.scope(caller, alice.organization.id, 'member'))
  t.equal(store.memberships.countOfUser(caller.principal.userId), 1)
  t.equal((await ask('POST', `${path}/join`, { body: { password } })).status, 410)
})

t.test('the letter leads to a page that uses nothing up and runs no scripts', async (t) => {
  const { fetchPage, path, inviteUrl } = await openPages(t)
  t.match(inviteUrl, `/api/v1${path}/page`)
  const page = await fetchPage('GET', `${path}/page`)
  t.equal(page.status, 200)
  t.match(page.headers.get('content-security-policy'), /default-src 'none'.*form-action 'self'/)
  t.equal(page.headers.get('referrer-policy'), 'strict-origin')
  t.equal(page.headers.get('cache-control'), 'no-store')
  t.match(page.text, 'Join &lt;i&gt;Rockets&lt;/i&gt;')
  t.match(page.text, 'The invitation is for new@example.com')
  t.match(page.text, `action="/api/v1${path}/join"`)
  t.notMatch(page.text, `action="/api/v1${path}/accept"`)
  const back = encodeURIComponent(`/api/v1${path}/page`)
  t.match(page.text, `href="/sign-in?redirectUri=${back}"`, 'somebody who has an account')
  t.equal((await fetchPage('GET', `${path}/page`)).text, page.text)
})

t.test('the form is answered with a page: the problem, or the next step', async (t) => {
  const { fetchPage, path } = await openPages(t)
  const weak = await fetchPage('POST', `${path}/join`, 'password=short')
  t.equal(weak.status, 422)
  t.match(weak.text, /role="alert">password must be at least 12 characters/)
  const form = `password=${encodeURIComponent(password)}`
  const joined = await fetchPage('POST', `${path}/join`, form)
  t.equal(joined.status, 303)
  t.equal(joined.headers.get('location'), '/app')
  t.match(joined.headers.get('set-cookie'), /auth-token=s1\./)
  const again = await fetchPage('POST', `${path}/join`, form)
  t.equal(again.status, 410)
  t.match(again.text, 'This invitation no longer works')
  t.match(again.text, 'href="/sign-in"')
  t.equal((await fetchPage('GET', `/invites/${'x'.repeat(43)}/page`)).text, again.text)
})

t.test('the other form accepts with the account of this browser', async (t) => {
  const { fetchPage, path, enrol, store } = await openPages(t)
  const guest = await enrol('new')
  const own = await fetchPage('GET', `${path}/page`, undefined, guest.token)
  t.match(own.text, `action="/api/v1${path}/accept"`)
  t.match(own.text, `action="/api/v1${path}/join"`)
  const accept = () => fetchPage('POST', `${path}/accept`, '', guest.token)
  const refused = await accept()
  t.equal(refused.status, 403)
  t.match(refused.text, /role="alert">Confirm your address new@example\.com first/)
  await store.write((tx) => store.users.put(tx, { ...guest.user, emailVerifiedAtMs: 1 }))
  t.equal((await accept()).status, 303)
  t.equal(store.memberships.countOfUser(guest.user.id), 2)
})

/** The same, asked as a browser asks: forms in, pages out. */
async function openPages(t: Test) {
  const served = await openInvitation(t)
  async function fetchPage(method: string, path: string, form?: string, cookie?: string) {
    const response = await fetch(`${served.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(cookie === undefined ? {} : { cookie: `auth-token=${cookie}` }),
      },
      ...(form === undefined ? {} : { body: form }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return { ...served, fetchPage }
}
