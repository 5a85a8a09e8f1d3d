// Referrals: each new user counts once for whoever brought them, and stays counted.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { openAccess } from '../../support/access.ts'

type Access = ReturnType<typeof openAccess>
type Person = Awaited<ReturnType<Access['enrol']>>

/** As if a monitor of the organization had been checked, or only been made. */
async function withMonitor({ store, clock }: Access, { organization }: Person, isChecked = true) {
  const monitorState = { ...initialMonitorState(clock.nowMs()), lastAtMs: isChecked ? 1 : null }
  const monitorId = newId('monitor', clock.nowMs())
  await store.write((tx) => store.monitorStates.put(tx, organization.id, monitorId, monitorState))
  return monitorId
}

t.test('a registration with a code counts, and is active after a first check', async (t) => {
  const access = openAccess(t)
  const { enrol, referrals, clock } = access
  const alice = await enrol('alice')
  const { code, url } = referrals.of(alice.caller)
  t.equal(url, `http://127.0.0.1:8080/?ref=${code}`)
  t.match(referrals.of(alice.caller), { counts: { registered: 0, active: 0 }, referrals: [] })
  const bob = await enrol('bob', { referralCode: ` ${code.toUpperCase()} ` })
  await clock.advance(1_000)
  await enrol('carol', { referralCode: code })
  t.match(referrals.of(alice.caller).counts, { registered: 2, active: 0 })
  await withMonitor(access, bob, false)
  t.match(referrals.of(alice.caller).counts, { registered: 2, active: 0 }, 'not by a mere monitor')
  await withMonitor(access, bob)
  const book = referrals.of(alice.caller)
  t.match(book.counts, { registered: 1, active: 1 })
  t.match(book.referrals, [{ status: 'registered' }, { status: 'active' }], 'newest first')
  t.notMatch(JSON.stringify(book), /bob|carol|usr_/, 'who they are stays their own affair')
  t.match(referrals.of(bob.caller).counts, { registered: 0, active: 0 })
})

t.test('an active referral stays active when the organization is gone', async (t) => {
  const access = openAccess(t)
  const { enrol, referrals, store } = access
  const alice = await enrol('alice')
  const { code } = referrals.of(alice.caller)
  const bob = await enrol('bob', { referralCode: code })
  await enrol('carol', { referralCode: code })
  t.equal(await referrals.settle(100), 0)
  const monitorId = await withMonitor(access, bob)
  t.equal(await referrals.settle(100), 1)
  t.equal(await referrals.settle(100), 0, 'once')
  const { id: orgId } = bob.organization
  await store.write((tx) => {
    store.monitorStates.remove(tx, orgId, monitorId)
    store.memberships.remove(tx, { orgId, userId: bob.user.id })
  })
  t.match(referrals.of(alice.caller).counts, { registered: 1, active: 1 })
})

t.test('settling goes through all of them, a few at a time', async (t) => {
  const access = openAccess(t)
  const { enrol, referrals } = access
  const { code } = referrals.of((await enrol('alice')).caller)
  const people: Person[] = []
  for (let n = 0; n < 7; n += 1) people.push(await enrol(`p${n}`, { referralCode: code }))
  // The last one comes in the third slice; those before it never become active.
  const last = people.at(-1)
  if (last) await withMonitor(access, last)
  const settled = []
  for (let n = 0; n < 4; n += 1) settled.push(await referrals.settle(3))
  t.same(settled, [0, 0, 1, 0])
})

t.test('an unknown code is refused by its field, and no account is created', async (t) => {
  const { enrol, referrals, store } = openAccess(t)
  const alice = await enrol('alice')
  const unknown = { code: 'validation_failed', errors: [{ pointer: '/referralCode' }] }
  const first = referrals.of(alice.caller).code
  for (const referralCode of ['nobody-has-it', '', '01jd0000000000000000000000', `${first}x`]) {
    await t.rejects(enrol('bob', { referralCode }), unknown, referralCode)
  }
  t.notOk(store.users.findByEmail('bob@example.com'))
  await store.write((tx) => store.users.put(tx, { ...alice.user, isDisabled: true }))
  await t.rejects(enrol('bob', { referralCode: first }), unknown, 'switched off')
})

t.test('nobody can refer themselves, not even by another spelling of the mailbox', async (t) => {
  const { enrol, referrals } = openAccess(t)
  const { code } = referrals.of((await enrol('alice.smith')).caller)
  for (const name of ['alice.smith+2', 'alicesmith', 'a.l.i.c.e.smith+x']) {
    await t.rejects(enrol(name, { referralCode: code }), {
      code: 'validation_failed',
      errors: [{ pointer: '/referralCode', keyword: 'own' }],
    })
  }
})

t.test('a new user is counted once, whatever happens', async (t) => {
  const { enrol, referrals, store } = openAccess(t)
  const [alice, carol] = [await enrol('alice'), await enrol('carol')]
  const codes = [alice, carol].map(({ caller }) => referrals.of(caller).code)
  const bob = await enrol('bob', { referralCode: codes[0] })
  for (const code of [...codes, ...codes]) {
    await store.write((tx) => referrals.note(tx, bob.user, code))
  }
  t.equal(referrals.of(alice.caller).counts.registered, 1)
  t.equal(referrals.of(carol.caller).counts.registered, 0)
})

t.test('another code replaces the previous one, generated or chosen', async (t) => {
  const { enrol, referrals } = openAccess(t)
  const alice = await enrol('alice')
  const first = referrals.of(alice.caller).code
  const made = await referrals.changeCode(alice.caller, {})
  t.match(made.code, /^[a-z0-9]{10}$/)
  t.equal(referrals.of(alice.caller).code, made.code)
  const chosen = await referrals.changeCode(alice.caller, { code: ' Alice-2026 ' })
  t.match(chosen, { code: 'alice-2026', url: 'http://127.0.0.1:8080/?ref=alice-2026' })
  for (const [n, old] of [first, made.code].entries()) {
    await t.rejects(enrol(`n${n}`, { referralCode: old }), { code: 'validation_failed' })
  }
  await enrol('bob', { referralCode: 'ALICE-2026' })
  t.equal(referrals.of(alice.caller).counts.registered, 1)
  t.match(await referrals.changeCode(alice.caller, { code: 'alice-2026' }), chosen, 'again')
  for (const code of ['abc', 'a b c d', 'admin', 'x'.repeat(33), first]) {
    await t.rejects(referrals.changeCode(alice.caller, { code }), {
      code: 'validation_failed',
      errors: [{ pointer: '/code' }],
    })
  }
})

t.test('a code belongs to one person, even if several want it at once', async (t) => {
  const { enrol, referrals } = openAccess(t)
  const people = []
  for (let n = 0; n < 5; n += 1) people.push((await enrol(`p${n}`)).caller)
  const tried = await Promise.allSettled(
    people.map((caller) => referrals.changeCode(caller, { code: 'best-code' })),
  )
  t.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1)
  t.match(tried[4], { reason: { code: 'conflict' } })
  const [winner, loser] = people
  if (!winner || !loser) return
  await referrals.changeCode(winner, { code: 'second' })
  const again = referrals.changeCode(loser, { code: 'best-code' })
  await t.rejects(again, { code: 'conflict' }, 'links to the old code must not serve another')
  t.match(await referrals.changeCode(winner, { code: 'best-code' }), { code: 'best-code' })
})

t.test('a person who leaves takes codes and referrals along', async (t) => {
  const { enrol, referrals, store } = openAccess(t)
  const [alice, carol] = [await enrol('alice'), await enrol('carol')]
  await referrals.changeCode(alice.caller, { code: 'alice-code' })
  const bob = await enrol('bob', { referralCode: 'alice-code' })
  await enrol('dave', { referralCode: referrals.of(bob.caller).code })
  await store.write((tx) => store.referrals.removeUser(tx, bob.user.id))
  t.equal(referrals.of(alice.caller).counts.registered, 0)
  t.equal(referrals.of(bob.caller).counts.registered, 0)
  await store.write((tx) => store.referrals.removeUser(tx, alice.user.id))
  t.match(await referrals.changeCode(carol.caller, { code: 'alice-code' }), { code: 'alice-code' })
})
