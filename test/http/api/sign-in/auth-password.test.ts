// Passwords over HTTP: the same words for everybody, and a page that works without scripts.
import t from 'tap'
import { auth } from '../../../../src/http/api/sign-in/auth.ts'
import { authPassword } from '../../../../src/http/api/sign-in/auth-password.ts'
import { goodPassword } from '../../../support/access.ts'
import { serveAccess } from '../../../support/access-api.ts'

const alice = { email: 'alice@example.com', password: goodPassword }
const better = 'eleven quiet harbour lamps'
const routes = [...auth, ...authPassword]
const resetPath = '/auth/password/reset'

type World = Awaited<ReturnType<typeof serveAccess>>

async function mailedToken({ ask, letters }: World): Promise<string> {
  await ask('POST', '/auth/password/forgot', { body: { email: alice.email } })
  return /reset\?token=([\w-]+)/.exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
}

t.test('the response is the same for a known and an unknown address', async (t) => {
  const { ask, enrol } = await serveAccess(t, routes)
  await enrol('alice')
  const told: string[] = []
  for (const email of [alice.email, 'nobody@example.com']) {
    const { status, headers, body } = await ask('POST', '/auth/password/forgot', {
      body: { email },
    })
    told.push(JSON.stringify([status, body, [...headers.keys()].sort()]))
  }
  t.match(told[0], /^\[200,/)
  t.equal(told[0], told[1])
  const odd = await ask('POST', '/auth/password/forgot', { body: { email: 'no address' } })
  t.equal(odd.status, 422)
})

t.test('the page has one form, no script, and opening it uses nothing up', async (t) => {
  const world = await serveAccess(t, routes)
  await world.enrol('alice')
  const token = await mailedToken(world)
  for (let n = 0; n < 3; n += 1) {
    const page = await world.ask('GET', `${resetPath}?token=${token}`)
    t.equal(page.status, 200)
    t.match(page.headers.get('content-type'), /^text\/html/)
    t.match(page.headers.get('content-security-policy'), /default-src 'none'.*form-action 'self'/)
    t.equal(page.headers.get('referrer-policy'), 'strict-origin')
    t.equal(page.headers.get('cache-control'), 'no-store')
    t.equal(page.text.split('<form').length, 2)
    t.notMatch(page.text, /<script/)
    t.match(page.text, 'alice@example.com')
  }
  const dead = await world.ask('GET', `${resetPath}?token=${'A'.repeat(43)}`)
  t.equal(dead.status, 410)
  t.match(dead.headers.get('content-type'), /^text\/html/)
  t.notMatch(dead.text, /<form/)
  t.equal((await world.ask('GET', `${resetPath}?isDone=true`)).status, 200)
})

t.test('the form sets the password, and is shown again for an easy one', async (t) => {
  const world = await serveAccess(t, routes)
  const { ask, enrol } = world
  const { token: cookie } = await enrol('alice')
  const token = await mailedToken(world)
  const post = (password: string) => ask('POST', resetPath, { form: { token, password } })
  const easy = await post('password1234')
  t.equal(easy.status, 422)
  t.match(easy.text, /too easy to guess[\s\S]*<form/)
  const set = await post(better)
  t.equal(set.status, 303)
  t.equal(set.headers.getSetCookie().length, 0, 'it signs nobody in')
  t.match(set.headers.get('location'), /\/api\/v1\/auth\/password\/reset\?isDone=true$/)
  const again = await post(better)
  t.equal(again.status, 410)
  t.match(again.headers.get('content-type'), /^text\/html/)
  t.equal((await ask('GET', '/auth/session', { cookie })).status, 401)
  const login = await ask('POST', '/auth/login', { body: { ...alice, password: better } })
  t.equal(login.status, 200)
})

t.test('the same by JSON; a replay is reported as an expired link', async (t) => {
  const world = await serveAccess(t, routes)
  await world.enrol('alice')
  const body = { token: await mailedToken(world), password: better }
  const reset = (more: object = {}) => world.ask('POST', resetPath, { body: { ...body, ...more } })
  t.match(await reset({ password: 'short' }), {
    status: 422,
    body: { errors: [{ pointer: '/password' }] },
  })
  t.match(await reset({ email: alice.email }), { status: 422 })
  t.match(await reset(), { status: 200, body: { success: true, message: 'Password set' } })
  t.match(await reset(), { status: 410, body: { code: 'link_expired' } })
})

t.test('changing it gives this session a new value and needs the current one', async (t) => {
  const { ask, enrol } = await serveAccess(t, routes)
  const { token: cookie } = await enrol('alice')
  const body = { currentPassword: goodPassword, newPassword: better }
  const change = (more: object = {}) =>
    ask('POST', '/auth/password/change', { cookie, body: { ...body, ...more } })
  t.match(await change({ currentPassword: 'wrong' }), { status: 401 })
  t.match(await change({ newPassword: 'short' }), { status: 422 })
  const changed = await change()
  t.match(changed, { status: 200, body: { data: { token: /^s1\./ } } })
  t.match(changed.headers.getSetCookie(), [/^auth-token=s1\./])
  t.equal((await change()).status, 401)
  const fresh = changed.body.data.token
  t.equal((await ask('GET', '/auth/session', { cookie: fresh })).status, 200)
})
