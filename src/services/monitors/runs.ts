// Runs of push monitors: what their senders reported of them.
import { notFound } from '../../base/fault.ts'
import type { MonitorId } from '../../base/ids.ts'
import { reaches } from '../../domain/access.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { type Run, shownRun } from '../../domain/monitors/run.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'

/** A run with its output; null for viewers, and if there is none. */
export interface RunWithLog extends Run {
  readonly log: string | null
}

export function createRuns({ store }: Pick<Core, 'store'>) {
  function openRunsOf({ orgId }: OrgScope, monitorId: MonitorId): MonitorState['openRuns'] {
    if (!store.monitors.get(orgId, monitorId)) throw notFound('monitor')
    return store.monitorStates.get(orgId, monitorId)?.openRuns ?? []
  }

  return {
    /** Newest first; none of a monitor that is not push. Throws not_found. */
    list(scope: OrgScope, monitorId: MonitorId, { limit, after }: PageRequest): PageOf<Run> {
      const openRuns = openRunsOf(scope, monitorId)
      const afterNumber = after === undefined ? undefined : numberOf(after)
      const found = store.runs.list(scope.orgId, monitorId, limit + 1, afterNumber)
      const items = found.slice(0, limit).map((run) => shownRun(run, openRuns))
      const last = items.at(-1)
      return found.length > limit && last ? { items, nextAfter: String(last.number) } : { items }
    },

    /** Throws not_found. */
    get(scope: OrgScope, monitorId: MonitorId, numberText: string): RunWithLog {
      const openRuns = openRunsOf(scope, monitorId)
      const number = numberOf(numberText)
      const run = number && store.runs.get(scope.orgId, monitorId, number)
      if (!number || !run) throw notFound('run')
      const mayRead = run.hasLog && reaches(scope.role, 'member')
      const log = mayRead ? store.runs.log(scope.orgId, monitorId, number) : undefined
      return { ...shownRun(run, openRuns), log: log ?? null }
    },
  }
}

function numberOf(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
