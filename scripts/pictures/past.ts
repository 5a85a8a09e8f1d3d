// Gives the shop its past: three months of results go through the same commit as real ones, so that
// every bar, incident and alert in the pictures is what the daemon makes of them.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createEnqueue } from '../../src/actors/alerts/enqueue.ts'
import { type Outbox, startOutbox } from '../../src/actors/alerts/outbox.ts'
import { createCommit } from '../../src/actors/monitor/commit.ts'
import { createConsequences } from '../../src/actors/monitor/consequences.ts'
import type { OrgId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log/log.ts'
import { openedChannel } from '../../src/channels/model/config.ts'
import { waitsForReports } from '../../src/domain/checks/check-type.ts'
import type { Phases, Reading } from '../../src/domain/checks/reading.ts'
import { acknowledged, type Incident, withUpdate } from '../../src/domain/incidents/incident.ts'
import { hasVote } from '../../src/domain/locations/place.ts'
import type { Monitor } from '../../src/domain/monitors/monitor.ts'
import { createBox } from '../../src/seal/box.ts'
import { openKeyring } from '../../src/seal/keyring.ts'
import { placeNames } from '../../src/store/place-names.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { seededRandom } from '../../test/support/seeded-random.ts'
import * as shop from './shop.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export interface PastOf {
  readonly orgId: OrgId
  readonly userId: string
  /** When the shop began to be watched. */
  readonly bornMs: number
  readonly lives: readonly shop.ShopMonitor[]
}

const stepMs = 5 * minuteMs
const retryMs = 30_000

export async function givePast(dataDir: string, past: PastOf): Promise<void> {
  const { orgId, userId, bornMs } = past
  const clock = new FakeClock(bornMs)
  const fail = (error: unknown) => {
    throw error
  }
  const store = openStore({ dir: dataDir, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  const outbox = deliverEverything(store, clock, dataDir)
  const enqueue = createEnqueue({
    store,
    incidentUrl: () => 'https://up.acme.example/alerts/x',
    wake: (org, channelId) => outbox.wake(org, channelId),
  })
  const isSuspended = () => false
  const consequences = createConsequences({
    store,
    clock,
    enqueue,
    isSuspended,
    placeName: placeNames(store, () => null),
  })
  const nothing = () => {}
  const commit = createCommit({
    store,
    clock,
    consequences,
    onReading: nothing,
    onFailing: nothing,
    onPlaced: nothing,
    announce: nothing,
  })
  const stored = store.monitors.list(orgId, 1_000)
  const lives = past.lives.flatMap((life, number) => {
    const monitor = stored.find(({ name }) => name === life.body.name)
    return monitor ? [{ life, monitor, random: seededRandom(number + 1) }] : []
  })

  let hasActed = false
  for (const atMs of timesOf(
    lives.map(({ life }) => life),
    bornMs,
  )) {
    await clock.advance(atMs - clock.nowMs())
    if (!hasActed && atMs >= shop.acknowledgedAtMs) {
      hasActed = true
      await peopleAct(store, { orgId, userId, enqueue })
    }
    const writes = lives.map(({ life, monitor, random }) => {
      if (!isDue(life, atMs)) return null
      if (waitsForReports(monitor)) {
        const isBad = troubleAt(life, atMs) !== undefined
        const message = isBad ? 'pg_dump: no space left on device' : 'ok'
        return commit.report(
          monitor,
          {
            status: isBad ? 'error' : 'ok',
            message,
            durationMs: 60_000 + Math.round(random() * 30_000),
          },
          atMs,
        )
      }
      if (!hasVote(monitor)) return commit.reading(monitor, readingOf(life, monitor, atMs, random))
      return Promise.all(
        monitor.locations.map((place, at) => {
          const name = life.body.locations?.[at] ?? ''
          const seen = { ...life, usualMs: life.usualMs * (shop.places[name] ?? 1) }
          const troubles = life.troubles?.filter(({ from = [name] }) => from.includes(name)) ?? []
          const reading = readingOf({ ...seen, troubles }, monitor, atMs, random)
          return commit.placed(monitor, place, [{ reading, slot: { dueAtMs: atMs, try: 0 } }])
        }),
      )
    })
    const written = Promise.all(writes)
    // Routine results would wait for the clock.
    await store.flush()
    await written
  }
  await clock.advance(shop.nowMs - clock.nowMs())
  for (let turn = 0; turn < 50; turn += 1) {
    await nextTurn()
    await store.flush()
  }
  // Otherwise all this time would count as one in which the daemon did not run.
  await store.write((tx) => store.meta.putLastAlive(tx, shop.nowMs))
  await outbox.stop()
  await store.close()
}

/** The real queues of alerts, whose receivers take everything. */
function deliverEverything(store: Store, clock: FakeClock, dataDir: string): Outbox {
  const file = join(dataDir, 'master.key')
  const box = createBox(openKeyring({ file, create: false, random: randomBytes }))
  return startOutbox({
    store,
    clock,
    log: silentLog,
    sender: async () => ({ ok: true, status: 200 }),
    open: (channel) => openedChannel(channel, box.open(channel.secretsBox)),
    seal: box.seal,
    incidentsUrl: () => 'https://up.example.com/app/incidents',
    isOff: () => false,
    random: () => 0.5,
    tellOwners: () => {},
    onAttempt: () => {},
    onGivenUp: () => {},
  })
}

/** All times at which something is checked: a grid, and close to each other around troubles. */
function timesOf(lives: readonly shop.ShopMonitor[], bornMs: number): number[] {
  const times = new Set<number>()
  for (let atMs = bornMs; atMs <= shop.nowMs; atMs += stepMs) times.add(atMs)
  // Jobs report at the full hour.
  for (let atMs = bornMs - (bornMs % hourMs) + hourMs; atMs <= shop.nowMs; atMs += hourMs) {
    times.add(atMs)
  }
  for (const { troubles = [] } of lives) {
    for (const { fromMs, toMs = shop.nowMs } of troubles) {
      for (let step = 0; step < 6; step += 1) {
        times.add(fromMs + step * retryMs)
        if (toMs < shop.nowMs) times.add(toMs + step * retryMs)
      }
      for (let atMs = fromMs; atMs < toMs; atMs += stepMs) times.add(atMs)
    }
  }
  return [...times].filter((atMs) => atMs >= bornMs && atMs <= shop.nowMs).sort((a, b) => a - b)
}

function isDue({ body, usualMs, troubles = [] }: shop.ShopMonitor, atMs: number): boolean {
  if (body.name === shop.pausedName && atMs >= shop.pausedAtMs) return false
  const isNear = troubles.some(
    ({ fromMs, toMs = shop.nowMs }) => atMs >= fromMs && atMs <= toMs + 6 * retryMs,
  )
  if (isNear && !waitsForReports(body)) return true
  // The night's backup ends at two o'clock, invoices are written at every full hour.
  if (waitsForReports(body)) return (atMs - 2 * hourMs) % usualMs === 0
  return atMs % stepMs === shop.bornMs % stepMs
}

function troubleAt({ troubles = [] }: shop.ShopMonitor, atMs: number): shop.Trouble | undefined {
  return troubles.find(
    ({ fromMs, toMs = Number.POSITIVE_INFINITY }) => atMs >= fromMs && atMs < toMs,
  )
}

function readingOf(
  life: shop.ShopMonitor,
  monitor: Monitor,
  atMs: number,
  random: () => number,
): Reading {
  const trouble = troubleAt(life, atMs)
  const wave = 1 + 0.22 * Math.sin(((atMs % (24 * hourMs)) / (24 * hourMs)) * 2 * Math.PI - 1.6)
  const jitter = 0.85 + 0.35 * random() ** 3 + (random() > 0.985 ? 1.2 * random() : 0)
  const slowness = trouble?.kind === 'slow' ? 5 + 2 * random() : 1
  const totalMs = Math.max(1, life.usualMs * wave * jitter * slowness)
  const isTls = monitor.url !== null && /^(https|wss|tls):/.test(monitor.url)
  const phases: Phases = isTls
    ? {
        dns: 1 + Math.round(2 * random()),
        connect: Math.round(totalMs * 0.12),
        tls: Math.round(totalMs * 0.2),
        firstByte: Math.round(totalMs * 0.62),
        download: Math.round(totalMs * 0.06),
      }
    : { dns: 1, connect: Math.max(1, Math.round(totalMs) - 1) }
  const durationMs = Object.values(phases).reduce((sum, ms) => sum + ms, 0)
  const isWeb = monitor.url !== null && /^https?:/.test(monitor.url)
  const good: Reading = {
    atMs,
    durationMs,
    result: 'good',
    phases,
    address: '203.0.113.24',
    ...(isWeb ? { status: 200 } : {}),
    ...(isTls
      ? { certificate: { expiresAtMs: Date.UTC(2026, 11, 22, 23, 59), issuer: 'Example Trust R3' } }
      : {}),
  }
  switch (trouble?.kind) {
    case undefined:
    case 'slow':
      return good
    case 'status':
      return {
        ...good,
        result: 'failed',
        status: 503,
        error: {
          kind: 'status',
          message: 'expected status 200, found 503',
          phase: 'firstByte',
        },
        evidence: {
          status: 503,
          headers: [
            ['content-type', 'application/json'],
            ['retry-after', '30'],
            ['server', 'envoy'],
            ['x-request-id', '7f3c1e0a-52d4-4b9e-9a51-0c6d2f1b8e77'],
          ],
          body: '{"status":"failing","database":"no free connections (64 of 64)","queue":"ok","version":"2026.10.14-1"}',
          failedAssertions: [
            { expected: 'status 200', found: '503' },
            { expected: '$.database to equal "ok"', found: '"no free connections (64 of 64)"' },
          ],
        },
      }
    case 'refused':
      return {
        atMs,
        durationMs: 2,
        result: 'failed',
        phases: { dns: 1, connect: 1 },
        error: { kind: 'connect', message: 'connection refused by 203.0.113.24', phase: 'connect' },
      }
    default:
      return {
        atMs,
        durationMs: 10_000,
        result: 'failed',
        phases: { dns: 2, connect: 9_998 },
        error: {
          kind: 'timeout',
          message: 'not finished within 10000 ms, still connecting',
          phase: 'connect',
        },
      }
  }
}

interface Acting {
  readonly orgId: OrgId
  readonly userId: string
  readonly enqueue: ReturnType<typeof createEnqueue>
}

/** What people did about incidents: as their requests would, at the times of the story. */
async function peopleAct(store: Store, acting: Acting): Promise<void> {
  const { orgId, userId: by, enqueue } = acting
  const all = store.incidents.list(orgId, { limit: 1_000 })
  const isOfCheckout = ({ title }: Incident) => title.startsWith(shop.checkout)
  const open = all.find((incident) => isOfCheckout(incident) && incident.state === 'open')
  const former = all.find(
    (incident) =>
      isOfCheckout(incident) &&
      incident.state === 'resolved' &&
      incident.startedAtMs > Date.UTC(2026, 8, 20),
  )
  await store.write((tx) => {
    if (former) store.incidents.put(tx, { ...former, postmortem: shop.postmortem })
    // On a calm day nothing is open.
    if (!open) return
    let incident: Incident = acknowledged(open, {
      atMs: shop.acknowledgedAtMs,
      by,
      message: 'On it.',
    })
    store.incidents.put(tx, incident)
    const monitor = store.monitors.get(orgId, incident.monitorIds[0] ?? ('' as never))
    const ofMonitor = monitor ? { monitor } : {}
    const nowMs = shop.acknowledgedAtMs
    enqueue.incident(tx, { incident, event: 'incident.acknowledged', nowMs, ...ofMonitor })
    for (const { atMs, status, message } of shop.updates) {
      incident = withUpdate(incident, {
        id: `upd_${atMs}`,
        atMs,
        by,
        status,
        message,
        isPublic: true,
      })
      enqueue.incident(tx, { incident, event: 'incident.updated', nowMs: atMs, ...ofMonitor })
    }
    store.incidents.put(tx, incident)
  })
}
