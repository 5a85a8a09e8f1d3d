// Registration: who may create an account, and how.
import { Fault, invalidField } from '../../base/fault.ts'
import { countedAddress } from '../../domain/network.ts'
import { passwordProblem } from '../../seal/password-policy.ts'
import type { Passwords } from '../../seal/passwords.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import type { OwnOrganization } from '../orgs/orgs.ts'
import type { Accounts } from '../people/accounts.ts'
import type { Emails } from '../people/emails.ts'
import type { Throttles } from '../throttles.ts'
import type { SetupToken } from './setup.ts'
import type { SignedIn, SignIns } from './sign-in.ts'

/**
 * `first-user`: one person with the setup token, then invited ones. `invite`: the same, explicitly.
 * `open`: anyone.
 */
export type RegistrationMode = 'first-user' | 'open' | 'invite'

export interface RegistrationInput {
  readonly email: string
  readonly password: string
  readonly name?: string | undefined
  readonly organizationName?: string | undefined
  readonly inviteToken?: string | undefined
  readonly referralCode?: string | undefined
  readonly setupToken?: string | undefined
}

export type Register = (
  caller: Caller,
  input: RegistrationInput,
) => Promise<SignedIn & { readonly organization: OwnOrganization }>

export interface RegistrationDeps {
  readonly passwords: Passwords
  readonly setupToken: SetupToken
  readonly accounts: Accounts
  readonly signIns: SignIns
  readonly emails: Pick<Emails, 'queueVerification'>
  readonly throttles: Throttles
  readonly registration: () => RegistrationMode
  /** Whether an invitation is still valid, and for this address. */
  readonly isInvited: (token: string, email: string) => boolean
}

export function createRegister(core: Core, deps: RegistrationDeps): Register {
  const { store } = core
  const { passwords, setupToken, registration } = deps
  const admit = createAdmission(core, deps)

  return async (caller, input) => {
    if (input.inviteToken !== undefined && input.organizationName !== undefined) {
      const message = 'cannot be given with inviteToken: you join the organization that invites you'
      throw invalidField('/organizationName', 'excluded', message)
    }
    // Cheap refusals come before the expensive hash, and again in the transaction.
    admit(input)
    const own = [input.email, input.name ?? '', input.organizationName ?? '']
    const problem = passwordProblem(input.password, own)
    if (problem) throw invalidField('/password', problem.keyword, problem.message)
    if (registration() === 'open' && input.inviteToken === undefined) {
      deps.throttles.take('registrations', countedAddress(caller.address))
    }
    const passwordHash = await passwords.hash(input.password)
    return store.write((tx) => {
      const isFirst = admit(input)
      // While registration is open, a stranger could be first: only the token makes an operator.
      const isSystemAdmin =
        registration() === 'open' ? setupToken.isRight(input.setupToken) : isFirst
      const account = { ...input, passwordHash, isSystemAdmin, emailVerifiedAtMs: null }
      const { user, organization } = deps.accounts.make(tx, caller, account)
      if (isSystemAdmin) setupToken.spend(tx)
      if (user.emailVerifiedAtMs === null) deps.emails.queueVerification(tx, caller, user)
      const signedIn = deps.signIns.enter(tx, caller, user.id, { method: 'registration' })
      return { ...signedIn, organization }
    })
  }
}

/** Whether this is the first user; refuses people who may not create an account. */
function createAdmission(
  { store }: Core,
  { setupToken, registration, isInvited }: RegistrationDeps,
) {
  function refuseStrangers({ email, inviteToken }: RegistrationInput): void {
    if (registration() === 'open') return
    if (inviteToken === undefined) {
      throw new Fault('registration_closed', 'New accounts need an invitation.')
    }
    if (!isInvited(inviteToken, email)) {
      const detail =
        'This invitation was used or withdrawn, has expired, or is for another address.'
      throw new Fault('link_expired', detail)
    }
  }

  return (input: RegistrationInput): boolean => {
    const isFirst = store.users.isEmpty()
    if (!isFirst) refuseStrangers(input)
    else if (registration() !== 'open' && !setupToken.isRight(input.setupToken)) {
      const detail =
        input.setupToken === undefined
          ? 'The first account requires the setup token that the daemon prints at its start.'
          : 'The setup token is wrong. The daemon prints the right one at its start.'
      throw new Fault('registration_closed', detail)
    }
    if (store.users.isEmailTaken(input.email)) {
      throw new Fault('email_taken', 'There is already an account with this e-mail address.')
    }
    return isFirst
  }
}
