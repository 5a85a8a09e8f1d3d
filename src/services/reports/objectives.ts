// Objectives of monitors: how their budgets stand, and alerts when one will not last.
import type { Enqueue } from '../../actors/alerts/enqueue.ts'
import { Fault, notFound } from '../../base/fault.ts'
import type { MonitorId } from '../../base/ids.ts'
import { createYielder } from '../../base/yielding.ts'
import { dayMs, hourMs } from '../../domain/health/span.ts'
import { type TimeWindow, wholeHours } from '../../domain/health/time-window.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { dueSloAlert, type SloStatus, sloStatus } from '../../domain/reports/objective.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { Readings } from '../checks/readings.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'

export interface ObjectiveView extends SloStatus {
  readonly monitorId: MonitorId
  /** `YYYY-MM`, in UTC. */
  readonly month: string
  readonly objectivePercent: number
}

type WithObjective = Monitor & { readonly sloPercent: number }

export interface ObjectivesDeps {
  readonly uptimeOf: Readings['uptimeOf']
  readonly enqueue: Pick<Enqueue, 'slo'>
}

export type Objectives = ReturnType<typeof createObjectives>

export function createObjectives({ store, clock }: Core, { uptimeOf, enqueue }: ObjectivesDeps) {
  function viewOf(monitor: WithObjective, monitorState: MonitorState): ObjectiveView {
    const nowMs = clock.nowMs()
    const now = new Date(nowMs)
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
    const monthEndMs = Date.UTC(year, month + 1)
    const times = (window: TimeWindow) => uptimeOf(monitor, monitorState, window)
    const newest = (ms: number) => times(wholeHours({ fromMs: nowMs - ms, toMs: nowMs }, nowMs))
    const status = sloStatus({
      objectivePercent: monitor.sloPercent,
      nowMs,
      monthEndMs,
      month: times({ fromMs: Date.UTC(year, month), toMs: nowMs }),
      windows: {
        '1h': newest(hourMs),
        '6h': newest(6 * hourMs),
        '24h': newest(dayMs),
        '3d': newest(3 * dayMs),
      },
    })
    return {
      ...status,
      monitorId: monitor.id,
      month: now.toISOString().slice(0, 'YYYY-MM'.length),
      objectivePercent: monitor.sloPercent,
    }
  }

  function dueAlert(monitor: WithObjective, monitorState: MonitorState) {
    const view = viewOf(monitor, monitorState)
    const state = dueSloAlert(view.state, view, store.objectives.told(monitor.orgId, monitor.id))
    return state && { view, state }
  }

  /** Tells the channels of a monitor what is news; returns whether there was any. */
  async function examine(monitor: Monitor): Promise<boolean> {
    const { orgId, id } = monitor
    const monitorState = store.monitorStates.get(orgId, id)
    if (!hasObjective(monitor) || !monitorState || !dueAlert(monitor, monitorState)) return false
    return store.write((tx) => {
      // It may have been changed or deleted meanwhile.
      const stored = store.monitors.readable(orgId, id)
      const storedState = store.monitorStates.get(orgId, id)
      if (!stored?.isActive || !hasObjective(stored) || !storedState) return false
      const due = dueAlert(stored, storedState)
      if (!due) return false
      const { view, state } = due
      // Without a subscribed channel it is not noted, so that a channel that is added later gets it.
      const notice = { ...view, state }
      if (!enqueue.slo(tx, { monitor: stored, notice, nowMs: clock.nowMs() })) return false
      const { month, objectivePercent } = view
      store.objectives.put(tx, orgId, id, { month, objectivePercent, state })
      return true
    })
  }

  return {
    /** The objective in the current month. Throws not_found, and conflict without an objective. */
    of(scope: OrgScope, monitorId: MonitorId): ObjectiveView {
      const monitor = store.monitors.get(scope.orgId, monitorId)
      const monitorState = monitor && store.monitorStates.get(scope.orgId, monitorId)
      if (!monitor || !monitorState) throw notFound('monitor')
      if (!hasObjective(monitor)) {
        throw new Fault('conflict', 'The monitor has no objective: set sloPercent first.')
      }
      return viewOf(monitor, monitorState)
    },

    /** Examines every active monitor with an objective; resolves with the number of alerts. */
    async round(signal: AbortSignal): Promise<number> {
      const yielder = createYielder(clock, limits.turnMs)
      let alerts = 0
      let last: Monitor | undefined
      do {
        const slice = store.monitors.slice(limits.janitorSlice, last)
        for (const monitor of slice) {
          if (signal.aborted) return alerts
          if (yielder.isDue()) await yielder.pause()
          if (monitor.sloPercent === null || !monitor.isActive) continue
          if (!isOrgOff(store, monitor.orgId) && (await examine(monitor))) alerts += 1
        }
        last = slice.length < limits.janitorSlice ? undefined : slice.at(-1)
        if (yielder.isDue()) await yielder.pause()
      } while (last)
      return alerts
    },
  }
}

function hasObjective(monitor: Monitor): monitor is WithObjective {
  return monitor.sloPercent !== null
}
