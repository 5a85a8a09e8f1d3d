// OpenID flows that were completed, by [hash], so that none completes twice; and by expiry.
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

const spentFlowsForgotten = 100

export function openSpentFlows(env: Env) {
  const spent = openTable<null>(env, { name: 'spentFlows' })
  const byExpiry = openTable<null>(env, { name: 'spentFlowExpiries' })

  function forgetExpired(tx: Tx, nowMs: number): void {
    const range = { prefix: [], until: nowMs, limit: spentFlowsForgotten }
    for (const key of byExpiry.keys(range)) {
      spent.remove(tx, key.slice(1))
      byExpiry.remove(tx, key)
    }
  }

  return {
    has: (flowHash: string) => spent.has([flowHash]),

    /** The number remembered, up to `limit`. */
    count: (limit: number) => spent.count([], limit),

    /** Remembers one until it would expire anyway, and deletes expired ones. */
    put(
      tx: Tx,
      flowHash: string,
      { expiresAtMs, nowMs }: { readonly expiresAtMs: number; readonly nowMs: number },
    ): void {
      forgetExpired(tx, nowMs)
      spent.put(tx, [flowHash], null)
      byExpiry.put(tx, [expiresAtMs, flowHash], null)
    },
  }
}
