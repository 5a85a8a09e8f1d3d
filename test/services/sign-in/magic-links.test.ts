// Magic links: they let in whoever reads the mailbox, once, and tell nobody who has an account.
import * as OTPAuth from 'otpauth'
import t, { type Test } from 'tap'
import { type AccessOptions, callerOf, openAccess } from '../../support/access.ts'

const minuteMs = 60_000
const redirectUri = '/dashboard'

function open(t: Test, options: AccessOptions = {}) {
  const access = openAccess(t, options)
  const { magicLinks, letters } = access
  const ask = (email: string, more: { redirectUri?: string; address?: string } = {}) => {
    const { address = '192.0.2.7', ...input } = more
    return magicLinks.request({ ...callerOf(), address }, { email, redirectUri, ...input })
  }
  /** The token in the newest letter. */
  const mailed = () => /callback\?token=([\w-]+)/.exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
  const verify = (token: string, totp?: string) => magicLinks.verify(callerOf(), { token, totp })
  return { ...access, ask, mailed, verify }
}

t.test('a link signs in the reader of the mailbox, and verifies the address', async (t) => {
  const { enrol, ask, mailed, verify, letters, signedIn, mailer, clock } = open(t)
  const { user } = await enrol('alice')
  t.equal(user.emailVerifiedAtMs, null)
  letters.length = 0
  const before = mailer.woken
  await ask(' ALICE@example.com ', { redirectUri: '/orgs?tab=1' })
  t.same(
    letters.map(({ to }) => to),
    ['alice@example.com'],
  )
  t.equal(mailer.woken, before, 'not before the caller is answered')
  await clock.advance(0)
  t.equal(mailer.woken, before + 1)
  const [letter] = letters
  for (const form of [letter?.text, letter?.html]) {
    t.match(form, 'http://127.0.0.1:8080/api/v1/identity/oauth/login/magic-link/callback?token=')
    t.match(form, /192\.0\.2\.7/, 'it says from where it was asked for')
    t.match(form, /10 minutes/)
  }
  const done = await verify(mailed())
  t.match(done, { user: { id: user.id }, redirectUri: '/orgs?tab=1' })
  t.equal(done.leadsTo, 'http://127.0.0.1:8080/orgs?tab=1')
  t.type(done.user.emailVerifiedAtMs, 'number')
  t.equal(signedIn(done.token).principal.userId, user.id)
})

t.test('a link works once, however many try at the same time', async (t) => {
  const { enrol, ask, mailed, verify } = open(t)
  await enrol('alice')
  await ask('alice@example.com')
  const token = mailed()
  const tried = await Promise.allSettled(Array.from({ length: 8 }, () => verify(token)))
  t.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1)
  const refused = tried.filter(({ status }) => status === 'rejected')
  t.match(refused, Array(7).fill({ reason: { code: 'link_expired' } }))
})

t.test('only the newest link works, for ten minutes; opening it uses nothing up', async (t) => {
  const { enrol, ask, mailed, verify, clock, magicLinks } = open(t)
  await enrol('alice')
  await ask('alice@example.com')
  const first = mailed()
  await ask('Alice@Example.com')
  const second = mailed()
  t.not(first, second)
  await t.rejects(verify(first), { code: 'link_expired' })
  for (let n = 0; n < 3; n += 1) t.ok(magicLinks.look(callerOf(), second))
  await clock.advance(10 * minuteMs - 1)
  t.ok(magicLinks.look(callerOf(), second))
  await clock.advance(1)
  t.throws(() => magicLinks.look(callerOf(), second), { code: 'link_expired' })
  await t.rejects(verify(second), { code: 'link_expired' })
  for (const token of ['', 'x', `${second}x`, second.slice(1), '../', 'é'.repeat(43)]) {
    await t.rejects(verify(token), { code: 'link_expired' }, token)
  }
})

t.test('the response is the same without an account, and no letter is sent', async (t) => {
  const { enrol, ask, letters, store } = open(t, {
    registration: 'first-user',
    configuredSetupToken: 'the-setup-token',
  })
  await enrol('alice', { setupToken: 'the-setup-token' })
  letters.length = 0
  t.equal(await ask('nobody@example.com'), undefined)
  t.equal(await ask('alice@example.com'), undefined)
  t.same(
    letters.map(({ to }) => to),
    ['alice@example.com'],
  )
  t.notOk(store.users.findByEmail('nobody@example.com'))
  for (let n = 0; n < 10; n += 1) await ask(`nobody-${n}@example.com`)
  t.ok(store.links.slice(50).length <= 3, 'strangers leave no heap of records behind')
})

t.test('a switched-off account gets no letter, and an old link is dead', async (t) => {
  const { enrol, ask, mailed, verify, letters, store } = open(t)
  const { user } = await enrol('alice')
  await ask('alice@example.com')
  const token = mailed()
  await store.write((tx) => store.users.put(tx, { ...user, isDisabled: true }))
  letters.length = 0
  await ask('alice@example.com')
  t.same(letters, [])
  await t.rejects(verify(token))
})

t.test('while registration is open a link creates a verified account', async (t) => {
  const { ask, mailed, verify, magicLinks, store } = open(t)
  await ask('New.Comer@example.com')
  const token = mailed()
  t.match(magicLinks.look(callerOf(), token), { isNew: true, needsCode: false })
  t.notOk(store.users.findByEmail('new.comer@example.com'), 'not before the button is pressed')
  const tried = await Promise.allSettled([1, 2, 3].map(() => verify(token)))
  t.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1)
  const user = store.users.findByEmail('new.comer@example.com')
  t.match(user, { email: 'New.Comer@example.com', passwordHash: null, isSystemAdmin: false })
  t.type(user?.emailVerifiedAtMs, 'number')
})

t.test('a person who registered meanwhile is signed in by the link', async (t) => {
  const { ask, mailed, verify, enrol } = open(t)
  await ask('alice@example.com')
  const token = mailed()
  const { user } = await enrol('alice')
  t.equal((await verify(token)).user.id, user.id)
})

t.test('a link does not follow an account to another address', async (t) => {
  const { ask, mailed, verify, enrol, store, magicLinks } = open(t)
  const { user } = await enrol('alice')
  await ask('alice@example.com')
  const token = mailed()
  await store.write((tx) => store.users.put(tx, { ...user, email: 'moved@example.com' }))
  t.throws(() => magicLinks.look(callerOf(), token), { code: 'link_expired' })
  await t.rejects(verify(token), { code: 'link_expired' })
  await enrol('alice')
  await t.rejects(verify(token), { code: 'link_expired' }, 'nor to whoever has the address now')
})

t.test('the second factor is required; a wrong code does not use the link up', async (t) => {
  const { ask, mailed, verify, enrol, factors, clock, magicLinks, emails, letters } = open(t)
  const { caller } = await enrol('alice')
  const [, proof = ''] = /verify\?token=([\w-]+)/.exec(letters.at(-1)?.text ?? '') ?? []
  await emails.verify(callerOf(), proof)
  const app = OTPAuth.URI.parse((await factors.enrol(caller)).otpauthUrl) as OTPAuth.TOTP
  const code = () => app.generate({ timestamp: clock.nowMs() })
  await factors.confirm(caller, code())
  await clock.advance(2 * minuteMs)
  await ask('alice@example.com')
  const token = mailed()
  t.match(magicLinks.look(callerOf(), token), { needsCode: true })
  await t.rejects(verify(token), { code: 'totp_required' })
  await t.rejects(verify(token, '000000'), { code: 'invalid_credentials' })
  t.ok(await verify(token, code()))
})

t.test('a mailbox gets five letters an hour and twenty a day, however it is written', async (t) => {
  const { enrol, ask, letters, clock, verify, mailed } = open(t)
  await enrol('alice')
  await enrol('alicesmith')
  letters.length = 0
  const spellings = [
    'alice.smith@example.com',
    'AliceSmith+x@example.com',
    'a.l.i.c.esmith@EXAMPLE.com',
  ]
  for (let n = 0; n < 9; n += 1) {
    // From many networks, so that only the mailbox is counted.
    await ask(spellings[n % 3] ?? '', { address: `10.1.0.${n}` })
  }
  t.equal(letters.length, 5)
  await ask('alice@example.com')
  t.equal(letters.length, 6, 'another mailbox is not concerned')
  t.ok(await verify(mailed()))
  letters.length = 0
  for (let hour = 0; hour < 24; hour += 1) {
    await clock.advance(3_600_000)
    for (let n = 0; n < 6; n += 1) {
      await ask('alicesmith@example.com', { address: `10.2.${hour}.${n}` })
    }
  }
  t.ok(letters.length <= 40, `${letters.length} letters in the second day`)
})

t.test('a network may request twenty links an hour, for any address', async (t) => {
  const { ask, clock } = open(t)
  const from = (n: number) => ask(`p${n}@example.com`, { address: `2001:db8:1:2::${n + 1}` })
  for (let n = 0; n < 20; n += 1) await from(n)
  await t.rejects(from(20), { code: 'rate_limited' })
  t.equal(await ask('p@example.com', { address: '2001:db8:1:3::1' }), undefined)
  await clock.advance(3 * minuteMs)
  t.equal(await from(21), undefined)
})

t.test('a link leads to this service or to allowed origins', async (t) => {
  const origin = 'https://app.example.com'
  const { enrol, ask, mailed, verify, magicLinks, letters } = open(t, { redirectOrigins: [origin] })
  await enrol('alice')
  letters.length = 0
  for (const bad of ['https://evil.example/', '//evil.example', 'javascript:alert(1)', '']) {
    await t.rejects(ask('alice@example.com', { redirectUri: bad }), {
      code: 'validation_failed',
      errors: [{ pointer: '/redirectUri' }],
    })
  }
  t.same(letters, [])
  await ask('alice@example.com', { redirectUri: `${origin}/in?state=1` })
  t.match(magicLinks.look(callerOf(), mailed()), { leadsTo: origin })
  t.match(await verify(mailed()), { leadsTo: `${origin}/in?state=1` })
})

t.test('the page says if it is opened from another network or browser', async (t) => {
  const { enrol, ask, mailed, magicLinks } = open(t)
  await enrol('alice')
  await ask('alice@example.com')
  const look = (more: object) => magicLinks.look({ ...callerOf(), ...more }, mailed()).isElsewhere
  t.equal(look({}), false)
  t.equal(look({ address: '192.0.2.8' }), true)
  t.equal(look({ userAgent: 'another' }), true)
  t.match(magicLinks.look(callerOf(), mailed()), { address: '192.0.2.7', userAgent: 'tap' })
})

t.test('the audit log records requests and refusals, and never the token', async (t) => {
  const { enrol, ask, mailed, verify, store } = open(t)
  await enrol('alice')
  await ask('alice@example.com')
  const token = mailed()
  await verify(token)
  const entries = JSON.stringify(store.audit.list('system', 50))
  t.match(entries, 'sign_in_link.asked')
  t.match(entries, 'email.verified')
  t.notOk(entries.includes(token))
})
