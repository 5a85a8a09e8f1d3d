// The recurring tasks of the daemon, each in slices that end soon after a stop.

import type { DomainKeeper } from '../../actors/pages/domain-keeper.ts'
import { type AuditKeeperDeps, createAuditKeeper } from '../../actors/tasks/audit-keeper.ts'
import type { Janitor } from '../../actors/tasks/janitor.ts'
import type { Reconciler } from '../../actors/tasks/reconciler.ts'
import type { DaemonTask } from '../../actors/tasks/tasks.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { KycKeeping } from '../identity-verification/kyc-cases.ts'
import type { ShadowLetters } from '../letters/shadow-letters.ts'
import type { Invites } from '../orgs/invites.ts'
import type { KeyRights } from '../orgs/key-rights.ts'
import type { KeyWarnings } from '../orgs/keys.ts'
import type { PageExports } from '../pages/export/page-exports.ts'
import type { Referrals } from '../people/referrals.ts'
import type { Objectives } from '../reports/objectives.ts'
import type { Subscriptions } from '../subscribers/subscriptions.ts'

export interface RecurringTasksDeps extends AuditKeeperDeps {
  readonly janitor: Pick<Janitor, 'round' | 'stop'>
  readonly outbox: { pending(): number }
  readonly reconciler: Pick<Reconciler, 'round'>
  /** Sends all pending messages that are not being sent yet. */
  readonly takeUpOwed: () => void
  readonly invites: Pick<Invites, 'sweep'>
  readonly keyWarnings: KeyWarnings
  readonly keyRights: Pick<KeyRights, 'noteEnded'>
  readonly kycKeeping: KycKeeping
  readonly referrals: Referrals
  readonly objectives: Pick<Objectives, 'round'>
  readonly shadowLetters: ShadowLetters
  readonly domainKeeper: Pick<DomainKeeper, 'round'>
  readonly subscriptions: Pick<Subscriptions, 'expire' | 'forgetOld'>
  readonly pageExports: Pick<PageExports, 'exportAll'>
  /** Keeps space for what must be stored; resolves with a few words. */
  readonly keepSpace: (signal: AbortSignal) => Promise<string>
  /** Reads all stored data; resolves with a few words. */
  readonly checkData: (signal: AbortSignal) => Promise<string>
  readonly checkProgress: NonNullable<DaemonTask['progress']>
}

const sloTaskMs = 10 * 60_000
const janitorMs = 3_600_000
/** The time between complete rounds of the export of pages. */
const exportTaskMs = 600_000
const domainsTaskMs = 60_000
const spaceTaskMs = 5 * 60_000
const outboxTaskMs = 15 * 60_000
/** How often incidents, announcements and deliveries are compared. */
const reconcileMs = 60_000
const referralsTaskMs = 10 * 60_000

export function recurringTasks(deps: RecurringTasksDeps): readonly DaemonTask[] {
  const { janitor, outbox, invites, keyWarnings, keyRights, kycKeeping, referrals, subscriptions } =
    deps
  const keeper = createAuditKeeper(deps)
  const slice: number = limits.taskSliceRecords
  return [
    {
      name: 'retention',
      intervalMs: janitorMs,
      async run(signal) {
        const stop = () => void janitor.stop()
        signal.addEventListener('abort', stop, { once: true })
        try {
          return `${await janitor.round()} records removed`
        } finally {
          signal.removeEventListener('abort', stop)
        }
      },
    },
    {
      name: 'audit',
      intervalMs: limits.dailyMs,
      run: async (signal) => `${await keeper.round(signal)} entries removed`,
    },
    {
      name: 'outbox',
      intervalMs: outboxTaskMs,
      async run() {
        deps.takeUpOwed()
        return `${outbox.pending()} messages pending`
      },
    },
    {
      name: 'credentials',
      intervalMs: janitorMs,
      async run(signal) {
        const keys = await untilNone(() => keyWarnings.warnExpiring(slice), signal)
        const noted = await keyRights.noteEnded(signal)
        const ended = await untilNone(() => invites.sweep(slice), signal)
        return `${keys + noted} keys looked after, ${ended} invitations removed`
      },
    },
    {
      name: 'identity',
      intervalMs: janitorMs,
      run: async (signal) =>
        `${await untilNone(() => kycKeeping.expireOld(slice), signal)} records ended or erased`,
    },
    {
      name: 'referrals',
      intervalMs: referralsTaskMs,
      run: async () => `${await referrals.settle(slice)} became active`,
    },
    {
      name: 'objectives',
      intervalMs: sloTaskMs,
      run: async (signal) => `${await deps.objectives.round(signal)} alerts queued`,
    },
    {
      name: 'imports',
      intervalMs: janitorMs,
      run: async (signal) => `${await deps.shadowLetters.round(signal)} shadow runs told of`,
    },
    {
      name: 'domains',
      intervalMs: domainsTaskMs,
      run: async (signal) => `${await deps.domainKeeper.round(signal)} domains checked`,
    },
    {
      name: 'subscribers',
      intervalMs: janitorMs,
      async run(signal) {
        const expired = await untilNone(() => subscriptions.expire(slice), signal)
        const old = await subscriptions.forgetOld(signal)
        return `${expired} unconfirmed subscribers and ${old} announcements removed`
      },
    },
    {
      name: 'exports',
      intervalMs: exportTaskMs,
      run: (signal) => deps.pageExports.exportAll(signal),
    },
    {
      name: 'integrity',
      intervalMs: limits.dailyMs,
      run: deps.checkData,
      progress: deps.checkProgress,
    },
    {
      name: 'space',
      intervalMs: spaceTaskMs,
      run: deps.keepSpace,
    },
    {
      name: 'consistency',
      intervalMs: reconcileMs,
      run: async (signal) => `${await deps.reconciler.round(signal)} repaired`,
    },
  ]
}

/** Repeats a slice of work until there is none left. */
async function untilNone(work: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let total = 0
  for (let count = await work(); count > 0; count = signal.aborted ? 0 : await work()) {
    total += count
  }
  return total
}
