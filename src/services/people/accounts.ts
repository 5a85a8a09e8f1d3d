// Accounts: creates a user with an organization in one transaction, for every way to register.
import { Fault } from '../../base/fault.ts'
import { newId } from '../../base/ids.ts'
import type { User } from '../../domain/people/person.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import { foundOrg, type OwnOrganization } from '../orgs/orgs.ts'

export interface NewAccount {
  readonly email: string
  /** When the address was verified, if the registration itself proves it. */
  readonly emailVerifiedAtMs: number | null
  readonly name?: string | null | undefined
  /** Null: sign-in by link or through a provider. */
  readonly passwordHash: string | null
  readonly isSystemAdmin: boolean
  readonly organizationName?: string | undefined
  /** Joins the inviting organization instead of creating one. */
  readonly inviteToken?: string | undefined
  readonly referralCode?: string | undefined
  /** Makes the new user a member of an organization, instead of creating one. */
  readonly join?: (tx: Tx, user: User) => OwnOrganization
}

export interface CreatedAccount {
  readonly user: User
  readonly organization: OwnOrganization
}

export interface AccountsDeps {
  /** Uses up an invitation: the new user becomes a member. Throws if it is not for this user. */
  readonly joinByInvite: (tx: Tx, caller: Caller, user: User, token: string) => OwnOrganization
  /** Records the referrer of a new user. Throws if the code is unknown. */
  readonly noteReferral: (tx: Tx, user: User, code: string) => void
  /** Whether there is space for new objects on the disk. */
  readonly hasRoom: () => boolean
}

export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts(core: Core, deps: AccountsDeps) {
  const { store, clock, audit } = core

  function found(tx: Tx, caller: Caller, user: User, name: string | undefined): OwnOrganization {
    const orgName = name?.trim() || user.name || 'My organization'
    const organization = foundOrg(store, tx, { name: orgName }, user.id, user.createdAtMs)
    audit.noteIn(tx, organization.id, caller, { action: 'organization.created', objectId: null })
    return { ...organization, role: 'owner' }
  }

  return {
    /** Throws storage_full, email_taken, link_expired, and validation_failed for invitation or referral code. */
    make(tx: Tx, caller: Caller, input: NewAccount): CreatedAccount {
      if (!deps.hasRoom()) {
        throw new Fault('storage_full', 'There is no space left: no account can be created')
      }
      if (store.users.isEmailTaken(input.email)) {
        throw new Fault('email_taken', 'There is already an account with this e-mail address.')
      }
      const user = newUser(input, clock.nowMs())
      store.users.put(tx, user)
      audit.noteIn(tx, 'system', caller, { action: 'user.registered', objectId: user.id })
      const { inviteToken, referralCode, organizationName } = input
      const organization =
        input.join?.(tx, user) ??
        (inviteToken === undefined
          ? found(tx, caller, user, organizationName)
          : deps.joinByInvite(tx, caller, user, inviteToken))
      if (referralCode !== undefined) deps.noteReferral(tx, user, referralCode)
      return { user, organization }
    },
  }
}

function newUser(input: NewAccount, nowMs: number): User {
  const { emailVerifiedAtMs, passwordHash, isSystemAdmin } = input
  return {
    emailVerifiedAtMs,
    passwordHash,
    isSystemAdmin,
    id: newId('user', nowMs),
    email: input.email.trim(),
    name: input.name?.trim() || null,
    isDisabled: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
  }
}
