// The last step of every sign-in: the account must be active, and the second factor is checked.
import { Fault } from '../../base/fault.ts'
import type { UserId } from '../../base/ids.ts'
import type { Session, User } from '../../domain/people/person.ts'
import type { SessionSeal } from '../../seal/session.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import type { Factors, SecondProof } from '../people/factors.ts'
import { startSession } from '../people/sessions.ts'
import type { TrustedDevices } from '../people/trusted-devices.ts'

type SignInMethod = 'password' | 'link' | 'oidc' | 'registration' | 'passkey'

export interface SignedIn {
  readonly user: User
  readonly session: Session
  /** The cookie's value; only its hash is stored. */
  readonly token: string
  /** The cookie of the device, where it is remembered from now on. */
  readonly trust?: string | undefined
}

/** How somebody signs in: by which way, and with what for the second factor. */
export interface Entry extends SecondProof {
  readonly method: SignInMethod
  /** The device needs no code from now on, for as long as the operator allows. */
  readonly isRemembered?: boolean | undefined
}

export interface SignInsDeps {
  readonly sessionSeal: SessionSeal
  readonly factors: Factors
  readonly trustedDevices: Pick<TrustedDevices, 'remember'>
}

export type SignIns = ReturnType<typeof createSignIns>

export function createSignIns(
  { store, clock, audit }: Core,
  { sessionSeal, factors, trustedDevices }: SignInsDeps,
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
      { method, isRemembered, ...proof }: Entry,
    ): SignedIn {
      const user = store.users.get(userId)
      if (!user || user.isDisabled) throw new Fault('invalid_credentials')
      // A passkey is both factors.
      const isProven = method !== 'passkey' && factors.demand(tx, caller, userId, proof)
      const { token, tokenHash } = sessionSeal.mint()
      const session = startSession(store, tx, { userId, tokenHash, caller, nowMs: clock.nowMs() })
      audit.noteIn(tx, 'system', caller, {
        action: 'session.started',
        objectId: userId,
        detail: method,
      })
      const trust =
        isProven && isRemembered ? trustedDevices.remember(tx, caller, userId) : undefined
      return { user, session, token, trust }
    },
  }
}
