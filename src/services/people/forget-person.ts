// Deletes a person's own data with the account: credentials and identity.
import { limits } from '../../domain/limits/limits.ts'
import type { User } from '../../domain/people/person.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Core } from '../core.ts'
import type { Kyc } from '../identity-verification/kyc.ts'
import type { Emails } from './emails.ts'

export type ForgetPerson = (tx: Tx, user: User) => void

export interface ForgetPersonDeps {
  readonly emails: Pick<Emails, 'forgetLinks'>
  readonly kyc: Pick<Kyc, 'forget'>
}

/** Runs in the transaction that deletes the account; the caller deletes the account itself. */
export function createForgetPerson(core: Core, deps: ForgetPersonDeps): ForgetPerson {
  const { store } = core
  const { emails, kyc } = deps
  return (tx, user) => {
    store.sessions.forgetUser(tx, user.id)
    emails.forgetLinks(tx, user)
    store.factors.remove(tx, user.id)
    store.passkeys.removeOfUser(tx, user.id, limits.quotaMax)
    store.trustedDevices.forgetUser(tx, user.id)
    store.quarantine.forget(tx, user.id)
    store.identities.removeOfUser(tx, user.id, limits.quotaMax)
    store.referrals.removeUser(tx, user.id)
    kyc.forget(tx, user.id)
  }
}
