// API keys: created and shown once, rotated, revoked at once, and warned about before they expire.
import { Fault, invalidField, notFound } from '../../base/fault.ts'
import { asId, type KeyId, newId, type UserId } from '../../base/ids.ts'
import type { KeyRole } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import { daysLeft, isEnded, usualKeyEndMs, warnedDaysAt } from '../../domain/orgs/api-key.ts'
import type { ApiKey, User } from '../../domain/people/person.ts'
import { keyExpiryLetter } from '../../mail/letters/key-expiry.ts'
import { hashToken, mintToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import { activeOwners } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { AuditedDeps } from '../audit/audit.ts'
import { type OrgScope, type PageOf, type PageRequest, pageOf } from '../context.ts'
import type { Identity } from '../identity.ts'
import type { Mailer } from '../letters/mailer.ts'
import type { QuotaChecks } from '../quotas.ts'
import { mustBeAt, unknownRevision } from '../revision.ts'

const prefixChars = 8

export interface NewKey {
  readonly name: string
  readonly role?: KeyRole | undefined
  /** Null: never. Absent: the default. */
  readonly expiresAtMs?: number | null | undefined
  /** Who answers for it, where the operator on the machine creates it. */
  readonly holderId?: UserId | undefined
}

export interface KeyChanges {
  readonly name?: string | undefined
  readonly expiresAtMs?: number | null | undefined
}

/** The record and the key itself, which is stored nowhere and never shown again. */
export interface MintedKey extends ApiKey {
  readonly key: string
}

export interface KeysDeps extends AuditedDeps {
  readonly quotas: QuotaChecks
  readonly identity: Pick<Identity, 'scope'>
}

export type Keys = ReturnType<typeof createKeys>

export function createKeys(deps: KeysDeps) {
  const { store, clock, audit, quotas, identity } = deps

  return {
    /** Requires a session, or the machine itself: a key cannot create keys. The default role is viewer. */
    async create(
      scope: OrgScope,
      { name, role = 'viewer', expiresAtMs, holderId }: NewKey,
    ): Promise<MintedKey> {
      const userId = personOf(scope, holderId)
      const nowMs = clock.nowMs()
      const endsAtMs = expiresAtMs === undefined ? usualKeyEndMs(nowMs) : expiresAtMs
      mustLieAhead(endsAtMs, nowMs)
      return store.write((tx) => {
        // Checked again in the transaction; an admin may grant every role that a key can have.
        const now = identity.scope(scope.caller, scope.orgId, 'admin')
        const kept = store.apiKeys.list(now.orgId, limits.quotaMax)
        quotas.mustHaveRoom(now.orgId, 'keys', kept.filter(isCurrent).length)
        const made = mint(now, userId, { name, role, expiresAtMs: endsAtMs }, nowMs)
        put(store, tx, made)
        audit.note(tx, now, { action: 'key.created', objectId: made.id, detail: role })
        return made
      })
    },
    list({ orgId }: OrgScope, { limit, after }: PageRequest): PageOf<ApiKey> {
      const afterId = after === undefined ? undefined : asId('key', after)
      return pageOf(store.apiKeys.list(orgId, limit + 1, afterId), limit)
    },
    /** Throws not_found, precondition_failed, conflict for one that has expired or was replaced. */
    change(
      scope: OrgScope,
      keyId: KeyId,
      { name, expiresAtMs }: KeyChanges,
      expectedRevision?: number,
    ): Promise<ApiKey> {
      return store.write((tx) => {
        const nowMs = clock.nowMs()
        const before = mustBeInUse(found(store, scope, keyId), nowMs)
        mustBeAt(expectedRevision, before, 'The API key')
        if (expiresAtMs !== undefined) mustLieAhead(expiresAtMs, nowMs)
        const endsAtMs = expiresAtMs === undefined ? before.expiresAtMs : expiresAtMs
        const key: ApiKey = {
          ...before,
          name: name ?? before.name,
          expiresAtMs: endsAtMs,
          warnedDays: expiresAtMs === undefined ? before.warnedDays : warnedDaysAt(endsAtMs, nowMs),
          revision: before.revision + 1,
        }
        store.apiKeys.put(tx, key)
        const fields = [
          ...(name === undefined ? [] : ['name']),
          ...(expiresAtMs === undefined ? [] : ['expiresAt']),
        ]
        audit.note(tx, scope, { action: 'key.changed', objectId: key.id, fields })
        return key
      })
    },
    /**
     * Same name, role and lifetime. The old key works for another day, or not at all with
     * `revokeNow`. Throws not_found, conflict for an ended key or if too many replaced ones still
     * work.
     */
    rotate: createRotation(deps),
    /**
     * Refused from the next request on. Of a damaged key, the answer has only the id. Throws
     * not_found.
     */
    revoke: (scope: OrgScope, keyId: KeyId): Promise<ApiKey | Pick<ApiKey, 'id' | 'revision'>> =>
      store.write((tx) => {
        const isDamaged = store.apiKeys.isDamaged(scope.orgId, keyId)
        const key = isDamaged ? undefined : found(store, scope, keyId)
        if (key) store.apiKeys.remove(tx, key)
        else store.apiKeys.discard(tx, scope.orgId, keyId)
        audit.note(tx, scope, { action: 'key.revoked', objectId: keyId })
        return key ?? { id: keyId, revision: unknownRevision }
      }),
  }
}

function createRotation({ store, clock, audit, quotas, ...deps }: KeysDeps) {
  /** Each replaced key works for another day: without a bound, rotating could create any number. */
  function mustHaveRoom({ orgId }: OrgScope): void {
    const replaced = store.apiKeys.list(orgId, limits.quotaMax).filter((key) => !isCurrent(key))
    if (replaced.length < quotas.of(orgId).keys) return
    throw new Fault('conflict', 'Too many replaced keys still work; revoke some of them first.')
  }

  /** The replaced key keeps working for a while, but not beyond its own expiry. */
  function keepForNow(tx: Tx, old: ApiKey, replacedBy: KeyId, nowMs: number): void {
    const overlapEndsAtMs = nowMs + limits.keyOverlapMs
    store.apiKeys.put(tx, {
      ...old,
      replacedBy,
      expiresAtMs: Math.min(old.expiresAtMs ?? overlapEndsAtMs, overlapEndsAtMs),
      revision: old.revision + 1,
    })
  }

  return async (
    scope: OrgScope,
    keyId: KeyId,
    { revokeNow = false }: { readonly revokeNow?: boolean | undefined },
  ): Promise<MintedKey> => {
    const userId = personOf(scope)
    return store.write((tx) => {
      const now = deps.identity.scope(scope.caller, scope.orgId, 'admin')
      const nowMs = clock.nowMs()
      const old = mustBeInUse(found(store, now, keyId), nowMs)
      const { name, role, createdAtMs } = old
      const expiresAtMs = old.expiresAtMs && nowMs + (old.expiresAtMs - createdAtMs)
      const next = mint(now, userId, { name, role, expiresAtMs }, nowMs)
      if (revokeNow) {
        store.apiKeys.remove(tx, old)
      } else {
        mustHaveRoom(now)
        keepForNow(tx, old, next.id, nowMs)
      }
      put(store, tx, next)
      const detail = `${old.id} by ${next.id}${revokeNow ? ', at once' : ''}`
      audit.note(tx, now, { action: 'key.rotated', objectId: old.id, detail })
      return next
    })
  }
}

function mint(
  { orgId }: OrgScope,
  createdBy: UserId,
  { name, role, expiresAtMs }: Pick<ApiKey, 'name' | 'role' | 'expiresAtMs'>,
  nowMs: number,
): MintedKey {
  const key = mintToken('sup')
  return {
    id: newId('key', nowMs),
    orgId,
    name,
    role,
    createdBy,
    key,
    keyHash: hashToken(key),
    prefix: key.slice(0, prefixChars),
    createdAtMs: nowMs,
    expiresAtMs,
    lastUsedAtMs: null,
    lastUsedFrom: null,
    replacedBy: null,
    warnedDays: warnedDaysAt(expiresAtMs, nowMs),
    revision: 1,
  }
}

function put(store: Store, tx: Tx, { key: _shownOnce, ...record }: MintedKey): void {
  store.apiKeys.put(tx, record)
}

function found(store: Store, { orgId }: OrgScope, keyId: KeyId): ApiKey {
  const key = store.apiKeys.get(orgId, keyId)
  if (!key) throw notFound('API key')
  return key
}

const isCurrent = ({ replacedBy }: ApiKey): boolean => replacedBy === null

function mustBeInUse(key: ApiKey, nowMs: number): ApiKey {
  if (!isCurrent(key)) throw new Fault('conflict', 'This API key was replaced by another.')
  if (isEnded(key, nowMs))
    throw new Fault('conflict', 'This API key has expired; create a new one.')
  return key
}

function mustLieAhead(expiresAtMs: number | null, nowMs: number): void {
  if (expiresAtMs === null || expiresAtMs > nowMs) return
  throw invalidField('/expiresAt', 'minimum', 'must be in the future')
}

function personOf({ caller: { principal } }: OrgScope, holderId?: UserId): UserId {
  if (principal.kind === 'session') return principal.userId
  if (principal.kind === 'command_line' && holderId !== undefined) return holderId
  throw new Fault('forbidden', 'Creating an API key requires a session, not an API key.')
}

export interface KeyWarningsDeps extends AuditedDeps {
  readonly mailer: Mailer
}

export type KeyWarnings = ReturnType<typeof createKeyWarnings>

export function createKeyWarnings({ store, clock, audit, mailer }: KeyWarningsDeps) {
  // Many organizations are warned in one transaction: a damaged record of one must not stop it.

  /** The creator of the key if still a member, otherwise the owners of the organization. */
  function readersOf({ orgId, createdBy }: ApiKey): User[] {
    const creator = store.users.readable(createdBy)
    const isThere = creator?.isDisabled === false && store.memberships.readable(orgId, createdBy)
    if (isThere) return [creator]
    return activeOwners(store, orgId).slice(0, limits.keyWarningLettersMax)
  }

  function warn(tx: Tx, key: ApiKey, expiresAtMs: number, nowMs: number): void {
    const organization = store.orgs.readable(key.orgId)
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
    /** Returns how many were due; call it again until that is 0. */
    warnExpiring: (limit: number) =>
      store.write((tx) => {
        const nowMs = clock.nowMs()
        const due = store.apiKeys.due(nowMs, limit)
        for (const key of due) processKey(tx, key, nowMs)
        return due.length
      }),
  }
}
