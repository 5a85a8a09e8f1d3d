// Trust in our own clock: with a wrong one all certificates look expired, or not valid yet, and no
// target is to blame.
import type { X509Certificate } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Failure, unknownFailure } from '../failure.ts'
import shipped from '../iana-rdap-dns.json' with { type: 'json' }

/** The sources for judging our clock. */
export interface ClockTrustDeps {
  readonly clock: Pick<Clock, 'monoMs' | 'nowMs'>
  /** A known past time, in milliseconds since 1970: a clock before it is wrong. */
  readonly pastMs?: number
}

/** The publication date of a shipped list: no right clock can be before it. */
const shippedMs = Date.parse(shipped.publication)

/** A class because it remembers when a certificate was last valid. */
export class ClockTrust {
  readonly #clock: ClockTrustDeps['clock']
  #pastMs: number
  /** The difference between wall clock and monotonic clock at that time. */
  #offsetMs: number | undefined

  constructor({ clock, pastMs = 0 }: ClockTrustDeps) {
    this.#clock = clock
    this.#pastMs = Math.max(shippedMs, pastMs)
  }

  /** A certificate was valid by our clock. */
  noteValid(): void {
    const nowMs = this.#clock.nowMs()
    this.#offsetMs = nowMs - this.#clock.monoMs()
    // It may also decrease: then a clock that was ahead was corrected.
    this.#pastMs = Math.max(shippedMs, nowMs)
  }

  /** Whether a certificate was valid by our clock, and the clock was not set since. */
  isTrusted(): boolean {
    if (this.#offsetMs === undefined) return false
    const offsetMs = this.#clock.nowMs() - this.#clock.monoMs()
    return Math.abs(offsetMs - this.#offsetMs) <= limits.clockSetMs
  }

  /** Whether the time was over before our clock could be wrong. */
  isKnownPast(atMs: number): boolean {
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

/** OpenSSL reports these only for certificates without another fault, from a trusted issuer. */
const dateCodes: ReadonlySet<string | null> = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'])

/**
 * Why our clock may be what makes a certificate look out of date; undefined if the certificate is
 * to blame: our clock is trusted, or the certificate expired in the known past.
 */
export function clockFailure(
  deps: ClockTrustDeps,
  code: string | null,
  leaf: X509Certificate | undefined,
): Failure | undefined {
  if (leaf === undefined || !dateCodes.has(code)) return undefined
  const trust = clockTrustOf(deps)
  if (trust.isTrusted()) return undefined
  const nowMs = deps.clock.nowMs()
  const expiresAtMs = leaf.validToDate.getTime()
  if (nowMs < leaf.validFromDate.getTime()) {
    return trust.isKnownPast(nowMs + limits.clockSetMs) ? clockIsBehind : undefined
  }
  return nowMs <= expiresAtMs || trust.isKnownPast(expiresAtMs) ? undefined : clockIsUnproven
}

const clockIsBehind = unknownFailure('tls', 'the clock of this machine is behind')
const clockIsUnproven = unknownFailure(
  'tls',
  'the certificate has expired by the clock of this machine, which no valid certificate has confirmed',
)
