// Maintenance windows: who may be named, what is recorded, and what is exported.
import t from 'tap'
import { maintenanceAt } from '../../../src/services/maintenance/covered.ts'
import { portableWindows } from '../../../src/services/maintenance/portable-windows.ts'
import { createWindows, formerWindowsMax } from '../../../src/services/maintenance/windows.ts'
import { orgA } from '../../support/make-incident.ts'
import { monitorNo } from '../../support/make-page.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { damageRecord } from '../../support/temp-store.ts'

const hourMs = 3_600_000

function start(t: Parameters<typeof startMonitorServices>[0], quota = 100) {
  const world = startMonitorServices(t, { quotas: { maintenance: quota } })
  return { ...world, windows: createWindows(world.core) }
}

const daily = { name: 'Nightly', cron: '0 2 * * *', durationMinutes: 60 }

t.test('windows of one organization mean nothing to another', async (t) => {
  const { windows, alice, charlie, done, world, store, clock } = start(t)
  const monitor = await world.add({ id: monitorNo(1) })
  const isOnNow = { name: 'All', startsAt: '2025-12-31T00:00:00Z', endsAt: '2026-01-02T00:00:00Z' }
  const { id } = await done(windows.create(charlie, isOnNow))
  t.equal(maintenanceAt(store, monitor, clock.nowMs()), null)
  t.throws(() => windows.get(alice, id), { code: 'not_found' })
  t.same(windows.list(alice, { limit: 10 }).items, [])
  const named = { ...daily, monitorIds: [monitor.id] }
  await t.rejects(done(windows.create(charlie, named)), { code: 'validation_failed' })
  await done(windows.create(alice, isOnNow))
  t.same(maintenanceAt(store, monitor, clock.nowMs()), {
    fromMs: clock.nowMs(),
    toMs: Date.parse(isOnNow.endsAt),
  })
})

t.test('a caller that says whether all monitors are meant gets no other window', async (t) => {
  const { windows, alice, done, world } = start(t)
  const { id: monitorId } = await world.add({ id: monitorNo(1) })
  const refused = async (fields: object) => {
    const work = done(windows.create(alice, { ...daily, ...fields }))
    await t.rejects(work, { errors: [{ pointer: '/isForAll' }] })
  }
  await refused({ isForAll: false })
  await refused({ isForAll: true, monitorIds: [monitorId] })
  await refused({ isForAll: true, tags: ['shop'] })
  const all = { ...daily, isForAll: true, monitorIds: null, tags: [] }
  t.match(await done(windows.create(alice, all)), { isForAll: true, monitorIds: [] })
  t.match(await done(windows.create(alice, daily)), { isForAll: true }, 'as scripts ask for it')
  const tagged = { ...daily, isForAll: false, tags: ['shop'] }
  const { id } = await done(windows.create(alice, tagged))
  const change = (changes: object) => done(windows.change(alice, id, changes))
  await t.rejects(change({ isForAll: false, tags: null }), { code: 'validation_failed' })
  t.match(await change({ name: 'Nights' }), { isForAll: false, tags: ['shop'] })
  t.match(await change({ isForAll: true, tags: null }), { isForAll: true, tags: [] })
})

t.test('each change is in the audit log, with the fields and without values', async (t) => {
  const { windows, alice, done, store, clock } = start(t)
  await clock.advance(2 * hourMs)
  const { id } = await done(windows.create(alice, daily))
  await done(windows.change(alice, id, { durationMinutes: 90, isPublic: true }, 1))
  await done(windows.extend(alice, id, 10))
  await done(windows.end(alice, id, 3))
  await done(windows.cancel(alice, id, Date.parse('2026-01-02T02:00Z')))
  await done(windows.remove(alice, id, 5))
  const entries = store.audit.list(orgA, 10).toReversed()
  t.same(
    entries.map(({ action, fields }) => [action, ...fields]),
    [
      ['maintenance.created'],
      ['maintenance.changed', 'durationMinutes', 'isPublic'],
      ['maintenance.extended', 'occurrences'],
      ['maintenance.ended', 'occurrences'],
      ['maintenance.cancelled', 'occurrences'],
      ['maintenance.deleted'],
    ],
  )
})

t.test('a quota bounds them, and a damaged one can be deleted', async (t) => {
  const { windows, alice, done, store } = start(t, 1)
  const { id } = await done(windows.create(alice, daily))
  await t.rejects(done(windows.create(alice, daily)), { code: 'conflict' })
  await damageRecord(store, 'maintenance', [orgA, id])
  t.throws(() => windows.get(alice, id), { code: 'damaged_record' })
  await done(windows.remove(alice, id))
  await done(windows.create(alice, daily))
})

t.test('one that is on is changed a bounded number of times at once', async (t) => {
  const { windows, alice, done, clock } = start(t)
  const isOnNow = { name: 'On', startsAt: '2025-12-31T00:00:00Z', endsAt: '2026-01-02T00:00:00Z' }
  const { id } = await done(windows.create(alice, isOnNow))
  const change = async (number: number) => {
    await clock.advance(1)
    const endsAt = new Date(Date.parse(isOnNow.endsAt) + number * 1_000).toISOString()
    return done(windows.change(alice, id, { endsAt }))
  }
  const changes = formerWindowsMax + 2
  let refusal: unknown
  for (let number = 1; number <= changes && refusal === undefined; number += 1) {
    await change(number).catch((error: unknown) => {
      refusal = error
    })
  }
  t.match(refusal, { code: 'conflict', message: /changed too often/ })
  await done(windows.change(alice, id, { name: 'A name covers no time' }))
  await done(windows.remove(alice, id))
})

t.test('an export names no deleted monitor, and never widens a window', async (t) => {
  const { core, windows, alice, done, world, store, clock } = start(t)
  const kept = await world.add({ id: monitorNo(1) })
  const gone = await world.add({ id: monitorNo(2) })
  const both = await done(windows.create(alice, { ...daily, monitorIds: [kept.id, gone.id] }))
  const one = await done(windows.create(alice, { ...daily, monitorIds: [gone.id] }))
  await done(windows.create(alice, { ...daily, monitorIds: [gone.id], tags: ['db'] }))
  const past = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-01T00:30:00Z' }
  await done(windows.create(alice, { name: 'Past', ...past }))
  await store.write((tx) => store.monitors.remove(tx, gone))
  await clock.advance(hourMs)
  t.same(windows.get(alice, one.id).monitorIds, [gone.id], 'else it would be for every monitor')
  await done(windows.change(alice, one.id, { name: 'Renamed', monitorIds: [gone.id] }))
  const exported = await portableWindows(core).export(orgA)
  t.match(
    exported.map(({ item }) => item),
    [
      { id: both.id, monitorIds: [kept.id], tags: [] },
      { monitorIds: [], tags: ['db'] },
    ],
  )
  t.equal(exported.length, 2)
  t.same(portableWindows(core).omitted?.(orgA), [
    { name: 'Renamed', reason: 'no_monitors' },
    { name: 'Past', reason: 'ended' },
  ])
})
