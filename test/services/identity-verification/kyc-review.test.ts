// Verifications as the operator meets them: the queue, looks that are noted, decisions.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { callerOf } from '../../support/access.ts'
import { openKyc } from '../../support/kyc.ts'
import { fullFields, person, privateTexts } from '../../support/kyc-person.ts'

const bySystem = callerOf({ kind: 'system' })

t.test('the queue is newest first, in pages, by state, without personal data', async (t) => {
  const { kyc, kycReview, enrol } = openKyc(t)
  const ids: string[] = []
  for (const name of ['ada', 'bea', 'cleo']) {
    const { caller } = await enrol(name)
    ids.unshift((await kyc.submit(caller, fullFields)).id)
  }
  const first = kycReview.list({ limit: 2 })
  const second = kycReview.list({ limit: 2, after: first.nextAfter ?? '' })
  t.same(
    [...first.items, ...second.items].map(({ id }) => id),
    ids,
  )
  t.equal(second.nextAfter, undefined)
  const text = JSON.stringify(first)
  t.same(
    privateTexts.filter((one) => text.includes(one)),
    [],
  )
  const [newest] = first.items
  if (newest) await kycReview.decide(bySystem, newest.id, { decision: 'review' })
  t.match(kycReview.list({ limit: 9, state: 'in_review' }).items, [{ id: ids[0] }])
  t.match(kycReview.list({ limit: 9, state: 'pending' }).items, [{ id: ids[1] }, { id: ids[2] }])
  t.match(kycReview.list({ limit: 1, state: 'pending', after: ids[1] ?? '' }).items, [
    { id: ids[2] },
  ])
})

t.test('each view is in the log, which never contains a value', async (t) => {
  const { kyc, kycReview, enrol, operator, logged, store } = openKyc(t)
  const root = await operator()
  const { id } = await kyc.submit((await enrol('mina')).caller, fullFields)
  const masked = await kycReview.look(root, id, { reveal: false })
  t.match(masked.fields[0], { name: 'firstName', value: '•••' })
  const inFull = await kycReview.look(root, id, { reveal: true })
  t.match(Object.fromEntries(inFull.fields.map(({ name, value }) => [name, value])), {
    firstName: 'Wilhelmina',
    'identityNumbers.passport': 'NX7Q2MWKP',
    'address.city': /^Zwal/,
  })
  t.match(logged().slice(1), [
    { action: 'verification.read', detail: 'masked', by: 'session', objectId: id },
    { action: 'verification.read', detail: 'in full', by: 'session', objectId: id },
  ])
  const log = JSON.stringify(store.audit.slice('system', 100, 0))
  t.same(
    privateTexts.filter((one) => log.includes(one)),
    [],
  )
  t.match(log, /identityNumbers/, 'names of fields are in it')
})

t.test('only a signed-in administrator with a recent sign-in sees unmasked values', async (t) => {
  const { kyc, kycReview, enrol, operator, clock, logged } = openKyc(t)
  const root = await operator()
  const mina = await enrol('mina')
  const { id } = await kyc.submit(mina.caller, fullFields)
  const reveal = (caller: typeof bySystem) => kycReview.look(caller, id, { reveal: true })
  await t.rejects(reveal(bySystem), { code: 'forbidden' })
  await t.rejects(reveal(mina.caller), { code: 'forbidden' })
  t.ok(await kycReview.look(bySystem, id, { reveal: false }), 'the system token sees them masked')
  await clock.advance(15 * 60_000 + 1)
  await t.rejects(reveal(root), { code: 'reauthentication_required' })
  t.equal(logged().filter(({ detail }) => detail === 'in full').length, 0)
})

t.test('a decision counts once, is announced by letter, and its reason is encrypted', async (t) => {
  const { kyc, kycReview, enrol, operator, told, mailer, store } = openKyc(t)
  const root = await operator()
  const { caller } = await enrol('mina')
  const { id } = await kyc.submit(caller, fullFields)
  const decide = (decision: 'approve' | 'reject' | 'review', reason?: string) =>
    kycReview.decide(root, id, { decision, reason })
  t.match(await decide('review', 'We look at it'), { state: 'in_review', decidedAtMs: null })
  t.equal(told().length, 0, 'a review is no news')
  await t.rejects(decide('review'), { code: 'conflict' })
  const race = await Promise.allSettled([
    decide('reject', 'The passport has expired'),
    decide('approve'),
  ])
  t.match(race, [{ status: 'fulfilled' }, { reason: { code: 'conflict' } }])
  t.match(told(), [{ to: 'mina@example.com', subject: /could not be verified/ }])
  t.match(told()[0]?.text, /The passport has expired/)
  t.ok(mailer.woken > 0)
  t.match(kyc.status(caller), { reason: 'The passport has expired', verification: { id } })
  t.notMatch(JSON.stringify(store.verifications.find(id)), /passport/)
  for (const decision of ['approve', 'reject', 'review'] as const) {
    await t.rejects(decide(decision), { code: 'conflict' })
  }
})

t.test(
  'nobody decides their own case; another administrator or the system token does',
  async (t) => {
    const { kyc, kycReview, operator } = openKyc(t)
    const root = await operator()
    const { id } = await kyc.submit(root, fullFields)
    for (const decision of ['review', 'approve', 'reject'] as const) {
      const own = kycReview.decide(root, id, { decision })
      await t.rejects(own, { code: 'forbidden', message: /own verification/ })
    }
    t.match(await kycReview.decide(bySystem, id, { decision: 'approve' }), { state: 'approved' })
  },
)

t.test('a decision on an outdated version is refused', async (t) => {
  const { kyc, kycReview, enrol } = openKyc(t)
  const { id, revision } = await kyc.submit((await enrol('mina')).caller, person)
  await kycReview.decide(bySystem, id, { decision: 'review' }, revision)
  const late = kycReview.decide(bySystem, id, { decision: 'approve' }, revision)
  await t.rejects(late, { code: 'precondition_failed' })
})

t.test('an unknown case is not found, for every operation', async (t) => {
  const { kycReview } = openKyc(t)
  const id = newId('verification', 1)
  await t.rejects(kycReview.look(bySystem, id, { reveal: false }), { code: 'not_found' })
  await t.rejects(kycReview.decide(bySystem, id, { decision: 'approve' }), { code: 'not_found' })
})
