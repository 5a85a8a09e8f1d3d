// Trust in our own clock: by a wrong one all certificates look expired, or not valid yet, and no
// target is to blame for that.
import type { X509Certificate } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Failure, unmade } from '../failure.ts'
import shipped from '../iana-rdap-dns.json' with { type: 'json' }

/** What our clock is judged by. */
export interface ClockTrustDeps {
  readonly clock: Pick<Clock, 'monoMs' | 'nowMs'>
  /** A time that has been, in milliseconds since 1970: a clock that says less is wrong. */
  readonly pastMs?: number
}

/** A list that comes with the daemon is from then, so no right clock can say less. */
const shippedMs = Date.parse(shipped.publication)

/** A class because it remembers when a certificate was last valid. */
export class ClockTrust {
  readonly #clock: ClockTrustDeps['clock']
  #pastMs: number
  /** How far the wall clock was from the monotonic one then. */
  #offsetMs: number | undefined

  constructor({ clock, pastMs = 0 }: ClockTrustDeps) {
    this.#clock = clock
    this.#pastMs = Math.max(shippedMs, pastMs)
  }

  /** A certificate was valid by our clock. */
  noteValid(): void {
    const nowMs = this.#clock.nowMs()
    this.#offsetMs = nowMs - this.#clock.monoMs()
    // It may also become less: then a clock that was ahead has been set right.
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

/** What all connections together say of our clock. */
export function clockTrustOf(deps: ClockTrustDeps): ClockTrust {
  const known = trusts.get(deps) ?? new ClockTrust(deps)
  trusts.set(deps, known)
  return known
}

/** OpenSSL says so only of certificates that have no other fault, whose issuer we trust. */
const dateCodes: ReadonlySet<string | null> = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'])

/**
 * Why our clock may be what makes a certificate look out of date; undefined where the certificate is
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

const clockIsBehind = unmade('tls', 'the clock of this machine is behind')
const clockIsUnproven = unmade(
  'tls',
  'the certificate has expired by the clock of this machine, which no valid certificate has confirmed',
)
