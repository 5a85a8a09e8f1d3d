// The first sign-in or reset by letter: whoever opened it reads this mailbox, and owns the account.
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { User } from '../../domain/people/person.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Audit } from '../audit/audit.ts'
import type { Caller } from '../context.ts'
import type { Sessions } from '../people/sessions.ts'

/**
 * The user with a proven address, in the transaction that spends the proof. Somebody else could
 * have made this account for the address and wait: a stranger where everybody may register, and
 * elsewhere whoever invited the address, for they know the invitation's token. What lets them in,
 * or keeps the owner out, ends here: the password, the sessions, the API keys, the second factor
 * and a change of address that is on its way. Whoever made it honestly sets a new password by
 * letter.
 */
export type ProvenOwner = (tx: Tx, caller: Caller, user: User) => User

/**
 * Whether it may have been made by somebody else than who has the address. Made with the daemon's
 * own token, it was not.
 */
export function mayBeForeign({ emailVerifiedAtMs, isSystemAdmin }: User): boolean {
  return emailVerifiedAtMs === null && !isSystemAdmin
}

export interface ProvenOwnerDeps {
  readonly store: Store
  readonly clock: Clock
  readonly audit: Audit
  readonly sessions: Pick<Sessions, 'endAll'>
}

export function createProvenOwner(deps: ProvenOwnerDeps): ProvenOwner {
  const { store, clock, audit, sessions } = deps

  function removeKeys(tx: Tx, { id }: User): void {
    for (const { orgId } of store.memberships.listOfUser(id, limits.organizationsPerUserMax)) {
      for (const key of store.apiKeys.list(orgId, limits.quotaMax)) {
        if (key.createdBy === id) store.apiKeys.remove(tx, key)
      }
    }
  }

  return (tx, caller, user) => {
    if (user.emailVerifiedAtMs !== null) return user
    const isForeign = mayBeForeign(user)
    if (isForeign) {
      sessions.endAll(tx, user.id)
      removeKeys(tx, user)
      store.factors.remove(tx, user.id)
    }
    const nowMs = clock.nowMs()
    const after = {
      ...user,
      ...(isForeign ? { passwordHash: null, wantedEmail: null } : {}),
      emailVerifiedAtMs: nowMs,
      updatedAtMs: nowMs,
      revision: user.revision + 1,
    }
    store.users.put(tx, after)
    const detail = isForeign
      ? 'earlier password, sessions, keys and second factor ended'
      : undefined
    audit.noteIn(tx, 'system', caller, {
      action: 'email.verified',
      objectId: user.id,
      ...(detail === undefined ? {} : { detail }),
    })
    return after
  }
}
