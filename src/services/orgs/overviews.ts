// The front page of a signed-in person: each of their organizations, with its monitors and pages.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import { isMaintained } from '../maintenance/covered.ts'
import { type MonitorView, monitorStateOf, stateOf } from '../monitors/monitor-view.ts'
import type { Orgs, OwnOrganization } from './orgs.ts'
import type { Summaries, Summary } from './summaries.ts'

export interface OverviewMonitor {
  readonly id: MonitorId
  readonly name: string
  readonly state: MonitorView['state']
  /** When this state began. */
  readonly sinceMs: number
  /** What the last failed check said; null while nothing is wrong. */
  readonly error: string | null
}

export interface OrgOverview {
  readonly organization: OwnOrganization
  /** Null if the operator switched it off. */
  readonly states: Summary['states'] | null
  /** The worst first, then the newest; at most frontMonitorsMax. */
  readonly monitors: readonly OverviewMonitor[]
  /** The enabled ones, newest first; at most frontPagesMax. */
  readonly pages: readonly StatusPage[]
}

export interface OverviewsDeps {
  readonly orgs: Orgs
  readonly summaries: Summaries
}

/** Monitors of each organization on the front page, the worst first. */
const frontMonitorsMax = 50
/** Status pages of each organization there. */
const frontPagesMax = 10

export function createOverviews({ store, clock }: Core, { orgs, summaries }: OverviewsDeps) {
  function newest(orgId: OrgId): OverviewMonitor[] {
    return store.monitors.list(orgId, frontMonitorsMax).map((monitor) => {
      const monitorState = monitorStateOf(store, monitor)
      const isUnderMaintenance = isMaintained(store, monitor, clock.nowMs())
      return shown({
        monitor,
        monitorState,
        state: stateOf(monitor, monitorState, isUnderMaintenance),
      })
    })
  }

  async function overview(caller: Caller, organization: OwnOrganization): Promise<OrgOverview> {
    const { id: orgId, role } = organization
    if (isOrgOff(store, orgId)) return { organization, states: null, monitors: [], pages: [] }
    const { states, worstMonitors } = await summaries.of({ caller, orgId, role })
    const found = [...worstMonitors.map(shown), ...newest(orgId)]
    const monitors = [...new Map(found.map((one) => [one.id, one])).values()]
    const pages = store.pages.list(orgId, frontPagesMax)
    return {
      organization,
      states,
      monitors: monitors.slice(0, frontMonitorsMax),
      pages: pages.filter(({ isEnabled }) => isEnabled),
    }
  }

  return {
    /** Newest organization first. */
    of(caller: Caller): Promise<readonly OrgOverview[]> {
      const { items } = orgs.list(caller, { limit: limits.organizationsPerUserMax })
      return Promise.all(items.map((organization) => overview(caller, organization)))
    },
  }
}

function shown({
  monitor,
  monitorState,
  state,
}: Summary['worstMonitors'][number]): OverviewMonitor {
  const isWrong = state === 'down' || state === 'degraded'
  return {
    id: monitor.id,
    name: monitor.name,
    state,
    sinceMs: monitorState.health.sinceMs,
    error: isWrong ? (monitorState.lastError?.message ?? null) : null,
  }
}
