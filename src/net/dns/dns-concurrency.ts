// Bounds how many DNS look-ups run at once, and shares the permits fairly between organizations.
import type { Clock } from '../../base/clock.ts'
import { acquireWithin, createGate } from '../../base/gate.ts'
import type { Confidence, LookupOutcome } from './dns-cache.ts'

/** Permission for one look-up: at most two queries. */
export interface Permit {
  /**
   * Call it once. After a silent look-up the permit is kept for a while, because a forwarding name
   * server still waits for the answer, longer than we do; with too many such queries it would
   * refuse all others.
   */
  release(outcome?: LookupOutcome): void
}

/**
 * Look-ups in progress, of two queries each: for names that answered the last time, for new names
 * that probably will, and for other names. Together they are fewer than a small forwarder supports
 * (dnsmasq: 150 queries).
 */
export const dnsKnownLookupsMax = 32
export const dnsLikelyLookupsMax = 18
export const dnsDoubtfulLookupsMax = 16
/** The part of each that is reserved for organizations with less than this share of the free ones. */
export const dnsKeptRatio = 0.45
const dnsKeptShare = 1 / 4
/** How long a forwarder stays busy with a query that we no longer wait for. */
export const dnsForwarderMs = 11_000
/** How long a look-up waits for its permit. */
export const dnsWaitMsMax = 5_000

export function createDnsConcurrency(clock: Clock) {
  const gates = {
    known: createFairGate(dnsKnownLookupsMax),
    likely: createFairGate(dnsLikelyLookupsMax),
    doubtful: createFairGate(dnsDoubtfulLookupsMax),
  } as const
  return {
    /**
     * Undefined if there is no permit in time. A look-up waits only for others of the same confidence,
     * so no number of silent names delays names that answer.
     */
    async acquire(
      orgId: string,
      confidence: Confidence,
      waitMsMax: number,
    ): Promise<Permit | undefined> {
      const gate = gates[confidence]
      const request = { key: orgId, party: orgId, dueAtMs: clock.monoMs() }
      const timeoutMs = Math.min(waitMsMax, dnsWaitMsMax)
      if (!(await acquireWithin(gate, request, clock, timeoutMs))) return undefined
      const leave = () => gate.leave(orgId, orgId)
      return {
        release(outcome) {
          if (outcome === 'silent') clock.setTimeout(leave, dnsForwarderMs)
          else leave()
        },
      }
    },
  }
}

function createFairGate(total: number) {
  const places = Math.floor(total * dnsKeptRatio)
  return createGate({ total, perKey: total, kept: { places, share: dnsKeptShare } })
}
