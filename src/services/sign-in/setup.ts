// The setup token: proves that the creator of the first account has access to the machine.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hashToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { StoredSecret } from '../../store/tables/system/secrets.ts'
import type { Core } from '../core.ts'

const setupTokenBytes = 16

export interface SetupTokenDeps {
  /** The operator's own token from the settings, which replaces a generated one. */
  readonly configured: string | null
}

export type SetupToken = ReturnType<typeof createSetupToken>

export function createSetupToken({ store, clock, box }: Core, { configured }: SetupTokenDeps) {
  /** Undefined also if the master key was replaced since: the old token cannot be shown any more. */
  function opened(secret: StoredSecret | undefined): string | undefined {
    return secret && box.openOrUndefined(secret.sealed)
  }

  return {
    /** The token to print, the same at every start until it is used; null once a user exists. */
    async ensure(): Promise<string | null> {
      if (!store.users.isEmpty()) return null
      if (configured !== null) return configured
      const storedToken = opened(store.secrets.readable('setup-token'))
      if (storedToken !== undefined) return storedToken
      return store.write((tx) => {
        const concurrentToken = opened(store.secrets.readable('setup-token'))
        if (concurrentToken !== undefined) return concurrentToken
        const token = randomBytes(setupTokenBytes).toString('hex')
        store.secrets.put(tx, 'setup-token', {
          sealed: box.seal(token),
          hash: hashToken(token),
          createdAtMs: clock.nowMs(),
        })
        return token
      })
    },
    /** False once there is an administrator: a token from the settings works only once, too. */
    isRight(text: string | undefined): boolean {
      if (text === undefined || store.users.hasAdmin()) return false
      const right =
        configured === null ? store.secrets.readable('setup-token')?.hash : hashToken(configured)
      // Both are hashes of equal length, so the guess is never compared with the token itself.
      return (
        right !== undefined && timingSafeEqual(Buffer.from(hashToken(text)), Buffer.from(right))
      )
    },
    /** Deletes it, in the transaction that creates the first user. */
    spend: (tx: Tx) => store.secrets.remove(tx, 'setup-token'),
  }
}
