// Sign-in through a provider: the whole way with a real one, and every way that is forged.
import * as OTPAuth from 'otpauth'
import t, { type Test } from 'tap'
import { createOidcProvider } from '../../../src/oidc/provider.ts'
import { createOidc } from '../../../src/services/sign-in/oidc.ts'
import { type AccessOptions, callerOf, goodPassword, openAccess } from '../../support/access.ts'
import { type Issuer, serviceUrl, startIssuer } from '../../support/oidc-issuer.ts'

const stale = { code: 'link_expired' }
const anybody = callerOf()

async function open(t: Test, options: AccessOptions = {}, given?: Issuer) {
  const issuer = given ?? (await startIssuer(t))
  const access = openAccess(t, options)
  const { core, clock } = access
  const providers = [issuer.client, { ...issuer.client, name: 'other', label: 'Other' }].map(
    (client) => createOidcProvider(client, clock),
  )
  const registration = options.registration ?? 'open'
  const redirectOrigins = ['https://app.example.com']
  const make = () =>
    createOidc(core, {
      ...access,
      registration: () => registration,
      redirectOrigins,
      providers: () => providers,
    })
  const oidc = make()

  /** Leaves for the provider, signs in there, and is about to come back. */
  async function away(login = 'alice', redirectUri = '/') {
    const { url, flow } = await oidc.start('company', redirectUri)
    return { url, flow, query: (await issuer.signIn(url, login)).searchParams }
  }

  async function signIn(login = 'alice') {
    const { flow, query } = await away(login)
    const arrival = await oidc.callback(anybody, 'company', query, flow)
    if (arrival.step !== 'entered') throw new Error('a session was expected')
    return arrival
  }

  /** Somebody with a password, whose address was confirmed. */
  async function confirmed(name: string, more: object = {}) {
    const made = await access.enrol(name)
    const user = { ...made.user, emailVerifiedAtMs: 1, ...more }
    await access.store.write((tx) => access.store.users.put(tx, user))
    return { ...made, user }
  }

  return { ...access, issuer, oidc, make, away, signIn, confirmed }
}

t.test('a stranger gets an account, and the same one the next time', async (t) => {
  const { signIn, oidc, store, signedIn, letters, issuer, lines } = await open(t)
  t.same(oidc.list(), [
    { name: 'company', label: 'Company' },
    { name: 'other', label: 'Other' },
  ])
  const { signedIn: first, redirectUri } = await signIn()
  t.equal(redirectUri, `${serviceUrl}/`)
  t.match(first.user, {
    email: 'alice@example.com',
    name: 'alice',
    isSystemAdmin: false,
    passwordHash: null,
    emailVerifiedAtMs: Number,
  })
  t.ok(signedIn(first.token))
  // At the provider the address may change; the person is the same.
  issuer.people.set('alice', { email: 'moved@example.com', email_verified: false })
  t.equal((await signIn()).signedIn.user.id, first.user.id)
  t.equal((await signIn('bob')).signedIn.user.email, 'bob@example.com')
  t.same(letters, [], 'a new account is no news')
  const actions = store.audit.list('system', 50).map(({ action }) => action)
  t.equal(actions.filter((action) => action === 'identity.linked').length, 2)
  t.notMatch(lines.join(''), issuer.client.clientSecret)
})

t.test('an account with the address is linked once both sides have confirmed it', async (t) => {
  const { signIn, confirmed, letters } = await open(t, { registration: 'open' })
  const { user } = await confirmed('alice')
  t.equal((await signIn()).signedIn.user.id, user.id)
  t.match(letters.at(-1), {
    to: 'alice@example.com',
    subject: 'Your account was linked with Company',
  })
  const count = letters.length
  await signIn()
  t.equal(letters.length, count, 'told once')
})

t.test('an address that one side did not confirm opens nothing', async (t) => {
  const { signIn, enrol, issuer, store } = await open(t)
  const { user } = await enrol('alice')
  const forbidden = { code: 'forbidden' }
  await t.rejects(signIn(), { ...forbidden, message: /never confirmed/ })
  await store.write((tx) => store.users.put(tx, { ...user, emailVerifiedAtMs: 1 }))
  const email = 'alice@example.com'
  for (const claims of [
    ...[{ email, email_verified: false }, { email }, { email, email_verified: 'true' }],
    ...[{ email, email_verified: 1 }, { email_verified: true }],
    ...[{ email: 'alice@example.com\r\nBcc: eve@example.com', email_verified: true }],
    ...[{ email: 'not an address', email_verified: true }],
  ]) {
    issuer.people.set('alice', claims)
    await t.rejects(signIn(), forbidden, JSON.stringify(claims))
  }
  issuer.people.set('eve', { email: 'unconfirmed@example.com' })
  await t.rejects(signIn('eve'), forbidden)
  t.equal(store.identities.get({ issuer: issuer.url, subject: 'alice' }), undefined)
  t.equal(store.users.findByEmail('unconfirmed@example.com'), undefined)
})

t.test('while registration is closed, only existing accounts can sign in', async (t) => {
  for (const registration of ['first-user', 'invite'] as const) {
    const { signIn, store, setupToken } = await open(t, { registration })
    await setupToken.ensure()
    await t.rejects(signIn(), { code: 'registration_closed' })
    t.ok(store.users.isEmpty(), 'nobody becomes the first user this way')
  }
})

t.test('a system administrator is linked only with a second factor', async (t) => {
  const { signIn, away, oidc, confirmed, factors, clock, signedIn } = await open(t)
  const admin = await confirmed('alice', { isSystemAdmin: true })
  await t.rejects(signIn(), { code: 'forbidden', message: /second factor/ })
  const caller = signedIn(admin.token)
  const { otpauthUrl } = await factors.enrol(caller)
  const app = OTPAuth.URI.parse(otpauthUrl) as OTPAuth.TOTP
  const code = () => app.generate({ timestamp: clock.nowMs() })
  await factors.confirm(caller, code())
  await clock.advance(60_000)
  const { flow, query } = await away()
  const arrival = await oidc.callback(anybody, 'company', query, flow)
  t.equal(arrival.step, 'code')
  if (arrival.step !== 'code') return
  const entered = await oidc.confirm(anybody, 'company', code(), arrival.flow)
  t.match(entered, { step: 'entered', signedIn: { user: { id: admin.user.id } } })
})

t.test('the second factor is required here too, whatever the provider did', async (t) => {
  const { away, oidc, confirmed, factors, clock, store, issuer } = await open(t)
  const { caller } = await confirmed('alice')
  const { otpauthUrl } = await factors.enrol(caller)
  const app = OTPAuth.URI.parse(otpauthUrl) as OTPAuth.TOTP
  const code = () => app.generate({ timestamp: clock.nowMs() })
  await factors.confirm(caller, code())
  await clock.advance(60_000)
  const ask = async () => {
    const { flow, query } = await away()
    const arrival = await oidc.callback(anybody, 'company', query, flow)
    if (arrival.step !== 'code') throw new Error('no code was asked for')
    return { ...arrival, before: flow }
  }
  const asked = await ask()
  const confirm = (flow: string, given = code(), name = 'company') =>
    oidc.confirm(anybody, name, given, flow)
  t.equal(store.identities.get({ issuer: issuer.url, subject: 'alice' }), undefined, 'not yet')
  t.match(await confirm(asked.flow, '000000'), {
    step: 'code',
    problem: { code: 'invalid_credentials' },
  })
  await t.rejects(confirm(asked.before), stale, 'the first half is no second half')
  await t.rejects(confirm(asked.flow, code(), 'other'), stale)
  const other = await ask()
  t.equal((await confirm(asked.flow)).step, 'entered')
  await clock.advance(60_000)
  await t.rejects(confirm(asked.flow), stale, 'once')
  await clock.advance(5 * 60_000)
  await t.rejects(confirm(other.flow), stale, 'in time')
})

t.test('only the browser that started may come back, once, and in time', async (t) => {
  const { away, oidc, make, clock, store } = await open(t)
  const come = (query: URLSearchParams, flow: string, name = 'company') =>
    oidc.callback(anybody, name, query, flow)
  const own = await away()
  const other = await away('eve')
  const changed = (name: string, value: string) => {
    const query = new URLSearchParams(own.query)
    query.set(name, value)
    return query
  }
  await t.rejects(come(changed('state', 'x'), own.flow), stale, 'a wrong state')
  await t.rejects(come(changed('state', ''), own.flow), stale)
  await t.rejects(come(new URLSearchParams(), own.flow), stale)
  await t.rejects(come(own.query, other.flow), stale, "another browser's cookie")
  await t.rejects(come(own.query, ''), stale, 'no cookie')
  await t.rejects(come(own.query, own.flow, 'other'), stale, 'another provider')
  await t.rejects(come(own.query, own.flow, 'unknown'), { code: 'not_found' })
  const cut = own.flow.slice(0, -2)
  const [head = '', tail = ''] = [own.flow.slice(0, 60), own.flow.slice(61)]
  for (const flow of [
    cut,
    `${head}${own.flow[60] === 'A' ? 'B' : 'A'}${tail}`,
    `${own.flow}AAAA`,
  ]) {
    await t.rejects(come(own.query, flow), stale, 'a cookie that was changed')
  }
  await t.rejects(come(changed('code', 'forged'), own.flow), { code: 'invalid_credentials' })
  await t.rejects(come(own.query, own.flow), stale, 'every return counts, also one in vain')
  t.ok(store.users.isEmpty())

  const good = await away()
  const tries = await Promise.allSettled(
    Array.from({ length: 5 }, () => come(good.query, good.flow)),
  )
  t.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1, 'of many at once, one')
  const again = make().callback(anybody, 'company', good.query, good.flow)
  await t.rejects(again, stale, 'also after a restart')

  const late = await away()
  await clock.advance(10 * 60_000)
  await t.rejects(come(late.query, late.flow), stale)
})

t.test('a code of somebody else is worthless in one’s own sign-in', async (t) => {
  const { away, oidc, store } = await open(t)
  const eve = await away('eve')
  const alice = await away('alice')
  const injected = new URLSearchParams(eve.query)
  injected.set('code', alice.query.get('code') ?? '')
  const come = oidc.callback(anybody, 'company', injected, eve.flow)
  await t.rejects(come, { code: 'invalid_credentials' }, 'PKCE')
  t.ok(store.users.isEmpty())
})

t.test('the redirect has PKCE, a state and a nonce; without PKCE nobody returns', async (t) => {
  const { oidc, issuer } = await open(t)
  const { url, flow } = await oidc.start('company', '/')
  const sent = new URL(url).searchParams
  t.match(Object.fromEntries(sent), {
    response_type: 'code',
    client_id: 'stillup',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    state: /^[\w-]{43}$/,
    nonce: /^[\w-]{43}$/,
    redirect_uri: `${serviceUrl}/api/v1/auth/oidc/company/callback`,
  })
  t.notMatch(url, flow)
  const second = new URL((await oidc.start('company', '/')).url).searchParams
  for (const name of ['state', 'nonce', 'code_challenge']) t.not(sent.get(name), second.get(name))

  const weaker = new URL(url)
  weaker.searchParams.delete('code_challenge')
  weaker.searchParams.delete('code_challenge_method')
  const back = await issuer.signIn(weaker.href).catch(() => undefined)
  const query = back?.searchParams ?? new URLSearchParams()
  await t.rejects(oidc.callback(anybody, 'company', query, flow), { name: 'Fault' })
  const swapped = new URL(url)
  swapped.searchParams.set('nonce', 'another')

  const { flow: fresh, url: freshUrl } = await oidc.start('company', '/')
  const replaced = new URL(freshUrl)
  replaced.searchParams.set('nonce', 'another')
  const returned = await issuer.signIn(replaced.href)
  const come = oidc.callback(anybody, 'company', returned.searchParams, fresh)
  await t.rejects(come, { code: 'invalid_credentials' }, 'a token for another sign-in')
})

t.test('a person who cancels at the provider is told so', async (t) => {
  const { oidc, issuer, lines } = await open(t)
  const { url, flow } = await oidc.start('company', '/')
  const { searchParams } = await issuer.giveUp(url)
  await t.rejects(oidc.callback(anybody, 'company', searchParams, flow), {
    code: 'invalid_credentials',
    message: 'Company did not confirm who you are.',
  })
  t.match(lines.join(''), /access_denied/)
})

t.test('a sign-in leads to this service or to an allowed origin, and nowhere else', async (t) => {
  const { away, oidc } = await open(t)
  const { flow, query } = await away('alice', 'https://app.example.com/welcome?x=1')
  const arrival = await oidc.callback(anybody, 'company', query, flow)
  t.equal(arrival.redirectUri, 'https://app.example.com/welcome?x=1')
  for (const uri of ['//evil.example', 'https://evil.example/', 'javascript:alert(1)', '/\\evil']) {
    await t.rejects(oidc.start('company', uri), {
      code: 'invalid_parameter',
      errors: [{ pointer: '/redirectUri' }],
    })
  }
  await t.rejects(oidc.start('nobody', '/'), { code: 'not_found' })
})

t.test('an account that is switched off stays so', async (t) => {
  const { signIn, store, people } = await open(t)
  const { user } = (await signIn()).signedIn
  await store.write((tx) => store.users.put(tx, { ...user, isDisabled: true }))
  await t.rejects(signIn(), { code: 'invalid_credentials' })
  const wrong = people.signIn(anybody, { email: user.email, password: goodPassword })
  await t.rejects(wrong, { code: 'invalid_credentials' }, 'and it has no password')
})

t.test('while the provider is down the response says so, and names it', async (t) => {
  const issuer = await startIssuer(t)
  const { oidc, away } = await open(t, {}, issuer)
  const { flow, query } = await away()
  await issuer.stop()
  const down = {
    code: 'unavailable',
    message: 'Company cannot be reached at the moment. Try again later.',
  }
  await t.rejects(oidc.callback(anybody, 'company', query, flow), down)
  const { oidc: fresh, lines } = await open(t, {}, issuer)
  await t.rejects(fresh.start('company', '/'), down)
  t.match(lines.join(''), /discovery.*ECONNREFUSED/)
})
