// The store: one environment, its writer and its tables, opened and closed together.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { type Env, openEnv } from './engine/env.ts'
import {
  createRedo,
  type LogPosition,
  type Redo,
  type RedoEntry,
  type RedoLog,
} from './engine/redo.ts'
import { noFollowUps, openPositions, type Positions } from './engine/replica.ts'
import { createSignals, type Signals } from './engine/signals.ts'
import { unreadableIn } from './engine/unreadable.ts'
import { isEmpty, measureUsage } from './engine/usage.ts'
import { createWriter, type Tx, type Writer } from './engine/write.ts'
import { openNounTables } from './nouns.ts'
import { openAnnouncements } from './tables/alerts/announcements.ts'
import { openCertificates } from './tables/alerts/certificates.ts'
import { openChannelHealth } from './tables/alerts/channel-health.ts'
import { openDeliveries } from './tables/alerts/deliveries.ts'
import { openAudit } from './tables/audit/audit.ts'
import { openDays } from './tables/checks/days.ts'
import { openTallies } from './tables/checks/tallies.ts'
import { openKycCallbacks } from './tables/identity-verification/kyc-callbacks.ts'
import { openVerifications } from './tables/identity-verification/verifications.ts'
import { openDummyLetters } from './tables/letters/dummy-letters.ts'
import { openLetters } from './tables/letters/letters.ts'
import { openPingKeys } from './tables/monitors/ping-keys.ts'
import { openRuns } from './tables/monitors/runs.ts'
import { openTheirWords } from './tables/monitors/their-words.ts'
import { openImportOrigins } from './tables/orgs/import-origins.ts'
import { openImports } from './tables/orgs/imports.ts'
import { openOrgs } from './tables/orgs/orgs.ts'
import { openReferrals } from './tables/people/referrals.ts'
import { openUsers } from './tables/people/users.ts'
import { openObjectives } from './tables/reports/objectives.ts'
import { openFactors } from './tables/sign-in/factors.ts'
import { openIdentities } from './tables/sign-in/identities.ts'
import { openLinks } from './tables/sign-in/links.ts'
import { openPasskeys } from './tables/sign-in/passkeys.ts'
import { openSessions } from './tables/sign-in/sessions.ts'
import { openSpentFlows } from './tables/sign-in/spent-flows.ts'
import { openTrustedDevices } from './tables/sign-in/trusted-devices.ts'
import { openBackupNotes } from './tables/system/backup-notes.ts'
import { openBuckets } from './tables/system/buckets.ts'
import { openConsoleSettings } from './tables/system/console-settings.ts'
import { openErrors } from './tables/system/errors.ts'
import { openHostCertificates } from './tables/system/host-certificates.ts'
import { openLeadership } from './tables/system/leadership.ts'
import { openMeta } from './tables/system/meta.ts'
import { openQuarantine } from './tables/system/quarantine.ts'
import { openReplays } from './tables/system/replays.ts'
import { openReserve } from './tables/system/reserve.ts'
import { openSecrets } from './tables/system/secrets.ts'
import { openSystemHistory } from './tables/system/system-history.ts'
import { openTasks } from './tables/system/tasks.ts'
import { openTombstones } from './tables/system/tombstones.ts'

export interface StoreOptions {
  readonly dir: string
  readonly clock: Clock
  /** How long a write that nobody waits for may be delayed before it is committed. */
  readonly commitDelayMs: number
  /** The disk failed: the process must end and restart. */
  readonly onFatal: (error: unknown) => void
  /** An afterCommit function threw; the commit itself stands. */
  readonly onError: (error: unknown) => void
  /** Gets a record of each transaction, before anybody hears of it: copies of the data are made of them. */
  readonly redoLog?: RedoLog | undefined
}

export type Store = ReturnType<typeof openStore>

export function openStore(options: StoreOptions) {
  const env = openEnv(options.dir)
  const positions = openPositions(env)
  const leadership = openLeadership(env)
  const epoch = leadership.get()?.epoch ?? 1
  const redo = options.redoLog && startRedo(env, positions, options.redoLog, options.clock, epoch)
  // What is written without a log makes the position a lie.
  const isOutOfLog = !redo && positions.readable() !== undefined
  const atFirstChange = isOutOfLog ? positions.remove : undefined
  const writer: Writer = createWriter(env, { ...options, redo, atFirstChange })
  const signals = createSignals()
  const quarantine = openQuarantine(env)
  env.damage.listen((found) => {
    const nowMs = options.clock.nowMs()
    // A failed write has already ended the process.
    writer.writeSoon((tx) => quarantine.add(tx, found, nowMs)).catch(() => {})
  })
  return {
    ...writer,
    signals,
    /** Counts damaged records, and tells its listeners of each. */
    damage: env.damage,
    lmdb: env.lmdb,
    tableOptions: env.tableOptions,
    databases: env.databases,
    readers: env.readers,
    locals: env.locals,
    epochs: env.epochs,
    leadership,
    /** Which record of the log the data has reached; undefined if it has never been in one. */
    logPosition: positions.readable,
    /** How much of the data file is in use. */
    usage: () => measureUsage(env),
    isEmpty: () => isEmpty(env),
    /**
     * Reads every record, and returns the ones that are damaged or not understood. For a store without
     * users.
     */
    unreadable: () => unreadableIn(env),
    /** Deletes what says something of the machine that the data came from. For a store that has moved. */
    forgetMachine(_tx: Tx): void {
      for (const table of env.locals.values()) {
        for (const key of [...table.getKeys({ start: [] })]) void table.remove(key)
      }
    },
    quarantine,
    ...openTables(env, signals),
    /** Resolves when all writes so far are on disk, also the delayed ones. */
    flush: writer.flush,
    async close(): Promise<void> {
      await writer.flush()
      await env.close()
    },
  }
}

/** Continues where the data is in its log. If it has never been in one, its first record tells it from all others. */
function startRedo(
  env: Env,
  positions: Positions,
  log: RedoLog,
  { nowMs }: Clock,
  epoch: number,
): Redo {
  const keep = (position: LogPosition, entry: RedoEntry) => {
    positions.put(noFollowUps, position)
    if (log.keepsNewest) positions.putNewest(noFollowUps, entry)
  }
  const known = positions.readable()
  const hash = randomBytes(32).toString('hex')
  const position = known ?? { epoch, sequence: 0, hash, origin: hash }
  if (!known) env.lmdb.transactionSync(() => positions.put(noFollowUps, position))
  return createRedo({ log, position, nowMs, keep })
}

/** In one transaction: in a new file, each table would be a commit of its own otherwise. */
function openTables(env: Env, signals: Signals) {
  return env.lmdb.transactionSync(() => ({
    ...openNounTables(env, signals),
    meta: openMeta(env),
    backupNotes: openBackupNotes(env),
    orgs: openOrgs(env, signals),
    users: openUsers(env, signals),
    sessions: openSessions(env, signals),
    secrets: openSecrets(env),
    consoleSettings: openConsoleSettings(env),
    audit: openAudit(env),
    links: openLinks(env),
    dummyLetters: openDummyLetters(env),
    referrals: openReferrals(env),
    letters: openLetters(env),
    buckets: openBuckets(env),
    factors: openFactors(env),
    identities: openIdentities(env),
    spentFlows: openSpentFlows(env),
    passkeys: openPasskeys(env),
    trustedDevices: openTrustedDevices(env),
    days: openDays(env),
    hours: openTallies(env, 'hours'),
    runs: openRuns(env),
    pingKeys: openPingKeys(env),
    tombstones: openTombstones(env, signals),
    replays: openReplays(env),
    certificates: openCertificates(env),
    objectives: openObjectives(env),
    theirWords: openTheirWords(env),
    importOrigins: openImportOrigins(env),
    imports: openImports(env),
    deliveries: openDeliveries(env),
    announcements: openAnnouncements(env),
    channelHealth: openChannelHealth(env, signals),
    errors: openErrors(env),
    hostCertificates: openHostCertificates(env),
    reserve: openReserve(env),
    systemHistory: openSystemHistory(env),
    tasks: openTasks(env),
    verifications: openVerifications(env),
    kycCallbacks: openKycCallbacks(env),
  }))
}
