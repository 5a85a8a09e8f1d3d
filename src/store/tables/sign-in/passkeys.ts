// Passkeys by [user, passkey], and their owners by [hash of the browser's id].
import { hash } from 'node:crypto'
import type { PasskeyId, UserId } from '../../../base/ids.ts'
import type { Passkey } from '../../../domain/sign-in/passkey.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

interface PasskeyOwner {
  readonly userId: UserId
  readonly passkeyId: PasskeyId
}

export function openPasskeys(env: Env) {
  const passkeys = openTable<Passkey>(env, { name: 'passkeys' })
  const owners = openTable<PasskeyOwner>(env, { name: 'passkeyOwners' })
  const hashOf = (credentialId: string) => hash('sha256', credentialId, 'base64url')

  function remove(tx: Tx, { userId, id, credentialId }: Passkey): void {
    passkeys.remove(tx, [userId, id])
    owners.remove(tx, [hashOf(credentialId)])
  }

  return {
    get: (userId: UserId, passkeyId: PasskeyId) => passkeys.get([userId, passkeyId]),

    // A damaged one opens nothing: the person signs in another way.
    findByCredential(credentialId: string): Passkey | undefined {
      const owner = owners.readable([hashOf(credentialId)])
      const found = owner && passkeys.readable([owner.userId, owner.passkeyId])
      return found?.credentialId === credentialId ? found : undefined
    },

    /** Oldest first. */
    listOfUser: (userId: UserId, limit: number) => passkeys.range({ prefix: [userId], limit }),

    put(tx: Tx, passkey: Passkey): void {
      const { userId, id, credentialId } = passkey
      passkeys.put(tx, [userId, id], passkey)
      owners.put(tx, [hashOf(credentialId)], { userId, passkeyId: id })
    },

    remove,

    /** Deletes at most `limit` of a person, also damaged ones; returns how many. */
    removeOfUser(tx: Tx, userId: UserId, limit: number): number {
      const found = passkeys.keys({ prefix: [userId], limit })
      for (const key of found) {
        const passkey = passkeys.readable(key)
        if (passkey) remove(tx, passkey)
        else passkeys.remove(tx, key)
      }
      return found.length
    },
  }
}
