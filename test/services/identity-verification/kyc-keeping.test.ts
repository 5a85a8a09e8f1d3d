// Time and verifications: the undecided end, and what was submitted goes after the decision.
import t from 'tap'
import { callerOf } from '../../support/access.ts'
import { openKyc } from '../../support/kyc.ts'
import { fullFields, person } from '../../support/kyc-person.ts'

const dayMs = 86_400_000
const bySystem = callerOf({ kind: 'system' })

t.test('an undecided case ends after 30 days, and its person is told', async (t) => {
  const { kyc, kycKeeping, kycReview, enrol, clock, told, logged } = openKyc(t)
  const [ada, bea] = [await enrol('ada'), await enrol('bea')]
  const pending = await kyc.submit(ada.caller, person)
  const reviewed = await kyc.submit(bea.caller, person)
  await kycReview.decide(bySystem, reviewed.id, { decision: 'review' })
  await clock.advance(30 * dayMs - 1)
  t.equal(await kycKeeping.expireOld(100), 0)
  await clock.advance(1)
  t.equal(await kycKeeping.expireOld(100), 2)
  for (const { caller } of [ada, bea]) {
    t.match(kyc.status(caller), { verification: { state: 'expired' } })
  }
  t.same(
    told()
      .map(({ to }) => to)
      .toSorted(),
    ['ada@example.com', 'bea@example.com'],
  )
  t.match(told()[0]?.subject, /expired/)
  t.match(
    logged().filter(({ action }) => action === 'verification.expired'),
    [
      { objectId: pending.id, by: 'daemon', detail: 'retention' },
      { objectId: reviewed.id, by: 'daemon', detail: 'retention' },
    ],
  )
  t.ok(await kyc.submit(ada.caller, person), 'a new one may follow')
})

t.test('submissions are erased the set number of days after the decision', async (t) => {
  const { kyc, kycKeeping, kycReview, enrol, clock, store } = openKyc(t, { keptDays: 10 })
  const { caller } = await enrol('mina')
  const made = await kyc.submit(caller, fullFields)
  await clock.advance(5 * dayMs)
  await kycReview.decide(bySystem, made.id, { decision: 'approve', reason: 'All is well' })
  await clock.advance(10 * dayMs - 1)
  t.equal(await kycKeeping.expireOld(100), 0)
  t.ok(store.verifications.fields(made))
  await clock.advance(1)
  t.equal(await kycKeeping.expireOld(100), 1)
  t.equal(store.verifications.fields(made), undefined)
  t.match(kyc.status(caller), { fields: [], reason: null, verification: { state: 'approved' } })
  t.equal(await kycKeeping.expireOld(100), 0, 'nothing is left to do')
})

t.test('large amounts are processed in slices, and completely', async (t) => {
  const { kyc, kycKeeping, enrol, clock, store } = openKyc(t)
  for (const name of ['ada', 'bea', 'cleo']) await kyc.submit((await enrol(name)).caller, person)
  await clock.advance(31 * dayMs)
  t.equal(await kycKeeping.expireOld(2), 2)
  t.equal(await kycKeeping.expireOld(2), 1)
  t.equal(store.verifications.list({ state: 'expired', limit: 10 }).length, 3)
})
