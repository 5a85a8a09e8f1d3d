// Passkeys over HTTP: added, used to sign in and to confirm, removed; and each way to cheat.
import t, { type Test } from 'tap'
import { auth } from '../../../../src/http/api/sign-in/auth.ts'
import { passkeys } from '../../../../src/http/api/sign-in/passkeys.ts'
import { serveAccess } from '../../../support/access-api.ts'
import { softPasskey } from '../../../support/soft-passkey.ts'

const site = { origin: 'https://up.example.com', rpId: 'up.example.com' }

type World = Awaited<ReturnType<typeof serve>>
type Soft = ReturnType<typeof softPasskey>

async function serve(t: Test, baseUrl = site.origin) {
  const served = await serveAccess(t, [...auth, ...passkeys], { baseUrl })
  /** What a browser is asked for, with the cookie that its answer needs. */
  async function asked(method: string, path: string, session?: string) {
    const answer = await served.ask(method, path, session === undefined ? {} : { cookie: session })
    const line = answer.headers.getSetCookie().find((one) => one.startsWith('passkey-challenge='))
    return { ...answer.body.data, flow: line?.split(';')[0] ?? '', line }
  }
  const send = (path: string, body: object, flow: string, session = '') =>
    served.ask('POST', path, { body, headers: { cookie: `${flow}; auth-token=${session}` } })
  return { ...served, asked, send }
}

const root = '/auth/passkeys'

async function add({ asked, send }: World, session: string, soft: Soft, name = 'Laptop') {
  const { challenge, flow } = await asked('POST', `${root}/options`, session)
  return send(root, { name, credential: soft.create(challenge) }, flow, session)
}

async function signIn({ asked, send }: World, soft: Soft, handle: string, deviation = {}) {
  const { challenge, flow } = await asked('GET', `${root}/sign-in`)
  const credential = soft.use(challenge, handle, deviation)
  return { answer: await send(`${root}/sign-in`, { credential }, flow), credential, flow }
}

const handleOf = (userId: string) => Buffer.from(userId).toString('base64url')
const refused = { status: 401, body: { code: 'invalid_credentials' } }

t.test('a passkey is added, listed, renamed, used and removed, and letters say so', async (t) => {
  const world = await serve(t)
  const { token, user } = await world.enrol('alice')
  const options = await world.asked('POST', `${root}/options`, token)
  t.match(options, {
    rp: { id: 'up.example.com' },
    user: { id: handleOf(user.id), name: 'alice@example.com' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  t.match(
    options.line,
    /Path=\/api\/v1\/auth\/passkeys; Max-Age=300; HttpOnly; SameSite=Lax; Secure/,
  )
  const laptop = softPasskey(site)
  const made = await add(world, token, laptop)
  t.match(made, { status: 200, body: { data: { id: /^pky_/, name: 'Laptop', lastUsedAt: null } } })
  const { id } = made.body.data
  await add(world, token, softPasskey(site), 'Key')
  const listed = await world.ask('GET', root, { cookie: token })
  t.match(listed.body.data, [{ name: 'Key' }, { name: 'Laptop', isSynced: false }])
  t.notMatch(JSON.stringify(listed.body), /publicKey|counter/)
  await world.ask('PATCH', `${root}/${id}`, { cookie: token, body: { name: 'Old laptop' } })
  const known = await world.asked('POST', `${root}/options`, token)
  t.match(known.excludeCredentials, [{ id: laptop.credentialId }, {}])

  const { answer } = await signIn(world, laptop, handleOf(user.id))
  t.match(answer, { status: 200, body: { data: { user: { email: 'alice@example.com' } } } })
  t.match(answer.headers.getSetCookie().join(), `auth-token=${answer.body.data.token}`)
  const session = await world.ask('GET', '/auth/session', { cookie: answer.body.data.token })
  t.match(session.body.data, { hasPasskey: true, passkeyState: 'possible' })
  t.match((await world.ask('GET', root, { cookie: token })).body.data[1], { lastUsedAt: /^2026/ })

  t.equal((await world.ask('DELETE', `${root}/${id}`, { cookie: token })).status, 200)
  t.match((await signIn(world, laptop, handleOf(user.id))).answer, refused)
  const subjects = world.letters.map(({ subject }) => subject)
  t.same(subjects.slice(-3), [
    'A passkey was added',
    'A passkey was added',
    'A passkey was removed',
  ])
})

t.test('a passkey is both factors, and a password alone still is not', async (t) => {
  const world = await serve(t)
  const { token, user, caller } = await world.enrol('alice')
  const soft = softPasskey(site)
  await add(world, token, soft)
  await world.factors.enrol(caller)
  const factor = world.store.factors.get(user.id)
  if (!factor) throw new Error('a factor was expected')
  await world.store.write((tx) => world.store.factors.put(tx, { ...factor, confirmedAtMs: 1 }))
  t.equal((await signIn(world, soft, handleOf(user.id))).answer.status, 200)
  const body = { email: user.email, password: 'nine lives of a cat' }
  t.match((await world.ask('POST', '/auth/login', { body })).body, { code: 'totp_required' })
})

t.test('no answer signs in that is replayed, foreign, unverified, late or made up', async (t) => {
  const world = await serve(t)
  const { token, user } = await world.enrol('alice')
  const { user: bob, token: bobs } = await world.enrol('bob')
  const [soft, other] = [softPasskey(site), softPasskey(site)]
  await add(world, token, soft)
  await add(world, bobs, other)
  const handle = handleOf(user.id)
  const right = await signIn(world, soft, handle)
  t.equal(right.answer.status, 200)
  const path = `${root}/sign-in`
  const replayed = await world.send(path, { credential: right.credential }, right.flow)
  t.match(replayed, { status: 410, body: { code: 'link_expired' } })
  const fresh = await world.asked('GET', path)
  t.match(await world.send(path, { credential: right.credential }, fresh.flow), refused)
  t.match(await world.send(path, { credential: soft.use('x', handle) }, ''), { status: 410 })
  t.match(await world.send(path, { credential: soft.use('x', handle) }, 'passkey-challenge=x'), {
    status: 410,
  })
  for (const deviation of [
    { origin: 'https://up.example.com.evil.test' },
    { origin: 'http://up.example.com' },
    { rpId: 'evil.test' },
    { isVerified: false },
    { userHandle: handleOf(bob.id) },
    { userHandle: '' },
    { counter: 1 },
    { type: 'webauthn.create' },
  ]) {
    const { answer } = await signIn(world, soft, handle, deviation)
    t.match(answer, refused, JSON.stringify(deviation))
    t.notOk(answer.headers.getSetCookie().some((line) => line.startsWith('auth-token=s1')))
  }
  t.match((await signIn(world, softPasskey(site, soft.credentialId), handle)).answer, refused)
  t.match((await signIn(world, other, handle)).answer, refused, 'that of another person')
  const late = await world.asked('GET', path)
  await world.clock.advance(5 * 60_000)
  const credential = soft.use(late.challenge, handle, { counter: 90 })
  t.match(await world.send(path, { credential }, late.flow), { status: 410 })
  t.equal((await signIn(world, soft, handle, { counter: 91 })).answer.status, 200, 'and goes on')
  t.match(await world.send(path, { credential: { id: '../', response: {} } }, ''), { status: 422 })
})

t.test('a challenge serves one purpose and one person', async (t) => {
  const world = await serve(t)
  const { token, user } = await world.enrol('alice')
  const { token: bobs } = await world.enrol('bob')
  const soft = softPasskey(site)
  await add(world, token, soft)
  const confirming = await world.asked('GET', `${root}/confirm`, token)
  t.match(confirming.allowCredentials, [{ id: soft.credentialId }])
  const handle = handleOf(user.id)
  const credential = soft.use(confirming.challenge, handle)
  t.match(await world.send(`${root}/sign-in`, { credential }, confirming.flow), refused)
  const adding = await world.asked('POST', `${root}/options`, token)
  const created = softPasskey(site).create(adding.challenge)
  const stolen = await world.send(root, { name: 'Mine', credential: created }, adding.flow, bobs)
  t.match(stolen, refused)
  t.same((await world.ask('GET', root, { cookie: bobs })).body.data, [])
  const [{ id }] = (await world.ask('GET', root, { cookie: token })).body.data
  t.equal((await world.ask('DELETE', `${root}/${id}`, { cookie: bobs })).status, 404)
  const body = { name: 'Bob was here' }
  t.equal((await world.ask('PATCH', `${root}/${id}`, { cookie: bobs, body })).status, 404)
  t.equal((await world.ask('GET', `${root}/confirm`, { cookie: bobs })).status, 409)
})

t.test('a passkey confirms who is there, as the password does', async (t) => {
  const world = await serve(t)
  const { token, user } = await world.enrol('alice')
  const soft = softPasskey(site)
  await add(world, token, soft)
  await world.clock.advance(16 * 60_000)
  const old = { status: 403, body: { code: 'reauthentication_required' } }
  t.match(await world.ask('POST', `${root}/options`, { cookie: token }), old)
  const { challenge, flow } = await world.asked('GET', `${root}/confirm`, token)
  const credential = soft.use(challenge, handleOf(user.id))
  const confirmed = await world.send(`${root}/confirm`, { credential }, flow, token)
  t.equal(confirmed.status, 200)
  const { token: cookie } = confirmed.body.data
  t.equal((await world.ask('POST', `${root}/options`, { cookie })).status, 200)
})

t.test(
  'what a browser made is refused if it is another site’s, unverified or certified',
  async (t) => {
    const world = await serve(t)
    const { token } = await world.enrol('alice')
    for (const deviation of [
      { origin: 'https://evil.test' },
      { rpId: 'evil.test' },
      { isVerified: false },
      { type: 'webauthn.get' },
      { hasCertificate: true },
    ]) {
      const { challenge, flow } = await world.asked('POST', `${root}/options`, token)
      const credential = softPasskey(site).create(challenge, deviation)
      const answer = await world.send(root, { name: 'x', credential }, flow, token)
      t.match(answer, refused, JSON.stringify(deviation))
    }
    const soft = softPasskey(site)
    t.equal((await add(world, token, soft)).status, 200)
    const { token: bobs } = await world.enrol('bob')
    t.equal((await add(world, bobs, softPasskey(site, soft.credentialId))).status, 409)
    for (let have = 1; have < 20; have += 1) await add(world, token, softPasskey(site))
    t.match(await add(world, token, softPasskey(site)), { status: 409 })
  },
)

t.test('where browsers allow none, the answer says why', async (t) => {
  for (const [baseUrl, state, why] of [
    ['http://up.example.com', 'needs_https', /begins with http/],
    ['https://192.0.2.7', 'needs_name', /IP address/],
    ['http://127.0.0.1:8080', 'needs_name', /IP address/],
  ] as const) {
    const world = await serve(t, baseUrl)
    const { token } = await world.enrol('alice')
    const answer = await world.ask('GET', `${root}/sign-in`)
    t.match(answer, { status: 409, body: { code: 'conflict', detail: why } })
    const session = await world.ask('GET', '/auth/session', { cookie: token })
    t.match(session.body.data, { passkeyState: state, hasPasskey: false })
  }
  const local = await serve(t, 'http://localhost:8080')
  t.equal((await local.ask('GET', `${root}/sign-in`)).status, 200)
})
