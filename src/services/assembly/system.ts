// Wires the operator's tools: tasks, error reports, the audit log, system information.
import { createSpaceKeeper } from '../../actors/tasks/space-keeper.ts'
import { startSystemHistory } from '../../actors/tasks/system-history.ts'
import { type DaemonTask, startTasks } from '../../actors/tasks/tasks.ts'
import { createLimiter } from '../../base/limiter.ts'
import { measureLoopDelay } from '../../base/waiting/loop-delay.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { ClusterView } from '../../domain/standby/members.ts'
import { createMailTrial } from '../../mail/single-letter.ts'
import type { SizeGuard } from '../../store/size.ts'
import type { SpaceGuard } from '../../store/space.ts'
import { createAuditLog } from '../audit/audit-log.ts'
import type { PresentBucket } from '../backups/backup-bucket.ts'
import { createBucketTrial } from '../backups/bucket-trial.ts'
import type { PrivateAnswers } from '../checks/private-answers.ts'
import { createSystemHealth } from '../doctor/system-health.ts'
import { startDamageNotices } from '../letters/damage-notices.ts'
import { startDiskNotices } from '../letters/disk-notices.ts'
import { startStandbyNotices } from '../letters/standby-notices.ts'
import type { ReportKeys } from '../reports/report-keys.ts'
import type { AddressTrials } from '../system/address-trials.ts'
import { createErrorReports } from '../system/error-reports.ts'
import type { HostCertificates } from '../system/host-certificates.ts'
import { createNoticeChannels } from '../system/notice-channels.ts'
import { type RecurringTasksDeps, recurringTasks } from '../system/recurring-tasks.ts'
import { createSelfReport } from '../system/self-report.ts'
import type { SettingsLayers } from '../system/settings-layers.ts'
import { createSystemCharts } from '../system/system-charts.ts'
import { createSystemInfo } from '../system/system-info.ts'
import { createSystemSettings } from '../system/system-settings.ts'
import { createSystemTasks } from '../system/system-tasks.ts'
import { wireBackups } from './backups.ts'
import type { Engine } from './engine.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface SystemDeps
  extends EngineDeps,
    Pick<
      RecurringTasksDeps,
      | 'invites'
      | 'keyWarnings'
      | 'keyRights'
      | 'kycKeeping'
      | 'referrals'
      | 'objectives'
      | 'shadowLetters'
      | 'pageExports'
      | 'domainKeeper'
      | 'subscriptions'
      | 'checkData'
      | 'checkProgress'
    > {
  readonly backupBucket: PresentBucket
  readonly layers: SettingsLayers
  readonly addressTrials: Pick<AddressTrials, 'try'>
  readonly space: SpaceGuard
  readonly size: SizeGuard
  readonly engine: Pick<
    Engine,
    | 'janitor'
    | 'reconciler'
    | 'takeUpOwed'
    | 'outbox'
    | 'observer'
    | 'systemNotices'
    | 'heartbeatState'
    | 'checkCounts'
    | 'checkStarts'
    | 'checkThreads'
    | 'isReady'
  >
  readonly certificates: {
    readonly hostCertificates: HostCertificates
    /** Null without an authority. */
    readonly task: DaemonTask | null
  }
  readonly privateAnswers: PrivateAnswers
  readonly reportKeys: Pick<ReportKeys, 'published'>
  /** It was too large to be read before it was opened. */
  readonly isUnchecked: boolean
  readonly clusterView: () => ClusterView | null
  /** How many errors were logged since the daemon started. */
  readonly errorsLogged: () => number
}

export function startSystem(deps: SystemDeps) {
  const { clock, log, store, stack, audit, engine } = deps
  const errorReports = createErrorReports({ store, clock })
  stack.push('error reports', errorReports.flush)
  store.damage.listen(({ table, key, reason }) =>
    errorReports.own({
      message: `A stored record of the table ${table} is damaged.`,
      context: { record: key.join(' '), reason },
    }),
  )
  const { systemNotices } = engine
  const damageNotices = startDamageNotices({ ...deps, systemNotices })
  stack.push('damage notices', () => damageNotices.stop())
  const diskNotices = startDiskNotices({ ...deps, systemNotices })
  stack.push('disk notices', () => diskNotices.stop())
  const standbyNotices = startStandbyNotices({ ...deps, systemNotices })
  stack.push('standby notices', () => standbyNotices.stop())
  const keepSpace = createSpaceKeeper(deps).round
  const backups = wireBackups({ ...deps, systemNotices })
  const { hostCertificates, task } = deps.certificates
  const tasks = startTasks({ store, clock, log }, [
    ...recurringTasks({ ...deps, ...engine, keepSpace }),
    ...(task ? [task] : []),
    ...backups.tasks,
  ])
  stack.push('tasks', () => tasks.stop())
  // At once, because another program may fill the disk soon.
  deps.space.listen((state) => {
    if (state !== 'ok') void tasks.run('space')
  })
  if (deps.isUnchecked) void tasks.run('integrity')
  const systemCharts = createSystemCharts({ clock, history: startHistory(deps) })
  const systemTasks = createSystemTasks({ store, clock, audit, tasks })
  const systemInfo = createSystemInfo(deps, {
    ...deps,
    hasMailServer: () => deps.live.now().mail.smtpUrl !== null,
    registration: () => deps.live.now().auth.registration,
    privateAnswers: deps.privateAnswers,
    observer: engine.observer,
    backups: backups.backups,
    heartbeat: engine.heartbeatState,
    checkThreads: engine.checkThreads,
    owed: () => ({
      deliveries: engine.outbox.pending(),
      letters: store.letters.countPending(),
    }),
  })
  const { checkStarts, isReady } = engine
  const about = { systemInfo, systemTasks, systemCharts, hostCertificates, checkStarts }
  const selfReport = createSelfReport({ ...deps, ...about })
  const { layers } = deps
  return {
    errorReports,
    systemCharts,
    selfReport,
    systemHealth: createSystemHealth({
      ...deps,
      settings: () => layers.given().withConsole(layers.values()),
      isReady,
      selfReport,
    }),
    auditLog: createAuditLog({ store }),
    systemTasks,
    backups: backups.backups,
    operatorBackups: backups.begin(tasks.run),
    hostCertificates,
    runTask: tasks.run,
    noticeChannels: createNoticeChannels(deps),
    systemSettings: createSystemSettings(deps, {
      ...deps,
      tryMail: createMailTrial({ clock }),
      tryAddress: deps.addressTrials.try,
      tryBucket: createBucketTrial({ clock }),
      trials: createLimiter(limits.channelTests, limits.rateKeysMax),
    }),
    systemInfo,
  }
}

function startHistory({ store, clock, stack, engine, space, errorsLogged }: SystemDeps) {
  const loopDelay = measureLoopDelay()
  stack.push('event loop delay', loopDelay.stop)
  const { committed, latenessCounts, latenessBoundsMs } = engine.checkCounts
  const history = startSystemHistory({
    store,
    clock,
    meter: {
      checksCommitted: committed,
      latenessCounts,
      latenessBoundsMs,
      waiting: engine.outbox.pending,
      memoryBytes: process.memoryUsage.rss,
      dataBytes: () => store.usage().usedBytes,
      diskFreeBytes: space.freeBytes,
      takeLoopDelayP99Ms: loopDelay.takeP99Ms,
      errorsLogged,
    },
  })
  stack.push('history of the system', history.stop)
  return history
}
