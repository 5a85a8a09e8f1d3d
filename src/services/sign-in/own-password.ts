// The caller's own password: reset by a mailed link, or changed while signed in.
import { Fault, invalidField } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedMailbox, normalizedEmail, type User } from '../../domain/people/person.ts'
import type { MailedLink } from '../../domain/sign-in/link.ts'
import { passwordChanged, passwordReset } from '../../mail/letters/password.ts'
import { passwordProblem } from '../../seal/password-policy.ts'
import type { Passwords } from '../../seal/passwords.ts'
import type { Tx } from '../../store/engine/write.ts'
import { languageOf } from '../../store/org-state.ts'
import type { Caller, SignedInCaller } from '../context.ts'
import type { Core } from '../core.ts'
import type { EnumerationSafeMailer } from '../mailer.ts'
import { expiredLink, type Links } from '../people/links.ts'
import type { FreshSession, Sessions } from '../people/sessions.ts'
import type { Throttles } from '../throttles.ts'
import type { ProvenOwner } from './proven-owner.ts'
import type { Reauthentication } from './reauthentication.ts'

export interface OwnPasswordDeps {
  readonly passwords: Passwords
  readonly links: Links
  readonly sessions: Sessions
  readonly reauthentication: Reauthentication
  readonly throttles: Throttles
  readonly provenOwner: ProvenOwner
  readonly enumerationSafeMailer: EnumerationSafeMailer
}

const purpose = 'password-reset'

export type OwnPassword = ReturnType<typeof createOwnPassword>

export function createOwnPassword(core: Core, deps: OwnPasswordDeps) {
  const { store } = core
  const { passwords, links, enumerationSafeMailer, reauthentication, throttles } = deps
  const linkWith = (token: string) => `${core.baseUrl}/api/v1/auth/password/reset?token=${token}`
  const setPassword = createSetter(core, deps)

  /** The person who requested a link, while they still have the address. */
  function holderOf({ userId, email }: MailedLink): User {
    const user = userId === null ? undefined : store.users.get(userId)
    if (!user || user.isDisabled || normalizedEmail(user.email) !== email) throw expiredLink()
    return user
  }

  function mustBeGood(password: string, user: User, pointer: string): void {
    const orgs = store.memberships.listOfUser(user.id, limits.organizationsPerUserMax)
    const names = orgs.map(({ orgId }) => store.orgs.readable(orgId)?.name ?? '')
    const problem = passwordProblem(password, [user.email, user.name ?? '', ...names])
    if (problem) throw invalidField(pointer, problem.keyword, problem.message)
  }

  function issueIn(tx: Tx, caller: Caller, user: User): string {
    const email = normalizedEmail(user.email)
    const token = links.make(tx, caller, { purpose, subject: email, userId: user.id, email })
    const asked = { action: 'password.reset_asked', objectId: user.id } as const
    core.audit.noteIn(tx, 'system', caller, { ...asked, detail: 'by the command line' })
    return linkWith(token)
  }

  return {
    /** Nothing visible reveals whether there is such an account. */
    async forgot(caller: Caller, typed: string): Promise<void> {
      const email = normalizedEmail(typed)
      const { address, userAgent, language } = caller
      const mayMail = throttles.mayTake('askedLetters', `forgot ${countedMailbox(email)}`)
      await store.write((tx) => {
        const found = store.users.findByEmail(email)
        const user = mayMail && !found?.isDisabled ? found : undefined
        // The same work in every case, so that the time reveals nothing: without an account it
        // makes a link, always the same record, and drops its token.
        const subject = user ? email : ''
        const link = { purpose, subject, userId: user?.id ?? null, email } as const
        const token = links.make(tx, caller, link)
        const letter = passwordReset({ url: linkWith(token), address, userAgent, language })
        enumerationSafeMailer.enqueue(tx, user?.email, letter)
        // Recorded only when a letter is sent, which is limited per hour, so the log stays small.
        if (user) {
          const asked = { action: 'password.reset_asked', objectId: user.id } as const
          core.audit.noteIn(tx, 'system', caller, asked)
        }
      })
    },

    /**
     * A link that the operator gets on the machine, in place of a letter. Using it confirms the
     * address, because the operator vouches for the person. Throws not_found, conflict.
     */
    issue(caller: Caller, typed: string): Promise<string> {
      return store.write((tx) => {
        const user = store.users.findByEmail(normalizedEmail(typed))
        if (!user) throw new Fault('not_found', `There is no account with the address ${typed}.`)
        if (user.isDisabled) throw new Fault('conflict', `The account ${typed} is switched off.`)
        return issueIn(tx, caller, user)
      })
    },
    /** The same in the transaction that makes the account. */
    issueIn,

    /** Shows a reset link without using it up. Throws link_expired. */
    look: (token: string): { readonly email: string } => ({
      email: holderOf(links.look(purpose, token)).email,
    }),

    /**
     * Verifies the address, ends every session, and does not sign in: a second factor is still
     * required. Throws validation_failed, link_expired, unavailable.
     */
    async reset(caller: Caller, token: string, password: string): Promise<void> {
      // Cheap refusals come before the expensive hash, and again in the transaction.
      mustBeGood(password, holderOf(links.look(purpose, token)), '/password')
      const passwordHash = await passwords.hash(password)
      await store.write((tx) => {
        const user = holderOf(links.spend(tx, purpose, token))
        setPassword(tx, caller, user, { passwordHash, how: 'reset' })
        deps.sessions.endAll(tx, user.id)
      })
    },

    /** Ends every other session. Throws invalid_credentials, validation_failed, rate_limited. */
    async change(
      caller: SignedInCaller,
      {
        currentPassword,
        newPassword,
      }: { readonly currentPassword: string; readonly newPassword: string },
    ): Promise<FreshSession> {
      const known = await reauthentication.userByPassword(caller, currentPassword)
      mustBeGood(newPassword, known, '/newPassword')
      const passwordHash = await passwords.hash(newPassword)
      return store.write((tx) => {
        const user = store.users.get(known.id)
        // If two changes come at once, the second no longer has the right current password.
        if (user?.passwordHash !== known.passwordHash) {
          throw new Fault('invalid_credentials', 'The password is wrong.')
        }
        setPassword(tx, caller, user, { passwordHash, how: 'change' })
        const { session, token } = deps.sessions.freshen(tx, caller)
        deps.sessions.endAll(tx, user.id, session.id)
        return { session, token }
      })
    },
  }
}

interface NewPassword {
  readonly passwordHash: string
  readonly how: 'reset' | 'change'
}

/** Writes a new password, and revokes what was mailed while the old one was valid. */
function createSetter(core: Core, deps: OwnPasswordDeps) {
  const { store, clock, audit, mailer } = core
  const { links, throttles, provenOwner } = deps
  return (tx: Tx, caller: Caller, before: User, { passwordHash, how }: NewPassword): void => {
    const user = how === 'reset' ? provenOwner(tx, caller, before) : before
    const revision = before.revision + 1
    store.users.put(tx, { ...user, passwordHash, updatedAtMs: clock.nowMs(), revision })
    links.revoke(tx, 'sign-in', normalizedEmail(user.email))
    links.revoke(tx, purpose, normalizedEmail(user.email))
    store.trustedDevices.forgetUser(tx, user.id)
    audit.noteIn(tx, 'system', caller, { action: `password.${how}`, objectId: user.id })
    // Repeated changes must not fill the mailbox of somebody whose address was misused.
    if (!throttles.mayTake('askedLetters', `changed ${countedMailbox(user.email)}`)) return
    const { address, userAgent } = caller
    const language = languageOf(store, user, caller.language)
    const hasPasskeys = store.passkeys.listOfUser(user.id, 1).length > 0
    const letter = passwordChanged({ how, hasPasskeys, address, userAgent, language })
    mailer.enqueue(tx, user.email, letter)
  }
}
