// What a notice says, in the words of no language: taken from what the page shows.
import type { MaintenanceId } from '../../base/ids.ts'
import type { PublicIncident } from '../../pages/view/public-page.ts'

export type NoticeContent = IncidentNotice | MaintenanceNotice

export interface IncidentNotice {
  readonly kind: 'incidents'
  /** Several if the daemon opened or ended them together; their updates are the new ones. */
  readonly incidents: readonly [PublicIncident, ...PublicIncident[]]
}

export interface MaintenanceNotice {
  readonly kind: 'maintenance'
  readonly windowId: MaintenanceId
  readonly name: string
  readonly description: string
  readonly startsAtMs: number
  readonly endsAtMs: number
  /** It takes place again and again; the times are those of the next one. */
  readonly isRecurring: boolean
  /** Empty: all that the page shows. */
  readonly monitorNames: readonly string[]
}

/** The content of a text that `JSON.stringify` wrote. */
export function noticeContent(json: string): NoticeContent {
  return JSON.parse(json) as NoticeContent
}
