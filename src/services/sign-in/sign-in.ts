// The last step of every sign-in: the account must be active, and the second factor is checked.
import { Fault } from '../../base/fault.ts'
import type { UserId } from '../../base/ids.ts'
import type { Session, User } from '../../domain/people/person.ts'
import type { SessionSeal } from '../../seal/session.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import type { Factors } from '../people/factors.ts'
import { startSession } from '../people/sessions.ts'

export type SignInMethod = 'password' | 'link' | 'oidc' | 'registration'

export interface SignedIn {
  readonly user: User
  readonly session: Session
  /** The cookie's value; only its hash is stored. */
  readonly token: string
}

export interface SignInsDeps {
  readonly sessionSeal: SessionSeal
  readonly factors: Factors
}

export type SignIns = ReturnType<typeof createSignIns>

export function createSignIns(
  { store, clock, audit }: Core,
  { sessionSeal, factors }: SignInsDeps,
) {
  return {
    /**
     * Signs in, in the transaction that uses up the first proof. Throws invalid_credentials if the
     * account is gone or switched off, and the faults of Factors.demand.
     */
    enter(
      tx: Tx,
      caller: Caller,
      userId: UserId,
      { method, totp }: { readonly method: SignInMethod; readonly totp?: string | undefined },
    ): SignedIn {
      const user = store.users.get(userId)
      if (!user || user.isDisabled) throw new Fault('invalid_credentials')
      factors.demand(tx, caller, userId, totp)
      const { token, tokenHash } = sessionSeal.mint()
      const session = startSession(store, tx, { userId, tokenHash, caller, nowMs: clock.nowMs() })
      audit.noteIn(tx, 'system', caller, {
        action: 'session.started',
        objectId: userId,
        detail: method,
      })
      return { user, session, token }
    },
  }
}
