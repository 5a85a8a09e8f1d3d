// Who hears that a location is silent, and that it is heard again.
import t from 'tap'
import { newId, type OrgId } from '../../../src/base/ids.ts'
import { type Location, sharedOwner } from '../../../src/domain/locations/location.ts'
import { createLocationNotices } from '../../../src/services/letters/location-notices.ts'
import { openAccess } from '../../support/access.ts'
import { makeOrg } from '../../support/make-org.ts'
import { makeProbe } from '../../support/make-probe.ts'

async function open(t: Parameters<typeof openAccess>[0], owner?: OrgId) {
  const { store, clock, mailer, letters, enrol } = openAccess(t)
  const people = await Promise.all(
    ['alice', 'bob', 'carol', 'dave', 'erin'].map((name) => enrol(name)),
  )
  const [alice, bob, carol, dave, erin] = people.map(({ user }) => user)
  if (!alice || !bob || !carol || !dave || !erin) throw new Error('there are five people')
  const orgId = newId('org', clock.nowMs())
  const locationId = newId('location', clock.nowMs())
  await store.write((tx) => {
    store.orgs.put(tx, makeOrg({ id: orgId, name: 'Acme' }))
    const join = { orgId, joinedAtMs: 0 }
    store.memberships.put(tx, { ...join, userId: alice.id, role: 'owner' })
    store.memberships.put(tx, { ...join, userId: bob.id, role: 'admin' })
    store.memberships.put(tx, { ...join, userId: carol.id, role: 'member' })
    store.memberships.put(tx, { ...join, userId: dave.id, role: 'admin' })
    store.users.put(tx, { ...dave, isDisabled: true })
    store.users.put(tx, { ...erin, isSystemAdmin: true })
    const times = { createdAtMs: 0, updatedAtMs: 0, revision: 1 }
    const location = { id: locationId, orgId: owner ?? orgId, name: 'Frankfurt', description: null }
    store.locations.put(tx, { ...location, ...times } satisfies Location)
    store.probes.put(tx, makeProbe({ orgId: owner ?? orgId, locationId }), 0)
  })
  const told: unknown[] = []
  const before = letters.length
  const systemNotices = { tell: (_tx: unknown, notice: unknown) => void told.push(notice) }
  const notices = createLocationNotices({
    store,
    clock,
    mailer,
    systemNotices,
    baseUrl: 'https://up.test',
  })
  const silence = { orgId: owner ?? orgId, locationId, fromMs: 60_000 }
  const stored = () => store.probes.silence(silence.orgId, locationId)
  await notices.tell(silence, false)
  t.same(stored(), { fromMs: 60_000, toldAtMs: clock.nowMs() }, 'also after a restart it was told')
  t.match(store.probes.silences(silence.orgId), [{ locationId, fromMs: 60_000 }])
  await notices.tell(silence, true)
  t.same(stored(), undefined)
  const sent = letters.slice(before)
  const news = [...told]
  await notices.tell(silence, false)
  await store.write((tx) =>
    store.probes.remove(tx, makeProbe({ orgId: silence.orgId, locationId })),
  )
  t.same(stored(), undefined, 'without a probe it is empty, and not silent')
  return { told: news, sent, whom: sent.map(({ to, subject }) => `${to}: ${subject}`).toSorted() }
}

t.test('the owners and administrators of the organization hear by letter', async (t) => {
  const { told, sent, whom } = await open(t)
  t.same(whom, [
    'alice@example.com: Frankfurt is heard again',
    'alice@example.com: Frankfurt is silent',
    'bob@example.com: Frankfurt is heard again',
    'bob@example.com: Frankfurt is silent',
  ])
  t.match(
    sent[0]?.text,
    /has been heard since 1 January 1970, 00:01 UTC.*reaches https:\/\/up\.test/s,
  )
  t.same(told, [], 'it is no news of the service')
})

t.test('of a location that all share, the administrators of the service hear', async (t) => {
  const { told, whom } = await open(t, sharedOwner)
  t.same(whom, [
    'erin@example.com: Frankfurt is heard again',
    'erin@example.com: Frankfurt is silent',
  ])
  t.match(told, [
    { kind: 'location', title: 'Frankfurt is silent', isOver: false },
    { kind: 'location', isOver: true },
  ])
})
