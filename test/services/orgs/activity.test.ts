// What a member should know since the last look: who sees what, and what counts as new.
import t from 'tap'
import { createActivity } from '../../../src/services/orgs/activity.ts'
import { openAccess } from '../../support/access.ts'
import { makeIncident } from '../../support/make-incident.ts'

t.test('what came since the last look is counted, for each person apart', async (t) => {
  const access = openAccess(t)
  const { store, clock, core, enrol, enrolIn, invites } = access
  const activity = createActivity(core)
  const { scope: owner, organization } = await enrol('alice')
  const { scope: viewer } = await enrolIn(organization.id, 'bob', 'viewer')
  t.match(activity.look(owner), { items: [], unread: 0 })
  await clock.advance(60_000)
  const opened = clock.nowMs()
  const incident = makeIncident({
    orgId: organization.id,
    title: 'API is down',
    startedAtMs: opened,
    confirmedAtMs: opened,
    resolvedAtMs: null,
  })
  await store.write((tx) => store.incidents.put(tx, incident))
  t.match(activity.look(owner), {
    items: [{ kind: 'incident.opened', objectId: incident.id, title: 'API is down', atMs: opened }],
    unread: 1,
  })
  await clock.advance(1_000)
  await activity.see(owner)
  t.match(activity.look(owner), { unread: 0, seenAtMs: clock.nowMs() })
  t.match(activity.look(viewer), { unread: 1 }, 'the other person has not looked')
  await clock.advance(1_000)
  await invites.create(owner, { email: 'eve@example.com' })
  t.match(activity.look(owner), {
    items: [{ kind: 'invite.waiting', title: 'eve@example.com' }, { kind: 'incident.opened' }],
    unread: 1,
  })
  t.notMatch(JSON.stringify(activity.look(viewer)), 'eve@', 'addresses are for administrators')
  await clock.advance(30 * 86_400_000)
  t.notMatch(JSON.stringify(activity.look(owner)), 'eve@', 'it has ended')
})

t.test('an API key has no last look', async (t) => {
  const { core, enrol } = openAccess(t)
  const activity = createActivity(core)
  const { scope } = await enrol('alice')
  const key = { ...scope, caller: { ...scope.caller, principal: { kind: 'system' } as const } }
  t.throws(() => activity.look(key), { code: 'forbidden' })
  await t.rejects(activity.see(key), { code: 'forbidden' })
})
