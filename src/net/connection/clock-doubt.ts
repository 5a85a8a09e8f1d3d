// Doubt in our own clock: certificates that are out of date wherever we look say so.
import type { X509Certificate } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { dayMs } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Failure } from '../failure.ts'
import shipped from '../iana-rdap-dns.json' with { type: 'json' }

/** From when until when a certificate is valid. */
export interface Validity {
  readonly fromMs: number
  readonly toMs: number
}

export interface ClockDoubt {
  /** A certificate was valid by our clock: whatever is not, is its server's own mistake. */
  noteValid(): void
  /** Notes that a host's certificate is not valid yet: whether by now our clock has to be why. */
  isBehind(host: string, orgId: string): boolean
  /** The same of a host's certificate that has expired. */
  isAhead(host: string, orgId: string, validity: Validity): boolean
}

interface Seen {
  readonly atMs: number
  readonly orgId: string
  readonly validity: Validity
}

/** A list that comes with the daemon is from then, so no right clock can say less. */
const shippedMs = Date.parse(shipped.publication)
/** In place of a validity that nobody looks at. */
const ever: Validity = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

/** What our clock is judged by. */
export interface ClockDoubtDeps {
  readonly clock: Pick<Clock, 'monoMs' | 'nowMs'>
  /** A time that has been, in milliseconds since 1970: a clock that says less is wrong. */
  readonly pastMs?: number
}

/**
 * Remembers the hosts of a few minutes. A certificate that is valid speaks for our clock to all;
 * those that are not speak against it to their own organization only, as anybody can make them.
 */
export function createClockDoubt({ clock, pastMs = 0 }: ClockDoubtDeps): ClockDoubt {
  const { monoMs, nowMs } = clock
  // The longest ago first.
  const early = new Map<string, Seen>()
  const late = new Map<string, Seen>()
  let knownMs = Math.max(shippedMs, pastMs)
  /** When a certificate was last valid, by both clocks. */
  let valid: { readonly monoMs: number; readonly nowMs: number } | undefined

  /** Those of its organization that were seen lately, with this one. */
  function remember(
    hosts: Map<string, Seen>,
    host: string,
    orgId: string,
    validity: Validity,
  ): Validity[] {
    const atMs = monoMs()
    const key = `${orgId} ${host}`
    hosts.delete(key)
    hosts.set(key, { atMs, orgId, validity })
    for (const [other, seen] of hosts) {
      const isKept =
        atMs - seen.atMs <= limits.clockDoubtMs && hosts.size <= limits.clockDoubtHostsMax
      if (isKept) break
      hosts.delete(other)
    }
    return [...hosts.values()].filter((seen) => seen.orgId === orgId).map((seen) => seen.validity)
  }

  /** A certificate was valid lately, and nobody has set the clock since. */
  function isTrusted(): boolean {
    if (valid === undefined) return false
    const passedMs = monoMs() - valid.monoMs
    const setByMs = Math.abs(nowMs() - valid.nowMs - passedMs)
    return passedMs <= limits.clockDoubtMs && setByMs <= limits.clockSetMs
  }

  return {
    noteValid() {
      valid = { monoMs: monoMs(), nowMs: nowMs() }
      // It may also become less: then a clock that was ahead has been set right.
      knownMs = Math.max(shippedMs, valid.nowMs)
      early.clear()
      late.clear()
    },
    isBehind(host, orgId) {
      const hosts = remember(early, host, orgId, ever).length
      if (nowMs() < knownMs - limits.clockSetMs) return true
      return !isTrusted() && hosts >= limits.clockDoubtHostsMin
    },
    isAhead(host, orgId, validity) {
      const seen = remember(late, host, orgId, validity)
      // One certificate for many hosts, or many made in one go, do expire together.
      const days = new Set(seen.map(({ toMs }) => Math.floor(toMs / dayMs)))
      if (isTrusted() || days.size < limits.clockDoubtHostsMin) return false
      // With a right clock all of them are valid, so there is a time at which they were all valid.
      // There is none for certificates that were forgotten, each at its own time.
      const fromMs = Math.max(...seen.map((one) => one.fromMs))
      return fromMs < Math.min(...seen.map((one) => one.toMs))
    },
  }
}

const doubts = new WeakMap<ClockDoubtDeps, ClockDoubt>()

/** What all connections together say of our clock. */
export function clockDoubtOf(deps: ClockDoubtDeps): ClockDoubt {
  const known = doubts.get(deps) ?? createClockDoubt(deps)
  doubts.set(deps, known)
  return known
}

export interface DistrustedCertificate {
  readonly host: string
  /** Whose check it was. */
  readonly orgId: string
  /** OpenSSL's word for why it is not trusted. */
  readonly code: string | null
  readonly leaf: X509Certificate | undefined
}

/** OpenSSL says so only of certificates that have no other fault, whose issuer we trust. */
const dateCodes: ReadonlySet<string | null> = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'])

/** Where our clock has to be why a certificate is out of date: the check could not be made. */
export function clockFailure(
  deps: ClockDoubtDeps,
  { host, orgId, code, leaf }: DistrustedCertificate,
): Failure | undefined {
  if (leaf === undefined || !dateCodes.has(code)) return undefined
  const doubt = clockDoubtOf(deps)
  const nowMs = deps.clock.nowMs()
  const fromMs = leaf.validFromDate.getTime()
  const toMs = leaf.validToDate.getTime()
  if (nowMs < fromMs) return doubt.isBehind(host, orgId) ? wrongClock('not valid yet') : undefined
  if (nowMs <= toMs) return undefined
  return doubt.isAhead(host, orgId, { fromMs, toMs }) ? wrongClock('expired') : undefined
}

/** Nothing is said of the target. */
function wrongClock(words: string): Failure {
  const message = `certificates are "${words}" everywhere: the clock of this machine is wrong`
  return { outcome: 'unknown', kind: 'tls', message }
}
