// Bounds how many DNS look-ups run at once, and shares the permits fairly between organizations.
import type { Clock } from '../../base/clock.ts'
import { acquireWithin, createGate } from '../../base/gate.ts'
import { limits } from '../../domain/limits/limits.ts'
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

export function createDnsConcurrency(clock: Clock) {
  const gates = {
    known: createFairGate(limits.dnsKnownLookupsMax),
    likely: createFairGate(limits.dnsLikelyLookupsMax),
    doubtful: createFairGate(limits.dnsDoubtfulLookupsMax),
  } as const
  return {
    /**
     * Undefined if there is no permit in time. A look-up waits only for others of the same
     * confidence, so no number of silent names delays those that answer.
     */
    async acquire(
      orgId: string,
      confidence: Confidence,
      waitMsMax: number,
    ): Promise<Permit | undefined> {
      const gate = gates[confidence]
      const request = { key: orgId, party: orgId, dueAtMs: clock.monoMs() }
      const timeoutMs = Math.min(waitMsMax, limits.dnsWaitMsMax)
      if (!(await acquireWithin(gate, request, clock, timeoutMs))) return undefined
      const leave = () => gate.leave(orgId, orgId)
      return {
        release(outcome) {
          if (outcome === 'silent') clock.setTimeout(leave, limits.dnsForwarderMs)
          else leave()
        },
      }
    },
  }
}

function createFairGate(total: number) {
  const places = Math.floor(total * limits.dnsKeptRatio)
  return createGate({ total, perKey: total, kept: { places, share: limits.dnsKeptShare } })
}
