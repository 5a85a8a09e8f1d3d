// A public status page: which monitors it shows, and what about them.
import type { MonitorId, OrgId, PageId } from '../../base/ids.ts'

export interface StatusPage {
  readonly id: PageId
  readonly orgId: OrgId
  readonly name: string
  readonly slug: string
  readonly subdomain: string | null
  readonly isEnabled: boolean
  readonly isDefault: boolean
  /** Named on the front page of the service; absent in records of earlier versions: no. */
  readonly isListed?: boolean
  readonly title: string
  readonly description: string
  readonly logoUrl: string | null
  readonly showHistory: boolean
  readonly showUptime: boolean
  readonly showIncidents: boolean
  readonly showMonitors: boolean
  /** Null: every public monitor of the organization. */
  readonly publicMonitorIds: readonly MonitorId[] | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

/** What people call the page. */
export function titleOf({ title, name }: Pick<StatusPage, 'title' | 'name'>): string {
  return title || name
}
