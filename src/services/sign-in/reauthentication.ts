// Reauthentication: a signed-in person confirms their identity again.
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { User } from '../../domain/people/person.ts'
import type { Passwords } from '../../seal/passwords.ts'
import type { SignedInCaller } from '../context.ts'
import type { Core } from '../core.ts'
import type { Factors } from '../people/factors.ts'
import type { FreshSession, Sessions } from '../people/sessions.ts'
import { isWrongGuess, type Throttles } from '../throttles.ts'

/** Either of the two. */
export type Proof = { readonly password: string } | { readonly totp: string }

export interface ReauthenticationDeps {
  readonly passwords: Passwords
  readonly factors: Factors
  readonly sessions: Sessions
  readonly throttles: Throttles
}

export type Reauthentication = ReturnType<typeof createReauthentication>

export function createReauthentication(core: Core, deps: ReauthenticationDeps) {
  const { store, audit } = core
  const { passwords, factors, sessions, throttles } = deps

  function userByPassword({ principal }: SignedInCaller, password: string): Promise<User> {
    const { userId } = principal
    const check = async () => {
      const user = store.users.get(userId)
      const { isRight } = await passwords.verify(password, user?.passwordHash ?? null)
      if (!user || !isRight) throw new Fault('invalid_credentials', 'The password is wrong.')
      return user
    }
    return throttles.countFailures('wrongProofs', userId, check, isWrongGuess)
  }

  return {
    /**
     * The account, for actions that the password alone authorizes. Throws invalid_credentials,
     * rate_limited.
     */
    userByPassword,
    /**
     * The session gets a new value. Throws invalid_credentials, rate_limited after a few failures,
     * conflict for a code without a second factor.
     */
    async confirm(
      caller: SignedInCaller,
      proof: Proof,
    ): Promise<FreshSession & { freshUntilMs: number }> {
      const { userId } = caller.principal
      const user = 'password' in proof ? await userByPassword(caller, proof.password) : undefined
      return store.write((tx) => {
        if ('totp' in proof) factors.prove(tx, caller, userId, proof.totp)
        // The password may have been changed meanwhile, which invalidates this proof.
        const isStill = !user || store.users.get(userId)?.passwordHash === user.passwordHash
        if (!isStill) throw new Fault('invalid_credentials', 'The password is wrong.')
        const fresh = sessions.freshen(tx, caller)
        audit.noteIn(tx, 'system', caller, {
          action: 'session.confirmed',
          objectId: fresh.session.id,
          detail: 'totp' in proof ? 'totp' : 'password',
        })
        return { ...fresh, freshUntilMs: fresh.session.authenticatedAtMs + limits.sudoMs }
      })
    },
  }
}
