// The caller's own account: reading it, and changing name and address.
import { Fault } from '../../base/fault.ts'
import { type Changes, patched } from '../../domain/merge-patch.ts'
import type { User } from '../../domain/people/person.ts'
import { noPreferences, type Preferences } from '../../domain/people/preferences.ts'
import type { SignedInCaller } from '../context.ts'
import type { Core } from '../core.ts'
import { mustBeAt } from '../revision.ts'
import { needRecentSignIn } from '../sudo.ts'
import type { Emails } from './emails.ts'

export interface ProfileChanges {
  /** Null or blank: no name. */
  readonly name?: string | null | undefined
  /** It changes once both addresses have agreed; until then it is the requested one. */
  readonly email?: string | undefined
}

/** A record may be older than some of them. */
export const preferencesOf = ({ preferences }: Pick<User, 'preferences'>): Preferences => ({
  ...noPreferences,
  ...preferences,
})

export interface ProfileDeps {
  readonly emails: Pick<Emails, 'requestChange'>
}

export function createProfile({ store, clock, audit }: Core, { emails }: ProfileDeps) {
  function get({ principal }: SignedInCaller): User {
    const user = store.users.get(principal.userId)
    if (!user) throw new Fault('unauthenticated')
    return user
  }

  return {
    get,
    /** Takes what is given, and leaves the rest; null: none. It is no matter of the audit log. */
    changePreferences: (caller: SignedInCaller, changes: Changes<Preferences>) =>
      store.write((tx) => {
        const before = get(caller)
        const preferences = patched(noPreferences, before.preferences, changes)
        store.users.put(tx, { ...before, preferences })
        return preferences
      }),
    /**
     * Throws precondition_failed, reauthentication_required for another address without a recent
     * sign-in, and the faults of Emails.requestChange.
     */
    change: (caller: SignedInCaller, { name, email }: ProfileChanges, expectedRevision?: number) =>
      store.write((tx) => {
        const before = get(caller)
        mustBeAt(expectedRevision, before, 'Your account')
        const nowMs = clock.nowMs()
        // Sending back the current address requests no change.
        const wantsEmail = email !== undefined && email.trim() !== before.email
        if (wantsEmail) needRecentSignIn(caller.principal, nowMs)
        const named = name === undefined ? before : renamed(before, name, nowMs)
        if (named !== before) {
          store.users.put(tx, named)
          audit.noteIn(tx, 'system', caller, {
            action: 'user.changed',
            objectId: before.id,
            fields: ['name'],
          })
        }
        return wantsEmail ? emails.requestChange(tx, caller, before.id, email) : named
      }),
  }
}

/** The same record if the name is the same. */
function renamed(before: User, typed: string | null, nowMs: number): User {
  const name = typed?.trim() || null
  if (name === before.name) return before
  return { ...before, name, updatedAtMs: nowMs, revision: before.revision + 1 }
}
