// Warnings of keys that end: a month and a week before, to whoever can do something about it.
import t, { type Test } from 'tap'
import { openAccess } from '../../support/access.ts'
import { damageRecord } from '../../support/temp-store.ts'

const dayMs = 86_400_000

/** What was sent about keys since the last look. */
async function openWarnings(t: Test) {
  const access = openAccess(t)
  let seen = 0
  async function warned(): Promise<string[]> {
    await access.keyWarnings.warnExpiring(100)
    const fresh = access.letters.slice(seen)
    seen = access.letters.length
    return fresh.flatMap(({ to, subject }) => (/^API key/.test(subject) ? `${to}: ${subject}` : []))
  }
  return { ...access, warned }
}

t.test('the creator of a key is warned 30 and 7 days before its end, once each', async (t) => {
  const { keys, clock, enrol, warned, mailer } = await openWarnings(t)
  const { scope } = await enrol('alice')
  await keys.create(scope, { name: 'ci' })
  await clock.advance(335 * dayMs - 1)
  t.same(await warned(), [])
  await clock.advance(1)
  const before = mailer.woken
  t.same(await warned(), ['alice@example.com: API key “ci” ends in 30 days'])
  t.equal(mailer.woken, before + 1)
  t.same(await warned(), [])
  await clock.advance(23 * dayMs)
  t.same(await warned(), ['alice@example.com: API key “ci” ends in 7 days'])
  await clock.advance(30 * dayMs)
  t.same(await warned(), [])
  t.match(keys.list(scope, { limit: 9 }).items, [{ name: 'ci' }], 'an ended key stays in the list')
})

t.test('the letter says which key of which organization, and never the key', async (t) => {
  const { keys, clock, enrol, warned, letters } = await openWarnings(t)
  const { scope } = await enrol('alice', { organizationName: 'Rockets' })
  const expiresAtMs = clock.nowMs() + 8 * dayMs
  const { key, prefix } = await keys.create(scope, { name: '<b>ci</b>', expiresAtMs })
  await clock.advance(dayMs)
  await warned()
  const letter = letters.at(-1)
  t.match(letter?.text, `(${prefix}…) of "Rockets" ends in 7 days, on 9 January 2026, 00:00 UTC`)
  t.match(letter?.html, '&lt;b&gt;ci')
  t.notMatch(JSON.stringify(letter), key)
})

t.test('damaged records of one organization keep no other from its warning', async (t) => {
  const { keys, clock, enrol, warned, store } = await openWarnings(t)
  const [ann, bob, cat] = [await enrol('ann'), await enrol('bob'), await enrol('cat')]
  for (const { scope } of [ann, bob, cat]) await keys.create(scope, { name: 'ci' })
  await damageRecord(store, 'orgs', [ann.scope.orgId])
  await damageRecord(store, 'users', [bob.user.id])
  await clock.advance(335 * dayMs)
  t.same(await warned(), ['cat@example.com: API key “ci” ends in 30 days'])
})

t.test('if the creator is gone, the owners are warned', async (t) => {
  const { keys, members, clock, enrol, enrolIn, warned } = await openWarnings(t)
  const { scope, organization } = await enrol('alice')
  const ann = await enrolIn(organization.id, 'ann', 'admin')
  await enrolIn(organization.id, 'bob', 'owner')
  await enrolIn(organization.id, 'vic', 'viewer')
  await keys.create(ann.scope, { name: 'hers' })
  await members.remove(scope, ann.user.id)
  const ended = 'bob@example.com: API key “hers” has ended'
  t.same(await warned(), [ended], 'the other owner, who did not do it')
  await clock.advance(340 * dayMs)
  t.same((await warned()).toSorted(), [
    'alice@example.com: API key “hers” ends in 25 days',
    'bob@example.com: API key “hers” ends in 25 days',
  ])
})

t.test('no pointless letter is sent', async (t) => {
  const { keys, clock, enrol, warned, store } = await openWarnings(t)
  const { scope, organization } = await enrol('alice')
  const inDays = (days: number) => clock.nowMs() + days * dayMs
  await keys.create(scope, { name: 'short', expiresAtMs: inDays(3) })
  await keys.create(scope, { name: 'kept', expiresAtMs: null })
  const revoked = await keys.create(scope, { name: 'revoked', expiresAtMs: inDays(40) })
  await keys.revoke(scope, revoked.id)
  const longer = await keys.create(scope, { name: 'longer', expiresAtMs: inDays(40) })
  await keys.change(scope, longer.id, { expiresAtMs: inDays(400) })
  const rotated = await keys.create(scope, { name: 'rotated', expiresAtMs: inDays(40) })
  const next = await keys.rotate(scope, rotated.id, {})
  await keys.change(scope, next.id, { expiresAtMs: null })
  const missed = await keys.create(scope, { name: 'missed', expiresAtMs: inDays(31) })
  await clock.advance(60 * dayMs)
  t.same(await warned(), [], 'nothing of what has ended while nobody looked')
  t.ok(store.apiKeys.get(organization.id, missed.id))
  await store.write((tx) => store.orgs.put(tx, { ...organization, isDisabled: true }))
  await clock.advance(400 * dayMs)
  t.same(await warned(), [], 'nor to an organization that is switched off')
})

t.test('many keys are processed in slices', async (t) => {
  const { keys, keyWarnings, clock, enrol } = await openWarnings(t)
  const { scope } = await enrol('alice')
  for (let n = 0; n < 5; n += 1) await keys.create(scope, { name: `key ${n}` })
  await clock.advance(336 * dayMs)
  const counts = []
  for (let n = 0; n < 4; n += 1) counts.push(await keyWarnings.warnExpiring(2))
  t.same(counts, [2, 2, 1, 0])
})
