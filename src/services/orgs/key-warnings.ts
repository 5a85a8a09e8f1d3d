// Automatic actions on API keys: letters before they expire, and the end of replaced ones.
import { limits } from '../../domain/limits/limits.ts'
import { daysLeft, isEnded, warnedDaysAt } from '../../domain/orgs/api-key.ts'
import type { ApiKey, User } from '../../domain/people/person.ts'
import { keyExpiryLetter } from '../../mail/letters/key-expiry.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { AuditedDeps } from '../audit/audit.ts'
import type { Mailer } from '../letters/mailer.ts'

export interface KeyWarningsDeps extends AuditedDeps {
  readonly mailer: Mailer
}

export type KeyWarnings = ReturnType<typeof createKeyWarnings>

export function createKeyWarnings({ store, clock, audit, mailer }: KeyWarningsDeps) {
  /** The creator of the key if still a member, otherwise the owners of the organization. */
  function readersOf({ orgId, createdBy }: ApiKey): User[] {
    const creator = store.users.get(createdBy)
    const isThere = creator?.isDisabled === false && store.memberships.get(orgId, createdBy)
    if (isThere) return [creator]
    return store.memberships
      .list(orgId, limits.quotaMax)
      .filter(({ role }) => role === 'owner')
      .flatMap(({ userId }) => store.users.get(userId) ?? [])
      .filter(({ isDisabled }) => !isDisabled)
      .slice(0, limits.keyWarningLettersMax)
  }

  function warn(tx: Tx, key: ApiKey, expiresAtMs: number, nowMs: number): void {
    const organization = store.orgs.get(key.orgId)
    if (!organization || organization.isDisabled) return
    const letter = keyExpiryLetter({
      organizationName: organization.name,
      keyName: key.name,
      prefix: key.prefix,
      expiresAtMs,
      daysLeft: daysLeft(expiresAtMs, nowMs),
    })
    for (const { email } of readersOf(key)) mailer.enqueue(tx, email, letter)
  }

  function processKey(tx: Tx, key: ApiKey, nowMs: number): void {
    const { expiresAtMs } = key
    if (key.replacedBy !== null) {
      store.apiKeys.remove(tx, key)
      audit.noteOwn(tx, key.orgId, { action: 'key.ended', objectId: key.id })
      return
    }
    if (expiresAtMs !== null && !isEnded(key, nowMs)) warn(tx, key, expiresAtMs, nowMs)
    store.apiKeys.put(tx, { ...key, warnedDays: warnedDaysAt(expiresAtMs, nowMs) })
  }

  return {
    /**
     * Processes at most `limit` due keys and returns how many there were. Call it again until it
     * returns 0.
     */
    warnExpiring: (limit: number) =>
      store.write((tx) => {
        const nowMs = clock.nowMs()
        const due = store.apiKeys.due(nowMs, limit)
        for (const key of due) processKey(tx, key, nowMs)
        return due.length
      }),
  }
}
