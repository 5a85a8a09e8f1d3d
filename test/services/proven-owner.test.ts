// An account that a stranger made for somebody else's address, and its owner who comes later.
import t from 'tap'
import { callerOf, goodPassword, openAccess } from '../support/access.ts'

const email = 'victim@example.com'

t.test('whoever reads the mailbox ends what a stranger left in the account', async (t) => {
  const access = openAccess(t)
  const { people, keys, identity, clock, magicLinks, letters, store } = access
  const { caller, scope, token, user } = await access.enrol('victim')
  const { key } = await keys.create(scope, { name: 'left behind', role: 'admin' })
  await magicLinks.request(callerOf(), { email, redirectUri: '/' })
  const link = /callback\?token=([\w-]+)/.exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
  const own = await magicLinks.verify(callerOf(), { token: link })
  t.equal(own.user.id, user.id)
  const tried = (credentials: object) => () => identity.authenticate(credentials, clock.nowMs())
  t.throws(tried({ sessionToken: token }), { code: 'unauthenticated' })
  t.throws(tried({ apiKey: key }), { code: 'unauthenticated' })
  t.equal(tried({ sessionToken: own.token })().kind, 'session')
  await t.rejects(people.signIn(caller, { email, password: goodPassword }), {
    code: 'invalid_credentials',
  })
  t.type(store.users.get(user.id)?.emailVerifiedAtMs, 'number')
})

t.test('once the address is proven, a link takes nothing away', async (t) => {
  const access = openAccess(t)
  const { people, emails, magicLinks, letters, identity, clock } = access
  const { token, caller } = await access.enrol('victim')
  const mailed = (path: string) =>
    new RegExp(`${path}\\?token=([\\w-]+)`).exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
  await emails.verify(callerOf(), mailed('verify'))
  await magicLinks.request(callerOf(), { email, redirectUri: '/' })
  await magicLinks.verify(callerOf(), { token: mailed('callback') })
  t.ok(await people.signIn(caller, { email, password: goodPassword }))
  t.equal(identity.authenticate({ sessionToken: token }, clock.nowMs()).kind, 'session')
})

t.test('where strangers cannot register, the first proof takes nothing away either', async (t) => {
  const configured = 'a-setup-token'
  const access = openAccess(t, { registration: 'first-user', configuredSetupToken: configured })
  const { people, magicLinks, letters } = access
  const { caller } = await access.enrol('victim', { setupToken: configured })
  await magicLinks.request(callerOf(), { email, redirectUri: '/' })
  const link = /callback\?token=([\w-]+)/.exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
  await magicLinks.verify(callerOf(), { token: link })
  t.ok(await people.signIn(caller, { email, password: goodPassword }))
})
