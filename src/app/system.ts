// Wires the operator's tools: tasks, error reports, the audit log, system information.
import { createAuditKeeper } from '../actors/tasks/audit-keeper.ts'
import { startTasks, type Task } from '../actors/tasks/tasks.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Audit } from '../services/audit/audit.ts'
import { createAuditLog } from '../services/audit/audit-log.ts'
import type { KycKeeping } from '../services/identity-verification/kyc-keeping.ts'
import type { Invites } from '../services/orgs/invites.ts'
import type { KeyWarnings } from '../services/orgs/key-warnings.ts'
import type { Referrals } from '../services/people/referrals.ts'
import { createErrorReports } from '../services/system/error-reports.ts'
import { createSystemInfo } from '../services/system/system-info.ts'
import { createSystemTasks } from '../services/system/system-tasks.ts'
import type { Engine, EngineDeps } from './types.ts'

export interface SystemDeps
  extends Pick<EngineDeps, 'settings' | 'clock' | 'log' | 'store' | 'stack' | 'version'> {
  readonly audit: Audit
  readonly engine: Pick<Engine, 'janitor' | 'takeUpOwed' | 'outbox' | 'observer'>
  readonly invites: Pick<Invites, 'sweep'>
  readonly keyWarnings: KeyWarnings
  readonly kycKeeping: KycKeeping
  readonly referrals: Referrals
}

export function startSystem(deps: SystemDeps) {
  const { clock, log, store, stack, audit, engine } = deps
  const errorReports = createErrorReports({ store, clock })
  stack.push('error reports', errorReports.flush)
  const tasks = startTasks({ store, clock, log }, tasksOf(deps))
  stack.push('tasks', () => tasks.stop())
  return {
    errorReports,
    auditLog: createAuditLog({ store }),
    systemTasks: createSystemTasks({ store, clock, audit, tasks }),
    systemInfo: createSystemInfo({
      ...deps,
      observer: engine.observer,
      owed: () => ({
        deliveries: engine.outbox.pending(),
        letters: store.letters.countPending(),
      }),
    }),
  }
}

/** The recurring tasks by name. */
function tasksOf(deps: SystemDeps): readonly Task[] {
  const { engine, invites, keyWarnings, kycKeeping, referrals } = deps
  const keeper = createAuditKeeper(deps)
  const slice: number = limits.taskSliceRecords
  return [
    {
      name: 'retention',
      intervalMs: limits.janitorMs,
      async run(signal) {
        const stop = () => void engine.janitor.stop()
        signal.addEventListener('abort', stop, { once: true })
        const removed = await engine.janitor.round()
        signal.removeEventListener('abort', stop)
        return `${removed} records removed`
      },
    },
    {
      name: 'audit',
      intervalMs: limits.dailyMs,
      run: async (signal) => `${await keeper.round(signal)} entries removed`,
    },
    {
      name: 'outbox',
      intervalMs: limits.outboxTaskMs,
      async run() {
        engine.takeUpOwed()
        return `${engine.outbox.pending()} messages pending`
      },
    },
    {
      name: 'credentials',
      intervalMs: limits.janitorMs,
      async run(signal) {
        const keys = await untilNone(() => keyWarnings.warnExpiring(slice), signal)
        const ended = await untilNone(() => invites.sweep(slice), signal)
        return `${keys} keys looked after, ${ended} invitations removed`
      },
    },
    {
      name: 'identity',
      intervalMs: limits.janitorMs,
      run: async (signal) =>
        `${await untilNone(() => kycKeeping.expireOld(slice), signal)} records ended or erased`,
    },
    {
      name: 'referrals',
      intervalMs: limits.referralsTaskMs,
      run: async () => `${await referrals.settle(slice)} became active`,
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
