// The engine without a network: a store, a clock, monitors, and targets that a test scripts.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import { createEnqueue, type Enqueue } from '../../src/actors/alerts/enqueue.ts'
import { watchHolds } from '../../src/actors/alerts/holds.ts'
import { type CommitResult, createCommit } from '../../src/actors/monitor/commit.ts'
import { createConsequences } from '../../src/actors/monitor/consequences.ts'
import { type Fleet, startFleet } from '../../src/actors/monitor/fleet.ts'
import { createFoundMemory } from '../../src/actors/monitor/found-memory.ts'
import { watchFlapping } from '../../src/actors/tasks/flapping.ts'
import { createGate, type GateBounds } from '../../src/base/gate.ts'
import type { ChannelId, MonitorId, OrgId } from '../../src/base/ids.ts'
import type { Channel } from '../../src/domain/alerts/channel.ts'
import { type ErrorKind, type Reading, setAside } from '../../src/domain/checks/reading.ts'
import type { Incident } from '../../src/domain/incidents/incident.ts'
import type { Monitor } from '../../src/domain/monitors/monitor.ts'
import { initialMonitorState, type MonitorState } from '../../src/domain/monitors/monitor-state.ts'
import type { CheckTools } from '../../src/services/monitors/check-tools.ts'
import { isOrgOff } from '../../src/store/org-state.ts'
import { placeNames } from '../../src/store/place-names.ts'
import type { Store } from '../../src/store/store.ts'
import type { FakeClock } from './fake-clock.ts'
import { type Logged, recordingLog } from './http.ts'
import { makeChannel } from './make-channel.ts'
import { orgA } from './make-incident.ts'
import { putOrgs } from './make-org.ts'
import { makeMonitor, orgTwo } from './make-page.ts'
import { openTempStore } from './temp-store.ts'
import { until } from './until.ts'

/** What a scripted target answers, without the time. */
export type Seen = Partial<Omit<Reading, 'atMs'>>

export const good: Seen = { result: 'good', durationMs: 100, status: 200 }
export const slow: Seen = { ...good, durationMs: 9_000 }
export const unknown: Seen = { result: 'unknown', durationMs: 0 }
export const failed = failedBy('status', 'the status is 500')

export function failedBy(kind: ErrorKind, message: string): Seen {
  return { result: 'failed', durationMs: 50, status: 500, error: { kind, message } }
}

export function makeReading(atMs: number, seen: Seen = good): Reading {
  return { durationMs: 100, result: 'good', ...seen, atMs }
}

interface Checked {
  readonly monitorId: MonitorId
  readonly atMs: number
}

export interface WorldOptions {
  readonly inMemory?: boolean
  readonly commitDelayMs?: number
  readonly gate?: GateBounds
  /** In place of the real one, to break a transaction in its middle. */
  readonly enqueueIncident?: Enqueue['incident']
  /** Called in the transaction, after a notice about a certificate became owed. */
  readonly afterNotice?: () => void
}

/**
 * Starts it with one default channel in organization A. `answer` says what a check sees: a test
 * sets it. A committed turn of health notes its flapping, as in the daemon.
 */
export function startMonitorWorld(t: Test, options: WorldOptions = {}) {
  const { inMemory = false, commitDelayMs = 0 } = options
  const opened = openTempStore(t, { inMemory, commitDelayMs })
  const { store, clock } = opened
  putOrgs(store, [orgA, orgTwo])
  const logged: Logged[] = []
  const log = recordingLog(logged)
  const news: { readonly monitorId: MonitorId; readonly committed: CommitResult }[] = []
  const checks: Checked[] = []
  const gate = createGate(options.gate ?? { total: 100, perKey: 100 })
  const woken: ChannelId[] = []
  const wake = (_orgId: OrgId, channelId: ChannelId) => void woken.push(channelId)
  const made = createEnqueue({ store, incidentUrl: () => 'https://up.test/alerts/x', wake })
  const enqueue: Enqueue = {
    ...made,
    incident: options.enqueueIncident ?? made.incident,
    certificate(tx, news) {
      const isOwed = made.certificate(tx, news)
      options.afterNotice?.()
      return isOwed
    },
  }
  const isSuspended = (monitorId: MonitorId) => world.fleet.isSuspended(monitorId)
  const placeName = placeNames(store, () => null)
  const consequences = createConsequences({ store, clock, enqueue, isSuspended, placeName })
  const found = createFoundMemory()
  const newHolds = () => {
    const holds = watchHolds({
      store,
      clock,
      log,
      enqueue,
      hasten: (monitorId, atMs) => world.fleet.hasten(monitorId, atMs),
      isOff: (orgId) => isOrgOff(store, orgId),
      isSuspended,
    })
    t.teardown(() => holds.stop())
    return holds
  }
  const holds = newHolds()
  const commit = createCommit({
    store,
    clock,
    consequences,
    onFailing: holds.lookAbove,
    onPlaced: (...placed) => world.fleet.placed(...placed),
    onReading: found.note,
    announce(_orgId, monitorId, committed) {
      news.push({ monitorId, committed })
      world.fleet.regroup(store.monitors.dependents(_orgId, monitorId, 1_000))
      const monitor = world.fleet.monitor(monitorId)
      if (monitor) flapping.note(monitor, committed.monitorState.health)
    },
  })
  const flapping = watchFlapping({ clock, log, settle: commit.settle })
  t.teardown(() => flapping.stop())

  const looking: CheckTools = {
    gate,
    async probe(monitor, signal, mustCount = false) {
      const sinceMs = clock.monoMs()
      const atMs = clock.nowMs()
      checks.push({ monitorId: monitor.id, atMs })
      const reading = makeReading(atMs, await world.answer(monitor, signal))
      const stalledMs = clock.stalledMs(sinceMs)
      return stalledMs > 0 && !mustCount ? setAside(reading, stalledMs) : reading
    },
    hostOf: (monitor) => new URL(monitor.url ?? 'https://push.test').host,
  }

  const newFleet = (): Fleet =>
    startFleet({
      clock,
      log,
      commit,
      ...looking,
      isOff: (orgId) => isOrgOff(store, orgId),
      onStart: (_monitor, latenessMs) => world.latenessMs.push(latenessMs),
      isCutOff: () => Promise.resolve(world.isCutOff),
      onSuspended: (monitor, error) => world.onSuspended(monitor, error),
    })

  const world = {
    store,
    clock,
    commit,
    gate,
    looking,
    found,
    log,
    logged,
    news,
    checks,
    enqueue,
    tellLive: consequences.tellLive,
    holds,
    /** Another one on the same store, as after a restart. */
    newHolds,
    /** The channels that something new is owed to, in order. */
    woken,
    dir: opened.dir,
    latenessMs: [] as number[],
    /** The checks of a monitor crashed too often. */
    onSuspended: (_monitor: Monitor, _error: unknown): void => {},
    /** Whether nobody can reach us at present. */
    isCutOff: false,
    fleet: undefined as unknown as Fleet,
    /** What the check of a monitor sees from now on. */
    answer: (_monitor: Monitor, _signal: AbortSignal): Seen | Promise<Seen> => good,
    newFleet,

    /** Stores a monitor and its standing; `start` is for the fleet. */
    async add(
      monitor: Partial<Monitor> = {},
      monitorState: Partial<MonitorState> = {},
    ): Promise<Monitor> {
      const nowMs = clock.nowMs()
      const made = makeMonitor({ orgId: orgA, createdAtMs: nowMs, ...monitor })
      await store.write((tx) => {
        store.monitors.put(tx, made)
        const stands = { ...initialMonitorState(nowMs), ...monitorState, isPaused: !made.isActive }
        store.monitorStates.put(tx, made.orgId, made.id, stands)
      })
      return made
    },

    async addChannel(channel: Partial<Channel> = {}): Promise<Channel> {
      const made = makeChannel({ orgId: orgA, ...channel })
      await store.write((tx) => store.channels.put(tx, made))
      return made
    },

    /** Commits readings of a monitor at the given distance, as its actor would. */
    async see(monitor: Monitor, seen: readonly Seen[], everyMs = 60_000): Promise<void> {
      for (const one of seen) {
        await clock.advance(everyMs)
        await settled(store, commit.reading(monitor, makeReading(clock.nowMs(), one)))
      }
    },

    monitorState(monitor: Monitor): MonitorState {
      const monitorState = store.monitorStates.get(monitor.orgId, monitor.id)
      if (!monitorState) throw new Error('the monitor has no state')
      return monitorState
    },

    /** Oldest first. */
    incidents: (): Incident[] => store.incidents.list(orgA, { limit: 100_000 }).toReversed(),

    /** What the default channel is owed or was told, oldest first. */
    events: (): string[] =>
      store.deliveries
        .list(orgA, makeChannel().id, { limit: 1_000 })
        .toReversed()
        .map(({ event }) => event),

    checksOf: (monitor: Monitor): number[] =>
      checks.filter(({ monitorId }) => monitorId === monitor.id).map(({ atMs }) => atMs),

    /** Moves on timer by timer; after each, everything that follows from it is on disk. */
    run: (ms: number) => run(store, clock, ms),
  }
  return Object.assign(world, { fleet: newFleet() })
}

export type MonitorWorld = ReturnType<typeof startMonitorWorld>

/** The promise's value, once the store has written what it waits for. */
export async function settled<T>(store: Store, promise: Promise<T>): Promise<T> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  for (let round = 0; round < 500 && !isSettled; round++) await quiet(store)
  if (isSettled) return promise
  // What other threads do, compression say, takes any number of turns on a busy machine.
  await until(async () => {
    await quiet(store)
    return isSettled
  })
  return promise
}

async function quiet(store: Store): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await nextTurn()
    await store.flush()
  }
  await nextTurn()
}

async function run(store: Store, clock: FakeClock, ms: number): Promise<void> {
  const untilMs = clock.monoMs() + ms
  await quiet(store)
  for (;;) {
    const { nextInMs } = clock
    if (nextInMs === undefined || clock.monoMs() + nextInMs > untilMs) break
    await clock.runNext()
    // Most timers write nothing: what follows from them has come to its end with a turn.
    if (await isWriting(store)) await quiet(store)
  }
  await clock.advance(untilMs - clock.monoMs())
  await quiet(store)
}

async function isWriting(store: Store): Promise<boolean> {
  let isFlushed = false
  const flushing = store.flush().then(() => {
    isFlushed = true
  })
  await nextTurn()
  if (isFlushed) return false
  await flushing
  return true
}
