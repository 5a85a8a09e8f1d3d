// A reading: what one check saw of its target, before anybody judges it.
import type { Doubt } from './observer.ts'

/** Why a check failed: the closed list that records, alerts and the API share. */
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
 * Milliseconds spent in each phase, the one included in which a check ran out of time; absent where
 * it did not take place. After redirects the sum over all requests.
 */
export type Phases = { readonly [Phase in PhaseName]?: number }

export interface ReadingError {
  readonly kind: ErrorKind
  /** One sentence for a person; no secret, no stack. At most 300 characters. */
  readonly message: string
  /** The phase in which it failed, where that is known. */
  readonly phase?: PhaseName
}

/** What is kept of a failed exchange so that a person can see why. Secrets are already gone. */
export interface Evidence {
  readonly status?: number
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Where the last redirect led, reached or not; absent where there was none. */
  readonly url?: string
  /** How many redirects there were; absent where there was none. */
  readonly redirects?: number
  /** The first 2 KiB of the body as text. */
  readonly body?: string
  /** Each assertion that did not hold: what was expected, what was found. */
  readonly failedAssertions?: readonly { readonly expected: string; readonly found: string }[]
  /** Why less than that was kept. */
  readonly note?: string
}

/** What others wrote: an object where it is one in JSON, else text. */
export type Loose = string | { readonly [name: string]: unknown }

export interface Certificate {
  readonly expiresAtMs: number
  readonly issuer: string
}

export interface Reading {
  /** Wall-clock time at which the check began. */
  readonly atMs: number
  /** Time of the whole check, redirects included; of a ping the round trip. */
  readonly durationMs: number
  /**
   * `good`: the target answered and every assertion holds. `failed`: it is the target's fault.
   * `unknown`: the prober itself could not look (no file descriptors, no route); it counts for
   * nothing.
   */
  readonly outcome: 'good' | 'failed' | 'unknown'
  readonly error?: ReadingError
  /** What of ours could have failed as well; the observer decides before it is committed. */
  readonly doubt?: Doubt
  readonly status?: number
  readonly phases?: Phases
  /** The address connected to. */
  readonly address?: string
  readonly certificate?: Certificate
  readonly evidence?: Evidence
  /**
   * What a look found beyond its numbers: records of a name, a chain of certificates, a greeting,
   * where redirects led.
   * Bounded and without our secrets. It is made when it is first read, so that a routine check pays
   * nothing for it.
   */
  readonly found?: Loose
  /** What a push sender said, or what a look at its deadline came to. */
  readonly message?: string
  /** What a push sender sent along, as the JSON it came as. */
  readonly metadataJson?: string
}
