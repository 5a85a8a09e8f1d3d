// An account that a stranger made for somebody else's address, and its owner who comes later.
import * as OTPAuth from 'otpauth'
import t from 'tap'
import { callerOf, goodPassword, openAccess } from '../../support/access.ts'

const email = 'victim@example.com'

t.test('the reader of the mailbox ends everything a stranger left in the account', async (t) => {
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

t.test('once the address is verified, a link removes nothing', async (t) => {
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

t.test('a stranger’s second factor does not lock the owner out', async (t) => {
  const access = openAccess(t)
  const { factors, clock, magicLinks, ownPassword, people, letters } = access
  const mailed = (path: string) =>
    new RegExp(`${path}\\?token=([\\w-]+)`).exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
  for (const name of ['victim', 'other']) {
    const { caller } = await access.enrol(name)
    const { otpauthUrl } = await factors.enrol(caller)
    const app = OTPAuth.URI.parse(otpauthUrl) as OTPAuth.TOTP
    await factors.confirm(caller, app.generate({ timestamp: clock.nowMs() }))
  }
  await magicLinks.request(callerOf(), { email, redirectUri: '/' })
  t.match(magicLinks.look(callerOf(), mailed('callback')), { needsCode: false })
  t.ok(await magicLinks.verify(callerOf(), { token: mailed('callback') }))
  await ownPassword.forgot(callerOf(), 'other@example.com')
  const password = 'eleven quiet harbour lamps'
  await ownPassword.reset(callerOf(), mailed('reset'), password)
  t.ok(await people.signIn(callerOf(), { email: 'other@example.com', password }))
})

t.test('a change of address that a stranger requested does not survive the proof', async (t) => {
  for (const way of ['link', 'reset', 'letter'] as const) {
    const access = openAccess(t)
    const { emails, magicLinks, ownPassword, letters, store } = access
    const mailed = (path: string) =>
      new RegExp(`${path}\\?token=([\\w-]+)`).exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
    const { caller, user } = await access.enrol('victim')
    const proof = mailed('verify')
    const to = 'mallory@example.org'
    await store.write((tx) => emails.requestChange(tx, caller, user.id, to))
    const letter = letters.find((one) => one.to === to)?.text ?? ''
    const token = /change\?token=([\w-]+)/.exec(letter)?.[1] ?? ''
    if (way === 'letter') await emails.verify(callerOf(), proof)
    if (way === 'link') {
      await magicLinks.request(callerOf(), { email, redirectUri: '/' })
      await magicLinks.verify(callerOf(), { token: mailed('callback') })
    }
    if (way === 'reset') {
      await ownPassword.forgot(callerOf(), email)
      await ownPassword.reset(callerOf(), mailed('reset'), 'eleven quiet harbour lamps')
    }
    const said = await emails.answerChange(callerOf(), token, 'confirm').catch(({ code }) => code)
    t.equal(said, way === 'letter' ? 'waiting' : 'link_expired', way)
    t.equal(store.users.get(user.id)?.email, email)
  }
})

t.test('an inviter does not keep a way into the account of the invited person', async (t) => {
  const configured = 'a-setup-token'
  const access = openAccess(t, { registration: 'invite', configuredSetupToken: configured })
  const { people, invites, magicLinks, letters, identity, clock } = access
  const { scope } = await access.enrol('boss', { setupToken: configured })
  const { token: inviteToken } = await invites.create(scope, { email, role: 'viewer' })
  const squatted = await people.register(callerOf(), {
    email,
    password: goodPassword,
    inviteToken,
  })
  await magicLinks.request(callerOf(), { email, redirectUri: '/' })
  const link = /callback\?token=([\w-]+)/.exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
  await magicLinks.verify(callerOf(), { token: link })
  const tried = () => identity.authenticate({ sessionToken: squatted.token }, clock.nowMs())
  t.throws(tried, { code: 'unauthenticated' })
  await t.rejects(people.signIn(callerOf(), { email, password: goodPassword }), {
    code: 'invalid_credentials',
  })
})

t.test('an account created with the setup token stays as it is', async (t) => {
  const configured = 'a-setup-token'
  const access = openAccess(t, { registration: 'first-user', configuredSetupToken: configured })
  const { people, magicLinks, letters } = access
  const { caller } = await access.enrol('victim', { setupToken: configured })
  await magicLinks.request(callerOf(), { email, redirectUri: '/' })
  const link = /callback\?token=([\w-]+)/.exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
  await magicLinks.verify(callerOf(), { token: link })
  t.ok(await people.signIn(caller, { email, password: goodPassword }))
})
