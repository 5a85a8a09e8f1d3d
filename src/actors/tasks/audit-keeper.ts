// Deletes expired entries of the audit log, and logs the newest hashes of the chains.
import { createHash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import type { AuditScope } from '../../domain/audit/audit.ts'
import { dayMs } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Removal, removeInSlices } from '../../store/forget.ts'
import type { Store } from '../../store/store.ts'

export interface AuditKeeperDeps {
  readonly store: Pick<Store, 'audit' | 'writeSoon'>
  readonly clock: Clock
  readonly log: Log
}

export const auditKeptDays = 400

export function createAuditKeeper({ store, clock, log }: AuditKeeperDeps) {
  /** All scopes in slices, because there are as many as organizations. */
  async function* slices(signal: AbortSignal): AsyncGenerator<readonly AuditScope[]> {
    let last: AuditScope | undefined
    do {
      const scopes = store.audit.scopes(limits.janitorSlice, last)
      yield scopes
      last = scopes.length < limits.janitorSlice ? undefined : scopes.at(-1)
    } while (last && !signal.aborted)
  }

  /** Trims many chains in one transaction, because most have no expired entry. */
  function trim(scopes: readonly AuditScope[], signal: AbortSignal): Promise<number> {
    const beforeMs = clock.nowMs() - auditKeptDays * dayMs
    const trimSlice: Removal = (tx, limit) => {
      let count = 0
      for (const scope of scopes) {
        count += store.audit.trim(tx, scope, beforeMs, limit - count)
        if (count >= limit) break
      }
      return count
    }
    return removeInSlices(store, trimSlice, () => !signal.aborted)
  }

  /**
   * Writes the newest hash of every chain to the log. The log is kept elsewhere, so an attacker who
   * rewrites the data and all hashes cannot change it. One line covers all organizations.
   */
  async function tellHeads(signal: AbortSignal): Promise<void> {
    const all = createHash('sha256')
    let scopes = 0
    for await (const slice of slices(signal)) {
      for (const scope of slice) {
        const { sequence, hash } = store.audit.ends(scope).newest
        all.update(`${JSON.stringify([scope, sequence, hash])}\n`)
        scopes += 1
      }
    }
    if (signal.aborted) return
    const system = store.audit.ends('system').newest
    log.info('audit heads', { scopes, combined: all.digest('base64url'), system })
  }

  return {
    /** Trims every chain, then logs the newest hashes. Resolves with how many entries it deleted. */
    async round(signal: AbortSignal): Promise<number> {
      let total = 0
      for await (const scopes of slices(signal)) total += await trim(scopes, signal)
      await tellHeads(signal)
      return total
    },
  }
}
