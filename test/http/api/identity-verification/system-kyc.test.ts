// Identity verifications over HTTP as the operator works through them.
import t, { type Test } from 'tap'
import { type Owner, password, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { fullFields, person, privateTexts } from '../../../support/kyc-person.ts'
import { tamper } from '../../../support/tamper.ts'

const bearer = 'the-token-of-the-operator'

/** Root runs the installation; Mina has submitted everything. */
async function start(t: Test) {
  const env = { SYSTEM_TOKEN: bearer }
  const daemon = await startDaemon(t, { env })
  for (const text of privateTexts) daemon.secrets.add(text)
  const root = await register(daemon, 'root', daemon.setupToken)
  const mina = await register(daemon, 'mina')
  const submit = async ({ cookie }: Owner, json: object): Promise<string> => {
    const headers = { 'auth-token': cookie }
    return (await daemon.need('POST', '/identity/kyc/verify', { headers, json })).verificationId
  }
  const id = await submit(mina, fullFields)
  return { daemon, env, root, mina, submit, id, path: `/api/v1/system/kyc/${id}` }
}

t.test('the queue shows cases without persons', async (t) => {
  const { daemon, root, mina, submit, id } = await start(t)
  const second = await submit(root, person)
  for (const credential of [{ bearer }, { cookie: root.cookie }]) {
    const answer = await daemon.ask('GET', '/api/v1/system/kyc', credential)
    t.match(answer.json.data, [
      { id: second, userId: root.userId, status: 'pending', provider: 'manual', sending: null },
      { id, userId: mina.userId, status: 'pending', decidedAt: null, erasedAt: null },
    ])
    t.same(
      privateTexts.filter((text) => answer.text.includes(text)),
      [],
    )
  }
  const page = await daemon.ask('GET', '/api/v1/system/kyc?limit=1', { bearer })
  const next = `/api/v1/system/kyc?limit=1&cursor=${page.json.meta.nextCursor}`
  t.match((await daemon.ask('GET', next, { bearer })).json, { data: [{ id }] })
  t.same(await daemon.need('GET', '/system/kyc?status=approved', { bearer }), [])
  t.equal((await daemon.ask('GET', '/api/v1/system/kyc?status=lost', { bearer })).status, 400)
})

t.test('a case is masked, and shown unmasked only to a signed-in administrator', async (t) => {
  const { daemon, env, root, mina, path } = await start(t)
  const { cookie } = root
  const masked = await daemon.ask('GET', path, { bearer })
  t.match(masked.json.data, { status: 'pending', fields: [{ name: 'firstName', value: '•••' }] })
  const byToken = await daemon.ask('GET', `${path}?reveal=true`, { bearer })
  t.match(byToken.json, { status: 403, code: 'forbidden' })
  const inFull = await daemon.ask('GET', `${path}?reveal=true`, { cookie })
  t.match(inFull.json.data.fields[0], { name: 'firstName', value: 'Wilhelmina' })
  t.match(inFull.headers.get('cache-control'), /no-store/)
  const kept = { 'if-none-match': String(masked.headers.get('etag')) }
  const again = await daemon.ask('GET', `${path}?reveal=true`, { cookie, headers: kept })
  t.equal(again.status, 200, 'the masked answer is not the same as this one')
  for (const credential of [{ cookie: mina.cookie }, {}]) {
    const answer = await daemon.ask('GET', path, credential)
    t.equal(answer.status, 'cookie' in credential ? 403 : 401)
  }
  const log = await daemon.ask('GET', '/api/v1/system/audit-log', { bearer })
  const reads = log.json.data.filter(
    ({ action }: { action: string }) => action === 'verification.read',
  )
  t.same(
    reads.map(({ detail }: { detail: string }) => detail),
    ['in full', 'in full', 'masked'],
  )
  t.same(
    privateTexts.filter((text) => log.text.includes(text)),
    [],
  )

  await daemon.stop()
  await tamper(daemon.dir, (store, tx) => {
    for (const session of store.sessions.listOfUser(root.userId as never, 10)) {
      store.sessions.put(tx, { ...session, authenticatedAtMs: session.authenticatedAtMs - 960_000 })
    }
  })
  const later = await startDaemon(t, { dir: daemon.dir, env })
  const old = await later.ask('GET', `${path}?reveal=true`, { cookie })
  t.match(old.json, { status: 403, code: 'reauthentication_required' })
  const json = { email: root.email, password }
  const { token } = await later.need('POST', '/auth/login', { json })
  t.equal((await later.ask('GET', `${path}?reveal=true`, { cookie: token })).status, 200)
})

t.test('a decision is made once, and the person is told', async (t) => {
  const { daemon, mina, path } = await start(t)
  const decide = (json: object, headers: Record<string, string> = {}) =>
    daemon.ask('PATCH', path, { bearer, json, headers })
  t.match((await decide({ decision: 'maybe' })).json, { status: 422, message: /^decision / })
  t.equal((await decide({ decision: 'approve', status: 'approved' })).status, 422)
  t.equal((await decide({ decision: 'reject', reason: 'x'.repeat(501) })).status, 422)
  const etag = String((await daemon.ask('GET', path, { bearer })).headers.get('etag'))
  t.match((await decide({ decision: 'review' })).json, {
    data: { status: 'in_review' },
    message: 'Verification in review',
  })
  t.equal((await decide({ decision: 'approve' }, { 'if-match': etag })).status, 412)
  const said = await decide({ decision: 'reject', reason: 'The picture is blurred' })
  t.match(said.json, { data: { status: 'rejected' }, message: 'Verification decided' })
  t.match((await decide({ decision: 'approve' })).json, { status: 409, code: 'conflict' })
  const headers = { 'auth-token': mina.cookie }
  t.match(await daemon.need('GET', '/identity/kyc', { headers }), {
    status: 'rejected',
    reason: 'The picture is blurred',
    decidedAt: String,
  })
  daemon.secrets.add('The picture is blurred')
})

t.test('an unknown case is not found', async (t) => {
  const { daemon } = await start(t)
  for (const id of ['kyc_01jd0000000000000000000000', 'kyc_x', 'usr_01jd0000000000000000000000']) {
    const path = `/api/v1/system/kyc/${id}`
    t.equal((await daemon.ask('GET', path, { bearer })).status, 404)
    const json = { decision: 'approve' }
    t.equal((await daemon.ask('PATCH', path, { bearer, json })).status, 404)
  }
})
