// What was deleted goes whole, however much there is, also across a stop, and its neighbour stays.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createJanitor } from '../../src/actors/tasks/janitor.ts'
import { startWork } from '../../src/base/clock.ts'
import type { OrgId } from '../../src/base/ids.ts'
import { appendRow } from '../../src/domain/checks/check-row.ts'
import { dayMs, hourMs, tallyOf } from '../../src/domain/health/span.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { initialMonitorState } from '../../src/domain/monitors/monitor-state.ts'
import { begunRun } from '../../src/domain/monitors/run.ts'
import { hashToken } from '../../src/seal/tokens.ts'
import { createAudit } from '../../src/services/audit.ts'
import type { Tx } from '../../src/store/engine/write.ts'
import { forgetMonitor, forgetOrg } from '../../src/store/forget.ts'
import { deleteSliceMonitors } from '../../src/store/nouns.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { callerOf } from '../support/access.ts'
import { amount } from '../support/depth.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeDelivery, makeIncident, orgA } from '../support/make-incident.ts'
import { makeMonitor, monitorNo, orgTwo } from '../support/make-page.ts'
import { settled, startMonitorWorld } from '../support/monitor-world.ts'
import { incidentNo } from '../support/outbox-world.ts'
import { fairMs } from '../support/starvation.ts'
import { ever } from '../support/temp-store.ts'
import { testFolder } from '../support/test-folder.ts'
import { tracesOf } from '../support/traces.ts'

t.test('all of one monitor is deleted, and nothing of another', async (t) => {
  const { store } = startMonitorWorld(t, { inMemory: true })
  const [gone, stays] = [monitorNo(1), monitorNo(2)]
  const days = limits.deleteSliceRecords + 10
  await store.write((tx) => {
    for (let day = 0; day < days; day++) {
      // Each has a record, because it is unlike the others; hours share one.
      store.days.put(tx, orgA, gone, { ...tallyOf(day * dayMs), upMs: day })
      store.hours.put(tx, orgA, gone, tallyOf(day * hourMs, hourMs))
    }
    store.hours.put(tx, orgA, stays, tallyOf(0, hourMs))
    for (const id of [gone, stays]) {
      store.runs.put(tx, orgA, id, begunRun(1, { status: 'start' }, 0), 'its output')
    }
    store.tombstones.add(tx, { orgId: orgA, monitorId: gone })
  })
  const [months, blocks, runRecords] = [17, 1, 2]
  t.equal(
    await settled(store, forgetMonitor(store, { orgId: orgA, monitorId: gone })),
    days + months + blocks + runRecords,
  )
  t.same(store.days.within(orgA, gone, ever), [])
  t.same(store.hours.within(orgA, gone, ever), [])
  t.equal(store.hours.within(orgA, stays, ever).length, 1)
  t.equal(store.runs.newest(orgA, gone), 0)
  t.equal(store.runs.log(orgA, stays, 1), 'its output')
  t.same(store.tombstones.list(10), [])
})

/** A monitor with all that can be kept of one. */
function addMonitor(store: Store, tx: Tx, orgId: OrgId, number: number, nowMs: number): void {
  const id = monitorNo(number)
  const pushTokenHash = hashToken(`${orgId} ${number}`)
  store.monitors.put(tx, makeMonitor({ id, orgId, pushTokenHash }))
  store.monitorStates.put(tx, orgId, id, initialMonitorState(nowMs))
  const row = { verdict: 'up', durationMs: 1, atMs: nowMs } as const
  store.checks.addRows(tx, orgId, id, appendRow(new Uint8Array(0), row, 0))
  store.checks.putEvidence(tx, orgId, id, { atMs: nowMs, error: null, evidence: {} })
  store.checks.putReport(tx, orgId, id, { atMs: nowMs, metadataJson: '{}' })
  store.runs.put(tx, orgId, id, begunRun(1, { status: 'start' }, nowMs), 'its output')
  store.days.put(tx, orgId, id, tallyOf(nowMs))
  store.hours.put(tx, orgId, id, tallyOf(nowMs, hourMs))
  const about = { orgId, monitorIds: [id], id: incidentNo(number) }
  store.incidents.put(tx, makeIncident({ ...about, state: number % 2 ? 'open' : 'resolved' }))
  const delivery = makeDelivery({ orgId, incidentId: about.id })
  const deliveryId = `dlv_${about.id.slice(4)}` as typeof delivery.id
  store.deliveries.put(tx, { ...delivery, id: deliveryId, mergedIntoId: delivery.id })
  const record = { announced: 'open', delivered: 'none', delayedId: null } as const
  store.announcements.put(tx, orgId, about.id, delivery.channelId, record)
}

function open(t: Test) {
  const clock = new FakeClock()
  const dir = join(testFolder(t), 'db')
  const onFatal = (error: unknown) => t.fail(String(error))
  return {
    clock,
    dir,
    again: () => openStore({ dir, clock, commitDelayMs: 0, onFatal, onError: onFatal }),
  }
}

t.test('all of an organization is deleted, even if a stop interrupted it', async (t) => {
  const { clock, dir, again } = open(t)
  const first = again()
  const monitors = 2 * deleteSliceMonitors + 1
  const audit = createAudit({ store: first, clock })
  for (const orgId of [orgA, orgTwo]) {
    await first.write((tx) => {
      for (let n = 0; n < monitors; n++) addMonitor(first, tx, orgId, n, clock.nowMs())
      first.tombstones.add(tx, { orgId, monitorId: monitorNo(monitors + 1) })
      audit.noteIn(tx, orgId, callerOf(), { action: 'task.started', objectId: null })
    })
  }
  await first.write((tx) =>
    first.tombstones.addOrg(tx, { orgId: orgA, deletedAtMs: clock.nowMs() }),
  )
  let slices = 0
  const removed = await settled(
    first,
    forgetOrg(first, orgA, () => slices++ < 4),
  )
  t.ok(
    removed > 0 && first.tombstones.hasOrg(orgA),
    'something is gone, and the rest is not forgotten',
  )
  await first.close()
  const before = await tracesOf(dir, orgTwo)
  t.ok(Object.keys(before).length > 15, `many tables know it: ${Object.keys(before)}`)
  t.ok(Object.keys(await tracesOf(dir, orgA)).length > 3)

  const second = again()
  const janitor = createJanitor({ store: second, clock })
  t.ok((await settled(second, janitor.sweep())) > 0)
  await second.close()
  t.same(await tracesOf(dir, orgA), {})
  // The sweep took up the note of the neighbour's deleted monitor too, as it should.
  const { garbage: tombstones, ...rest } = before
  t.equal(tombstones, 1)
  t.same(await tracesOf(dir, orgTwo), rest, 'the neighbour has what it had')
})

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

t.test('thousands of monitors are deleted in unnoticeable steps', async (t) => {
  const { store } = startMonitorWorld(t, { inMemory: true })
  const count = amount(1_500, 10_000)
  for (let from = 0; from < count; from += 500) {
    await store.write((tx) => {
      for (let n = from; n < from + 500; n++) addMonitor(store, tx, orgTwo, n, 0)
      store.tombstones.addOrg(tx, { orgId: orgTwo, deletedAtMs: 0 })
    })
  }
  let longestMs = 0
  let work = startWork({ monoMs: fairMs, cpuMs })
  let isOver = false
  const watch = () => {
    // On a busy machine a step also waits, for a lock of another thread that is not run.
    longestMs = Math.max(longestMs, work())
    work = startWork({ monoMs: fairMs, cpuMs })
    if (!isOver) setImmediate(watch)
  }
  setImmediate(watch)
  const forgetting = forgetOrg(store, orgTwo).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await store.flush()
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.ok((await forgetting) >= 7 * count)
  t.equal(store.monitors.count(orgTwo), 0)
  t.ok(longestMs < 250, `the longest step took ${Math.round(longestMs)} ms`)
  t.comment(`the longest step took ${longestMs.toFixed(1)} ms`)
})
