// What API keys may do now: their rights follow from the rights of the people who answer for them.
import type { OrgId, UserId } from '../../base/ids.ts'
import { createYielder } from '../../base/yielding.ts'
import { type KeyRole, type Role, reaches } from '../../domain/access.ts'
import type { AuditNote } from '../../domain/audit/audit.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type KeyEnding, type KeyStanding, keyStanding } from '../../domain/orgs/api-key.ts'
import type { ApiKey, User } from '../../domain/people/person.ts'
import { endedKeysLetter } from '../../mail/letters/ended-keys.ts'
import type { Tx } from '../../store/engine/write.ts'
import { activeOwners, personSeenIn, readableKeyMaker } from '../../store/org-state.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'

/** A key, and what it may do now. */
export interface KeyView extends ApiKey {
  /** Null: it has ended. */
  readonly effectiveRole: KeyRole | null
  readonly endedBecause: KeyEnding | null
  /** Null if the account was deleted, is one of the operator, or is not for the reader. */
  readonly madeBy: Pick<User, 'name' | 'email'> | null
}

/** Records how a change affected the keys of a person; returns the keys that it changed. */
export type SettleKeys = (tx: Tx, caller: Caller) => KeyView[]

export type KeyRights = ReturnType<typeof createKeyRights>

export const keyWarningLettersMax = 10
/** How long keys whose maker is gone are looked for before other work has its turn. */
const keySliceMs = 5

export function createKeyRights({ store, clock, audit, mailer }: Core) {
  const listed = (orgId: OrgId) => store.apiKeys.list(orgId, limits.quotaMax)
  const standingOf = (key: ApiKey): KeyStanding =>
    keyStanding(key, readableKeyMaker(store, key), clock.nowMs())

  /** People who left are named only to readers of the audit log, which names them too. */
  function viewOf<Key extends ApiKey>(key: Key, reader: Role = 'admin'): Key & KeyView {
    const { role, ending } = standingOf(key)
    const { orgId, createdBy } = key
    const isNamed = reaches(reader, 'admin') || store.memberships.has(orgId, createdBy)
    const madeBy = (isNamed && personSeenIn(store, orgId, createdBy)) || null
    return { ...key, effectiveRole: role ?? null, endedBecause: ending ?? null, madeBy }
  }

  /** To the owners, except the one who did it. */
  function tell(tx: Tx, orgId: OrgId, ended: readonly ApiKey[], byUserId?: UserId): void {
    const organization = store.orgs.readable(orgId)
    if (ended.length === 0 || !organization || organization.isDisabled) return
    const { language } = localeOf(organization)
    const letter = endedKeysLetter({ organizationName: organization.name, keys: ended, language })
    const readers = activeOwners(store, orgId).filter(({ id }) => id !== byUserId)
    for (const { email } of readers.slice(0, keyWarningLettersMax)) {
      mailer.enqueue(tx, email, letter)
    }
  }

  function noteChange(tx: Tx, before: KeyStanding, key: ApiKey, caller: Caller): KeyView {
    const view = viewOf(key)
    const { effectiveRole, endedBecause } = view
    const note: AuditNote = endedBecause
      ? { action: 'key.ended', objectId: key.id, detail: endedBecause }
      : {
          action: 'key.role_changed',
          objectId: key.id,
          detail: `${before.role ?? before.ending} to ${effectiveRole}`,
        }
    audit.noteIn(tx, key.orgId, caller, note)
    store.apiKeys.put(tx, { ...key, isEndingNoted: endedBecause !== null })
    return view
  }

  /** Keys that ended with their maker, which the audit log does not say yet. */
  const unnoted = (orgId: OrgId): ApiKey[] =>
    listed(orgId).filter((key) => {
      const { ending } = standingOf(key)
      const isByMaker = ending && ending !== 'expired' && ending !== 'maker_unreadable'
      return isByMaker && !key.isEndingNoted
    })

  function noteUnnoted(tx: Tx, orgId: OrgId): number {
    const ended = unnoted(orgId)
    for (const key of ended) {
      const detail = standingOf(key).ending ?? ''
      audit.noteOwn(tx, orgId, { action: 'key.ended', objectId: key.id, detail })
      store.apiKeys.put(tx, { ...key, isEndingNoted: true })
    }
    tell(tx, orgId, ended)
    return ended.length
  }

  return {
    viewOf,
    /** Call it in the transaction that changes what a person may do, before the change. */
    before(userId: UserId, orgIds: readonly OrgId[]): SettleKeys {
      const own = orgIds
        .flatMap(listed)
        .filter(({ createdBy }) => createdBy === userId)
        .map((key) => ({ key, before: standingOf(key) }))
      return (tx, caller) => {
        const changed = own.flatMap(({ key, before }) => {
          return standingOf(key).role === before.role ? [] : noteChange(tx, before, key, caller)
        })
        const { principal } = caller
        const byUserId = principal.kind === 'session' ? principal.userId : undefined
        for (const orgId of orgIds) {
          const ended = changed.filter((key) => key.orgId === orgId && key.endedBecause)
          tell(tx, orgId, ended, byUserId)
        }
        return changed
      }
    },
    /**
     * Records keys that ended with their maker before this rule was there: the keys of people who were
     * gone before an upgrade. Returns how many.
     */
    async noteEnded(signal?: AbortSignal): Promise<number> {
      const yielder = createYielder(clock, keySliceMs)
      let noted = 0
      let after: OrgId | undefined
      do {
        const orgs = store.orgs.list(limits.taskSliceRecords, after)
        for (const { id } of orgs) {
          if (unnoted(id).length > 0) noted += await store.write((tx) => noteUnnoted(tx, id))
          if (yielder.isDue()) await yielder.pause()
        }
        after = orgs.at(-1)?.id
      } while (after !== undefined && !signal?.aborted)
      return noted
    },
  }
}
