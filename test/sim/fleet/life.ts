// One life of the daemon: the engine and its services on a store, wired as in `src/app`, without a
// network. It dies at a moment or at a commit, with everything that it had in memory. Its data does not
// live longer: the next life begins with the copy that was made of the records of its transactions.
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { createEnqueue } from '../../../src/actors/alerts/enqueue.ts'
import { watchHolds } from '../../../src/actors/alerts/holds.ts'
import { startOutbox } from '../../../src/actors/alerts/outbox.ts'
import { watchReminders } from '../../../src/actors/alerts/reminders.ts'
import { createCommit } from '../../../src/actors/monitor/commit.ts'
import { createConsequences } from '../../../src/actors/monitor/consequences.ts'
import { type Fleet, startFleet } from '../../../src/actors/monitor/fleet.ts'
import { createFoundMemory } from '../../../src/actors/monitor/found-memory.ts'
import { loadFleet } from '../../../src/actors/monitor/load.ts'
import { startObserver } from '../../../src/actors/observer.ts'
import { watchFlapping } from '../../../src/actors/tasks/flapping.ts'
import { startHeartbeat } from '../../../src/actors/tasks/heartbeat.ts'
import { createJanitor } from '../../../src/actors/tasks/janitor.ts'
import { createReconciler } from '../../../src/actors/tasks/reconciler.ts'
import { createGate } from '../../../src/base/gate.ts'
import type { KeyId, MonitorId, OrgId } from '../../../src/base/ids.ts'
import { createLimiter } from '../../../src/base/limiter.ts'
import { type Log, type LogFields, silentLog } from '../../../src/base/log/log.ts'
import type { Sender } from '../../../src/channels/sender.ts'
import type { SentinelReport } from '../../../src/domain/checks/observer.ts'
import { type Reading, setAside } from '../../../src/domain/checks/reading.ts'
import { dayMs, type Tally } from '../../../src/domain/health/span.ts'
import type { Incident } from '../../../src/domain/incidents/incident.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import type { MonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { createBox } from '../../../src/seal/box.ts'
import { openKeyring } from '../../../src/seal/keyring.ts'
import { mintSigningKey, mintWebhookSecret, publicKeyOf } from '../../../src/seal/sign.ts'
import { createChannels } from '../../../src/services/alerts/channels.ts'
import { createAudit } from '../../../src/services/audit.ts'
import { createReadings } from '../../../src/services/checks/readings.ts'
import { createRunLimits } from '../../../src/services/checks/run-limits.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { createIncidents } from '../../../src/services/incidents/incidents.ts'
import { createMailer } from '../../../src/services/mailer.ts'
import { createMonitors } from '../../../src/services/monitors/monitors.ts'
import { createPush } from '../../../src/services/monitors/push.ts'
import { createQuotaChecks } from '../../../src/services/quotas.ts'
import { type Env, openEnv } from '../../../src/store/engine/env.ts'
import type { RedoLog } from '../../../src/store/engine/redo.ts'
import { createReplica } from '../../../src/store/engine/replica.ts'
import { isOrgOff } from '../../../src/store/org-state.ts'
import { placeNames } from '../../../src/store/place-names.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { talliesOf } from '../../../src/store/tables/checks/tallies.ts'
import { callerOf } from '../../support/access.ts'
import { orgA } from '../../support/make-incident.ts'
import { noKeys } from '../../support/make-push.ts'
import { usualQuotas } from '../../support/quotas.ts'
import type { LifeClock } from './sim-clock.ts'

/** What one transaction put on disk, as far as the oracle wants to know. */
export type Fact =
  | { readonly kind: 'state'; readonly monitorId: MonitorId; readonly state: MonitorState }
  | { readonly kind: 'incident'; readonly incident: Incident }
  | { readonly kind: 'day'; readonly monitorId: MonitorId; readonly tally: Tally }
  | { readonly kind: 'monitor'; readonly before: Monitor | null; readonly monitor: Monitor }
  | { readonly kind: 'removed'; readonly monitor: Monitor }
  | { readonly kind: 'alive'; readonly atMs: number }

/** What becomes of the process at a commit. */
export type Fate = 'lives' | 'diesBefore' | 'diesAfter'

export interface LifeDeps {
  readonly dir: string
  /** A copy of the data is made here, of the records of its transactions. */
  readonly copyDir: string
  readonly keyFile: string
  readonly clock: LifeClock
  /** A random number from 0 to 1, for the jitter of retries. */
  readonly random: () => number
  readonly commitDelayMs: number
  /** What a check sees. */
  readonly probe: (monitor: Monitor) => Promise<Reading>
  /** The reading as it goes to its commit. */
  readonly onReading: (monitor: Monitor, reading: Reading) => void
  readonly sentinels: () => Promise<SentinelReport>
  readonly sender: Sender
  readonly fateAtCommit: () => Fate
  /** They are on disk. */
  readonly onFacts: (facts: readonly Fact[]) => void
  readonly onError: (message: string, fields: LogFields | undefined) => void
}

export type Life = ReturnType<typeof startLife>

export const admin: OrgScope = {
  orgId: orgA,
  role: 'admin',
  caller: callerOf({ kind: 'key', keyId: 'key_sim' as KeyId, orgId: orgA, role: 'admin' }),
}

export function startLife(deps: LifeDeps) {
  const { clock } = deps
  const log: Log = { ...silentLog, error: deps.onError }
  const commits = { begun: 0 }
  const fail = (error: unknown) => deps.onError(String(error), { error })
  let isDead = false
  const redoLog: RedoLog = {
    sequenceAfter: (after) => after + 1,
    /** A dead process writes nothing, and learns of nothing. */
    append: (entry) =>
      new Promise((resolve, reject) => {
        if (isDead) return
        const fate = deps.fateAtCommit()
        if (fate === 'diesBefore') return
        replica.apply([entry]).catch(reject)
        deps.onFacts(facts.take())
        if (fate === 'lives') resolve()
      }),
  }
  const store = openStore({
    dir: deps.dir,
    clock,
    commitDelayMs: deps.commitDelayMs,
    onFatal: fail,
    onError: fail,
    redoLog,
  })
  const copy = openCopy(deps.dir, deps.copyDir)
  const replica = createReplica(copy)
  const facts = recordFacts(store)
  commitInOneTurn(store.lmdb, { isDead: () => isDead, facts, commits })

  const isOff = (orgId: OrgId) => isOrgOff(store, orgId)
  const outbox = startOutbox({
    store,
    clock,
    log,
    random: deps.random,
    sender: deps.sender,
    open: (channel) => ({ channel, config: channel.config }),
    seal: (text) => text,
    incidentsUrl: () => 'https://up.test/app/incidents',
    isOff,
    tellOwners() {},
    onAttempt() {},
    onGivenUp() {},
  })
  const incidentUrl = () => 'https://up.test/alerts/x'
  const enqueue = createEnqueue({ store, incidentUrl, wake: outbox.wake })
  const reminders = watchReminders({ store, clock, log, enqueue, isOff })
  const isSuspended: Fleet['isSuspended'] = (monitorId) => fleet.isSuspended(monitorId)
  const holds = watchHolds({
    store,
    clock,
    log,
    enqueue,
    isOff,
    isSuspended,
    hasten: (monitorId, atMs) => fleet.hasten(monitorId, atMs),
  })
  const consequences = createConsequences({
    store,
    clock,
    enqueue,
    isSuspended,
    placeName: placeNames(store, () => null),
  })
  const found = createFoundMemory()
  const commit = createCommit({
    store,
    clock,
    consequences,
    onFailing: holds.lookAbove,
    onPlaced: (...placed) => fleet.placed(...placed),
    onReading: found.note,
    announce(_orgId, monitorId, committed) {
      const monitor = fleet.monitor(monitorId)
      if (monitor) flapping.note(monitor, committed.monitorState.health)
    },
  })
  const flapping = watchFlapping({ clock, log, settle: commit.settle })
  const observer = startObserver({
    clock,
    log,
    look: deps.sentinels,
    isPublic: () => false,
    isRunning: (monitorId) => fleet.monitor(monitorId) !== undefined,
    isDown: ({ orgId, id }) => store.monitorStates.get(orgId, id)?.health.state === 'down',
    onBack(episode, held) {
      fleet.checkSoon(held)
      if (episode.wasCutOff) fleet.forgiveReports(episode.lengthMs)
    },
    onLong() {},
  })
  const gate = createGate({ total: 1_000, perKey: 100 })
  const fleet: Fleet = startFleet({
    clock,
    log,
    commit,
    gate,
    isOff,
    async probe(monitor, _signal, mustCount) {
      const sinceMs = clock.monoMs()
      const seen = await deps.probe(monitor)
      const stalledMs = clock.stalledMs(sinceMs)
      const isSetAside = stalledMs > 0 && !mustCount
      const reading = isSetAside ? setAside(seen, stalledMs) : await observer.believe(seen, monitor)
      if (!isDead) deps.onReading(monitor, reading)
      return reading
    },
    hostOf: ({ id }) => id,
    onStart() {},
    onSuspended() {},
    isCutOff: observer.isCutOff,
  })
  const heartbeat = startHeartbeat({ store, clock })
  const janitor = createJanitor({ store, clock })
  store.signals.tombstoneAdded.listen(() => void janitor.sweep().catch(fail))
  const reconciler = createReconciler({
    store,
    clock,
    log,
    enqueue,
    holds,
    wake: outbox.wake,
  })

  const box = createBox(openKeyring({ file: deps.keyFile, create: true, random: randomBytes }))
  const audit = createAudit({ store, clock })
  const quotas = createQuotaChecks({
    store,
    usual: () => ({ ...usualQuotas, monitors: 1_000_000 }),
  })
  const mailer = createMailer({
    store,
    clock,
    box,
    from: () => ({ name: 'up', address: 'up@up.test' }),
    wake() {},
  })
  const core = { store, clock, log, box, audit, quotas, mailer, baseUrl: 'https://up.test' }
  const incidents = createIncidents(core, { enqueue, fleet })
  const monitors = createMonitors(core, {
    commit,
    fleet,
    incidents,
    readings: createReadings(core, { found }),
    judgeTarget: () => null,
    unknownChannel: () => null,
    publish() {},
    mustBeApproved() {},
    pushUrl: (token) => token,
    runLimits: createRunLimits({ clock, isOn: () => false }),
    failingFrom: () => null,
  })
  const channels = createChannels(core, {
    enqueue,
    mintSecret: mintWebhookSecret,
    mintSigningKey,
    publicKeyOf,
    judgeUrl: () => null,
    judgeMailServer: () => null,
    sender: deps.sender,
    testLimiter: createLimiter(limits.channelTests, 1_000),
    noteArrived: outbox.noteArrived,
    missingSettings: () => [],
    wake: outbox.wake,
  })
  const push = createPush(core, { commit, fleet, identity: noKeys })

  return {
    store,
    fleet,
    outbox,
    monitors,
    incidents,
    channels,
    push,
    janitor,
    reconciler,
    gap: heartbeat.gap,
    commits,
    async load(): Promise<void> {
      outbox.start()
      await loadFleet({
        store,
        clock,
        log,
        fleet,
        gapMs: heartbeat.gapMs,
        isStopping: () => isDead,
        onLoaded(monitor, { health }) {
          flapping.note(monitor, health)
          reminders.note(monitor, health)
          holds.noteMonitor(monitor, health)
        },
      })
      await reminders.noteOrgs(() => isDead)
    },
    /** Ends it as SIGTERM does, in the daemon's order. */
    async stop(): Promise<void> {
      await fleet.drain()
      observer.stop()
      flapping.stop()
      reminders.stop()
      holds.stop()
      await heartbeat.stop()
      await outbox.stop()
      await janitor.stop()
      await store.flush()
    },
    /** Nothing of it runs any more; what is on disk stays. */
    async die(): Promise<void> {
      isDead = true
      clock.kill()
      await store.lmdb.close()
      await copy.close()
    },

    get isDead() {
      return isDead
    },
    /** From now on nothing is written. */
    markDead(): void {
      isDead = true
      clock.kill()
    },
  }
}

/** The copy begins as the data does. */
function openCopy(dir: string, copyDir: string): Env {
  mkdirSync(copyDir, { recursive: true })
  copyFileSync(join(dir, 'data.mdb'), join(copyDir, 'data.mdb'))
  const copy = openEnv(copyDir)
  const replaced: { childTransaction: unknown } = copy.lmdb
  replaced.childTransaction = copy.lmdb.transactionSync
  return copy
}

interface CommitHooks {
  readonly isDead: () => boolean
  readonly facts: FactRecorder
  readonly commits: { begun: number }
}

/**
 * Commits in this thread, in one turn of the event loop, so that the order of things follows from
 * the seed alone. A dead process writes nothing, and learns of nothing.
 */
function commitInOneTurn(lmdb: RootDatabase<Buffer>, { isDead, facts, commits }: CommitHooks) {
  const replaced: { childTransaction: unknown } = lmdb
  replaced.childTransaction = <T>(body: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      setImmediate(() => {
        if (isDead()) return
        commits.begun += 1
        const before = facts.count()
        try {
          resolve(lmdb.transactionSync(body))
        } catch (error) {
          facts.forget(before)
          reject(error)
        }
      })
    })
}

type FactRecorder = ReturnType<typeof recordFacts>

/** Notes what the bodies of transactions write. */
function recordFacts(store: Store) {
  let facts: Fact[] = []
  const { monitorStates, incidents, days, monitors, meta } = store
  const original = {
    state: monitorStates.put,
    incident: incidents.put,
    days: days.putAll,
    put: monitors.put,
    replace: monitors.replace,
    remove: monitors.remove,
    alive: meta.putLastAlive,
  }
  monitorStates.put = (tx, orgId, monitorId, state) => {
    original.state(tx, orgId, monitorId, state)
    facts.push({ kind: 'state', monitorId, state })
  }
  incidents.put = (tx, incident) => {
    original.incident(tx, incident)
    facts.push({ kind: 'incident', incident })
  }
  days.putAll = (tx, orgId, monitorId, rollups) => {
    original.days(tx, orgId, monitorId, rollups)
    for (const run of rollups) {
      for (const tally of talliesOf(run, dayMs)) facts.push({ kind: 'day', monitorId, tally })
    }
  }
  monitors.put = (tx, monitor) => {
    original.put(tx, monitor)
    facts.push({ kind: 'monitor', before: null, monitor })
  }
  monitors.replace = (tx, before, monitor) => {
    original.replace(tx, before, monitor)
    facts.push({ kind: 'monitor', before, monitor })
  }
  monitors.remove = (tx, monitor) => {
    original.remove(tx, monitor)
    facts.push({ kind: 'removed', monitor })
  }
  meta.putLastAlive = (tx, atMs) => {
    const putting = original.alive(tx, atMs)
    facts.push({ kind: 'alive', atMs })
    return putting
  }
  return {
    count: () => facts.length,
    /** What was written since there were `count` did not happen. */
    forget(count: number): void {
      facts.length = count
    },
    take(): readonly Fact[] {
      const written = facts
      facts = []
      return written
    },
  }
}
