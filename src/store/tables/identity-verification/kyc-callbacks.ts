// Signed callbacks that were accepted, by [hash of their id], so that none counts twice.
import { hash } from 'node:crypto'
import type { Env } from '../../engine/env.ts'
import { expiryOf } from '../../engine/expiry.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export function openKycCallbacks(env: Env) {
  const taken = openTable<{ readonly expiresAtMs: number }>(env, { name: 'kycCallbacks' })
  const byExpiry = openTable<1>(env, { name: 'kycCallbackExpiries' })
  const hashOf = (callbackId: string) => hash('sha256', callbackId, 'base64url')

  return {
    has: (callbackId: string) => taken.has([hashOf(callbackId)]),

    /** Remembers the id until then: at least as long as its timestamp is accepted. */
    put(tx: Tx, callbackId: string, expiresAtMs: number): void {
      taken.put(tx, [hashOf(callbackId)], { expiresAtMs })
      byExpiry.put(tx, [expiresAtMs, hashOf(callbackId)], 1)
    },

    /** Deletes at most `limit` expired ones, oldest first; returns how many. */
    removeExpired: expiryOf(taken, byExpiry),
  }
}
