// Second factors by [user]: the encrypted secret of an app, and hashed recovery codes.
import type { UserId } from '../../../base/ids.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface Factor {
  readonly userId: UserId
  /** base64url of the shared secret, encrypted by seal/box. */
  readonly sealedSecret: string
  readonly createdAtMs: number
  /** Null until the first correct code: until then no sign-in requires one. */
  readonly confirmedAtMs: number | null
  /** The newest 30-second step whose code was used; no code works twice. */
  readonly lastStep: number | null
  /** SHA-256 of each unused recovery code. */
  readonly recoveryHashes: readonly string[]
}

export function openFactors(env: Env) {
  const factors = openTable<Factor>(env, { name: 'factors' })

  return {
    get: (userId: UserId) => factors.get([userId]),

    readable: (userId: UserId) => factors.readable([userId]),

    /** The factors of all users, in slices. */
    slice: (limit: number, after?: Factor) =>
      factors.range({ prefix: [], limit, after: after && [after.userId] }),

    put: (tx: Tx, factor: Factor) => factors.put(tx, [factor.userId], factor),

    remove: (tx: Tx, userId: UserId) => factors.remove(tx, [userId]),
  }
}
