// People: register, sign in, sign out, and the current session.
import { hash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import { normalizedEmail, type Session, type User } from '../../domain/people/person.ts'
import type { Passwords } from '../../seal/passwords.ts'
import type { Caller, PageOf, SignedInCaller } from '../context.ts'
import type { Core } from '../core.ts'
import type { Orgs, OwnOrganization } from '../orgs/orgs.ts'
import { isWrongGuess } from '../throttles.ts'
import type { Devices } from './devices.ts'
import { createRegister, type RegistrationDeps } from './registration.ts'
import type { SignedIn } from './sign-in.ts'

interface SignIn {
  readonly email: string
  readonly password: string
  readonly totp?: string | undefined
  /** The cookie that an earlier sign-in left on the device. */
  readonly device?: string | undefined
}

export interface SessionInfo {
  readonly user: User
  readonly session: Session
  readonly organizations: PageOf<OwnOrganization>['items']
}

export interface PeopleDeps extends RegistrationDeps {
  readonly passwords: Passwords
  readonly orgs: Orgs
  readonly devices: Devices
}

export function createPeople(core: Core, deps: PeopleDeps) {
  const { store, audit } = core
  const { orgs } = deps

  return {
    /**
     * Makes an account. If several people try at once to be the first user, or to have one address,
     * exactly one succeeds. Throws registration_closed, validation_failed, email_taken, link_expired,
     * rate_limited, unavailable.
     */
    register: createRegister(core, deps),
    /**
     * Throws invalid_credentials in the same words and time for every reason, and rate_limited
     * after many failures for an address, whether or not it has an account.
     */
    signIn: createSignIn(core, deps),
    /** Ends the caller's own session, from the next request on. */
    async signOut(caller: SignedInCaller): Promise<void> {
      const { userId, sessionId } = caller.principal
      await store.write((tx) => {
        const session = store.sessions.get(userId, sessionId)
        if (!session) return
        store.sessions.remove(tx, session)
        audit.noteIn(tx, 'system', caller, { action: 'session.ended', objectId: sessionId })
      })
    },
    session(caller: SignedInCaller): SessionInfo {
      const { userId, sessionId } = caller.principal
      const user = store.users.get(userId)
      const session = store.sessions.get(userId, sessionId)
      if (!user || !session) throw new Fault('unauthenticated')
      const own = orgs.list(caller, { limit: limits.organizationsPerUserMax })
      return { user, session, organizations: own.items }
    },
  }
}

function createSignIn({ store }: Core, { passwords, signIns, devices, throttles }: PeopleDeps) {
  /** Undefined if the user's record changed during the check. */
  async function attempt(caller: Caller, { email, password, totp }: SignIn) {
    const found = store.users.findByEmail(email)
    const check = await passwords.verify(password, found?.passwordHash ?? null)
    if (!found || !check.isRight || found.isDisabled) throw notLetIn()
    const passwordHash = check.isStale ? await passwords.hash(password) : found.passwordHash
    return store.write((tx): SignedIn | undefined => {
      const before = store.users.get(found.id)
      if (before?.passwordHash !== found.passwordHash || before.isDisabled) return undefined
      if (check.isStale) store.users.put(tx, { ...before, passwordHash })
      return signIns.enter(tx, caller, found.id, { method: 'password', totp })
    })
  }

  async function twice(caller: Caller, input: SignIn): Promise<SignedIn> {
    // A second attempt, because the hash may have been replaced while the first was computed.
    const signedIn = (await attempt(caller, input)) ?? (await attempt(caller, input))
    if (!signedIn) throw notLetIn()
    return signedIn
  }

  return (caller: Caller, input: SignIn): Promise<SignedIn> => {
    // Guesses from elsewhere must not lock the owner out of a known device.
    const key = devices.keyFor(input.device, input.email) ?? emailKey(input.email)
    return throttles.countFailures('wrongPasswords', key, () => twice(caller, input), isWrongGuess)
  }
}

function emailKey(email: string): string {
  return hash('sha256', normalizedEmail(email), 'base64url')
}

function notLetIn(): Fault {
  return new Fault('invalid_credentials', 'The e-mail address or the password is wrong.')
}
