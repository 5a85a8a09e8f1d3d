// The state of one monitor between two checks, in one record.
import type { AnnouncedExpiry } from '../alerts/expiry-notice.ts'
import type { Certificate, Evidence, Phases, ReadingError } from '../checks/reading.ts'
import type { VerdictKind } from '../checks/verdict.ts'
import { type Health, initialHealth, type ShownState, shownState } from '../health/health.ts'
import { hourMs, type Tally, tallyOf } from '../health/span.ts'
import type { OpenRun } from '../schedule/push-runs.ts'

/** What a result is identified by, with its monitor and location. */
export interface ResultSlot {
  /** When the check was due by the schedule. */
  readonly dueAtMs: number
  /** 0 at the slot; 1, 2, … for further checks before the next one. */
  readonly try: number
}

export interface MonitorState {
  readonly health: Health
  /** Time in each state since the start of the day and of the hour (UTC), up to accountedToMs. */
  readonly tally: Tally
  readonly hour: Tally
  readonly accountedToMs: number
  /** When the newest result began. */
  readonly lastAtMs: number | null
  readonly lastVerdict: VerdictKind | null
  readonly lastError: ReadingError | null
  readonly responseTimeMs: number | null
  readonly lastPhases: Phases | null
  readonly address: string | null
  readonly certificate: Certificate | null
  /** When the registration of the domain ends, as it was last read; null if that is not known. */
  readonly domainExpiresAtMs: number | null
  /** Push: when the newest report came; the period counts from here. */
  readonly lastReportAtMs: number | null
  /** Push: when a report becomes overdue. Null before the first one, and for other kinds. */
  readonly deadlineAtMs: number | null
  /** Push: whole periods that were granted since the newest report, because one may be lost. */
  readonly excuses: number
  /** The newest results as compact rows, until they fill a block of their own. */
  readonly recentRows: Uint8Array
  readonly recentRowCount: number
  readonly recentFromMs: number
  readonly recentLastMs: number
  /** Checks are paused: a result that arrives after the pause does not count. */
  readonly isPaused: boolean
  /** The certificates whose expiry was announced. */
  readonly certificatesTold: readonly AnnouncedExpiry[]
  /** The expiry dates of the domain that were announced. */
  readonly domainsTold: readonly AnnouncedExpiry[]
  /** Push: runs that were started and have not ended, oldest first. */
  readonly openRuns: readonly OpenRun[]
  /** Push: when an outage that the sender reported ends by itself; null if it does not. */
  readonly recoversAtMs: number | null
  /** Push: the number of the newest run that was kept. */
  readonly runCount: number
  /**
   * At a location: the slot of the newest result, and its number among the checks since that slot. Null
   * before the first one, and in the state of the monitor itself.
   */
  readonly lastSlot: ResultSlot | null
  /**
   * At a location: it was silent for long, and what it has seen since contradicts its state. So until it has
   * confirmed either, it says nothing.
   */
  readonly isUnsure: boolean
}

const noRows = new Uint8Array(0)

/** The state of a monitor before its first check. */
export function initialMonitorState(nowMs: number): MonitorState {
  return {
    health: initialHealth(nowMs),
    tally: tallyOf(nowMs),
    hour: tallyOf(nowMs, hourMs),
    accountedToMs: nowMs,
    lastAtMs: null,
    lastVerdict: null,
    lastError: null,
    responseTimeMs: null,
    lastPhases: null,
    address: null,
    certificate: null,
    domainExpiresAtMs: null,
    lastReportAtMs: null,
    deadlineAtMs: null,
    excuses: 0,
    recentRows: noRows,
    recentRowCount: 0,
    recentFromMs: 0,
    recentLastMs: 0,
    isPaused: false,
    certificatesTold: [],
    domainsTold: [],
    openRuns: [],
    recoversAtMs: null,
    runCount: 0,
    lastSlot: null,
    isUnsure: false,
  }
}

export type ShownMonitorState = ShownState | 'unknown'

/** The state that people see: `unknown` if no check was possible, else the confirmed one. */
export function shownMonitorState({
  health,
  lastVerdict,
}: Pick<MonitorState, 'health' | 'lastVerdict'>): ShownMonitorState {
  const shown = shownState(health)
  return lastVerdict === 'unknown' && shown !== 'pending' ? 'unknown' : shown
}

/** What is stored of the newest failure to show why it failed. */
export interface FailureEvidence {
  readonly atMs: number
  readonly error: ReadingError | null
  readonly evidence: Evidence
}
