// Sign-in through an OpenID provider: redirect, return, and session.
import { Fault, invalidParameter, notFound } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { User } from '../../domain/people/person.ts'
import type { OidcPerson } from '../../domain/sign-in/oidc.ts'
import { redirectProblem, resolvedRedirect } from '../../domain/sign-in/redirect.ts'
import { identityLinkedLetter } from '../../mail/letters/sign-in.ts'
import { createOidcSecrets, OidcProblem, type OidcProvider } from '../../oidc/provider.ts'
import type { Tx } from '../../store/engine/write.ts'
import { languageOf } from '../../store/org-state.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import type { Accounts } from '../people/accounts.ts'
import type { Factors } from '../people/factors.ts'
import { createFlows, type Flow, startAgain } from './oidc-flow.ts'
import type { RegistrationMode } from './registration.ts'
import type { Entry, SignedIn, SignIns } from './sign-in.ts'

export type OidcArrival =
  | { readonly step: 'entered'; readonly signedIn: SignedIn; readonly redirectUri: string }
  | {
      readonly step: 'code'
      /** The new value of the cookie. */
      readonly flow: string
      readonly redirectUri: string
      /** What was wrong with the given code; undefined if there was none. */
      readonly problem?: Fault
    }

export interface OidcDeps {
  readonly accounts: Accounts
  readonly signIns: SignIns
  readonly factors: Factors
  readonly registration: () => RegistrationMode
  readonly providers: () => readonly OidcProvider[]
  /** Further origins that a sign-in may lead to. */
  readonly redirectOrigins: readonly string[]
}

/** The path that a provider sends people back to. */
export const callbackPath = (name: string) => `/api/v1/auth/oidc/${name}/callback`

export function createOidc(core: Core, deps: OidcDeps) {
  const { store, log, baseUrl } = core
  const baseOrigin = new URL(baseUrl).origin
  const flows = createFlows(core)
  const settle = createSettlement(core, deps)

  function find(name: string): OidcProvider {
    const provider = deps.providers().find((one) => one.name === name)
    if (!provider) throw notFound('provider')
    return provider
  }

  const callbackUrl = (name: string) => baseUrl + callbackPath(find(name).name)

  /** Runs requests to the provider; its failures are logged, and reported in our own words. */
  async function asking<T>({ name, label }: OidcProvider, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof OidcProblem)) throw error
      const { kind, message } = error
      log.warn('a sign-in through a provider failed', { provider: name, kind, reason: message })
      if (kind === 'refused') {
        throw new Fault('invalid_credentials', `${label} did not confirm who you are.`)
      }
      const headers = [['Retry-After', String(limits.retryAfterSeconds)]] as const
      const detail = `${label} cannot be reached at the moment. Try again later.`
      throw new Fault('unavailable', detail, { headers })
    }
  }

  /** Signs in a person that the provider vouched for, or asks for the code of the second factor. */
  async function arrive(
    caller: Caller,
    { person, redirectUri, provider, spend }: OidcReturn,
    second: SecondStep,
  ): Promise<OidcArrival> {
    try {
      const signedIn = await store.write((tx) => {
        spend?.(tx)
        return settle(tx, caller, { person, label: find(provider).label, second })
      })
      return { step: 'entered', signedIn, redirectUri }
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'totp_required') throw error
      const flow = flows.seal({ stage: 'waiting', provider, redirectUri, person })
      return { step: 'code', flow, redirectUri }
    }
  }

  return {
    list: (): readonly Pick<OidcProvider, 'name' | 'label' | 'brand'>[] =>
      deps.providers().map(({ name, label, brand }) => ({ name, label, brand })),

    /**
     * The cookie must come back. Throws not_found, invalid_parameter for a redirectUri that is not
     * allowed, unavailable.
     */
    async start(
      name: string,
      redirectUri: string,
    ): Promise<{ readonly url: string; readonly flow: string }> {
      const provider = find(name)
      const origins = deps.redirectOrigins
      const problem = redirectProblem(redirectUri, { baseOrigin, origins })
      if (problem !== null) throw invalidParameter('redirectUri', 'redirect', problem)
      const secrets = createOidcSecrets()
      const url = await asking(provider, () =>
        provider.authorizationUrl(callbackUrl(name), secrets),
      )
      const leadsTo = resolvedRedirect(redirectUri, baseUrl)
      const away = { stage: 'away', provider: name, redirectUri: leadsTo, secrets } as const
      return { url, flow: flows.seal(away) }
    },

    /**
     * Throws link_expired for a return that this browser did not start or that was already used,
     * invalid_credentials if the provider refused the person, forbidden and registration_closed if
     * the person may not sign in here, unavailable.
     */
    async callback(
      caller: Caller,
      name: string,
      query: URLSearchParams,
      sealed: string,
      second: SecondStep = {},
    ): Promise<OidcArrival> {
      const provider = find(name)
      const away = flows.open(sealed, name, 'away')
      if (query.get('state') !== away.secrets.state) throw startAgain()
      // Before the code is redeemed, so that of two returns at once only one continues.
      await store.write((tx) => flows.spend(tx, away))
      const url = new URL(`${callbackUrl(name)}?${query}`)
      const person = await asking(provider, () => provider.redeem(url, away.secrets))
      return arrive(caller, { ...away, person }, second)
    },

    /** The second factor. Throws link_expired, rate_limited, and the faults of callback. */
    async confirm(
      caller: Caller,
      name: string,
      totp: string,
      sealed: string,
      more: SecondStep = {},
    ): Promise<OidcArrival> {
      find(name)
      const waiting = flows.open(sealed, name, 'waiting')
      flows.tryCode(waiting)
      const { person, redirectUri } = waiting
      try {
        const spend = (tx: Tx) => flows.spend(tx, waiting)
        return await arrive(
          caller,
          { person, redirectUri, provider: name, spend },
          { ...more, totp },
        )
      } catch (error) {
        const isWrongCode = error instanceof Fault && error.code === 'invalid_credentials'
        if (!isWrongCode) throw error
        return { step: 'code', flow: sealed, redirectUri, problem: error }
      }
    },
  }
}

interface OidcReturn extends Pick<Flow, 'provider' | 'redirectUri'> {
  readonly person: OidcPerson
  /** Runs in the transaction that signs the person in. */
  readonly spend?: (tx: Tx) => void
}

type SecondStep = Omit<Entry, 'method'>

interface VouchedSignIn {
  readonly person: OidcPerson
  readonly label: string
  readonly second: SecondStep
}

interface SettledAccount {
  readonly user: User
  /** The account was created by this sign-in. */
  readonly isNew: boolean
}

/** Finds or creates the account that a provider vouched for, links it, and starts a session. */
function createSettlement(core: Core, deps: OidcDeps) {
  const { store, clock, audit, mailer } = core
  const { factors } = deps

  /** The account without a link: found by an address that both sides have verified. */
  function byEmail(tx: Tx, caller: Caller, { person, label }: VouchedSignIn): SettledAccount {
    const { email, isEmailVerified } = person
    if (email === null || !isEmailVerified) {
      throw new Fault('forbidden', `${label} did not confirm your e-mail address.`)
    }
    const user = store.users.findByEmail(email)
    if (user) return { user: mayBeLinked(user), isNew: false }
    if (deps.registration() !== 'open') {
      throw new Fault('registration_closed', 'New accounts need an invitation.')
    }
    const { user: made } = deps.accounts.make(tx, caller, {
      email,
      name: person.name,
      passwordHash: null,
      isSystemAdmin: false,
      emailVerifiedAtMs: clock.nowMs(),
    })
    return { user: made, isNew: true }
  }

  function mayBeLinked(user: User): User {
    // The account may have been registered by somebody who does not have the address.
    if (user.emailVerifiedAtMs === null) {
      const detail =
        'There is an account with your e-mail address, but the address was never confirmed. ' +
        'Sign in with your password and confirm it first.'
      throw new Fault('forbidden', detail)
    }
    // Running the provider must not be enough to administer this service.
    if (user.isSystemAdmin && !factors.isEnrolled(user.id)) {
      const detail =
        'The account of a system administrator is linked only while its second factor is on. ' +
        'Sign in with your password and turn the second factor on first.'
      throw new Fault('forbidden', detail)
    }
    return user
  }

  return (tx: Tx, caller: Caller, vouched: VouchedSignIn): SignedIn => {
    const { person, label, second } = vouched
    const linked = store.identities.get(person)
    const known = linked && store.users.get(linked.userId)
    const { user, isNew } = known ? { user: known, isNew: false } : byEmail(tx, caller, vouched)
    const signedIn = deps.signIns.enter(tx, caller, user.id, { method: 'oidc', ...second })
    if (known) return signedIn
    const nowMs = clock.nowMs()
    const { issuer, subject } = person
    store.identities.put(tx, { issuer, subject, userId: user.id, linkedAtMs: nowMs })
    const note = { action: 'identity.linked', objectId: user.id, detail: label } as const
    audit.noteIn(tx, 'system', caller, note)
    // To the owner of an existing account; for a new one it is no news.
    const language = languageOf(store, user, caller.language)
    const letter = identityLinkedLetter({ label, baseUrl: core.baseUrl, atMs: nowMs, language })
    if (!isNew) mailer.enqueue(tx, user.email, letter)
    return signedIn
  }
}
