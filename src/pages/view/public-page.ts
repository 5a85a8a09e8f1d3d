// The public data of a status page: the one type that all public pages are made from.
import type { IncidentId, MaintenanceId, MonitorId, PageId } from '../../base/ids.ts'
import type { UpdateStatus } from '../../domain/incidents/incident.ts'
import type { ShownMonitorState } from '../../domain/monitors/monitor-state.ts'
import type {
  HeadLink,
  PageLayout,
  PageLook,
  PagePicture,
  PagePictureKind,
  PageTheme,
} from '../../domain/pages/page.ts'
import type { Language } from '../../texts/languages.ts'

/** `waiting`: it was resumed and has no state yet, but figures from before. */
export type PublicState = ShownMonitorState | 'paused' | 'waiting' | 'maintenance'

export interface PublicDay {
  readonly startMs: number
  /** Null on a day without data. */
  readonly upRatio: number | null
  /** Whether enough of the day is known to state the share. */
  readonly hasShare: boolean
  readonly downMs: number
  readonly degradedMs: number
  readonly maintenanceMs: number
}

/** How long good checks of an hour took. */
export interface PublicResponseTime {
  readonly startMs: number
  /** Null if there was none. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

export interface PublicResponseTimes {
  /** The median of all hours together. */
  readonly p50Ms: number
  readonly p95Ms: number
  /** Oldest first, without a gap. */
  readonly hours: readonly PublicResponseTime[]
}

/** What was seen of a service from a place. */
export interface PublicPlace {
  readonly name: string
  readonly state: 'up' | 'degraded' | 'down'
}

/** A place from which a service is checked. */
export interface PublicLocation {
  readonly name: string
  /** Null: nothing was heard of it, or it does not matter now. */
  readonly state: PublicPlace['state'] | null
  /** The median of the newest 24 hours; null if it is not shown or not known. */
  readonly p50Ms: number | null
}

export interface PublicMonitor {
  readonly id: MonitorId
  readonly name: string
  /** The state, at least as bad as the incidents say that people declared about it. */
  readonly state: PublicState
  /** Null before the first result. */
  readonly sinceMs: number | null
  /** The open ones that people declared about it, newest first. */
  readonly declaredIds: readonly IncidentId[]
  /** Share of the known time in 90 days; null if it is not shown or too little is known. */
  readonly uptime90d: number | null
  /** Oldest first, always 90; empty if the history is not shown. */
  readonly days: readonly PublicDay[]
  /** The response times of the newest 24 hours; null if they are not shown or there are none. */
  readonly responseTimes: PublicResponseTimes | null
  /** The places with names; none if they are not shown, or it is checked from one alone. */
  readonly locations: readonly PublicLocation[]
  /** From where it fails or is slow; none if that is everywhere, which its state says. */
  readonly failsFrom: readonly PublicPlace[]
}

/** What an update tells; words/ writes it in each language. */
export type PublicUpdateKind =
  | 'reported'
  | 'detected'
  | 'detected_again'
  | 'worsened'
  | 'unstable'
  | 'settled'
  | UpdateStatus
  | 'update'

export interface PublicUpdate {
  readonly atMs: number
  readonly kind: PublicUpdateKind
  /** As a person wrote it, in Markdown; often empty. */
  readonly message: string
  /** What was seen from where; absent if that is not shown or not known. */
  readonly places?: readonly PublicPlace[]
}

/** What a title that the daemon made says of the first monitor. */
export type PublicTitleKind = `${'is' | 'was'}_${'down' | 'slow' | 'degraded'}`

export interface PublicIncident {
  readonly id: IncidentId
  readonly title: string
  /** Null: a person wrote the title. Otherwise it is the English one of this kind. */
  readonly titleKind: PublicTitleKind | null
  readonly kind: 'outage' | 'degraded' | 'notice'
  /** A person declared it; the others were opened by the daemon. */
  readonly isDeclared: boolean
  /** The shown monitors that it concerns. */
  readonly monitorIds: readonly MonitorId[]
  readonly isOpen: boolean
  readonly startedAtMs: number
  readonly resolvedAtMs: number | null
  /** Names of the shown monitors it concerns. */
  readonly monitorNames: readonly string[]
  /** Newest first. */
  readonly updates: readonly PublicUpdate[]
  /** Markdown; null if none was written. */
  readonly postmortem: string | null
}

/** An occurrence of a public maintenance window. */
export interface PublicMaintenance {
  readonly windowId: MaintenanceId
  readonly name: string
  readonly description: string
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly isOn: boolean
  /** The shown monitors that it is for. */
  readonly monitorIds: readonly MonitorId[]
  /** The names of the shown monitors; empty if it is for all of them. */
  readonly monitorNames: readonly string[]
  /** When the window was last changed. */
  readonly changedAtMs: number
}

/** Which sentence describes the whole page. */
export type OverallKind =
  | 'operational'
  | 'degraded'
  | 'incident'
  | 'partial_outage'
  | 'major_outage'
  | 'maintenance'
  | 'interrupted'
  | 'waiting'
  | 'no_data'

export type OverallLevel = 'up' | 'degraded' | 'down' | 'maintenance' | 'unknown'

/** A heading and the monitors below it. */
export interface PublicSection {
  /** Null for the monitors that are in no section, which come last. */
  readonly name: string | null
  readonly monitorIds: readonly MonitorId[]
}

/** A picture, by the name under which it is below the page. */
export interface PublicPicture extends PagePicture {
  /** Its bytes, where the document is shown before anybody can open the page. */
  readonly base64?: string
}

export interface PublicPage {
  readonly id: PageId
  /** The absolute address of the page, without a slash at its end. */
  readonly url: string
  /** The address of the service, without a slash at its end. */
  readonly serviceUrl: string
  /** Null: what the reader's browser asks for, else `fallbackLanguage`. */
  readonly language: Language | null
  readonly fallbackLanguage: Language
  readonly timezone: string
  readonly look: PageLook
  /** The organization's own style sheet; often empty. */
  readonly css: string
  /** Where that is before anybody can open the page. */
  readonly draftCssPath?: string
  readonly theme: PageTheme
  readonly noindex: boolean
  readonly showMonitoredBy: boolean
  readonly allowsSubscribers: boolean
  readonly title: string
  readonly description: string
  readonly logoUrl: string | null
  readonly pictures: Readonly<Record<PagePictureKind, PublicPicture | null>>
  readonly headLinks: readonly HeadLink[]
  readonly announcement: string
  readonly footer: string
  readonly layout: PageLayout
  readonly overall: { readonly level: OverallLevel; readonly kind: OverallKind }
  readonly showUptime: boolean
  readonly showHistory: boolean
  readonly showResponseTimes: boolean
  /** Null if the page does not show them. */
  readonly monitors: readonly PublicMonitor[] | null
  /** Every shown monitor stands in one of them; empty if the page shows none. */
  readonly sections: readonly PublicSection[]
  /** Null if the page does not show them. Newest first. */
  readonly incidents: readonly PublicIncident[] | null
  /** The windows that are on, and the windows of the next days; in order. */
  readonly maintenance: readonly PublicMaintenance[]
  readonly generatedAtMs: number
}

/** Windows of time that figures are of. */
export const figureWindows = ['24h', '7d', '30d', '90d'] as const
export type FigureWindow = (typeof figureWindows)[number]

/** What few documents show, so it is read only for them. Nothing of monitors that are not shown. */
export interface PublicFigures {
  /** The windows that are on, and the windows of the next three months; in order. */
  readonly maintenance: () => readonly PublicMaintenance[]
  /** The share of the known time; null if it is not shown or too little is known. */
  readonly uptime: (monitorId: MonitorId, window: FigureWindow) => number | null
  /** The median; null if it is not shown or not known. */
  readonly responseTimeMs: (monitorId: MonitorId, window: FigureWindow) => number | null
}

/** A document of a status page: the page itself, a feed, a badge. */
export interface PageDocument {
  /** With its charset, if it is text. */
  readonly contentType: string
  readonly body: string | Uint8Array
  /** A part of the body that is replaced by an attribute with the tag of this version. */
  readonly etagPlace?: string
  /** Headers besides the ones of every document. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

/** The history of one month. */
export interface PublicMonth {
  /** `2026-11`, in the time zone of the page. */
  readonly month: string
  /** The months beside it; null where the history ends. */
  readonly earlier: string | null
  readonly later: string | null
  /** The incidents that began in the month, newest first, however long ago. */
  readonly incidents: readonly PublicIncident[]
  /** False: there may be more incidents. */
  readonly isWhole: boolean
  /** What has taken place, newest first. */
  readonly maintenance: readonly PublicMaintenance[]
}

/** Twelve months of one service. */
export interface PublicYear {
  /** Oldest first: whole months, and the current one until today; empty if the history is not shown. */
  readonly days: readonly PublicDay[]
  /** Share of the known time of all these days; null if it is not shown or too little is known. */
  readonly uptime: number | null
  /** The days since the first one of which something is known. */
  readonly knownDays: number
}

/** Reads what is public besides the view; no incidents and months if the page shows none. */
export interface PublicReader {
  /** The bytes of one of its pictures. */
  readonly picture: (kind: PagePictureKind) => Uint8Array | null
  /** Null for services that the page does not show. */
  readonly year: (monitorId: MonitorId) => PublicYear | null
  /** The incident with all its updates, however old. */
  readonly incident: (id: IncidentId) => PublicIncident | null
  /** Null: the current month. Null for months in which the organization did not exist. */
  readonly month: (month: string | null) => PublicMonth | null
}

export interface DocumentContext {
  readonly view: PublicPage
  readonly reader: PublicReader
  readonly figures: PublicFigures
  /** The language to write it in. */
  readonly language: Language
  /** The path below which the page is served: `/status/acme`, or '' at a host of its own. */
  readonly root: string
}
