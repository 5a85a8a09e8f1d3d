// What a member should know since the last look: who sees what, and what counts as new.
import t from 'tap'
import type { DeliveryId } from '../../../src/base/ids.ts'
import { unused } from '../../../src/domain/alerts/channel-health.ts'
import { sharedOwner } from '../../../src/domain/locations/location.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import {
  initialMonitorState,
  type MonitorState,
} from '../../../src/domain/monitors/monitor-state.ts'
import { createActivity } from '../../../src/services/orgs/activity.ts'
import { openAccess } from '../../support/access.ts'
import { channelNo, makeChannel } from '../../support/make-channel.ts'
import { makeDelivery, makeIncident } from '../../support/make-incident.ts'
import { dayMs, makeMonitor, monitorNo } from '../../support/make-page.ts'
import { locationNo, makeProbe, probeNo } from '../../support/make-probe.ts'

type Seen = Partial<MonitorState> &
  Pick<Monitor, 'id' | 'name'> &
  Partial<Pick<Monitor, 'domainWarnDays'>>

const noFailure = { lastFailure: () => null }

t.test('what came since the last look is counted, for each person apart', async (t) => {
  const access = openAccess(t)
  const { store, clock, core, enrol, enrolIn, invites } = access
  const activity = createActivity(core, { backups: noFailure })
  const { scope: owner, organization } = await enrol('alice')
  const { scope: viewer } = await enrolIn(organization.id, 'bob', 'viewer')
  t.match(await activity.look(owner), { items: [], unread: 0 })
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
  t.match(await activity.look(owner), {
    items: [{ kind: 'incident.opened', objectId: incident.id, title: 'API is down', atMs: opened }],
    unread: 1,
  })
  await clock.advance(1_000)
  await activity.see(owner)
  t.match(await activity.look(owner), { unread: 0, seenAtMs: clock.nowMs() })
  t.match(await activity.look(viewer), { unread: 1 }, 'the other person has not looked')
  await clock.advance(1_000)
  await invites.create(owner, { email: 'eve@example.com' })
  t.match(await activity.look(owner), {
    items: [{ kind: 'invite.waiting', title: 'eve@example.com' }, { kind: 'incident.opened' }],
    unread: 1,
  })
  t.notMatch(
    JSON.stringify(await activity.look(viewer)),
    'eve@',
    'addresses are for administrators',
  )
  await clock.advance(30 * 86_400_000)
  t.notMatch(JSON.stringify(await activity.look(owner)), 'eve@', 'it has ended')
})

t.test('an API key has no last look', async (t) => {
  const { core, enrol } = openAccess(t)
  const activity = createActivity(core, { backups: noFailure })
  const { scope } = await enrol('alice')
  const key = { ...scope, caller: { ...scope.caller, principal: { kind: 'system' } as const } }
  await t.rejects(activity.look(key), { code: 'forbidden' })
  await t.rejects(activity.see(key), { code: 'forbidden' })
})

t.test('what ends soon is news with each number of days at which a monitor warns', async (t) => {
  const { store, clock, core, enrol } = openAccess(t)
  const activity = createActivity(core, { backups: noFailure })
  const { scope } = await enrol('alice')
  const { orgId } = scope
  const endsAtMs = clock.nowMs() + 20.5 * dayMs
  const certificate = { expiresAtMs: endsAtMs, issuer: 'CA', fingerprint: 'ab' }
  const domain = { certificate: null, domainExpiresAtMs: endsAtMs + dayMs }
  const seen = { certificate, domainExpiresAtMs: null }
  const monitors: readonly Seen[] = [
    { id: monitorNo(1), name: 'Shop', ...seen },
    { id: monitorNo(2), name: 'API', ...seen },
    { id: monitorNo(3), name: 'Paused', ...seen, isPaused: true },
    { id: monitorNo(4), name: 'Far', certificate: { ...certificate, expiresAtMs: endsAtMs * 2 } },
    { id: monitorNo(5), name: 'example.com', ...domain },
    { id: monitorNo(6), name: 'Silent', ...domain, domainWarnDays: [] },
  ]
  const put = (of: readonly Seen[]) =>
    store.write((tx) => {
      for (const { id, name, domainWarnDays = [14], ...state } of of) {
        const warns = { certificateWarnDays: [14, 7], domainWarnDays }
        const url = name
        store.monitors.put(tx, makeMonitor({ id, orgId, name, url, createdAtMs: 1, ...warns }))
        store.monitorStates.put(tx, orgId, id, { ...initialMonitorState(0), ...state })
      }
    })
  await put(monitors)
  t.same((await activity.look(scope)).items, [], 'more than 14 days are left')

  await clock.advance(6 * dayMs)
  const both = { kind: 'certificate.expiring', objectId: monitorNo(1), title: 'Shop +1' }
  t.match(await activity.look(scope), {
    items: [{ ...both, endsAtMs, atMs: endsAtMs - 15 * dayMs }],
    unread: 1,
  })
  await activity.see(scope)
  await clock.advance(dayMs)
  const name = { kind: 'domain.expiring', objectId: monitorNo(5), endsAtMs: endsAtMs + dayMs }
  t.match(await activity.look(scope), { items: [name, both], unread: 1 })
  await activity.see(scope)
  await clock.advance(6 * dayMs)
  const again = { ...both, atMs: endsAtMs - 8 * dayMs }
  t.match(await activity.look(scope), { items: [again, name], unread: 1 }, 'the next number')

  const renewed = { ...certificate, expiresAtMs: endsAtMs + 90 * dayMs, fingerprint: 'cd' }
  await put(monitors.slice(0, 2).map((one) => ({ ...one, certificate: renewed })))
  t.match((await activity.look(scope)).items, [name], 'it was renewed')
  t.equal((await activity.look(scope)).items.length, 1)
  await clock.advance(30 * dayMs)
  t.same((await activity.look(scope)).items, [], 'what has ended is an outage, if it is one')
})

t.test('messages that were given up are told once for each channel that is on', async (t) => {
  const { store, clock, core, enrol } = openAccess(t)
  const activity = createActivity(core, { backups: noFailure })
  const { scope } = await enrol('alice')
  const { orgId } = scope
  const failedAtMs = clock.nowMs() + 1_000
  const dead = { state: 'dead', lastAtMs: failedAtMs } as const
  const channels = ['Works', 'Fails', 'Off', 'Tested'].map((name, at) =>
    makeChannel({ id: channelNo(at + 1), orgId, name, isActive: name !== 'Off' }),
  )
  await store.write((tx) => {
    for (const channel of channels) {
      const event = channel.name === 'Tested' ? 'channel.test' : 'incident.opened'
      store.channels.put(tx, channel)
      for (const number of [1, 2]) {
        const id = `dlv_01k${String(number).padStart(23, '0')}` as DeliveryId
        store.deliveries.put(tx, makeDelivery({ id, orgId, channelId: channel.id, event }, dead))
      }
    }
    const failing = { ...unused, failures: 1, hasDeadLetter: true, failingSinceMs: failedAtMs }
    store.channelHealth.put(tx, orgId, channelNo(2), failing)
  })
  await clock.advance(2_000)
  const { items, unread } = await activity.look(scope)
  t.same(
    items.map(({ kind, title, atMs }) => [kind, title, atMs]),
    [
      ['messages.undelivered', 'Works', failedAtMs],
      ['channel.failing', 'Fails', failedAtMs],
    ],
  )
  t.equal(unread, 2)
})

t.test('administrators hear that a location is silent, for as long as it is', async (t) => {
  const { store, clock, core, enrol, enrolIn } = openAccess(t)
  const activity = createActivity(core, { backups: noFailure })
  const { scope: owner, organization } = await enrol('alice')
  const { scope: viewer } = await enrolIn(organization.id, 'bob', 'viewer')
  const operator = {
    ...viewer,
    caller: { ...viewer.caller, principal: { ...viewer.caller.principal, isSystemAdmin: true } },
  }
  await clock.advance(60_000)
  const toldAtMs = clock.nowMs()
  const locationId = locationNo(1)
  for (const [orgId, name] of [
    [organization.id, 'Frankfurt'],
    [sharedOwner, 'Oslo'],
  ] as const) {
    const location = { id: locationId, orgId, name, description: null }
    await store.write((tx) => {
      store.locations.put(tx, { ...location, createdAtMs: 0, updatedAtMs: 0, revision: 1 })
      store.probes.put(tx, makeProbe({ id: probeNo(name.length), orgId }), 0)
      store.probes.noteSilence(tx, orgId, locationId, { fromMs: 0, toldAtMs })
    })
  }
  const told = { kind: 'location.silent', objectId: locationId, atMs: toldAtMs }
  t.match(await activity.look(owner), { items: [{ ...told, title: 'Frankfurt' }], unread: 1 })
  t.same((await activity.look(viewer)).items, [])
  t.match(
    (await activity.look(operator)).items,
    [{ ...told, title: 'Oslo' }],
    'shared by the service',
  )
  await store.write((tx) => store.probes.noteSilence(tx, organization.id, locationId, null))
  t.same((await activity.look(owner)).items, [], 'it is heard again')
})

t.test('only administrators of the installation hear of backups that failed', async (t) => {
  const { clock, core, enrol } = openAccess(t)
  const failure = { sinceMs: clock.nowMs() + 1_000, isOfCopy: false, reason: 'the disk is full' }
  let last = { ...failure, atMs: failure.sinceMs }
  const activity = createActivity(core, { backups: { lastFailure: () => last } })
  const { scope } = await enrol('alice')
  const principal = { ...scope.caller.principal, isSystemAdmin: true }
  const admin = { ...scope, caller: { ...scope.caller, principal } }
  await clock.advance(2_000)
  const told = { kind: 'backup.failed', title: 'the disk is full', objectId: null }
  t.match(await activity.look(admin), { items: [{ ...told, atMs: failure.sinceMs }], unread: 1 })
  t.same((await activity.look(scope)).items, [])
  await activity.see(admin)
  last = { ...failure, atMs: clock.nowMs() + 5_000 }
  t.match(await activity.look(admin), { unread: 0 }, 'the same trouble is no news')
  last = { ...last, isOfCopy: true }
  t.match(await activity.look(admin), { items: [{ kind: 'backup.uncopied' }] })
})
