// People: register, sign in, sign out, and the current session.
import { hash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import { normalizedEmail, type Session, type User } from '../../domain/people/person.ts'
import type { Passwords } from '../../seal/passwords.ts'
import { hashToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Caller, PageOf, SignedInCaller } from '../context.ts'
import type { Core } from '../core.ts'
import type { Orgs, OwnOrganization } from '../orgs/orgs.ts'
import type { Factors } from '../people/factors.ts'
import { isWrongGuess } from '../throttles.ts'
import type { Devices } from './devices.ts'
import { createFlows, startAgain } from './oidc-flow.ts'
import { createRegister, type RegistrationDeps } from './registration.ts'
import type { Entry, SignedIn } from './sign-in.ts'

interface SignIn extends Omit<Entry, 'method'> {
  readonly email: string
  readonly password: string
  /** The cookie that an earlier sign-in left on the device. */
  readonly device?: string | undefined
}

export type PasswordArrival =
  | { readonly step: 'entered'; readonly signedIn: SignedIn; readonly redirectUri: string }
  | {
      readonly step: 'code'
      /** The value of the cookie. */
      readonly flow: string
      /** What was wrong with the given code; undefined if there was none. */
      readonly problem?: Fault
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
  readonly factors: Pick<Factors, 'isCodeMissing'>
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
    ...createSignIn(core, deps),
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

function createSignIn(core: Core, deps: PeopleDeps) {
  const { store } = core
  const { passwords, signIns, devices, throttles, factors } = deps
  const flows = createFlows(core)

  /** Undefined if the user's record changed during the check. */
  async function attempt<Done>(
    { email, password }: SignIn,
    proceed: (tx: Tx, user: User) => Done,
  ): Promise<Done | undefined> {
    const found = store.users.findByEmail(email)
    const check = await passwords.verify(password, found?.passwordHash ?? null)
    if (!found || !check.isRight || found.isDisabled) throw notLetIn()
    const passwordHash = check.isStale ? await passwords.hash(password) : found.passwordHash
    return store.write((tx) => {
      const before = store.users.get(found.id)
      if (before?.passwordHash !== found.passwordHash || before.isDisabled) return undefined
      const user = { ...before, passwordHash }
      if (check.isStale) store.users.put(tx, user)
      return proceed(tx, user)
    })
  }

  function withPassword<Done>(input: SignIn, proceed: (tx: Tx, user: User) => Done): Promise<Done> {
    const twice = async () => {
      // A second attempt, because the hash may have been replaced while the first was computed.
      const done = (await attempt(input, proceed)) ?? (await attempt(input, proceed))
      if (done === undefined) throw notLetIn()
      return done
    }
    // Guesses from elsewhere must not lock the owner out of a known device.
    const key = devices.keyFor(input.device, input.email) ?? emailKey(input.email)
    return throttles.countFailures('wrongPasswords', key, twice, isWrongGuess)
  }

  return {
    /**
     * Throws invalid_credentials in the same words and time for every reason, totp_required, and
     * rate_limited after many failures for an address, whether or not it has an account.
     */
    signIn: (caller: Caller, input: SignIn): Promise<SignedIn> =>
      withPassword(input, (tx, { id }) => signIns.enter(tx, caller, id, entryOf(input))),

    /** The same in two steps: where the code is missing, the cookie to confirm it with. */
    begin: (caller: Caller, redirectUri: string, input: SignIn): Promise<PasswordArrival> =>
      withPassword(input, (tx, { id: userId, passwordHash }) => {
        if (factors.isCodeMissing(userId, input)) {
          const passwordMark = hashToken(passwordHash ?? '')
          const start = { provider: '', redirectUri, userId, passwordMark } as const
          return { step: 'code', flow: flows.seal({ stage: 'password', ...start }) }
        }
        const signedIn = signIns.enter(tx, caller, userId, entryOf(input))
        return { step: 'entered', signedIn, redirectUri }
      }),

    /**
     * The second step. Throws link_expired for a cookie that is not ours, was used, or is too old, or
     * after a few wrong codes; rate_limited.
     */
    async confirm(
      caller: Caller,
      { sealed, ...second }: Omit<Entry, 'method'> & { readonly sealed: string },
    ): Promise<PasswordArrival> {
      const flow = flows.open(sealed, '', 'password')
      flows.tryCode(flow)
      const { userId, passwordMark, redirectUri } = flow
      try {
        const signedIn = await store.write((tx) => {
          flows.spend(tx, flow)
          const mark = hashToken(store.users.get(userId)?.passwordHash ?? '')
          if (mark !== passwordMark) throw startAgain()
          return signIns.enter(tx, caller, userId, { method: 'password', ...second })
        })
        return { step: 'entered', signedIn, redirectUri }
      } catch (error) {
        const isWrongCode = error instanceof Fault && error.code === 'invalid_credentials'
        if (!isWrongCode) throw error
        return { step: 'code', flow: sealed, problem: error }
      }
    },
  }
}

function entryOf({ totp, trusted, isRemembered }: SignIn): Entry {
  return { method: 'password', totp, trusted, isRemembered }
}

function emailKey(email: string): string {
  return hash('sha256', normalizedEmail(email), 'base64url')
}

function notLetIn(): Fault {
  return new Fault('invalid_credentials', 'The e-mail address or the password is wrong.')
}
