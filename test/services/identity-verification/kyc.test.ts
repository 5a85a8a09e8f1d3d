// Identity verification as its person meets it: one at a time, masked, erased when they say so.

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SealBroken } from '../../../src/seal/box.ts'
import { createEnvelopes } from '../../../src/seal/envelope.ts'
import { openKeyring } from '../../../src/seal/keyring.ts'
import { kycSubmissions } from '../../../src/services/assembly/kyc.ts'
import { kycCasesPerUserMax } from '../../../src/services/identity-verification/kyc.ts'
import { createKycVault } from '../../../src/services/identity-verification/kyc-vault.ts'
import { openKyc } from '../../support/kyc.ts'
import { fullFields, person, privateTexts } from '../../support/kyc-person.ts'

/** The private texts that lie in the clear in any file of the directory. */
function foundIn(dir: string): string[] {
  const files = readdirSync(dir).map((name) => readFileSync(join(dir, name)))
  return privateTexts.filter((text) => files.some((bytes) => bytes.includes(text)))
}

t.test('a submission is stored encrypted, and shown masked to its person', async (t) => {
  const { kyc, enrol, dir, store, woken } = openKyc(t)
  const { caller } = await enrol('mina')
  t.equal(kyc.status(caller), undefined)
  const made = await kyc.submit(caller, fullFields)
  t.match(made, { state: 'pending', provider: 'manual', sending: null, decidedAtMs: null })
  t.equal(woken.count, 1)
  const status = kyc.status(caller)
  t.equal(status?.verification.id, made.id)
  t.equal(status?.fields.length, 15)
  const shown = JSON.stringify(status)
  t.same(
    privateTexts.filter((text) => shown.includes(text)),
    [],
    'no value is shown in full',
  )
  await store.flush()
  t.same(foundIn(dir), [], 'no value lies in the data')
})

t.test('of many submissions at once exactly one is accepted, until it is decided', async (t) => {
  const { kyc, kycReview, enrol, operator } = openKyc(t)
  const { caller } = await enrol('mina')
  const root = await operator()
  const race = await Promise.allSettled(Array.from({ length: 6 }, () => kyc.submit(caller, person)))
  t.equal(race.filter(({ status }) => status === 'fulfilled').length, 1)
  t.match(race.at(-1), { reason: { code: 'conflict' } })
  const id = kyc.status(caller)?.verification.id
  if (!id) return t.fail('there is a case')
  await kycReview.decide(root, id, { decision: 'review' })
  await t.rejects(kyc.submit(caller, person), { code: 'conflict' }, 'under review is not decided')
  await kycReview.decide(root, id, { decision: 'reject' })
  const second = await kyc.submit(caller, person)
  t.not(second.id, id)
})

t.test('invalid fields are refused with the field and the rule', async (t) => {
  const { kyc, enrol } = openKyc(t)
  const { caller } = await enrol('mina')
  await t.rejects(kyc.submit(caller, { ...person, dateOfBirth: '2026-01-01', country: 'XX' }), {
    code: 'validation_failed',
    message: 'dateOfBirth must be 13 to 120 years ago',
    errors: [{ pointer: '/dateOfBirth' }, { pointer: '/country' }],
  })
  t.equal(kyc.status(caller), undefined)
})

t.test('repeated submissions are limited', async (t) => {
  const { kyc, enrol, clock } = openKyc(t)
  const { caller } = await enrol('mina')
  for (let count = 0; count < kycSubmissions.quota; count += 1) {
    await kyc.submit(caller, person)
    await kyc.erase(caller)
  }
  await t.rejects(kyc.submit(caller, person), { code: 'rate_limited' })
  await clock.advance(3_600_000)
  t.ok(await kyc.submit(caller, person))
})

t.test('nothing is stored for a person who deleted the account meanwhile', async (t) => {
  const { kyc, enrol, store } = openKyc(t)
  const { caller, user } = await enrol('mina')
  await store.write((tx) => store.users.remove(tx, user))
  await t.rejects(kyc.submit(caller, person), { code: 'unauthenticated' })
  t.same(store.verifications.listOfUser(user.id, 1), [])
})

t.test('erasing leaves only the fact, and ends an undecided case', async (t) => {
  const { kyc, enrol, store, vault, logged, kycReview, operator } = openKyc(t)
  const { caller } = await enrol('mina')
  const root = await operator()
  const first = await kyc.submit(caller, fullFields)
  await kycReview.decide(root, first.id, { decision: 'approve', reason: 'All is well' })
  const second = await kyc.submit(caller, fullFields)
  t.equal(await kyc.erase(caller), 2)
  t.match(kyc.status(caller), {
    fields: [],
    reason: null,
    verification: { id: second.id, state: 'expired' },
  })
  t.match(store.verifications.find(first.id), { state: 'approved', sending: null })
  for (const one of [first, second]) {
    t.equal(vault.open(one), undefined)
    t.equal(store.verifications.fields(one), undefined, 'the wrapped key is gone as well')
  }
  t.equal(await kyc.erase(caller), 0, 'once is enough')
  t.match(
    logged().map(({ action, objectId, by }) => [action, objectId, by]),
    [
      ['verification.submitted', first.id, 'session'],
      ['verification.approved', first.id, 'session'],
      ['verification.submitted', second.id, 'session'],
      ['verification.withdrawn', second.id, 'session'],
      ['verification.erased', first.id, 'session'],
    ],
  )
  t.ok(await kyc.submit(caller, person), 'a new one may follow')
})

t.test("one person's erasing and status never touch another's", async (t) => {
  const { kyc, enrol, store } = openKyc(t)
  const [mina, mallory] = [await enrol('mina'), await enrol('mallory')]
  const hers = await kyc.submit(mina.caller, person)
  t.equal(kyc.status(mallory.caller), undefined)
  t.equal(await kyc.erase(mallory.caller), 0)
  t.match(store.verifications.find(hers.id), { state: 'pending' })
})

t.test('a record in the place of another does not open', async (t) => {
  const { kyc, enrol, store } = openKyc(t)
  const [mina, mallory] = [await enrol('mina'), await enrol('mallory')]
  const hers = await kyc.submit(mina.caller, person)
  const his = await kyc.submit(mallory.caller, { ...person, firstName: 'Mallory' })
  const stolen = store.verifications.fields(hers)
  if (!stolen) return t.fail('something is held')
  await store.write((tx) => store.verifications.putFields(tx, his, stolen))
  t.throws(() => kyc.status(mallory.caller), { code: 'unavailable' })
  t.ok(await kyc.erase(mallory.caller), 'it can still be erased')
})

t.test('after erasure and a new master key an old copy of the data reveals nothing', async (t) => {
  const { kyc, enrol, store, keyFile } = openKyc(t)
  const [mina, ada] = [await enrol('mina'), await enrol('ada')]
  const erasedCase = await kyc.submit(mina.caller, person)
  const keptCase = await kyc.submit(ada.caller, { ...person, firstName: 'Ada' })
  const copy = store.verifications.fields(erasedCase)
  if (!copy) return t.fail('something is held')
  await kyc.erase(mina.caller)

  const [old = ''] = readFileSync(keyFile, 'utf8').trim().split('\n')
  const fresh = randomBytes(32).toString('hex')
  const vaultWith = (lines: readonly string[]) => {
    writeFileSync(keyFile, `${lines.join('\n')}\n`)
    const keyring = openKeyring({ file: keyFile, create: false, random: randomBytes })
    const envelopes = createEnvelopes(keyring)
    return { envelopes, vault: createKycVault({ store, envelopes }) }
  }
  const during = vaultWith([old, fresh])
  const rewrap = () =>
    store.write((tx) =>
      during.vault.wrappedByOlder(100).map((place) => during.vault.rewrap(tx, place)),
    )
  t.same(await rewrap(), ['rewrapped'], 'what lives is brought under the new key')
  t.same(await rewrap(), [])

  const after = vaultWith([fresh])
  t.match(after.vault.open(keptCase), { fields: { firstName: 'Ada' } })
  const place = `kyc|v1|${erasedCase.userId}|${erasedCase.id}`
  t.throws(() => after.envelopes.open(place, copy), SealBroken)
})

t.test('rewrapping skips what no key opens any more', async (t) => {
  const { kyc, enrol, store } = openKyc(t)
  const { caller } = await enrol('mina')
  const lost = await kyc.submit(caller, person)
  const dir = t.testdir()
  const other = openKeyring({ file: join(dir, 'other'), create: true, random: randomBytes })
  const vault = createKycVault({ store, envelopes: createEnvelopes(other) })
  t.equal(await store.write((tx) => vault.rewrap(tx, lost)), 'lost')
  t.throws(() => vault.open(lost), { code: 'unavailable' })
})

t.test('old cases of a person are dropped, but not the decision that counts', async (t) => {
  const { kyc, kycReview, enrol, operator, store, clock } = openKyc(t)
  const { caller, user } = await enrol('mina')
  const approved = await kyc.submit(caller, person)
  await kycReview.decide(await operator(), approved.id, { decision: 'approve' })
  for (let count = 0; count < kycCasesPerUserMax + 3; count += 1) {
    await clock.advance(3_600_000)
    await kyc.submit(caller, person)
    await kyc.erase(caller)
  }
  const kept = store.verifications.listOfUser(user.id, 100)
  t.equal(kept.length, kycCasesPerUserMax)
  t.equal(kept.at(-1)?.id, approved.id)
  await store.write((tx) => kyc.forget(tx, user.id))
  t.same(store.verifications.listOfUser(user.id, 100), [])
  t.equal(store.verifications.find(approved.id), undefined)
  t.same(store.verifications.list({ limit: 100 }), [], 'no index names it any more')
  t.same(store.verifications.wrappedByOthers('', 100), [])
})

t.test('if required, an owner must be approved, and stay so', async (t) => {
  const { kyc, kycReview, enrol, operator, store } = openKyc(t, { isRequired: true })
  const [owner, member] = [await enrol('mina'), await enrol('max')]
  const root = await operator()
  const orgId = owner.organization.id
  const must = () => kyc.mustBeApproved(orgId)
  t.throws(must, { code: 'kyc_required' })
  await store.write((tx) =>
    store.memberships.put(tx, { orgId, userId: member.user.id, role: 'admin', joinedAtMs: 0 }),
  )
  const decide = async (caller: typeof owner.caller, decision: 'approve' | 'reject') => {
    const { id } = await kyc.submit(caller, person)
    await kycReview.decide(root, id, { decision })
  }
  await decide(member.caller, 'approve')
  t.throws(must, { code: 'kyc_required' }, 'an admin does not count')
  await decide(owner.caller, 'approve')
  t.doesNotThrow(must)
  await kyc.erase(owner.caller)
  t.doesNotThrow(must, 'the fact outlives what was submitted')
  await kyc.submit(owner.caller, person)
  t.doesNotThrow(must, 'an undecided one takes nothing away')
  await kyc.erase(owner.caller)
  t.doesNotThrow(must, 'nor does one that expired')
  await decide(owner.caller, 'reject')
  t.throws(must, { code: 'kyc_required' }, 'a later rejection does')
})

t.test('if not required, nobody is asked', async (t) => {
  const { kyc, enrol } = openKyc(t)
  const { organization } = await enrol('mina')
  t.doesNotThrow(() => kyc.mustBeApproved(organization.id))
})
