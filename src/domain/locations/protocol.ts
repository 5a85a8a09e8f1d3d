// What the daemon and a remote probe (`stillup probe`) tell each other. Version 1 of the protocol.
//
//   POST /api/v1/probe/session   ProbeHello → ProbeWelcome
//   GET  /api/v1/probe/plan?session=…&since=<revision>   → ProbePlan; 204 if nothing changed in planHoldMs
//   POST /api/v1/probe/results   ProbeResults → ProbeResultsAnswer
//
// `Authorization: Bearer <auth>`, derived from the token (seal/probe-token.ts). 401: the token is unknown
// or revoked. 409: the session is unknown, because the daemon started anew or the probe was silent for
// long: it says hello again. Unknown fields are ignored on both sides, so that either may be newer.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { Expectation } from '../assertions/expectation.ts'
import type { ViewportName } from '../browser/action.ts'
import type { CheckType, Method } from '../checks/check-type.ts'
import type { Reading } from '../checks/reading.ts'

export const probeProtocol = 1

/** How long the daemon holds a question for the plan. */
export const planHoldMs = 25_000
/** A probe that says no word for that long is silent: its monitors move to another one of its location. */
export const probeSilentMs = 30_000
export const probeResultsMax = 500
/** Results older than this are refused. */
export const resultAgeMsMax = 3_600_000

export interface ProbeHello {
  readonly protocol: number
  /** The version of the program. */
  readonly version: string
  /** The checkTypes that it can check. */
  readonly kinds: readonly string[]
}

export interface ProbeWelcome {
  readonly session: string
  readonly probe: string
  readonly location: string
  /** The daemon's clock, by which the probe keeps its schedule. */
  readonly nowMs: number
}

/** A monitor that a probe checks, with what a check needs, and nothing else. */
export interface Assignment {
  readonly monitorId: MonitorId
  /** The monitor's. */
  readonly revision: number
  readonly checkType: CheckType
  /** Whose it is, if it looks at the machine of a probe that organizations share. */
  readonly orgId?: OrgId
  readonly url: string
  readonly method: Method
  readonly timeoutMs: number
  readonly followRedirects: boolean
  readonly maxRedirects: number
  readonly ignoreTlsErrors: boolean
  readonly caCertificates?: string | null | undefined
  readonly clientCertificate?: string | null | undefined
  readonly connectTo?: string | null | undefined
  /** By its name in the probe's own settings. */
  readonly proxy?: string | null | undefined
  readonly ipFamily: 'any' | 'ipv4' | 'ipv6'
  readonly expect: Expectation
  readonly viewport?: ViewportName | undefined
  readonly game?: string | null | undefined
  /** JSON of the request (monitor-fields.ts), sealed for this probe; null if it is empty. */
  readonly sealed: string | null
  readonly intervalMs: number
  readonly retryMs: number
  /** The location has no result of it yet, so somebody may wait for one. */
  readonly isNew?: boolean
  /** Where this location is on the grid of the monitor's checks. */
  readonly offsetMs: number
  /** By which the probe chooses its pace; the daemon alone decides. */
  readonly failureThreshold: number
  readonly recoveryThreshold: number
  readonly degradedThreshold: number
  readonly degradedThresholdMs: number | null
}

/** Check now. */
export interface ProbeAsk {
  readonly askId: number
  readonly monitorId: MonitorId
}

export interface ProbePlan {
  readonly revision: number
  readonly nowMs: number
  /** `put` is all that it checks: whatever else it has is over. */
  readonly isWhole: boolean
  readonly put: readonly Assignment[]
  readonly remove: readonly MonitorId[]
  readonly ask: readonly ProbeAsk[]
}

/** The result of one check. Ages are by the probe's monotonic clock, at the time of sending. */
export interface ProbeResult extends Omit<Reading, 'atMs' | 'doubt' | 'answer'> {
  readonly monitorId: MonitorId
  /** The one of the monitor that was checked. */
  readonly revision: number
  /** The slot: its time by the daemon's clock, a point of the grid, the same for every probe of a location. */
  readonly dueAtMs: number
  /** 0 at the slot itself; 1, 2, … for checks after it: to confirm, or because they were asked for. */
  readonly try: number
  /** Since the check began. */
  readonly ageMs: number
}

export interface ProbeResults {
  readonly session: string
  readonly results: readonly ProbeResult[]
  readonly self: ProbeLoad
}

/** How a probe is, since its session began. */
export interface ProbeLoad {
  readonly checks: number
  /** Results that were dropped because the daemon could not be reached for long. */
  readonly dropped: number
  /** The 99th percentile of how late checks began in the last minute. */
  readonly lateMs: number
  readonly monitors: number
}

export interface ProbeResultsAnswer {
  readonly taken: number
  /** Ones that no repetition would make right; what is new to the daemon twice is `taken`. */
  readonly refused: readonly {
    readonly index: number
    readonly code: 'unknown_monitor' | 'too_old' | 'invalid'
  }[]
  /** The plan's, now: if it is newer, ask. */
  readonly planRevision: number
}
