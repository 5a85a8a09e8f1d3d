// Very many monitors at once: all of them or none, whoever else is at work meanwhile.
import t, { type Test } from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import type { ChannelId, MonitorId, OrgId } from '../../../src/base/ids.ts'
import { dayMs, hourMs } from '../../../src/domain/health/span.ts'
import { floorTo } from '../../../src/domain/health/time-window.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { BulkChange } from '../../../src/domain/monitors/bulk-change.ts'
import type { MonitorFields } from '../../../src/domain/monitors/monitor-fields.ts'
import { secretMask } from '../../../src/domain/secret-mask.ts'
import { bulkWriteSlice, type ChangeOptions } from '../../../src/services/monitors/monitor-bulk.ts'
import { createUptimeReader } from '../../../src/store/monitor-uptime.ts'
import type { Store } from '../../../src/store/store.ts'
import { countPuts } from '../../support/count-puts.ts'
import { amount } from '../../support/depth.ts'
import { monitorNo } from '../../support/make-page.ts'
import { type ServicesOptions, startMonitorServices } from '../../support/monitor-services.ts'
import { failed } from '../../support/monitor-world.ts'

const many = (count: number, fields: MonitorFields = {}): MonitorFields[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `Monitor ${n}`,
    url: `https://host-${n}.test/`,
    intervalSeconds: 60,
    ...fields,
  }))

async function open(t: Test, options: ServicesOptions = {}) {
  const services = startMonitorServices(t, options)
  // Its organizations are on disk.
  await services.world.run(0)
  const { monitorBulk, store, alice, done } = services
  return {
    ...services,
    create: (monitors: readonly MonitorFields[]) => done(monitorBulk.create(alice, monitors)),
    /** Changes them, and says how many were matched and changed. */
    async change(...said: [Parameters<typeof monitorBulk.change>[1], BulkChange]) {
      const { matched, changed } = await done(monitorBulk.change(alice, ...said))
      return { matched, changed }
    },
    outcomeOf: (...said: [Parameters<typeof monitorBulk.change>[1], BulkChange, ChangeOptions?]) =>
      done(monitorBulk.change(alice, ...said)),
    check: (which: Parameters<typeof monitorBulk.check>[1]) =>
      done(monitorBulk.check(alice, which)),
    remove: (which: Parameters<typeof monitorBulk.remove>[1]) =>
      done(monitorBulk.remove(alice, which)),
    stored: (orgId: OrgId = alice.orgId) => store.monitors.list(orgId, 20_000).toReversed(),
    /** The audit entries of organization A, newest first, without who did it. */
    noted: (count: number) =>
      store.audit.list(alice.orgId, count).map(({ action, objectId, fields, detail }) => ({
        action,
        objectId,
        fields,
        detail,
      })),
  }
}

/** What a call that must fail was told: the code, then the pointers. */
async function refusal(promise: Promise<unknown>): Promise<string[]> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Fault)) throw error ?? new Error('nothing was wrong')
  return [error.code, ...error.errors.map(({ pointer }) => pointer)]
}

t.test('many are created in their order, and start in their slots', async (t) => {
  const { create, stored, fleet, store, alice, world, changedOrgs, noted } = await open(t)
  const ids = await create([...many(20), { name: 'Job', checkType: 'push' }])
  t.same(
    stored().map(({ id }) => id),
    ids,
  )
  t.same(
    stored().map(({ name }) => name),
    [...many(20).map(({ name }) => name), 'Job'],
  )
  t.equal(fleet.size(), 21)
  t.equal(store.monitors.count(alice.orgId), 21)
  t.ok(store.monitors.findByPushToken(stored()[20]?.pushTokenHash ?? ''))
  t.same(changedOrgs, [alice.orgId])
  t.same(noted(2), [
    { action: 'monitor.created', objectId: null, fields: [], detail: ids.join(' ') },
  ])
  t.same(world.checks, [], 'not all in one moment')
  await world.run(60_000)
  const times = new Set(world.checks.map(({ atMs }) => atMs))
  t.ok(times.size > 10, `${times.size} moments`)
  t.equal(new Set(world.checks.map(({ monitorId }) => monitorId)).size, 20)
})

t.test('one that is refused refuses all; every problem has its place', async (t) => {
  const { create, stored, noted, fleet } = await open(t, {
    targets: 'public',
    quotas: { monitors: 1_000 },
  })
  const good = { name: 'good', url: 'https://example.com/' }
  const bad = [
    { name: 'none' },
    { ...good, timeoutMs: 60_000, intervalSeconds: 10 },
    { ...good, notifyChannelIds: ['chn_01k0000000000000000000000z'] },
    { name: 'Job', checkType: 'push', url: 'https://a.test' },
  ]
  t.same(await refusal(create([good, ...bad, good])), [
    ...['validation_failed', '/monitors/1/url', '/monitors/2/timeoutMs'],
    ...['/monitors/3/notifyChannelIds/0', '/monitors/4/url'],
  ])
  t.same(await refusal(create([good, { name: 'in', url: 'http://127.0.0.1/' }])), [
    ...['target_not_allowed', '/monitors/1/url'],
  ])
  const other = { name: 'other', url: 'http://[2606:4700::1]/', ipFamily: 'ipv4' }
  t.same(await refusal(create([good, other])), ['validation_failed', '/monitors/1/ipFamily'])
  const endless = await refusal(create(Array.from({ length: 100 }, () => bad[0] ?? {}).concat(bad)))
  t.equal(endless.length, 1 + limits.fieldProblemsMax, 'as many as anybody reads')
  t.same([stored(), noted(1), fleet.size()], [[], [], 0])
})

t.test('the quota holds for all of them together, even at once', async (t) => {
  const { create, stored, approval, monitors, alice, done } = await open(t, {
    quotas: { monitors: 10 },
  })
  t.same(await refusal(create(many(11))), ['conflict'])
  t.same(stored(), [])
  const one = { name: 'one', url: 'https://one.test/' }
  const results = await Promise.allSettled([
    ...[create(many(6)), create(many(6)), create(many(4))],
    ...[done(monitors.create(alice, one)), done(monitors.create(alice, one))],
  ])
  const made = results.map(({ status }) => status === 'fulfilled')
  const counts = [6, 6, 4, 1, 1]
  const expected = counts.reduce((sum, count, n) => sum + (made[n] ? count : 0), 0)
  t.equal(stored().length, expected)
  t.ok(expected <= 10, `${expected} of 10`)
  t.ok(made.filter(Boolean).length >= 2)
  approval.isGiven = false
  t.same(await refusal(create(many(1))), ['kyc_required'])
  t.same(await create([]).catch(({ code }) => code), 'kyc_required')
})

t.test('pausing closes incidents, and resuming starts in the slots', async (t) => {
  const { create, change, stored, world, fleet, allIncidents, published, noted } = await open(t)
  const ids = await create(many(5, { failureThreshold: 1 }))
  world.answer = () => failed
  await world.run(60_000)
  t.equal(allIncidents().filter(({ state }) => state === 'open').length, 5)
  published.length = 0
  t.same(await change({ ids }, { isActive: false }), { matched: 5, changed: 5 })
  t.ok(stored().every(({ isActive, revision }) => !isActive && revision === 2))
  t.equal(fleet.size(), 0)
  t.ok(allIncidents().every(({ resolution }) => resolution === 'paused'))
  const told = published.map(({ event }) => event.type)
  t.same(told.toSorted(), [
    ...Array(5).fill('incident.resolved'),
    ...Array(5).fill('monitor.changed'),
    ...Array(5).fill('monitor.state'),
  ])
  t.match(noted(1), [{ action: 'monitor.paused', objectId: null, detail: ids.join(' ') }])
  t.same(await change({ ids }, { isActive: false }), { matched: 5, changed: 0 })

  world.checks.length = 0
  const [first] = ids
  t.same(await change({ ids: first ? [first, first] : [] }, { isActive: true }), {
    matched: 1,
    changed: 1,
  })
  t.match(noted(1), [{ action: 'monitor.resumed', objectId: first, detail: null }])
  t.same(world.checks, [])
  await world.run(60_000)
  t.equal(new Set(world.checks.map(({ monitorId }) => monitorId)).size, 1)
})

t.test('tags are added and removed, and select', async (t) => {
  const { create, change, remove, stored, changedOrgs, noted, fleet } = await open(t)
  await create([...many(3, { tags: ['shop', 'old'] }), ...many(2, { tags: ['blog'] })])
  changedOrgs.length = 0
  const change1 = { addTags: ['new'], removeTags: ['old'] }
  t.same(await change({ tag: 'shop' }, change1), { matched: 3, changed: 3 })
  t.same(
    stored().map(({ tags }) => tags.join()),
    ['shop,new', 'shop,new', 'shop,new', 'blog', 'blog'],
  )
  t.match(noted(1), [{ action: 'monitor.changed', fields: ['tags'] }])
  t.equal(changedOrgs.length, 1)
  t.same(await change({ tag: 'nobody has it' }, change1), { matched: 0, changed: 0 })
  t.equal(changedOrgs.length, 1)
  t.equal(await remove({ tag: 'new' }), 3)
  t.same([stored().length, fleet.size()], [2, 2])
  t.equal(await remove({ tag: 'new' }), 0)
})

t.test('deleting closes incidents and leaves nothing behind', async (t) => {
  const { create, remove, store, world, allIncidents, janitor, alice, noted, done } = await open(t)
  const ids = await create(many(7, { failureThreshold: 1, isPublic: true }))
  const [kept = monitorNo(1), ...leaving] = ids
  world.answer = () => failed
  await world.run(60_000)
  t.equal(await remove({ ids: leaving }), 6)
  t.same(
    store.monitors.list(alice.orgId, 10).map(({ id }) => id),
    [kept],
  )
  t.same(store.monitors.listPublic(alice.orgId, 10), [kept])
  t.equal(store.monitors.count(alice.orgId), 1)
  t.equal(allIncidents().filter(({ resolution }) => resolution === 'deleted').length, 6)
  t.match(noted(1), [{ action: 'monitor.deleted', detail: leaving.join(' ') }])
  world.checks.length = 0
  await world.run(120_000)
  t.ok(world.checks.every(({ monitorId }) => monitorId === kept))
  await done(janitor.sweep())
  t.same(store.tombstones.list(10), [], 'nor of their history')
  for (const id of leaving) t.equal(store.monitorStates.get(alice.orgId, id), undefined)
})

t.test('an unknown or a foreign id is named, and nothing is done', async (t) => {
  const { create, change, remove, stored, monitors, charlie, done, noted } = await open(t)
  const ids = await create(many(2))
  const foreign = await done(monitors.create(charlie, { name: 'x', url: 'https://x.test/' }))
  const named: MonitorId[] = [...ids, foreign.monitor.id, monitorNo(9)]
  const before = JSON.stringify([stored(), stored(charlie.orgId), noted(9)])
  const expected = ['validation_failed', '/ids/2', '/ids/3']
  t.same(await refusal(change({ ids: named }, { isActive: false })), expected)
  t.same(await refusal(remove({ ids: named })), expected)
  t.equal(JSON.stringify([stored(), stored(charlie.orgId), noted(9)]), before)
})

t.test('a request must have exactly one selector, and a change', async (t) => {
  const { change, remove, create } = await open(t)
  const ids = await create(many(1, { tags: Array.from({ length: 20 }, (_, n) => `t${n}`) }))
  const pause = { isActive: false }
  t.same(await refusal(change({}, pause)), ['validation_failed', '/ids'])
  t.same(await refusal(remove({})), ['validation_failed', '/ids'])
  t.same(await refusal(remove({ ids, tag: 't1' })), ['validation_failed', '/tag'])
  t.same(await refusal(change({ ids }, {})), ['validation_failed', ''])
  t.same(await refusal(change({ ids }, { addTags: ['one more'] })), [
    ...['validation_failed', '/addTags'],
  ])
  t.same(await change({ ids: [] }, pause), { matched: 0, changed: 0 })
})

t.test('deleting and pausing the same ones at once leaves nothing half done', async (t) => {
  const { create, change, remove, stored, fleet, store, alice } = await open(t)
  const ids = await create(many(20, { tags: ['x'] }))
  const [deleted, paused] = await Promise.allSettled([
    remove({ tag: 'x' }),
    change({ tag: 'x' }, { isActive: false }),
  ])
  t.match([deleted, paused], [{ value: 20 }, { value: { matched: 0, changed: 0 } }])
  t.same([stored(), fleet.size(), store.monitors.count(alice.orgId)], [[], 0, 0])
  t.same((await refusal(remove({ ids }))).length, 21)
})

/** Counts the records that each transaction writes; returns the most so far. */
function countWrites(store: Store): { most: number; transactions: number } {
  const counted = { most: 0, transactions: 0 }
  const puts = countPuts(store)
  const { write } = store
  store.write = (body) =>
    write((tx) => {
      puts.records = 0
      const made = body(tx)
      counted.most = Math.max(counted.most, puts.records)
      counted.transactions += 1
      return made
    })
  return counted
}

t.test('thousands that were paused for half a year are resumed, a few at a time', async (t) => {
  const count = amount(300, 2_000)
  const services = await open(t, { quotas: { monitors: count } })
  const { create, change, stored, store, clock, fleet, monitorState } = services
  const ids = await create(many(count, { intervalSeconds: 3_600 }))
  await change({ ids }, { isActive: false })
  const pausedMs = clock.nowMs()
  await clock.advance(180 * dayMs + 5_000_000)
  const { of } = createUptimeReader({ store, clock })
  const saysSo = () => {
    const [monitor] = stored()
    if (!monitor) throw new Error('there are monitors')
    const toMs = clock.nowMs()
    for (const sinceMs of [pausedMs, pausedMs + dayMs, pausedMs + 100 * dayMs, toMs - dayMs]) {
      const fromMs = floorTo(hourMs, sinceMs)
      const times = of(monitor, monitorState(monitor), { fromMs, toMs })
      t.equal(times.pausedMs, toMs - Math.max(fromMs, pausedMs))
    }
  }
  saysSo()
  const counted = countWrites(store)
  t.same(await change({ ids }, { isActive: true }), { matched: count, changed: count })
  t.ok(stored().every(({ isActive }) => isActive))
  t.equal(fleet.size(), count)
  t.ok(counted.most <= 20 * bulkWriteSlice, `${counted.most} records in one transaction`)
  t.ok(counted.transactions >= count / bulkWriteSlice, `${counted.transactions} transactions`)
  saysSo()
})

t.test('abandoned work stops before anything is written', async (t) => {
  const { monitorBulk, alice, done, stored, fleet, noted } = await open(t)
  const gone = AbortSignal.abort()
  t.same(await refusal(done(monitorBulk.create(alice, many(5), { signal: gone }))), ['unavailable'])
  t.same([stored(), fleet.size(), noted(1)], [[], 0, []])
})

t.test('thousands at once', async (t) => {
  const count = amount(1_200, 10_000)
  const { create, change, remove, stored, fleet, noted } = await open(t, {
    quotas: { monitors: count },
  })
  const ids = await create(many(count, { intervalSeconds: 3_600 }))
  t.equal(stored().length, count)
  t.equal(fleet.size(), count)
  const entries = noted(100).filter(({ action }) => action === 'monitor.created')
  t.same(
    entries.toReversed().flatMap(({ detail }) => detail?.split(' ')),
    ids,
  )
  t.same(await change({ ids }, { addTags: ['x'] }), { matched: count, changed: count })
  t.equal(await remove({ ids }), count)
  t.same([stored().length, fleet.size()], [0, 0])
})

t.test('every field changes that many share, and what is the same stays untouched', async (t) => {
  const { create, outcomeOf, stored, noted, fleet } = await open(t)
  const ids = await create([
    ...many(2, { timeoutMs: 5_000 }),
    ...many(1, { intervalSeconds: 30, timeoutMs: 5_000 }),
  ])
  const outcome = await outcomeOf(
    { ids },
    {
      fields: { intervalSeconds: 30, failureThreshold: 2, headers: { 'X-A': 'b' } },
      addTags: ['new'],
      isActive: false,
    },
  )
  t.match(outcome, { matched: 3, changed: 3, unchanged: 0, refused: 0, refusals: [] })
  t.match(stored(), [
    ...Array(3).fill({
      intervalSeconds: 30,
      failureThreshold: 2,
      timeoutMs: 5_000,
      headerNames: ['X-A'],
      tags: ['new'],
      isActive: false,
    }),
  ])
  t.equal(fleet.size(), 0)
  t.match(noted(3), [
    {
      action: 'monitor.changed',
      objectId: ids[2],
      fields: ['failureThreshold', 'headers', 'tags'],
    },
    {
      action: 'monitor.changed',
      detail: ids.slice(0, 2).join(' '),
      fields: ['failureThreshold', 'headers', 'intervalSeconds', 'tags'],
    },
    { action: 'monitor.paused', detail: ids.join(' ') },
  ])
  const before = stored()
  const again = await outcomeOf(
    { ids },
    { fields: { intervalMinutes: null, intervalSeconds: 30, headers: { 'X-A': secretMask } } },
  )
  t.match(again, { changed: 0, unchanged: 3 })
  t.same(stored(), before, 'no new revision')
})

t.test('a monitor that a change does not suit refuses it, or is left as it is', async (t) => {
  const { create, outcomeOf, stored, noted } = await open(t)
  const ids = await create([
    ...many(2),
    { name: 'Job', checkType: 'push' },
    { name: 'Slow', url: 'https://slow.test/', timeoutMs: 40_000, intervalSeconds: 60 },
    { name: 'Fast', url: 'https://fast.test/', intervalSeconds: 30 },
  ])
  const [, , job, slow, fast] = ids
  const change = { fields: { intervalSeconds: 30, retryIntervalSeconds: 20 }, addTags: ['x'] }
  const before = [stored(), noted(1)]
  t.same(await refusal(outcomeOf({ ids }, change)), [
    ...['validation_failed', '/retryIntervalSeconds', '/timeoutMs'],
  ])
  const dry = await outcomeOf({ ids }, change, { dryRun: true })
  const refusals = [
    { pointer: '/retryIntervalSeconds', message: 'does not apply to checkType push', ids: [job] },
    { pointer: '/timeoutMs', message: 'must not be above the interval', ids: [slow] },
  ]
  t.match(dry, { matched: 5, changed: 3, unchanged: 0, refused: 2, refusals })
  t.same([stored(), noted(1)], before, 'nothing is written')
  const done = await outcomeOf({ ids }, change, { skipRefused: true })
  t.same(done, dry)
  t.match(
    stored().map(({ intervalSeconds, tags }) => [intervalSeconds, tags.join()]),
    [
      [30, 'x'],
      [30, 'x'],
      [300, ''],
      [60, ''],
      [30, 'x'],
    ],
    'nothing of the change is on one that refused it',
  )
  const gone = [...ids, monitorNo(9), monitorNo(9)]
  t.match(await outcomeOf({ ids: gone }, { addTags: ['y'] }, { skipRefused: true }), {
    matched: 5,
    changed: 5,
    unchanged: 0,
    refused: 1,
    refusals: [{ pointer: '/ids', ids: [monitorNo(9)] }],
  })
  t.ok(fast)
})

t.test('what no monitor could take refuses the change, also one that skips', async (t) => {
  const { create, outcomeOf, stored } = await open(t)
  const ids = await create(many(2))
  const channel = 'chn_01k0000000000000000000000z' as ChannelId
  const skip = { skipRefused: true }
  const wrong: [BulkChange, string][] = [
    [{ addChannelIds: [channel] }, '/addChannelIds/0'],
    [{ fields: { notifyChannelIds: [channel] } }, '/notifyChannelIds/0'],
    [{ fields: { dependsOn: [monitorNo(9)] } }, '/dependsOn/0'],
    [{ fields: {} }, ''],
  ]
  for (const [change, pointer] of wrong) {
    t.same(await refusal(outcomeOf({ ids }, change, skip)), ['validation_failed', pointer])
  }
  const [first] = ids
  t.match(
    await outcomeOf({ ids }, { fields: { dependsOn: [first] } }, skip),
    { changed: 1, refused: 1, refusals: [{ pointer: '/dependsOn/0', ids: [first] }] },
    'a monitor does not depend on itself',
  )
  t.same(
    stored().map(({ dependsOn }) => dependsOn),
    [[], [first]],
  )
})

t.test('a change is taken back with what it answers', async (t) => {
  const { create, outcomeOf, stored } = await open(t)
  const ids = await create([
    ...many(2, { tags: ['a', 'b'], intervalSeconds: 120 }),
    ...many(1, { tags: ['b'], isActive: false }),
  ])
  const before = stored()
  const change = {
    fields: { intervalMinutes: 1, timeoutMs: 2_000 },
    ...{ addTags: ['c'], removeTags: ['a'], isActive: false },
  }
  const { undo } = await outcomeOf({ ids }, change, { withUndo: true })
  t.equal(undo?.length, 2, 'one for the monitors that had the same')
  for (const { ids, ...back } of undo ?? []) await outcomeOf({ ids }, back)
  const plain = (monitors: ReturnType<typeof stored>) =>
    monitors.map(({ updatedAtMs, revision, tags, ...kept }) => ({ ...kept, tags: tags.toSorted() }))
  t.same(plain(stored()), plain(before))
})

t.test('checks of many start as far as the limits of checks by hand allow', async (t) => {
  const { create, check, change, world, clock } = await open(t, {
    hasRunLimits: true,
    quotas: { monitors: 200 },
  })
  const ids = await create(many(100, { intervalSeconds: 3_600 }))
  await change({ ids: ids.slice(0, 2) }, { isActive: false })
  const checked = () => new Set(world.checks.map(({ monitorId }) => monitorId))
  t.same(await check({ ids: ids.slice(0, 12) }), {
    ...{ matched: 12, started: 10, paused: 2, reporting: 0, limited: 0 },
  })
  await world.run(1_000)
  // The turn of another one may come meanwhile, by chance.
  t.same(
    ids.slice(0, 12).filter((id) => checked().has(id)),
    ids.slice(2, 12),
  )
  t.match(await check({ ids }), { matched: 100, started: 20, paused: 2, limited: 78 })
  t.same(await refusal(check({ ids })), ['rate_limited'])
  await clock.advance(60_000)
  t.match(await check({ ids: ids.slice(-1) }), { started: 1 })
  t.same(await refusal(check({ ids: [monitorNo(9)] })), ['validation_failed', '/ids/0'])
})
