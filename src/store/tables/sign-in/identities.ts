// Identities at OpenID providers, by [hash of issuer and subject], and by [user, that hash].
import { hash } from 'node:crypto'
import type { UserId } from '../../../base/ids.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** A person's identity at one provider: the subject alone is another person elsewhere. */
export interface ProviderSubject {
  readonly issuer: string
  readonly subject: string
}

export interface LinkedIdentity extends ProviderSubject {
  readonly userId: UserId
  readonly linkedAtMs: number
}

export function openIdentities(env: Env) {
  const identities = openTable<LinkedIdentity>(env, { name: 'identities' })
  const byUser = openTable<null>(env, { name: 'userIdentities' })
  const keyOf = ({ issuer, subject }: ProviderSubject) =>
    hash('sha256', JSON.stringify([issuer, subject]), 'base64url')

  return {
    get: (subject: ProviderSubject) => identities.get([keyOf(subject)]),

    put(tx: Tx, identity: LinkedIdentity): void {
      const key = keyOf(identity)
      const before = identities.get([key])
      if (before) byUser.remove(tx, [before.userId, key])
      byUser.put(tx, [identity.userId, key], null)
      identities.put(tx, [key], identity)
    },

    /** Deletes at most `limit` identities of a deleted user; returns how many. */
    removeOfUser(tx: Tx, userId: UserId, limit: number): number {
      const found = byUser.keys({ prefix: [userId], limit })
      for (const key of found) {
        byUser.remove(tx, key)
        identities.remove(tx, [String(key[1])])
      }
      return found.length
    },
  }
}
