// The attempts to send a delivery, as they are kept and shown: when, how long, and what came back.
import { limits } from '../limits/limits.ts'

/**
 * How an attempt ended. `refused`: the platform rejects this message for good. `not_allowed`: our own
 * egress policy forbids the target. `disabled`: the platform says that the receiver is gone for good.
 * `not_sent`: something is missing at our side.
 */
export const attemptClasses = [
  'delivered',
  'refused',
  'rate_limited',
  'server_error',
  'client_error',
  'redirect',
  'timeout',
  'connection',
  'tls',
  'not_allowed',
  'disabled',
  'not_sent',
] as const
export type AttemptClass = (typeof attemptClasses)[number]

export interface Attempt {
  /** When it began. */
  readonly atMs: number
  readonly durationMs: number
  readonly class: AttemptClass
  readonly status: number | null
  /** Why it failed, in one sentence; null if it did not. */
  readonly reason: string | null
  /**
   * The method and host of the request: `POST hooks.example.com`. Paths are left out, because they may
   * contain secrets.
   */
  readonly request: string | null
  /**
   * The beginning of the platform's answer, encrypted: a platform may repeat what it was sent, such
   * as the token of another channel. Null if there was none.
   */
  readonly answerBox: string | null
}

/** A part of a message, such as the one for one of several recipients, that is over. */
export interface PartDone {
  /** A number that follows from its recipient, or else its place among the parts of the message. */
  readonly part: number
  /** False if the other side refused it for good. */
  readonly isDelivered: boolean
  /** Why it was refused, in one sentence. */
  readonly reason?: string
}

/** The result of an attempt. A sender never throws; it reports whether another attempt may help. */
export type Outcome = Delivered | FailedOutcome

interface Reported {
  readonly status?: number
  readonly response?: string
  /** Absent: follows from the rest. */
  readonly class?: AttemptClass
  /** The method and host of the request, as in `Attempt`. */
  readonly request?: string
}

interface Delivered extends Reported {
  readonly ok: true
  /** What the other side refused for good while it accepted the rest. */
  readonly warning?: string
}

export interface FailedOutcome extends Reported {
  readonly ok: false
  readonly mayRetry: boolean
  /** One sentence for a person, without secrets. */
  readonly reason: string
  /** The wait that the receiver requested in Retry-After. */
  readonly retryAfterMs?: number
  /** The receiver is permanently gone: nothing more is sent to this channel. */
  readonly disablesChannel?: boolean
  /** Absent if there is only one part. The next attempt leaves these out. */
  readonly partsDone?: readonly PartDone[]
}

export function classOf(outcome: Outcome): AttemptClass {
  if (outcome.class !== undefined) return outcome.class
  if (outcome.ok) return 'delivered'
  if (outcome.disablesChannel) return 'disabled'
  return classOfStatus(outcome.status) ?? (outcome.mayRetry ? 'connection' : 'refused')
}

function classOfStatus(status: number | undefined): AttemptClass | undefined {
  if (status === undefined || status < 300) return undefined
  if (status < 400) return 'redirect'
  if (status === 429) return 'rate_limited'
  return status < 500 ? 'client_error' : 'server_error'
}

/** An attempt that is over at `nowMs`. */
export interface Tried {
  readonly outcome: Outcome
  readonly startedAtMs: number
  readonly nowMs: number
  /** The platform's answer, encrypted; absent if there was none. */
  readonly answerBox?: string | undefined
}

/** The record of an attempt. */
export function attemptOf({ outcome, startedAtMs, nowMs, answerBox }: Tried): Attempt {
  return {
    atMs: startedAtMs,
    durationMs: Math.max(0, nowMs - startedAtMs),
    class: classOf(outcome),
    status: outcome.status ?? null,
    reason: outcome.ok ? null : outcome.reason,
    request: outcome.request ?? null,
    answerBox: answerBox ?? null,
  }
}

/** Keeps the first attempts, which show how it began, and the last ones. */
export function withAttempt(log: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  const all = [...log, attempt]
  const { attemptsKeptFirst: first, attemptsKeptLast: last } = limits
  return all.length <= first + last ? all : [...all.slice(0, first), ...all.slice(-last)]
}

/** Failures that only a change at our side or the receiver's certificate can end. */
const hopeless: ReadonlySet<AttemptClass> = new Set(['tls', 'not_allowed'])

/** Attempts after which a delivery dies that our own policy or the certificate forbids. */
const hopelessAttemptsMax = 3

/** Whether the last of so many attempts all failed in a way that further ones will not change. */
export function isHopeless(log: readonly Attempt[], attempts: number): boolean {
  const most = hopelessAttemptsMax
  return attempts >= most && log.slice(-most).every((one) => hopeless.has(one.class))
}

/** Whether a receiver may have got the message although no attempt succeeded: it never answered. */
export function mayHaveArrived({ log }: { readonly log: readonly Attempt[] }): boolean {
  return log.some((attempt) => attempt.class === 'timeout')
}
