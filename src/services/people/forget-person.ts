// Deletes a person's own data with the account: credentials and identity.
import { limits } from '../../domain/limits/limits.ts'
import type { User } from '../../domain/people/person.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Kyc } from '../identity-verification/kyc.ts'
import type { Emails } from './emails.ts'

export type ForgetPerson = (tx: Tx, user: User) => void

export interface ForgetPersonDeps {
  readonly store: Store
  readonly emails: Pick<Emails, 'forgetLinks'>
  readonly kyc: Pick<Kyc, 'forget'>
}

/** Runs in the transaction that deletes the account; the caller deletes the account itself. */
export function createForgetPerson(deps: ForgetPersonDeps): ForgetPerson {
  const { store, emails, kyc } = deps
  return (tx, user) => {
    store.sessions.forgetUser(tx, user.id)
    emails.forgetLinks(tx, user)
    store.factors.remove(tx, user.id)
    store.quarantine.forget(tx, user.id)
    store.identities.removeOfUser(tx, user.id, limits.quotaMax)
    store.referrals.removeUser(tx, user.id)
    kyc.forget(tx, user.id)
  }
}
