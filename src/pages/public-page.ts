// The public data of a status page: the one type that all public pages are made from.
import type { ShownMonitorState } from '../domain/monitors/monitor-state.ts'

/** `waiting`: it was resumed and has no state yet, but figures from before. */
export type PublicState = ShownMonitorState | 'paused' | 'waiting' | 'maintenance'

export interface PublicDay {
  readonly startMs: number
  /** Null on a day without data. */
  readonly upRatio: number | null
  /** Whether enough of the day is known to state the share. */
  readonly hasShare: boolean
  readonly downMs: number
}

export interface PublicMonitor {
  readonly id: string
  readonly name: string
  readonly state: PublicState
  /** Null before the first result. */
  readonly sinceMs: number | null
  /** Share of the known time in 90 days; null if it is not shown or too little is known. */
  readonly uptime90d: number | null
  /** Oldest first, always 90; empty if the history is not shown. */
  readonly days: readonly PublicDay[]
}

export interface PublicUpdate {
  readonly atMs: number
  readonly label: string
  readonly message: string
}

export interface PublicIncident {
  readonly id: string
  readonly title: string
  readonly kind: 'outage' | 'degraded' | 'notice'
  readonly isOpen: boolean
  readonly startedAtMs: number
  readonly resolvedAtMs: number | null
  /** Names of the shown monitors it concerns. */
  readonly monitorNames: readonly string[]
  /** Newest first. */
  readonly updates: readonly PublicUpdate[]
}

/** An occurrence of a public maintenance window. */
export interface PublicMaintenance {
  readonly name: string
  readonly description: string
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly isOn: boolean
  /** Of the shown monitors; empty if it is for all of them. */
  readonly monitorNames: readonly string[]
}

export type OverallLevel = 'up' | 'degraded' | 'down' | 'maintenance' | 'unknown'

export interface PublicPage {
  readonly title: string
  readonly description: string
  readonly logoUrl: string | null
  readonly overall: { readonly level: OverallLevel; readonly sentence: string }
  readonly showUptime: boolean
  readonly showHistory: boolean
  /** Null if the page does not show them. */
  readonly monitors: readonly PublicMonitor[] | null
  /** Null if the page does not show them. Newest first. */
  readonly incidents: readonly PublicIncident[] | null
  /** Those that are on, and those of the next days; in order. */
  readonly maintenance: readonly PublicMaintenance[]
  readonly generatedAtMs: number
}
