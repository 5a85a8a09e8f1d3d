// An organization that is off: nothing is watched, nothing is sent, and it goes on afterwards.
import t, { type Test } from 'tap'
import { createOrgSwitch } from '../../src/actors/org-switch.ts'
import type { OrgId } from '../../src/base/ids.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { orgA } from '../support/make-incident.ts'
import { makeOrg } from '../support/make-org.ts'
import { monitorNo, orgTwo } from '../support/make-page.ts'
import { failed, settled, startMonitorWorld } from '../support/monitor-world.ts'

const minuteMs = 60_000

async function open(t: Test) {
  const world = startMonitorWorld(t, { inMemory: true })
  const { store, clock, fleet } = world
  const lanes: string[] = []
  const orgSwitch = createOrgSwitch({
    store,
    clock,
    fleet,
    queues: [{ halt: () => lanes.push('halted'), resume: () => lanes.push('roused') }],
    onLoaded: () => {},
    onOrgLoaded: () => {},
  })
  async function set(orgId: OrgId, isDisabled: boolean) {
    await store.write((tx) => store.orgs.put(tx, makeOrg({ id: orgId, isDisabled })))
  }
  await set(orgA, false)
  await set(orgTwo, false)
  const done = <T>(promise: Promise<T>) => settled(store, promise)
  return { ...world, world, orgSwitch, lanes, set, done }
}

t.test(
  'monitors of an organization that is off are not checked, those of others are',
  async (t) => {
    const { world, fleet, orgSwitch, set, run, checksOf, lanes, done } = await open(t)
    const mine = await world.add({ id: monitorNo(1), intervalSeconds: 60 })
    const theirs = await world.add({ id: monitorNo(2), orgId: orgTwo, intervalSeconds: 60 })
    for (const monitor of [mine, theirs]) fleet.start(monitor, 'created')
    await run(2 * minuteMs)
    await set(orgA, true)
    await done(orgSwitch.off(orgA))
    t.same(lanes, ['halted'])
    const before = checksOf(mine).length
    fleet.start(mine, 'start')
    await run(5 * minuteMs)
    t.equal(checksOf(mine).length, before, 'nor can one be started')
    t.ok(checksOf(theirs).length >= 6)

    await set(orgA, false)
    await done(orgSwitch.on(orgA, 5 * minuteMs))
    t.same(lanes, ['halted', 'roused'])
    await run(2 * minuteMs)
    t.ok(checksOf(mine).length >= before + 1)
  },
)

t.test('a sender that could not report meanwhile does not count as down', async (t) => {
  const { world, clock, fleet, commit, orgSwitch, set, run, done, incidents } = await open(t)
  const job = await world.add({
    checkType: 'push',
    url: null,
    intervalSeconds: 60,
    graceSeconds: 5,
  })
  await done(commit.report(job, { status: 'ok' }, clock.nowMs()))
  fleet.start(job, 'start', world.monitorState(job))
  await set(orgA, true)
  await done(orgSwitch.off(orgA))
  await run(60 * minuteMs)
  t.same(incidents(), [], 'nothing is missed while it is off')
  await set(orgA, false)
  await done(orgSwitch.on(orgA, 60 * minuteMs))
  t.ok((world.monitorState(job).deadlineAtMs ?? 0) >= clock.nowMs() + 60_000)
  await run(50_000)
  t.same(incidents(), [])
  await run(minuteMs)
  t.equal(incidents().length, 1, 'and then it counts again')
})

t.test('work in progress for a deleted organization leaves no trace', async (t) => {
  const { world, store, commit, done, incidents, events } = await open(t)
  await world.addChannel()
  const monitor = await world.add({ failureThreshold: 1 })
  await store.write((tx) => store.tombstones.addOrg(tx, { orgId: orgA, deletedAtMs: 0 }))
  const reading = { atMs: 1, durationMs: 1, ...failed, result: 'failed' } as const
  t.equal(await done(commit.reading(monitor, reading)), null)
  t.same([incidents(), events()], [[], []])
})

t.test('switching back in the middle of many takes effect', async (t) => {
  const { world, fleet, orgSwitch, set, done } = await open(t)
  const many = 2 * limits.scanSlice
  for (let n = 0; n < many; n++) fleet.start(await world.add({ id: monitorNo(n) }), 'start')
  await set(orgA, true)
  const off = orgSwitch.off(orgA)
  await set(orgA, false)
  await done(Promise.all([off, orgSwitch.on(orgA, 0)]))
  t.equal(fleet.size(), many, 'all of them run')
})
