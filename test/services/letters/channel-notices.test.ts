// The owners, and nobody else, hear by letter that no alert channel of their organization works.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { channelHealthPayload } from '../../../src/domain/alerts/payload.ts'
import { createChannelNotices } from '../../../src/services/letters/channel-notices.ts'
import { openAccess } from '../../support/access.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { makeOrg } from '../../support/make-org.ts'

t.test('each owner who can sign in gets the letter, with the name and the reason', async (t) => {
  const { store, clock, mailer, letters, enrol } = openAccess(t)
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => enrol(name)))
  const [alice, bob, carol] = people.map(({ user }) => user)
  if (!alice || !bob || !carol) return t.fail('there are three people')
  const orgId = newId('org', clock.nowMs())
  await store.write((tx) => {
    store.orgs.put(tx, makeOrg({ id: orgId, name: 'Acme' }))
    const join = { orgId, joinedAtMs: 0 }
    store.memberships.put(tx, { ...join, userId: alice.id, role: 'owner' })
    store.memberships.put(tx, { ...join, userId: bob.id, role: 'admin' })
    store.memberships.put(tx, { ...join, userId: carol.id, role: 'owner' })
    store.users.put(tx, { ...carol, isDisabled: true })
  })
  const before = letters.length
  const notices: unknown[] = []
  const systemNotices = { tell: (_tx: unknown, ...said: unknown[]) => void notices.push(said) }
  const deps = { store, mailer, systemNotices, baseUrl: 'https://up.test' }
  const { tellOwners } = createChannelNotices(deps)
  const channel = makeChannel({ orgId, name: 'Night pager' })
  const trouble = { reason: 'It said 500.', failingSinceMs: 0, pending: 2, nowMs: 9 }
  for (const type of ['channel.failing', 'channel.recovered'] as const) {
    const payload = channelHealthPayload(type, channel, trouble)
    await store.write((tx) => tellOwners(tx, orgId, payload))
  }
  const told = letters.slice(before)
  t.same(
    told.map(({ to, subject }) => [to, subject]),
    [
      ['alice@example.com', 'Alerts of Acme do not arrive'],
      ['alice@example.com', 'Alerts of Acme arrive again'],
    ],
  )
  t.match(notices, [
    [{ kind: 'channel', title: 'Alerts of Acme do not arrive', isOver: false }, channel.id],
    [{ kind: 'channel', title: 'Alerts of Acme arrive again', isOver: true }, undefined],
  ])
  t.notMatch(JSON.stringify(notices), 'It said 500', 'a reason may contain addresses')
  t.match(told[0]?.text, /Night pager.*It said 500\..*2 messages wait/s)
})
