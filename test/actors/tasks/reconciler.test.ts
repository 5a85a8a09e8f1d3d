// What must agree is made to agree again, whichever part of it is broken.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { createEnqueue } from '../../../src/actors/alerts/enqueue.ts'
import { createReconciler } from '../../../src/actors/tasks/reconciler.ts'
import { type IncidentId, newId } from '../../../src/base/ids.ts'
import { type LogFields, silentLog } from '../../../src/base/log/log.ts'
import type { Delivery } from '../../../src/domain/alerts/delivery.ts'
import { healthInIncident } from '../../../src/domain/health/health.ts'
import { heldIncident, type Incident } from '../../../src/domain/incidents/incident.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { runs } from '../../support/depth.ts'
import { channelNo } from '../../support/make-channel.ts'
import { channelA, makeDelivery, makeIncident, orgA } from '../../support/make-incident.ts'
import { makeOrg } from '../../support/make-org.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'
import { incidentNo, type OutboxWorld, startOutboxWorld } from '../../support/outbox-world.ts'

/** How an outage of a monitor stands when it is broken. */
type Stage = 'waits' | 'told' | 'ended'
type Damage = (world: OutboxWorld, id: IncidentId, number: number) => Promise<void>

const damages: Readonly<Record<string, Damage>> = {
  async loseDelivery({ store }, id) {
    await each(store, id, (tx, row) => store.deliveries.remove(tx, row))
  },
  async losePendingIndex({ store }, id) {
    const db = store.lmdb.openDB({ name: 'deliveriesByState', encoding: 'binary' })
    for (const row of rowsOf(store, id)) {
      await db.remove([row.state, row.orgId, row.channelId, row.id])
    }
  },
  async loseRow({ store }, id) {
    const db = store.lmdb.openDB({ name: 'deliveries', encoding: 'binary' })
    for (const row of rowsOf(store, id)) await db.remove([row.orgId, row.channelId, row.id])
  },
  async loseIncident({ store }, id) {
    await store.lmdb.openDB({ name: 'incidents', encoding: 'binary' }).remove([orgA, id])
    await store.lmdb.openDB({ name: 'openIncidents', encoding: 'binary' }).remove([orgA, id])
  },
  async endIncident({ store }, id) {
    const incident = store.incidents.readable(orgA, id)
    if (!incident) return
    const over = { ...incident, state: 'resolved', resolvedAtMs: Date.UTC(2026, 0, 1) } as const
    await store.write((tx) => store.incidents.put(tx, over))
  },
  async loseHealth({ store, clock }, _id, number) {
    const state = initialMonitorState(clock.nowMs())
    await store.write((tx) => store.monitorStates.put(tx, orgA, monitorNo(number), state))
  },
  async promiseNothing({ store }, id) {
    await store.write((tx) => {
      for (const channelId of store.announcements.channelIds(orgA, id)) {
        const { delivered } = store.announcements.get(orgA, id, channelId)
        const announced = delivered === 'open' ? 'resolved' : 'open'
        const record = { announced, delivered, delayedId: null } as const
        store.announcements.put(tx, orgA, id, channelId, record)
      }
    })
  },
}

type Store = OutboxWorld['store']

const rowsOf = (store: Store, id: IncidentId): Delivery[] =>
  [channelA, channelNo(2)].flatMap((channelId) =>
    store.deliveries
      .list(orgA, channelId, { limit: 1_000 })
      .filter(({ incidentId }) => incidentId === id),
  )

async function each(
  store: Store,
  id: IncidentId,
  change: (tx: Parameters<Parameters<Store['write']>[0]>[0], row: Delivery) => void,
): Promise<void> {
  await store.write((tx) => {
    for (const row of rowsOf(store, id)) change(tx, row)
  })
}

async function start(t: Test) {
  const world = startOutboxWorld(t)
  const { store, clock, outbox } = world
  const repaired: string[] = []
  const log = {
    ...silentLog,
    error: (_: string, fields?: LogFields) => repaired.push(String(fields?.what)),
  }
  const incidentUrl = () => 'https://up.test/alerts/x'
  const enqueue = createEnqueue({ store, incidentUrl, wake: () => {} })
  const watched = new Set<IncidentId>()
  const holds = {
    note: ({ id }: Incident) => void watched.add(id),
    isWatched: (id: IncidentId) => watched.has(id),
  }
  const reconciler = createReconciler({ store, clock, log, enqueue, holds, wake: outbox.wake })
  await store.write((tx) => store.orgs.put(tx, makeOrg()))
  await world.addChannel({ isDefault: true })
  await world.addChannel({ id: channelNo(2), isDefault: true })
  await outbox.stop()

  /** An outage of the n-th monitor as far as the stage. */
  async function happen(number: number, stage: Stage): Promise<IncidentId> {
    const nowMs = clock.nowMs()
    const monitor = makeMonitor({ id: monitorNo(number), orgId: orgA })
    const id = incidentNo(number)
    const open = makeIncident({ orgId: orgA, id, monitorIds: [monitor.id] })
    const down = { id, severity: 'down', startedAtMs: 0 } as const
    const state = { ...initialMonitorState(nowMs), health: healthInIncident(down) }
    await store.write((tx) => {
      store.monitors.put(tx, monitor)
      store.monitorStates.put(tx, orgA, monitor.id, state)
      store.incidents.put(tx, open)
      enqueue.incident(tx, { incident: open, event: 'incident.opened', monitor, nowMs })
    })
    if (stage === 'waits') return id
    await each(store, id, (tx, row) => {
      store.deliveries.put(tx, { ...row, state: 'delivered', deliveredAtMs: nowMs })
      const told = { announced: 'open', delivered: 'open', delayedId: null } as const
      store.announcements.put(tx, orgA, id, row.channelId, told)
    })
    if (stage === 'told') return id
    const over = { ...open, state: 'resolved', revision: 2, resolvedAtMs: nowMs } as const
    await store.write((tx) => {
      store.monitorStates.put(tx, orgA, monitor.id, initialMonitorState(nowMs))
      store.incidents.put(tx, over)
      enqueue.incident(tx, { incident: over, event: 'incident.resolved', nowMs })
    })
    return id
  }

  /** What does not agree, in words. */
  function problems(numbers: readonly number[]): string[] {
    const found: string[] = []
    for (const number of numbers) {
      const id = incidentNo(number)
      const incident = store.incidents.readable(orgA, id)
      const isOpen = incident !== undefined && incident.state !== 'resolved'
      const { health } = store.monitorStates.get(orgA, monitorNo(number)) ?? {}
      if (isOpen !== (health?.openIncidentId === id)) found.push(`${id}: health and incident`)
      for (const channelId of store.announcements.channelIds(orgA, id)) {
        const { announced, delivered } = store.announcements.get(orgA, id, channelId)
        const waits = rowsOf(store, id).some(
          (row) => row.channelId === channelId && row.state === 'pending',
        )
        if (incident && announced !== delivered && !waits) found.push(`${id}: promise`)
        if (isOpen && announced !== 'open') found.push(`${id}: the channel knows nothing`)
      }
    }
    const pending = rowsOfAll().filter(({ state }) => state === 'pending').length
    if (pending !== outbox.pending()) found.push(`${outbox.pending()} of ${pending} are indexed`)
    return found
  }
  const rowsOfAll = () =>
    [channelA, channelNo(2)].flatMap((channelId) =>
      store.deliveries.list(orgA, channelId, { limit: 1_000 }),
    )
  return { world, reconciler, happen, problems, repaired, watched }
}

t.test('nothing is repaired where everything agrees', async (t) => {
  const { reconciler, happen, problems, repaired } = await start(t)
  await happen(1, 'waits')
  await happen(2, 'told')
  await happen(3, 'ended')
  t.same(problems([1, 2, 3]), [])
  t.equal(await reconciler.round(), 0)
  t.same(repaired, [])
})

t.test('held alerts that nothing would release are watched again', async (t) => {
  const { world, reconciler, happen, repaired, watched } = await start(t)
  const { store, clock } = world
  const id = await happen(1, 'told')
  const open = store.incidents.readable(orgA, id)
  const blocker = { id: monitorNo(2), name: 'Router', isConfirmed: true }
  const held = open && heldIncident(open, blocker, clock.nowMs())
  await store.write((tx) => held && store.incidents.put(tx, held))
  t.equal(await reconciler.round(), 1)
  t.same([...watched], [id])
  t.match(repaired, [/alerts of an incident are held/])
  t.equal(await reconciler.round(), 0)
})

t.test('each way of breaking it is repaired and logged, and then nothing is left', async (t) => {
  const { world, reconciler, happen, problems, repaired } = await start(t)
  const stages = fc.constantFrom<Stage>('waits', 'told', 'ended')
  const names = fc.constantFrom(...Object.keys(damages))
  const story = fc.record({ stage: stages, damages: fc.array(names, { maxLength: 3 }) })
  // Each damage alone, at each stage; the stories that are drawn have several.
  const examples = Object.keys(damages).flatMap((name) =>
    (['waits', 'told', 'ended'] as const).map((stage): [{ stage: Stage; damages: string[] }[]] => [
      [{ stage, damages: [name] }],
    ]),
  )
  let number = 0
  await fc.assert(
    fc.asyncProperty(fc.array(story, { minLength: 1, maxLength: 3 }), async (stories) => {
      const numbers: number[] = []
      for (const { stage, damages: chosen } of stories) {
        number += 1
        numbers.push(number)
        const id = await happen(number, stage)
        for (const name of chosen) await damages[name]?.(world, id, number)
      }
      const before = problems(numbers)
      const count = repaired.length
      const total = await reconciler.round()
      if (before.length > 0 && total === 0) throw new Error(before.join('\n'))
      if (repaired.length - count !== total) throw new Error('not everything was logged')
      const after = [...problems(numbers)]
      if ((await reconciler.round()) > 0) throw new Error('it repairs again and again')
      if (after.length > 0) throw new Error(`${before}\nafter:\n${after}`)
      await world.store.write((tx) => {
        const { deliveries, announcements, incidents, monitors } = world.store
        for (const table of [deliveries, announcements, incidents, monitors]) {
          table.forget(tx, orgA, 1_000)
        }
      })
    }),
    { ...runs(40), examples },
  )
  t.equal(new Set(repaired).size, 5, 'each kind of repair was needed')
})

t.test('a round looks at a slice of what waits, the next round at the next', async (t) => {
  const { world, reconciler, repaired } = await start(t)
  const { store, clock } = world
  const ids = Array.from({ length: limits.reconcileSlice + 2 }, (_, index) =>
    newId('delivery', clock.nowMs() + index),
  )
  await store.write((tx) => {
    for (const id of ids) {
      store.deliveries.put(tx, makeDelivery({}, { id, incidentId: null, event: 'system.notice' }))
    }
  })
  const db = store.lmdb.openDB({ name: 'deliveries', encoding: 'binary' })
  await db.remove([orgA, channelA, ids.at(-1) ?? ''])
  t.equal(await reconciler.round(), 0)
  t.equal(await reconciler.round(), 1)
  t.same(repaired, ['the index names a pending message that is none'])
  t.equal(await reconciler.round(), 0, 'it begins anew')
})
