// The first sign-in or reset by letter: its reader has this mailbox, so the account is theirs.
import { limits } from '../../domain/limits/limits.ts'
import type { User } from '../../domain/people/person.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import type { Sessions } from '../people/sessions.ts'

/**
 * Returns the user with a verified address, in the transaction that uses up the proof. Somebody
 * else could have created this account with the address and be waiting: a stranger while
 * registration is open, otherwise the inviter of the address, who knows the invitation's token. So
 * everything that lets them in, or keeps the owner out, ends here: the password, the sessions, the
 * API keys, the second factor, the passkeys and a pending change of address. An honest creator sets a new
 * password by letter.
 */
export type ProvenOwner = (tx: Tx, caller: Caller, user: User) => User

/** Whether somebody without the mailbox may have created it; the setup token rules that out. */
export function mayBeForeign({ emailVerifiedAtMs, isSystemAdmin }: User): boolean {
  return emailVerifiedAtMs === null && !isSystemAdmin
}

export interface ProvenOwnerDeps {
  readonly sessions: Pick<Sessions, 'endAll'>
}

export function createProvenOwner(
  { store, clock, audit }: Core,
  { sessions }: ProvenOwnerDeps,
): ProvenOwner {
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
      store.passkeys.removeOfUser(tx, user.id, limits.quotaMax)
      store.trustedDevices.forgetUser(tx, user.id)
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
