// Push reports: a sender reports a result, and the response follows once that is on disk.
import { LRUCache } from 'lru-cache'
import type { Commit } from '../../actors/monitor/commit.ts'
import type { Fleet } from '../../actors/monitor/fleet.ts'
import { Fault, notFound } from '../../base/fault.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { SentReport } from '../../domain/monitors/run.ts'
import { overdueAtMs, wakesAtMs } from '../../domain/schedule/push-deadline.ts'
import { hashToken, isTokenShaped } from '../../seal/tokens.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { ServiceDeps } from '../context.ts'

export interface PushDeps extends ServiceDeps {
  readonly commit: Commit
  readonly fleet: Fleet
}

export interface ReportReceipt {
  /** When the next report, or the end of a run, becomes overdue. */
  readonly nextDueAtMs: number | null
}

export type Push = ReturnType<typeof createPush>

export function createPush({ store, clock, commit, fleet }: PushDeps) {
  // Spares reading the store; the running monitor's own record shows whether the token is valid.
  const known = new LRUCache<string, { readonly orgId: OrgId; readonly monitorId: MonitorId }>({
    max: limits.pushTokensRemembered,
  })

  function monitorOf(token: string): Monitor {
    if (!isTokenShaped(token, 'spp')) throw notFound('push address')
    const tokenHash = hashToken(token)
    const remembered = known.get(tokenHash)
    const running = remembered && fleet.monitor(remembered.monitorId)
    if (running?.pushTokenHash === tokenHash) return running
    const target = store.monitors.findByPushToken(tokenHash)
    const monitor = target && store.monitors.get(target.orgId, target.monitorId)
    if (!target || !monitor || isOrgOff(store, target.orgId)) throw notFound('push address')
    if (!monitor.isActive) throw new Fault('monitor_paused')
    known.set(tokenHash, target)
    return monitor
  }

  return {
    /** Throws not_found for an unknown token, monitor_paused. */
    async report(token: string, report: SentReport): Promise<ReportReceipt> {
      const monitor = monitorOf(token)
      const committed = await commit.report(monitor, report, clock.nowMs())
      // It was paused or deleted since the look-up; the store shows which.
      if (!committed) {
        known.delete(hashToken(token))
        monitorOf(token)
        throw notFound('push address')
      }
      const { monitorState } = committed
      // When its deadline has passed, the actor reads the stored one: it is told only what is news,
      // or due sooner than it knows.
      const knownMs = fleet.nextAtMs(monitor.id)
      const wakesMs = wakesAtMs(monitorState)
      const isSooner = wakesMs !== null && (knownMs === null || wakesMs < knownMs)
      if (committed.isNews || isSooner) fleet.reported(monitor.id, monitorState)
      return { nextDueAtMs: overdueAtMs(monitorState) }
    },
  }
}
