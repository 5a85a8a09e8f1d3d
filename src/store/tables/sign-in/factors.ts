// Second factors by [user]: the sealed secret of an app, and recovery codes as hashes.
import type { UserId } from '../../../base/ids.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface Factor {
  readonly userId: UserId
  /** base64url of the shared secret, sealed by seal/box. */
  readonly sealedSecret: string
  readonly createdAtMs: number
  /** Null until the first code was shown: until then nobody is asked for one. */
  readonly confirmedAtMs: number | null
  /** The newest half minute whose code was used; no code works twice. */
  readonly lastStep: number | null
  /** SHA-256 of each recovery code that is left. */
  readonly recoveryHashes: readonly string[]
}

export type FactorsTable = ReturnType<typeof openFactors>

export function openFactors(env: Env) {
  const factors = openTable<Factor>(env, { name: 'factors', version: 1 })

  return {
    get: (userId: UserId) => factors.get([userId]),

    /** Everybody's, in slices. */
    slice: (limit: number, after?: Factor) =>
      factors.range({ prefix: [], limit, ...(after ? { after: [after.userId] } : {}) }),

    put: (tx: Tx, factor: Factor) => factors.put(tx, [factor.userId], factor),

    remove: (tx: Tx, userId: UserId) => factors.remove(tx, [userId]),
  }
}
