// Decides whether our own clock can be trusted. With a wrong clock every certificate looks expired
// or not yet valid, which is not the target's fault.
import type { X509Certificate } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { type Failure, unknownFailure } from '../failure.ts'
import shipped from '../iana-rdap-dns.json' with { type: 'json' }

/** The sources for judging our clock. */
export interface ClockTrustDeps {
  readonly clock: Pick<Clock, 'monoMs' | 'wallMs'>
  /** A time that has certainly passed, in milliseconds since 1970: a clock that shows less is wrong. */
  readonly pastMs?: number
  /** Learns what certificates tell of our clock. */
  readonly clockWatch?: ClockWatch
  /** The trust of other connections, whose certificates tell of the same clock. */
  readonly clockBesides?: ClockTrustDeps
}

/**
 * Why our clock is not believed: it shows a time that has certainly passed, or a certificate has
 * expired by it and none was ever valid.
 */
export type ClockDoubt = 'behind' | 'unproven'

export interface ClockWatch {
  doubted(doubt: ClockDoubt): void
  /** A certificate was valid by our clock. */
  confirmed(): void
}

/** When the shipped list of registries was published: the real time is always later. */
const knownPastMs = Date.parse(shipped.publication)

/** Certificate times were judged by another clock if the clock was set by more than this. */
export const clockSetMs = 60 * 60_000

/** A class because it remembers when a certificate was last valid. */
class ClockTrust {
  readonly #clock: ClockTrustDeps['clock']
  readonly #watch: ClockWatch | undefined
  readonly #besides: ClockTrustDeps | undefined
  #pastMs: number
  /** The difference between wall clock and monotonic clock at that time. */
  #offsetMs: number | undefined

  constructor({ clock, pastMs = 0, clockWatch, clockBesides }: ClockTrustDeps) {
    this.#clock = clock
    this.#watch = clockWatch
    this.#besides = clockBesides
    this.#pastMs = Math.max(knownPastMs, pastMs)
  }

  /** Notes that a certificate was valid by our clock, so that the clock is probably right. */
  noteValid(): void {
    const nowMs = this.#clock.wallMs()
    // A certificate may be older than that; our clock is wrong all the same.
    if (nowMs < knownPastMs) return
    this.#offsetMs = nowMs - this.#clock.monoMs()
    // The known past can also move back: then the clock was ahead, and has been corrected.
    this.#pastMs = Math.max(knownPastMs, nowMs)
    this.#watch?.confirmed()
  }

  /** Whether our clock was confirmed by a valid certificate, and has not been set since. */
  isTrusted(): boolean {
    if (this.#besides && clockTrustOf(this.#besides).isTrusted()) return true
    if (this.#offsetMs === undefined) return false
    const offsetMs = this.#clock.wallMs() - this.#clock.monoMs()
    return Math.abs(offsetMs - this.#offsetMs) <= clockSetMs
  }

  /** Whether the time has certainly passed, even if our clock is wrong now. */
  isKnownPast(atMs: number): boolean {
    if (this.#besides && clockTrustOf(this.#besides).isKnownPast(atMs)) return true
    return atMs < this.#pastMs
  }
}

const trusts = new WeakMap<ClockTrustDeps, ClockTrust>()

/** The judgement of our clock that all connections share. */
export function clockTrustOf(deps: ClockTrustDeps): ClockTrust {
  const known = trusts.get(deps) ?? new ClockTrust(deps)
  trusts.set(deps, known)
  return known
}

/** OpenSSL reports these codes only if the certificate is otherwise good and its issuer is trusted. */
const dateCodes: ReadonlySet<string | null> = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'])

/**
 * The failure of our clock if it may be why a certificate looks out of date. Undefined if the
 * certificate is to blame: the clock is trusted, or the certificate expired in the known past.
 */
export function clockFailure(
  deps: ClockTrustDeps,
  code: string | null,
  leaf: X509Certificate | undefined,
): Failure | undefined {
  if (leaf === undefined || !dateCodes.has(code)) return undefined
  const trust = clockTrustOf(deps)
  if (trust.isTrusted()) return undefined
  const nowMs = deps.clock.wallMs()
  const expiresAtMs = leaf.validToDate.getTime()
  if (nowMs < leaf.validFromDate.getTime()) {
    if (!trust.isKnownPast(nowMs + clockSetMs)) return undefined
    deps.clockWatch?.doubted('behind')
    return clockIsBehind
  }
  if (nowMs <= expiresAtMs || trust.isKnownPast(expiresAtMs)) return undefined
  deps.clockWatch?.doubted('unproven')
  return clockIsUnproven
}

const clockIsBehind = unknownFailure('tls', 'the clock of this machine is behind')
const clockIsUnproven = unknownFailure(
  'tls',
  'the certificate has expired by the clock of this machine, which no valid certificate has confirmed',
)
