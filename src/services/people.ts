// People: register, sign in, sign out, and what a signed-in person is told about the session.
import type { Clock } from '../base/clock.ts'
import { Fault, invalidField } from '../base/fault.ts'
import type { Principal } from '../domain/access.ts'
import { limits } from '../domain/limits.ts'
import type { Session, User } from '../domain/person.ts'
import { passwordProblem } from '../seal/password-policy.ts'
import type { Passwords } from '../seal/passwords.ts'
import type { Store } from '../store/store.ts'
import type { Accounts } from './accounts.ts'
import type { Audit } from './audit.ts'
import type { Caller, PageOf } from './context.ts'
import type { Orgs, OwnOrganization } from './orgs.ts'
import type { SetupToken } from './setup.ts'
import type { SignedIn, SignIns } from './sign-in.ts'

/**
 * Who may make an account. `first-user`: the first one, who has the setup token; then nobody.
 * `open`: everybody. `invite`: like `first-user`, and whoever was invited.
 */
export type RegistrationMode = 'first-user' | 'open' | 'invite'

export interface Registration {
  readonly email: string
  readonly password: string
  readonly name?: string | undefined
  readonly organizationName?: string | undefined
  readonly inviteToken?: string | undefined
  readonly referralCode?: string | undefined
  readonly setupToken?: string | undefined
}

export interface SignIn {
  readonly email: string
  readonly password: string
  readonly totp?: string | undefined
}

export interface SessionInfo {
  readonly user: User
  readonly session: Session
  readonly organizations: PageOf<OwnOrganization>['items']
}

type SignedInCaller = Caller & { readonly principal: Extract<Principal, { kind: 'session' }> }

export interface People {
  /**
   * Makes a user with an organization and signs in. Exactly one of several first users wins, and
   * one of several with the same address. Throws Fault: registration_closed, validation_failed,
   * email_taken, unavailable.
   */
  register(
    caller: Caller,
    input: Registration,
  ): Promise<SignedIn & { readonly organization: OwnOrganization }>
  /** Throws Fault('invalid_credentials') in the same words and time whatever was wrong. */
  signIn(caller: Caller, input: SignIn): Promise<SignedIn>
  /** Ends the caller's own session, from the next request on. */
  signOut(caller: SignedInCaller): Promise<void>
  session(caller: SignedInCaller): SessionInfo
}

export interface PeopleDeps {
  readonly store: Store
  readonly clock: Clock
  readonly passwords: Passwords
  readonly setupToken: SetupToken
  readonly orgs: Orgs
  readonly accounts: Accounts
  readonly signIns: SignIns
  readonly audit: Audit
  readonly registration: RegistrationMode
}

export function createPeople(deps: PeopleDeps): People {
  const { store, orgs } = deps

  return {
    register: createRegister(deps),
    signIn: createSignIn(deps),
    async signOut({ principal }) {
      await store.write((tx) => {
        const session = store.sessions.get(principal.userId, principal.sessionId)
        if (session) store.sessions.remove(tx, session)
      })
    },
    session(caller) {
      const { userId, sessionId } = caller.principal
      const user = store.users.get(userId)
      const session = store.sessions.get(userId, sessionId)
      if (!user || !session) throw new Fault('unauthenticated')
      const own = orgs.list(caller, { limit: limits.organizationsPerUserMax })
      return { user, session, organizations: own.items }
    },
  }
}

function createRegister(deps: PeopleDeps): People['register'] {
  const { store, passwords, setupToken, registration } = deps

  /** Whether this is the first user; refuses whoever may not have an account. */
  function admit({ email, setupToken: given }: Registration): boolean {
    const isFirst = store.users.isEmpty()
    if (!isFirst && registration !== 'open') {
      throw new Fault('registration_closed', 'New accounts need an invitation.')
    }
    if (isFirst && registration !== 'open' && !setupToken.isRight(given)) {
      const detail = 'The first account needs the setup token that the daemon printed at its start.'
      throw new Fault('registration_closed', detail)
    }
    if (store.users.isEmailTaken(email)) {
      throw new Fault('email_taken', 'There is already an account with this e-mail address.')
    }
    return isFirst
  }

  return async (caller, input) => {
    // The cheap refusals come before the dear hash, and once more where it counts.
    admit(input)
    const own = [input.email, input.name ?? '', input.organizationName ?? '']
    const problem = passwordProblem(input.password, own)
    if (problem) throw invalidField('/password', problem.keyword, problem.message)
    const passwordHash = await passwords.hash(input.password)
    return store.write((tx) => {
      const isFirst = admit(input)
      // Where everybody may register, a stranger could be first: only the token makes the operator.
      const isSystemAdmin = registration === 'open' ? setupToken.isRight(input.setupToken) : isFirst
      const account = { ...input, passwordHash, isSystemAdmin, emailVerifiedAtMs: null }
      const { user, organization } = deps.accounts.make(tx, caller, account)
      if (isSystemAdmin) setupToken.spend(tx)
      const signedIn = deps.signIns.enter(tx, caller, user.id, { method: 'registration' })
      return { ...signedIn, organization }
    })
  }
}

function createSignIn(deps: PeopleDeps): People['signIn'] {
  const { store, passwords, signIns } = deps

  /** Undefined where the user's record changed under the check. */
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

  return async (caller, input) => {
    // A second look, because the hash may have been replaced while the first was computed.
    const signedIn = (await attempt(caller, input)) ?? (await attempt(caller, input))
    if (!signedIn) throw notLetIn()
    return signedIn
  }
}

function notLetIn(): Fault {
  return new Fault('invalid_credentials', 'The e-mail address or the password is wrong.')
}
