// Addresses over HTTP: confirmed by a button or by JSON, changed when both mailboxes agree.
import t from 'tap'
import { auth } from '../../../../src/http/api/sign-in/auth.ts'
import { authEmail } from '../../../../src/http/api/sign-in/auth-email.ts'
import { serveAccess } from '../../../support/access-api.ts'

const routes = [...auth, ...authEmail]
const tokenIn = (text: string | undefined) => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''

t.test('one button confirms the address; opening the page does not', async (t) => {
  const { ask, enrol, letters } = await serveAccess(t, routes)
  const { token: cookie } = await enrol('alice')
  const token = tokenIn(letters.at(-1)?.text)
  const verifiedAt = async () =>
    (await ask('GET', '/auth/session', { cookie })).body.data.user.emailVerifiedAt
  const page = await ask('GET', `/auth/email/verify?token=${token}`)
  t.equal(page.status, 200)
  t.match(page.text, /alice@example\.com[\s\S]*<form method="post" action="\/api\/v1\/auth\/email/)
  t.notMatch(page.text, /<script/)
  t.equal(await verifiedAt(), null)
  const posted = await ask('POST', '/auth/email/verify', { form: { token } })
  t.equal(posted.status, 303)
  t.match(posted.headers.get('location'), /verify\?outcome=verified$/)
  t.ok(await verifiedAt())
  t.match((await ask('GET', '/auth/email/verify?outcome=verified')).text, /is confirmed/)
  t.equal((await ask('GET', `/auth/email/verify?token=${token}`)).status, 410)
  t.equal((await ask('POST', '/auth/email/verify', { form: { token } })).status, 410)
})

t.test('the same by JSON, with a letter that was sent again', async (t) => {
  const { ask, enrol, letters } = await serveAccess(t, routes)
  const { token: cookie } = await enrol('alice')
  const again = await ask('POST', '/auth/email/verify/resend', { cookie })
  t.match(again, { status: 200, body: { message: 'A link is on its way' } })
  t.equal(letters.length, 2)
  const [first = '', second = ''] = letters.map(({ text }) => tokenIn(text))
  const verify = (token: string) => ask('POST', '/auth/email/verify', { body: { token } })
  t.match(await verify(first), { status: 410, body: { code: 'link_expired' } })
  const verified = await verify(second)
  t.match(verified, { status: 200, body: { data: { user: { email: 'alice@example.com' } } } })
  const late = await ask('POST', '/auth/email/verify/resend', { cookie })
  t.match(late, { status: 409, body: { code: 'conflict' } })
})

t.test('a change is agreed to on one page and refused on the other', async (t) => {
  const { ask, enrol, letters, emails, store } = await serveAccess(t, routes)
  const { token: cookie, caller, user } = await enrol('alice')
  await emails.verify(caller, tokenIn(letters.at(-1)?.text))
  const to = 'alice@example.org'
  await store.write((tx) => emails.requestChange(tx, caller, user.id, to))
  const [newLetter, oldLetter] = letters.slice(-2)
  t.equal(newLetter?.to, to)
  t.equal(oldLetter?.to, 'alice@example.com')
  const path = '/auth/email/change'
  const pages = await Promise.all(
    [newLetter, oldLetter].map((letter) => ask('GET', `${path}?token=${tokenIn(letter?.text)}`)),
  )
  for (const page of pages) {
    t.equal(page.status, 200)
    t.equal(page.text.split('type="submit"').length, 3, 'yes and no')
  }
  const wrong = { token: tokenIn(newLetter?.text), answer: 'maybe' }
  t.equal((await ask('POST', path, { body: wrong })).status, 422)
  const agreed = await ask('POST', path, { form: { token: tokenIn(newLetter?.text) } })
  t.match(agreed.headers.get('location'), /change\?outcome=waiting$/)
  const answer = { token: tokenIn(oldLetter?.text), answer: 'refuse' }
  const refused = await ask('POST', path, { body: answer })
  t.match(refused, { status: 200, body: { data: { outcome: 'refused' } } })
  t.equal((await ask('GET', '/auth/session', { cookie })).status, 401)
  for (const outcome of ['waiting', 'changed', 'refused']) {
    t.equal((await ask('GET', `${path}?outcome=${outcome}`)).status, 200)
  }
  t.equal((await ask('GET', `${path}?outcome=other`)).status, 400)
})
