// A reading: the observations of one check, before they are judged.
import type { Doubt } from './observer.ts'

/** Why a check failed: the closed list for records, alerts and the API. */
export const errorKinds = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'status',
  'assertion',
  'body_too_large',
  'redirect_loop',
  'blocked',
  'invalid_response',
  /** A push sender reported an error, or no report came in time. */
  'reported',
  'missed',
] as const
export type ErrorKind = (typeof errorKinds)[number]

export const phaseNames = ['dns', 'connect', 'tls', 'firstByte', 'download'] as const
export type PhaseName = (typeof phaseNames)[number]

/**
 * Milliseconds spent in each phase, including the one in which a check ran out of time; absent if
 * it did not happen. With redirects, the sum over all requests.
 */
export type Phases = { readonly [Phase in PhaseName]?: number }

export interface ReadingError {
  readonly kind: ErrorKind
  /** One sentence for a person; no secrets, no stack. At most 300 characters. */
  readonly message: string
  /** The phase in which it failed, if known. */
  readonly phase?: PhaseName
}

/** An assertion that failed, in words. */
interface ShownFailure {
  readonly expected: string
  readonly found: string
  /** The index of an assertion of type `unchanged`, which accepts `found` as its value. */
  readonly assertion?: number
}

/** What is stored of a failed exchange to show why it failed. Secrets are already removed. */
export interface Evidence {
  readonly status?: number
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** The target of the last redirect, whether reached or not; absent if there was none. */
  readonly url?: string
  /** The number of redirects; absent if there was none. */
  readonly redirects?: number
  /** The first 2 KiB of the body as text. */
  readonly body?: string
  /** Each failed assertion: what was expected, and what was found. */
  readonly failedAssertions?: readonly ShownFailure[]
  /** The steps of a check that has several, in the order in which they were made. */
  readonly steps?: readonly StepReport[]
  /** What the page looked like in the browser: a JPEG in Base64. */
  readonly picture?: string
  /** The way to a target that did not answer the ping. */
  readonly traceroute?: Traceroute
  /** What the page loaded in the browser, in the order in which it began. */
  readonly requests?: readonly LoadedRequest[]
  /** Why less than this was stored. */
  readonly note?: string
}

/** A request of a page in the browser. Its secrets are already removed. */
export interface LoadedRequest {
  readonly method: string
  readonly url: string
  /** In the words of the browser: `Document`, `Script`, `XHR`. */
  readonly type: string
  /** After the first request of the page. */
  readonly startMs: number
  /** Absent if it had not ended when the check did. */
  readonly durationMs?: number
  /** Absent if there was no answer. */
  readonly status?: number
  /** What came over the network; absent if that is nothing or not known. */
  readonly bytes?: number
  /** Why it failed, in the words of the browser: `net::ERR_CONNECTION_REFUSED`. */
  readonly errorText?: string
}

/** The requests that are kept of a page, the first ones. */
export const loadedRequestsMax = 100

/** The routers on the way to a target, the nearest first, up to the last that answered. */
export interface Traceroute {
  /** How long before this failure it was made, at the first of those in a row; 0: by this check. */
  readonly ageMs: number
  readonly hops: readonly TracedHop[]
}

/**
 * `passed`: it is on the way. `refused`: it said that there is no way further. `reached`: it is the target.
 * `silent`: nothing came back from there.
 */
export const hopOutcomes = ['passed', 'refused', 'reached', 'silent'] as const
export type HopOutcome = (typeof hopOutcomes)[number]

export interface TracedHop {
  readonly outcome: HopOutcome
  /** Absent if it is silent or must not be shown. */
  readonly address?: string
  /** It is of a private network whose addresses must not be shown. */
  readonly isPrivate?: true
  readonly roundTripMs?: number
}

/** What the usual traceroute looks at. */
export const hopsMax = 30

export const stepOutcomes = ['good', 'failed', 'notRun'] as const

/** What became of one step of a check. Secrets are already removed. */
export interface StepReport {
  readonly name: string
  readonly outcome: (typeof stepOutcomes)[number]
  readonly isCleanUp: boolean
  readonly method: string
  /** Where it went; as the monitor has it, if it was not run. */
  readonly url: string
  readonly status?: number
  readonly durationMs?: number
  /** Why it failed, or was not run. */
  readonly message?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** The beginning of the answer. */
  readonly body?: string
  /** What was taken from the answer, by names. */
  readonly captures?: Readonly<Record<string, string>>
}

/** What a target answered to a trial, good or not. Secrets are already removed. */
export interface TargetResponse {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Null if the body could not be decoded, or may not be shown. */
  readonly body: string | null
  /** The body is longer than what is shown. */
  readonly isCut: boolean
  /** Why less than that is shown. */
  readonly note: string | null
}

/** Foreign content: an object if it is a JSON object, else text. */
export type Loose = string | { readonly [name: string]: unknown }

export interface Certificate {
  readonly expiresAtMs: number
  readonly issuer: string
  /** SHA-256 of the whole certificate in hex. Absent in records of earlier versions. */
  readonly fingerprint?: string
}

/** What both sides of a handshake agreed on. */
export interface TlsChoice {
  /** OpenSSL's name, such as `TLSv1.3`. */
  readonly version: string
  /** The name that IANA gave it, such as `TLS_AES_256_GCM_SHA384`. */
  readonly cipher: string
}

/** How long a domain is registered. */
export interface Registration {
  /** In ASCII and lower case. */
  readonly name: string
  /** Null if the registry does not report it. */
  readonly expiresAtMs: number | null
  readonly registrar: string | null
}

export interface Reading {
  /** Wall-clock time at which the check began. */
  readonly atMs: number
  /** Duration of the whole check, redirects included; for a ping the round trip. */
  readonly durationMs: number
  /**
   * `good`: the target answered and every assertion holds. `failed`: the target is at fault.
   * `unknown`: the prober could not check (no file descriptors, no route); it does not count.
   */
  readonly result: 'good' | 'failed' | 'unknown'
  readonly error?: ReadingError
  /** How long the check waited for its thread, in milliseconds; it is late by that. */
  readonly waitedMs?: number
  /** We stood still meanwhile: the result is in the history, but counts nowhere. */
  readonly isSetAside?: true
  /** Nothing was reported: an outage that a push sender had reported ends by itself. */
  readonly isBySilence?: true
  /** The part of ours that could also have failed; the observer decides before it is committed. */
  readonly doubt?: Doubt
  readonly status?: number
  readonly phases?: Phases
  /** The address connected to. */
  readonly address?: string
  readonly certificate?: Certificate
  readonly registration?: Registration
  readonly evidence?: Evidence
  /** The whole answer to a trial; it is never stored. */
  readonly answer?: TargetResponse
  /** The same of a check in steps. */
  readonly steps?: readonly StepReport[]
  /** What the page looked like, for a trial; it is never stored. */
  readonly picture?: string
  /**
   * Findings of a check beyond numbers: records of a name, a certificate chain, a greeting,
   * redirects. Bounded and without our secrets. Computed on first read, so that a routine check
   * pays nothing.
   */
  readonly found?: Loose
  /** Good, but it works less than fully, by its own word: `message` says how. */
  readonly isDegraded?: true
  /** The message of a push sender, or the result at its deadline. */
  readonly message?: string
  /** Metadata of a push sender, as the original JSON. */
  readonly metadataJson?: string
}

/**
 * The reading of a check during which our own process stood still: neither a failure nor a duration
 * says anything about the target.
 */
export function setAside({ atMs, durationMs, waitedMs }: Reading, stalledMs: number): Reading {
  const seconds = (stalledMs / 1_000).toFixed(1)
  const waited = waitedMs === undefined ? {} : { waitedMs }
  const message = `not counted: this machine stood still for ${seconds} s during the check`
  return { atMs, durationMs, result: 'unknown', message, isSetAside: true, ...waited }
}

/** The same as plain data, for another thread or machine: its findings are computed. */
export function plainReading(reading: Reading): Reading {
  const { found } = reading
  return found === undefined ? reading : { ...reading, found }
}
