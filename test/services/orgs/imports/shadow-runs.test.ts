// The shadow run of imported monitors: they are watched and tell nobody; once live, they tell all that is still true.
import t, { type Test } from 'tap'
import { watchReminders } from '../../../../src/actors/alerts/reminders.ts'
import type { ChannelId, ImportId, MonitorId } from '../../../../src/base/ids.ts'
import type { Monitor } from '../../../../src/domain/monitors/monitor.ts'
import { createShadowTokens } from '../../../../src/seal/id-token.ts'
import { createShadowComparison } from '../../../../src/services/orgs/imports/shadow-comparison.ts'
import { createShadowRuns } from '../../../../src/services/orgs/imports/shadow-runs.ts'
import { createObjectives } from '../../../../src/services/reports/objectives.ts'
import { makeImport } from '../../../support/make-import.ts'
import { orgA } from '../../../support/make-incident.ts'
import { monitorNo } from '../../../support/make-page.ts'
import { makeWindow } from '../../../support/make-window.ts'
import { startMonitorServices } from '../../../support/monitor-services.ts'
import { failed, good, type Seen } from '../../../support/monitor-world.ts'

const importId = 'imp_01arz3ndektsv4rrffq69g5fav' as ImportId
const hook = 'chn_01k0000000000000000000000a' as ChannelId
const minuteMs = 60_000
const dayMs = 86_400_000

/** Monitors of one import in their shadow run, each checked each minute; what fails is named in `down`. */
async function begin(t: Test, monitors: readonly Partial<Monitor>[] = [{ name: 'Shop' }]) {
  const made = startMonitorServices(t)
  const { world, core, store, clock, readings, incidents, done, alice } = made
  const down = new Set<string>()
  world.answer = ({ name }): Seen => (down.has(name) ? failed : good)
  await world.addChannel()
  const sinceMs = clock.nowMs()
  const shadow = { importId, sinceMs, liveAtMs: null }
  const record = makeImport({ id: importId, atMs: sinceMs, shadow: { sinceMs } })
  await done(store.write((tx) => store.imports.put(tx, record)))
  const all: Monitor[] = []
  for (const [index, fields] of monitors.entries()) {
    const id = monitorNo(index + 1)
    all.push(await world.add({ id, intervalSeconds: 60, isPublic: true, shadow, ...fields }))
  }
  const start = () => {
    for (const { orgId, id } of all) {
      const stored = store.monitors.get(orgId, id)
      if (stored) made.fleet.start(stored, 'start', world.monitorState(stored))
    }
  }
  start()
  const runsOver = (changed: Partial<typeof store> = {}) =>
    createShadowRuns(
      { ...core, store: { ...store, ...changed } },
      {
        ...{ fleet: made.fleet, incidents, publish: () => {}, tellLive: world.tellLive },
        comparison: createShadowComparison(core, readings),
        tokens: createShadowTokens(Buffer.alloc(32)),
      },
    )
  const runs = runsOver()
  const told = () => {
    const names = new Map(world.incidents().map(({ id, title }) => [id, title.split(' ')[0]]))
    return store.deliveries
      .list(orgA, hook, { limit: 1_000 })
      .toReversed()
      .map(({ event, incidentId }) => `${(incidentId && names.get(incidentId)) || ''} ${event}`)
  }
  const goLive = (ids?: readonly MonitorId[]) => done(runs.goLive(alice, importId, ids))
  const report = (filter = {}) => done(runs.report(alice, importId, { limit: 200, ...filter }))
  return { ...made, runs, runsOver, down, told, all, start, goLive, report, sinceMs }
}

t.test(
  'a week of outages is told to nobody; what is down at the end is told at once',
  async (t) => {
    const { world, store, clock, down, told, all, goLive } = await begin(t)
    const reminders = watchReminders({ ...world, isOff: () => false })
    t.teardown(() => reminders.stop())
    for (let day = 0; day < 7; day += 1) {
      down.add('Shop')
      await world.run(10 * minuteMs)
      down.clear()
      await world.run(10 * minuteMs)
      await clock.advance(dayMs / 2)
    }
    down.add('Shop')
    await world.run(10 * minuteMs)
    t.same(told(), [])
    t.equal(world.incidents().length, 8, 'its incidents are there all the same')
    t.ok(world.incidents().every(({ isShadow, isPublic }) => isShadow && !isPublic))
    t.equal(store.incidents.listOpen(orgA, 10).length, 1)
    t.same(await goLive(), { live: 1, toldNow: 1 })
    t.same(told(), ['Shop incident.opened'])
    const [open] = store.incidents.listOpen(orgA, 10)
    t.match(open, { isPublic: true, timeline: [{ kind: 'opened' }, { kind: 'released' }] })
    t.notOk(open?.isShadow)
    t.same(await goLive(), { live: 0, toldNow: 0 }, 'again it changes nothing')
    down.clear()
    await world.run(10 * minuteMs)
    t.same(told(), ['Shop incident.opened', 'Shop incident.resolved'])
    down.add('Shop')
    await world.run(10 * minuteMs)
    t.equal(told().length, 3, 'the next outage is told as any other')
    t.equal(store.monitors.silentCounts(orgA).size, 0)
    t.ok(all.length)
  },
)

t.test(
  'no notice of a certificate, a domain or an objective leaves, and each comes once it is live',
  async (t) => {
    const { world, clock, core, readings, done, told, all, goLive, enqueue } = await begin(t, [
      { name: 'Shop', certificateWarnDays: [30], domainWarnDays: [30], sloPercent: 99.9 },
    ])
    const [shop] = all
    if (!shop) throw new Error('no monitor')
    const expiresAtMs = clock.nowMs() + 20 * dayMs
    const ending: Seen = {
      ...good,
      certificate: { expiresAtMs, issuer: 'Test CA' },
      registration: { expiresAtMs, name: 'shop.test', registrar: null } as never,
    }
    world.answer = () => ending
    const objectives = createObjectives(core, { enqueue, uptimeOf: readings.uptimeOf })
    await world.run(3 * minuteMs)
    await done(objectives.round(AbortSignal.timeout(10_000)))
    t.same(told(), [])
    await goLive()
    await world.run(3 * minuteMs)
    t.same(told().toSorted(), [' certificate.expiring', ' domain.expiring'])
  },
)

t.test('reminders and escalations begin with the day on which it is live', async (t) => {
  const { world, down, told, goLive } = await begin(t, [{ name: 'Shop', reminderMinutes: 10 }])
  const reminders = watchReminders({ ...world, isOff: () => false })
  t.teardown(() => reminders.stop())
  down.add('Shop')
  await world.run(60 * minuteMs)
  t.same(told(), [])
  await goLive()
  await world.run(12 * minuteMs)
  t.same(told(), ['Shop incident.opened', 'Shop incident.reminder'])
})

t.test('an outage under maintenance is told at its end', async (t) => {
  const { world, store, clock, done, down, told, all, goLive } = await begin(t)
  down.add('Shop')
  await world.run(10 * minuteMs)
  const nowMs = clock.nowMs()
  const times = { kind: 'once', startsAtMs: nowMs, endsAtMs: nowMs + 30 * minuteMs } as const
  const monitorIds = all.map(({ id }) => id)
  const window = makeWindow({ times, monitorIds, coversFromMs: nowMs })
  await done(store.write((tx) => store.windows.put(tx, window)))
  t.same(await goLive(), { live: 1, toldNow: 0 })
  await world.run(10 * minuteMs)
  t.same(told(), [])
  await world.run(25 * minuteMs)
  t.same(told(), ['Shop incident.opened'])
})

t.test(
  'while a monitor above is down, only that one is told; a silent one holds nothing',
  async (t) => {
    const { world, down, told, all, goLive } = await begin(t, [
      { name: 'Router' },
      { name: 'Shop', dependsOn: [monitorNo(1)] },
    ])
    down.add('Router').add('Shop')
    await world.run(10 * minuteMs)
    const [router, shop] = all.map(({ id }) => id)
    t.same(await goLive([shop as MonitorId]), { live: 1, toldNow: 1 })
    t.same(told(), ['Shop incident.opened'], 'nobody would hear of the router')
    t.same(await goLive([router as MonitorId]), { live: 1, toldNow: 1 })
    t.same(told(), ['Shop incident.opened', 'Router incident.opened'])
  },
)

t.test('both of them at once: the one below is held', async (t) => {
  const { world, down, told, goLive } = await begin(t, [
    { name: 'Shop', dependsOn: [monitorNo(2)] },
    { name: 'Router' },
  ])
  down.add('Router').add('Shop')
  await world.run(10 * minuteMs)
  t.same(await goLive(), { live: 2, toldNow: 1 })
  t.same(told(), ['Router incident.opened'])
  down.delete('Router')
  await world.run(10 * minuteMs)
  t.same(told(), ['Router incident.opened', 'Router incident.resolved', 'Shop incident.opened'])
})

t.test('after a restart it is as silent, and goes live as well', async (t) => {
  const { world, store, down, told, start, goLive } = await begin(t)
  down.add('Shop')
  await world.run(5 * minuteMs)
  await world.fleet.drain()
  Object.assign(world, { fleet: world.newFleet() })
  start()
  await world.run(30 * minuteMs)
  t.same(told(), [])
  t.equal(store.monitors.silentCounts(orgA).get(importId), 1)
  t.same(await goLive(), { live: 1, toldNow: 1 })
  t.same(told(), ['Shop incident.opened'])
})

t.test(
  'a going live of many that is cut off tells nothing twice, and forgets nothing',
  async (t) => {
    const many = 130
    const { world, store, alice, down, told, done, runsOver, goLive } = await begin(
      t,
      Array.from({ length: many }, (_, at) => ({
        ...{ name: `M${at}`, failureThreshold: 1 },
        // The first fifty wait for the last one.
        ...(at < 50 ? { dependsOn: [monitorNo(many)] } : {}),
      })),
    )
    for (let at = 0; at < many; at += 1) down.add(`M${at}`)
    await world.run(3 * minuteMs)
    t.equal(store.incidents.listOpen(orgA, 1_000).length, many)
    let writes = 0
    const write: typeof store.write = (body) => {
      writes += 1
      // The audit entry and fifty monitors are on disk then.
      return writes > 2 ? Promise.reject(new Error('the daemon stopped')) : store.write(body)
    }
    await t.rejects(done(runsOver({ write }).goLive(alice, importId)), /stopped/)
    t.equal(store.monitors.silentOf(orgA, importId), many - 50)
    t.same(told(), [`M${many - 1} incident.opened`], 'the others are held by it')
    const again = await goLive()
    t.same(again, { live: many - 50, toldNow: many - 51 })
    t.equal(told().length, many - 50)
    t.equal(new Set(told()).size, told().length, 'each once')
    t.equal(store.monitors.silentOf(orgA, importId), 0)
    t.ok(store.imports.get(orgA, importId)?.shadow?.liveAtMs)
    t.ok(world.incidents().every(({ isShadow }) => !isShadow))
    t.same(await goLive(), { live: 0, toldNow: 0 })
  },
)

const live = { shadow: undefined }

t.test(
  'a silent member neither turns a group of which people hear, nor is it in its alert',
  async (t) => {
    const { world, down, told, goLive } = await begin(t, [
      { name: 'Web', ...live },
      { name: 'Shop' },
      {
        ...{
          name: 'Both',
          checkType: 'group',
          memberIds: [monitorNo(1), monitorNo(2)],
          notifyChannelIds: [hook],
          ...live,
        },
        ...{ failureThreshold: 1, recoveryThreshold: 1 },
      },
    ])
    down.add('Shop')
    await world.run(10 * minuteMs)
    t.same(told(), [])
    t.match(
      world.incidents().map(({ title }) => title.split(' ')[0]),
      ['Shop'],
    )
    down.add('Web')
    await world.run(10 * minuteMs)
    t.same(told().toSorted(), ['Both incident.opened', 'Web incident.opened'])
    const ofGroup = world.incidents().find(({ title }) => title.startsWith('Both'))
    t.equal(ofGroup?.cause, 'down: Web (1 of 1 members)')
    down.delete('Web')
    await world.run(10 * minuteMs)
    t.equal(told().length, 4, 'both are up again for whoever hears of them')
    await goLive()
    await world.run(10 * minuteMs)
    t.same(told().slice(4).toSorted(), ['Both incident.opened', 'Shop incident.opened'])
  },
)

t.test(
  'a silent group tells nothing of members of which people hear, and all once it is live',
  async (t) => {
    const { world, down, told, goLive } = await begin(t, [
      { name: 'Web', ...live },
      { name: 'Shop' },
      {
        ...{
          name: 'Both',
          checkType: 'group',
          memberIds: [monitorNo(1), monitorNo(2)],
          notifyChannelIds: [hook],
        },
        ...{ groupState: 'best', failureThreshold: 1, recoveryThreshold: 1 },
      },
    ])
    down.add('Shop').add('Web')
    await world.run(10 * minuteMs)
    t.same(told(), ['Web incident.opened'])
    t.same(await goLive(), { live: 2, toldNow: 2 })
    await world.run(10 * minuteMs)
    t.same(told().slice(1).toSorted(), ['Both incident.opened', 'Shop incident.opened'])
  },
)

t.test('a stop right after the monitors went live loses no alert and repeats none', async (t) => {
  const { world, down, told, start, goLive } = await begin(t)
  down.add('Shop')
  await world.run(10 * minuteMs)
  // No actor of before hears of it any more.
  await world.fleet.drain()
  t.same(await goLive(), { live: 1, toldNow: 1 })
  Object.assign(world, { fleet: world.newFleet() })
  start()
  await world.run(10 * minuteMs)
  t.same(told(), ['Shop incident.opened'])
  down.clear()
  await world.run(10 * minuteMs)
  t.same(told(), ['Shop incident.opened', 'Shop incident.resolved'])
})
