// The first proof of an address: whoever opened a letter reads this mailbox.
import type { Clock } from '../base/clock.ts'
import { limits } from '../domain/limits.ts'
import type { User } from '../domain/person.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../store/write.ts'
import type { Audit } from './audit.ts'
import type { Caller } from './context.ts'
import type { RegistrationMode } from './registration.ts'
import type { Sessions } from './sessions.ts'

/**
 * The user with a proven address, in the transaction that spends the proof. Where everybody may
 * register, a stranger could have made this account for somebody else's address and wait: what
 * lets the stranger in ends here, the password, the sessions and the API keys. Whoever made it
 * honestly sets a new password by letter.
 */
export type ProvenOwner = (tx: Tx, caller: Caller, user: User) => User

export interface ProvenOwnerDeps {
  readonly store: Store
  readonly clock: Clock
  readonly audit: Audit
  readonly sessions: Pick<Sessions, 'endAll'>
  readonly registration: RegistrationMode
}

export function createProvenOwner(deps: ProvenOwnerDeps): ProvenOwner {
  const { store, clock, audit, sessions, registration } = deps

  function removeKeys(tx: Tx, { id }: User): void {
    for (const { orgId } of store.memberships.listOfUser(id, limits.organizationsPerUserMax)) {
      for (const key of store.apiKeys.list(orgId, limits.quotaMax)) {
        if (key.createdBy === id) store.apiKeys.remove(tx, key)
      }
    }
  }

  return (tx, caller, user) => {
    if (user.emailVerifiedAtMs !== null) return user
    // Closed to strangers, or made with the daemon's own token: nobody else can have made it.
    const mayBeForeign = registration === 'open' && !user.isSystemAdmin
    if (mayBeForeign) {
      sessions.endAll(tx, user.id)
      removeKeys(tx, user)
    }
    const nowMs = clock.nowMs()
    const after = {
      ...user,
      passwordHash: mayBeForeign ? null : user.passwordHash,
      ...{ emailVerifiedAtMs: nowMs, updatedAtMs: nowMs, revision: user.revision + 1 },
    }
    store.users.put(tx, after)
    const detail = mayBeForeign ? 'earlier password, sessions and keys ended' : undefined
    audit.noteIn(tx, 'system', caller, {
      ...{ action: 'email.verified', objectId: user.id },
      ...(detail === undefined ? {} : { detail }),
    })
    return after
  }
}
