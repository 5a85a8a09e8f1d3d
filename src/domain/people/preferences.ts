// What a person arranged in the console for themself; it follows them to every browser.
import type { MonitorId, OrgId } from '../../base/ids.ts'

export interface Preferences {
  /** The monitors that stand beside every page, in their order; of all organizations. */
  readonly pinnedMonitorIds: readonly MonitorId[]
  /** The order that a person gave the monitors of the overview, of all organizations. */
  readonly orderedMonitorIds: readonly MonitorId[]
  /** The views of all organizations, in their order. */
  readonly views: readonly SavedView[]
}

/** A view of the overview that has a name. */
interface SavedView {
  readonly orgId: OrgId
  readonly name: string
  /** The search, filter, order and layout, as the query of the page's address. */
  readonly query: string
}

export const noPreferences: Preferences = {
  pinnedMonitorIds: [],
  orderedMonitorIds: [],
  views: [],
}
