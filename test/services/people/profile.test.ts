// One's own account: the name changes at once, the address only after everybody agreed.
import t from 'tap'
import { noPreferences } from '../../../src/domain/people/preferences.ts'
import { preferencesOf } from '../../../src/services/people/profile.ts'
import { openAccess } from '../../support/access.ts'
import { monitorNo } from '../../support/make-page.ts'

t.test('a name is changed, cleared and left alone', async (t) => {
  const { enrol, profile } = openAccess(t)
  const { caller, user } = await enrol('alice', { name: 'Alice' })
  t.match(profile.get(caller), { id: user.id, name: 'Alice' })
  const renamed = await profile.change(caller, { name: '  Alice B ' })
  t.match(renamed, { name: 'Alice B', revision: user.revision + 1 })
  t.match(await profile.change(caller, { name: 'Alice B' }), { revision: renamed.revision })
  t.match(await profile.change(caller, {}), { revision: renamed.revision })
  t.match(await profile.change(caller, { name: ' ' }), { name: null })
  t.match(profile.get(caller), { name: null })
})

t.test(
  'what somebody arranged is kept for them, each list apart, and is no change of the account',
  async (t) => {
    const { enrol, profile } = openAccess(t)
    const monitorId = monitorNo(1)
    const { caller, user, organization } = await enrol('alice')
    const bob = await enrol('bob')
    const view = { orgId: organization.id, name: 'Down', query: 'state=down' }
    t.same(await profile.changePreferences(caller, { views: [view] }), {
      pinnedMonitorIds: [],
      orderedMonitorIds: [],
      views: [view],
    })
    const lists = { pinnedMonitorIds: [monitorId], orderedMonitorIds: [monitorNo(2), monitorId] }
    await profile.changePreferences(caller, { pinnedMonitorIds: lists.pinnedMonitorIds })
    await profile.changePreferences(caller, { orderedMonitorIds: lists.orderedMonitorIds })
    t.same(preferencesOf(profile.get(caller)), { ...lists, views: [view] })
    t.same(preferencesOf(profile.get(bob.caller)), noPreferences)
    t.equal(profile.get(caller).revision, user.revision)
    const none = await profile.changePreferences(caller, { views: null })
    t.same(none, { ...lists, views: [] })
    const older = { pinnedMonitorIds: [monitorId], views: [] } as never
    t.same(preferencesOf({ preferences: older }).orderedMonitorIds, [], 'of an older record')
  },
)

t.test('a change of an older record is refused', async (t) => {
  const { enrol, profile } = openAccess(t)
  const { caller, user } = await enrol('alice')
  const tried = await Promise.allSettled(
    ['one', 'two', 'three'].map((name) => profile.change(caller, { name }, user.revision)),
  )
  t.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1)
  t.match(tried[2], { reason: { code: 'precondition_failed' } })
})

t.test(
  'another address needs a recent sign-in, and changes nothing before it is agreed',
  async (t) => {
    const { enrol, profile, clock, letters } = openAccess(t)
    const { caller } = await enrol('alice')
    letters.length = 0
    const asked = await profile.change(caller, { name: 'A', email: 'new@example.com' })
    t.match(asked, {
      name: 'A',
      email: 'alice@example.com',
      wantedEmail: { email: 'new@example.com' },
    })
    t.ok(letters.some(({ to }) => to === 'new@example.com'))
    await clock.advance(15 * 60_000 + 1)
    await t.rejects(profile.change(caller, { name: 'B', email: 'other@example.com' }), {
      code: 'reauthentication_required',
    })
    t.equal(profile.get(caller).name, 'A', 'all or nothing')
    t.match(await profile.change(caller, { name: 'C', email: 'alice@example.com' }), { name: 'C' })
  },
)
