// Magic links: a letter with a link signs its reader in, without revealing who has an account.
import { Fault, invalidField } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import { countedMailbox, normalizedEmail, type User } from '../../domain/people/person.ts'
import type { MailedLink } from '../../domain/sign-in/link.ts'
import {
  consolePath,
  type RedirectRules,
  redirectProblem,
  resolvedRedirect,
} from '../../domain/sign-in/redirect.ts'
import { signInLetter } from '../../mail/letters/sign-in.ts'
import type { SignInPage } from '../../pages/sign-in-page.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import type { EnumerationSafeMailer } from '../mailer.ts'
import type { Accounts } from '../people/accounts.ts'
import type { Factors } from '../people/factors.ts'
import { type Links, shortAgent } from '../people/links.ts'
import type { Throttles } from '../throttles.ts'
import { mayBeForeign, type ProvenOwner } from './proven-owner.ts'
import type { RegistrationMode } from './registration.ts'
import type { Entry, SignedIn, SignIns } from './sign-in.ts'

interface MagicLinkRequest {
  readonly email: string
  readonly redirectUri: string
}

export interface MagicLinkSignIn extends SignedIn {
  /** The address as it was requested. */
  readonly redirectUri: string
  /** The same as an absolute address. */
  readonly leadsTo: string
}

export interface MagicLinksDeps {
  readonly links: Links
  readonly enumerationSafeMailer: EnumerationSafeMailer
  readonly accounts: Accounts
  readonly signIns: SignIns
  readonly factors: Factors
  readonly throttles: Throttles
  readonly provenOwner: ProvenOwner
  readonly trustDays: () => number
  readonly registration: () => RegistrationMode
  /** Further origins that a sign-in may lead to. */
  readonly redirectOrigins: readonly string[]
}

const callbackPath = '/api/v1/identity/oauth/login/magic-link/callback'

export function createMagicLinks(core: Core, deps: MagicLinksDeps) {
  const { store, baseUrl } = core
  const { links, factors } = deps
  const baseOrigin = new URL(baseUrl).origin
  const redirects: RedirectRules = { baseOrigin, origins: deps.redirectOrigins }

  /** The settings may have changed since the link was requested. */
  function redirectOf({ redirectUri }: MailedLink) {
    const isFine = redirectUri !== null && redirectProblem(redirectUri, redirects) === null
    const uri = isFine ? redirectUri : consolePath
    return { redirectUri: uri, leadsTo: resolvedRedirect(uri, baseUrl) }
  }

  return {
    /**
     * Does not reveal whether a letter is sent. Throws validation_failed for a redirectUri that is
     * not allowed, rate_limited for the caller's network.
     */
    request: createRequest(core, deps, redirects),

    /** Does not use the link up. Throws link_expired. */
    look(caller: Caller, token: string, trusted?: string): SignInPage {
      const link = links.look('sign-in', token)
      const user = holderOf(store, link)
      const { origin } = new URL(redirectOf(link).leadsTo)
      const { email, address, userAgent } = link
      const isSamePlace = countedAddress(address) === countedAddress(caller.address)
      return {
        email,
        address,
        userAgent,
        askedAtMs: link.createdAtMs,
        isNew: user === undefined,
        isElsewhere: !isSamePlace || userAgent !== shortAgent(caller.userAgent),
        needsCode:
          user !== undefined && factors.isCodeMissing(user.id, { trusted }) && !mayBeForeign(user),
        leadsTo: origin === baseOrigin ? null : origin,
        trustDays: deps.trustDays(),
      }
    },

    /**
     * Signs in with a link, and verifies its address. If a link is used several times at once, one
     * succeeds. Throws link_expired, registration_closed, and the faults of SignIns.enter.
     */
    verify(
      caller: Caller,
      { token, ...second }: { readonly token: string } & Omit<Entry, 'method'>,
    ): Promise<MagicLinkSignIn> {
      return store.write((tx) => {
        const link = links.spend(tx, 'sign-in', token)
        const holder = holderOf(store, link) ?? enrol(core, deps, tx, caller, link)
        const user = deps.provenOwner(tx, caller, holder)
        const signedIn = deps.signIns.enter(tx, caller, user.id, { method: 'link', ...second })
        return { ...signedIn, ...redirectOf(link) }
      })
    },
  }
}

function createRequest(core: Core, deps: MagicLinksDeps, redirects: RedirectRules) {
  const { store, clock, audit, baseUrl } = core
  const { links, enumerationSafeMailer, throttles, registration } = deps

  function mayMail(email: string): boolean {
    const mailbox = countedMailbox(email)
    return (
      throttles.mayTake('signInLettersHourly', mailbox) &&
      throttles.mayTake('signInLettersDaily', mailbox)
    )
  }

  /** Why no letter is sent; undefined if one is. */
  function refusal(isTooMany: boolean, user: User | undefined): string | undefined {
    if (isTooMany) return 'too many for this mailbox'
    if (user) return user.isDisabled ? 'the account is switched off' : undefined
    return registration() === 'open' ? undefined : 'no account with this address'
  }

  return async (caller: Caller, { email: typed, redirectUri }: MagicLinkRequest): Promise<void> => {
    const problem = redirectProblem(redirectUri, redirects)
    if (problem !== null) throw invalidField('/redirectUri', 'redirect', problem)
    throttles.take('signInAsks', countedAddress(caller.address))
    const email = typed.trim()
    const isTooMany = !mayMail(email)
    await store.write((tx) => {
      const user = store.users.findByEmail(email)
      const refused = refusal(isTooMany, user)
      // The same work in every case, so that the time reveals nothing: without an account it makes
      // a link, always the same record, and drops its token.
      const subject = refused === undefined ? normalizedEmail(email) : ''
      const userId = user?.id ?? null
      const token = links.make(tx, caller, {
        purpose: 'sign-in',
        subject,
        userId,
        email,
        redirectUri,
      })
      const letter = signInLetter({
        url: `${baseUrl}${callbackPath}?token=${token}`,
        baseUrl,
        isNew: !user,
        minutes: limits.linkMs['sign-in'] / 60_000,
        askedAtMs: clock.nowMs(),
        address: caller.address,
        userAgent: caller.userAgent,
        language: caller.language,
      })
      enumerationSafeMailer.enqueue(
        tx,
        refused === undefined ? (user?.email ?? email) : undefined,
        letter,
      )
      audit.noteIn(tx, 'system', caller, {
        action: 'sign_in_link.asked',
        objectId: userId,
        ...(refused === undefined ? {} : { outcome: 'refused', detail: refused }),
      })
    })
  }
}

/** The account of a link; undefined if the link should create one. */
function holderOf(store: Store, { email, userId }: MailedLink): User | undefined {
  const user = store.users.findByEmail(email)
  // The account of the request has another address by now, or is gone.
  if (userId !== null && user?.id !== userId) throw new Fault('link_expired')
  return user
}

function enrol(
  { clock }: Core,
  { accounts, registration }: MagicLinksDeps,
  tx: Tx,
  caller: Caller,
  { email }: MailedLink,
): User {
  if (registration() !== 'open') {
    throw new Fault('registration_closed', 'New accounts need an invitation.')
  }
  const how = { emailVerifiedAtMs: clock.nowMs(), passwordHash: null, isSystemAdmin: false }
  return accounts.make(tx, caller, { email, ...how }).user
}
