// Flows of oidc-flow.ts that came back, by [hash], so that none does twice; and when to forget.
import { limits } from '../../../domain/limits/limits.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export type SpentFlowsTable = ReturnType<typeof openSpentFlows>

export function openSpentFlows(env: Env) {
  const spent = openTable<null>(env, { name: 'spentFlows', version: 1 })
  const byExpiry = openTable<null>(env, { name: 'spentFlowExpiries', version: 1 })

  function forgetExpired(tx: Tx, nowMs: number): void {
    for (const key of byExpiry.keys({ prefix: [], limit: limits.spentFlowsForgotten })) {
      const [expiresAtMs, flowHash = ''] = key
      if (Number(expiresAtMs) > nowMs) return
      spent.remove(tx, [flowHash])
      byExpiry.remove(tx, key)
    }
  }

  return {
    has: (flowHash: string) => spent.has([flowHash]),

    /** How many are remembered, up to `limit`. */
    count: (limit: number) => spent.count([], limit),

    /** Remembers one until it could not be used anyway, and forgets others that long since cannot. */
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
