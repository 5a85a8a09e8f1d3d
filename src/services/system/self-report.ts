// What the daemon says of itself to the checks of its health, and to `stillup doctor` over its control socket.
import type { CheckStarts } from '../../actors/watch-checks.ts'
import type { DiskForecast } from '../../domain/system/system-history.ts'
import type { Store } from '../../store/store.ts'
import type { NoticesRecord } from '../../store/tables/system/meta.ts'
import type { ShadowLetters } from '../letters/shadow-letters.ts'
import type { ReportKeys } from '../reports/report-keys.ts'
import type { CertificateView, HostCertificates } from './host-certificates.ts'
import type { RecentTrouble, SystemCharts } from './system-charts.ts'
import type { SystemInfo } from './system-info.ts'
import type { SystemTasks } from './system-tasks.ts'

export interface SelfReport
  extends Pick<SystemInfo, 'startedAtMs' | 'data' | 'counts' | 'owed' | 'network' | 'heartbeat'> {
  readonly tasks: readonly {
    readonly name: string
    readonly lastOutcome: 'done' | 'failed' | null
    readonly lastDetail: string | null
  }[]
  readonly certificates: readonly CertificateView[]
  /** Checks that were started since the daemon runs. */
  readonly checksStarted: number
  /** Checks of these that began late, by more than checkLateMs. */
  readonly checksLate: number
  /** The ids as /.well-known/stillup.json publishes them: they tell this service from others. */
  readonly reportKeyIds: readonly string[]
  /** Absent in earlier versions. */
  readonly condition?: SelfCondition
  /** Monitors of which nobody has heard for longSilentDays. Absent in earlier versions. */
  readonly longSilent?: number
  /** Absent in earlier versions. */
  readonly cluster?: SystemInfo['cluster']
}

/** What only a daemon that runs for a while knows. */
export interface SelfCondition extends RecentTrouble {
  readonly disk: DiskForecast
  readonly clock: NoticesRecord['toldClock']
  /** Why the last attempt to make a backup failed; null if it did not. */
  readonly backupError: string | null
}

export interface SelfReportDeps {
  readonly store: { readonly meta: Pick<Store['meta'], 'notices'> }
  readonly systemCharts: Pick<SystemCharts, 'forecast' | 'recentTrouble'>
  readonly systemInfo: () => Promise<SystemInfo>
  readonly systemTasks: Pick<SystemTasks, 'list'>
  readonly hostCertificates: Pick<HostCertificates, 'list'>
  readonly checkStarts: () => CheckStarts
  readonly shadowLetters: Pick<ShadowLetters, 'longSilent'>
  readonly reportKeys: Pick<ReportKeys, 'published'>
}

const doctorCertificatesMax = 50
const doctorTasksMax = 100

export function createSelfReport(deps: SelfReportDeps): () => Promise<SelfReport> {
  return async () => {
    const info = await deps.systemInfo()
    const { startedAtMs, data, counts, owed, network, heartbeat, cluster } = info
    const tasks = deps.systemTasks.list({ limit: doctorTasksMax }).items
    const { started, late } = deps.checkStarts()
    return {
      startedAtMs,
      data,
      counts,
      owed,
      network,
      heartbeat,
      cluster,
      longSilent: await deps.shadowLetters.longSilent(),
      tasks: tasks.map(({ name, lastOutcome, lastDetail }) => ({ name, lastOutcome, lastDetail })),
      certificates: deps.hostCertificates.list({ limit: doctorCertificatesMax }).items,
      checksStarted: started,
      checksLate: late,
      reportKeyIds: deps.reportKeys.published().map(({ keyId }) => keyId),
      condition: {
        ...deps.systemCharts.recentTrouble(),
        disk: deps.systemCharts.forecast(),
        clock: deps.store.meta.notices().toldClock,
        backupError: info.backup.lastError,
      },
    }
  }
}
