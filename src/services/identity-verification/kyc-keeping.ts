// Expires undecided verifications, and erases submissions after their retention.
import { dayMs } from '../../domain/health/span.ts'
import { openKycStates } from '../../domain/identity-verification/kyc.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { ServiceDeps } from '../context.ts'
import type { KycCases } from './kyc-cases.ts'

export interface KycKeepingDeps extends ServiceDeps {
  readonly cases: KycCases
  readonly keptDays: number
}

export type KycKeeping = ReturnType<typeof createKycKeeping>

export function createKycKeeping(deps: KycKeepingDeps) {
  const { store, clock, cases } = deps
  const by = { because: 'retention' } as const

  return {
    /**
     * Expires undecided cases and erases submissions `keptDays` after the decision, at most `limit`
     * of each at once. Returns how many; 0 means nothing is left.
     */
    async expireOld(limit: number): Promise<number> {
      const nowMs = clock.nowMs()
      const openedBeforeMs = nowMs - limits.kycOpenMsMax
      const decidedBeforeMs = nowMs - deps.keptDays * dayMs
      return store.write((tx) => {
        const undecided = openKycStates
          .flatMap((state) => store.verifications.oldest(state, limit))
          .filter(({ submittedAtMs }) => submittedAtMs <= openedBeforeMs)
        const expiredCases = store.verifications
          .longestHeld(limit)
          .filter(({ decidedAtMs }) => decidedAtMs !== null && decidedAtMs <= decidedBeforeMs)
        for (const one of undecided) cases.move(tx, one, { state: 'expired', reason: null }, by)
        for (const one of expiredCases) cases.erase(tx, one, by)
        const callbacks = store.kycCallbacks.removeExpired(tx, nowMs, limit)
        return undecided.length + expiredCases.length + callbacks
      })
    },
  }
}
