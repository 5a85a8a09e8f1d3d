// Identity verification over HTTP as its person sends it: the header, the rules, what comes back.
import { randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { register } from '../../../support/cast.ts'
import { type Daemon, startDaemon } from '../../../support/daemon.ts'
import { fullFields, person, privateTexts } from '../../../support/kyc-person.ts'
import { tamper } from '../../../support/tamper.ts'
import { until } from '../../../support/until.ts'

const verifyPath = '/api/v1/identity/kyc/verify'
const statusPath = '/api/v1/identity/kyc'
const header = (token: string) => ({ headers: { 'auth-token': token } })

async function start(t: Test, env: Readonly<Record<string, string>> = {}) {
  const daemon = await startDaemon(t, { env })
  for (const text of privateTexts) daemon.secrets.add(text)
  const owner = await register(daemon, 'mina')
  return { daemon, owner, session: header(owner.cookie) }
}

t.test('a minimal submission starts a verification, with these fields', async (t) => {
  const { daemon, session } = await start(t)
  const nothing = await daemon.need('GET', '/identity/kyc', session)
  t.match(nothing, { status: 'none', verificationId: null, fields: [] })
  const answer = await daemon.ask('POST', verifyPath, { ...session, json: person })
  t.equal(answer.status, 200)
  t.same(answer.json, {
    success: true,
    data: {
      verificationId: answer.json.data.verificationId,
      status: 'pending',
      provider: 'manual',
    },
    message: 'Verification initiated',
  })
  t.match(answer.json.data.verificationId, /^kyc_[0-9a-z]{26}$/)
  const again = await daemon.ask('POST', verifyPath, { ...session, json: person })
  t.match(again.json, { status: 409, code: 'conflict' })
})

t.test("the interface's own example is taken: what is left empty is none", async (t) => {
  const { daemon, session } = await start(t)
  const address = { ...fullFields.address, street2: '', state: '' }
  const json = { ...fullFields, phone: '', gender: '', identityNumbers: { bsn: '' }, address }
  await daemon.need('POST', '/identity/kyc/verify', { ...session, json })
  const { fields } = await daemon.need('GET', '/identity/kyc', session)
  const names = fields.map(({ name }: { name: string }) => name)
  t.same(names.slice(0, 5).toSorted(), Object.keys(person).toSorted())
  t.same(names.slice(5), [
    'address.street',
    'address.city',
    'address.postalCode',
    'address.country',
  ])
})

t.test('submitted values are never returned or stored in plain text', async (t) => {
  const { daemon, session, owner } = await start(t)
  await daemon.need('POST', '/identity/kyc/verify', { ...session, json: fullFields })
  const status = await daemon.ask('GET', statusPath, session)
  t.match(status.json.data, { status: 'pending', submittedAt: String, decidedAt: null })
  t.equal(status.json.data.fields.length, 15)
  t.same(
    privateTexts.filter((text) => status.text.includes(text)),
    [],
  )
  const log = await daemon.ask('GET', `/api/v1${owner.org}/audit-log`, { cookie: owner.cookie })
  t.same(
    privateTexts.filter((text) => log.text.includes(text)),
    [],
  )
  const erased = await daemon.ask('DELETE', statusPath, session)
  t.match(erased.json, { data: { erased: 1 }, message: 'Submitted details erased' })
  t.match(await daemon.need('GET', '/identity/kyc', session), { status: 'expired', fields: [] })
  t.same(daemon.leaks(), [])
})

t.test('the session comes in the header; cookies and keys open nothing', async (t) => {
  const { daemon, owner } = await start(t)
  const { cookie, org } = owner
  const { key } = await daemon.need('POST', `${org}/api-keys`, { cookie, json: { name: 'ci' } })
  for (const [method, path] of [
    ['POST', verifyPath],
    ['GET', statusPath],
    ['DELETE', statusPath],
  ] as const) {
    const json = method === 'POST' ? { json: person } : {}
    t.equal((await daemon.ask(method, path, { cookie, ...json })).status, 401)
    t.equal((await daemon.ask(method, path, { ...json })).status, 401)
    t.equal((await daemon.ask(method, path, { ...header(`${cookie}x`), ...json })).status, 401)
    t.equal((await daemon.ask(method, path, { ...header(key), ...json })).status, 401)
    t.equal((await daemon.ask(method, path, { key, ...json })).status, 403)
    const other = await daemon.ask(method, path, { cookie: 'garbage', ...header(cookie), ...json })
    t.equal(other.status, 200, `${method} with the header, whatever the cookie says`)
  }
  t.equal((await daemon.ask('GET', '/api/v1/auth/session', header(cookie))).status, 401)
})

t.test('a wrong field is named with its rule', async (t) => {
  const { daemon, session } = await start(t)
  const wrong: [object, RegExp][] = [
    [{ firstName: undefined }, /^firstName is required/],
    [{ firstName: '' }, /^firstName must be text in one line/],
    [{ firstName: ' \u00a0 ' }, /^firstName must be text in one line/],
    [{ lastName: 'A\nB' }, /^lastName must be text in one line/],
    [{ lastName: 'x'.repeat(101) }, /^lastName must have at most 100 characters/],
    [{ email: 'nobody' }, /^email /],
    [{ dateOfBirth: '1985-02-30' }, /^dateOfBirth must be a valid date/],
    [{ dateOfBirth: '26.10.1985' }, /^dateOfBirth must be a date as YYYY-MM-DD/],
    [{ dateOfBirth: '2020-01-01' }, /^dateOfBirth must be 13 to 120 years ago/],
    [{ country: 'Netherlands' }, /^country must be an ISO 3166-1 country code/],
    [{ country: 'XX' }, /^country must be an ISO 3166-1 country code/],
    [{ gender: 'none' }, /^gender /],
    [{ address: { planet: 'Mars' } }, /planet/],
    [{ nationality: 'NL' }, /nationality/],
    [{ identityNumbers: { passport: 5 } }, /^identityNumbers.passport /],
    [
      { identityNumbers: { passport: 'x'.repeat(65) } },
      /^identityNumbers.passport must have at most/,
    ],
    [{ identityNumbers: { ['n'.repeat(41)]: 'x' } }, /^identityNumbers must have names of 1 to 40/],
    [{ identityNumbers: ['x'] }, /^identityNumbers /],
    [
      { identityNumbers: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`n${n}`, 'x'])) },
      /^identityNumbers must have at most 10/,
    ],
  ]
  for (const [change, message] of wrong) {
    const json = { ...person, ...change }
    const answer = await daemon.ask('POST', verifyPath, { ...session, json })
    t.match(answer.json, { status: 422, code: 'validation_failed', message }, String(message))
  }
  t.match(await daemon.need('GET', '/identity/kyc', session), { status: 'none' })
})

t.test('hostile bodies are refused before anything is kept', async (t) => {
  const { daemon, session } = await start(t)
  const send = (body: string) => {
    const headers = { ...session.headers, 'content-type': 'application/json' }
    return daemon.ask('POST', verifyPath, { headers, body })
  }
  const start_ = JSON.stringify(person).slice(0, -1)
  const bodies: [string, number][] = [
    [`${start_},"identityNumbers":{"__proto__":"x"}}`, 400],
    [`${start_},"identityNumbers":{"constructor":"x"}}`, 400],
    [`${start_},"firstName":"Twice"}`, 400],
    [`${start_},"identityNumbers":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`, 400],
    [`${start_},"phone":"\\ud800"}`, 400],
    [`${start_},"phone":"${'1'.repeat(33 * 1024)}"}`, 413],
    ['null', 422],
    ['', 422],
  ]
  for (const [body, status] of bodies)
    t.equal((await send(body)).status, status, body.slice(0, 200))
  t.match(await daemon.need('GET', '/identity/kyc', session), { status: 'none' })
})

t.test('a repeated request with the same key is one submission', async (t) => {
  const { daemon, session } = await start(t)
  const headers = { ...session.headers, 'idempotency-key': 'one' }
  const [first, second] = [
    await daemon.ask('POST', verifyPath, { headers, json: person }),
    await daemon.ask('POST', verifyPath, { headers, json: person }),
  ]
  t.equal(second.status, 200)
  t.same(second.json, first.json)
  t.equal(second.headers.get('idempotency-replayed'), 'true')
})

t.test('if the operator requires it, nothing is created before an owner is approved', async (t) => {
  const env = { KYC_IS_REQUIRED: 'true', SYSTEM_TOKEN: 'the-token-of-the-operator' }
  const { daemon, owner, session } = await start(t, env)
  const { org, cookie } = owner
  const makeBoth = async (daemon: Daemon) => {
    const url = 'http://127.0.0.1:9/'
    const monitor = { cookie, json: { name: 'm', url } }
    const page = { cookie, json: { name: 'p', slug: 'acme' } }
    return [
      await daemon.ask('POST', `/api/v1${org}/monitors`, monitor),
      await daemon.ask('POST', `/api/v1${org}/status-pages`, page),
    ].map(({ status, json }) => [status, json.code])
  }
  const refused = [403, 'kyc_required']
  t.same(await makeBoth(daemon), [refused, refused])
  const post = { ...session, json: person }
  const { verificationId } = await daemon.need('POST', '/identity/kyc/verify', post)
  t.same(await makeBoth(daemon), [refused, refused], 'submitted is not approved')
  await daemon.need('PATCH', `/system/kyc/${verificationId}`, {
    bearer: env.SYSTEM_TOKEN,
    json: { decision: 'approve' },
  })
  t.same(await makeBoth(daemon), [
    [200, undefined],
    [200, undefined],
  ])
})

t.test('a new master key wraps stored details as soon as the daemon starts with it', async (t) => {
  const { daemon, owner, session } = await start(t)
  const json = fullFields
  const { verificationId } = await daemon.need('POST', '/identity/kyc/verify', { ...session, json })
  const keyIds: string[] = []
  const readKeyId = () =>
    tamper(daemon.dir, (store) => {
      const place = { userId: owner.userId as never, id: verificationId }
      keyIds.push(store.verifications.fields(place)?.keyId ?? '')
    })
  await daemon.stop()
  await readKeyId()
  const keyFile = join(daemon.dir, 'master.key')
  appendFileSync(keyFile, `${randomBytes(32).toString('hex')}\n`)
  const later = await startDaemon(t, { dir: daemon.dir })
  const status = await until(() => later.need('GET', '/identity/kyc', session))
  t.equal(status.fields.length, 15, 'it opens as before')
  await until(() => later.lines.some((line) => line.includes('sealed with the newest key')))
  await later.stop()
  await readKeyId()
  t.match(keyIds, [/^[0-9a-f]{8}$/, /^[0-9a-f]{8}$/])
  t.not(keyIds[0], keyIds[1])
  t.equal(readFileSync(keyFile, 'utf8').trim().split('\n').length, 2)
})
