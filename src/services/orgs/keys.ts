// API keys: created and shown once, rotated, adopted, revoked at once, warned of before they expire.
import { Fault, invalidField } from '../../base/fault.ts'
import { type KeyId, newId, type UserId } from '../../base/ids.ts'
import type { KeyRole } from '../../domain/access.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  daysLeft,
  isEnded,
  keyStanding,
  usualKeyEndMs,
  warnedDaysAt,
} from '../../domain/orgs/api-key.ts'
import type { ApiKey, User } from '../../domain/people/person.ts'
import { keyExpiryLetter } from '../../mail/letters/key-expiry.ts'
import { hashToken, mintToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import { activeOwners, readableKeyMaker } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import type { Identity } from '../identity.ts'
import { createRecords } from '../records.ts'
import { mustBeAt, unknownRevision } from '../revision.ts'
import { type KeyRights, type KeyView, keyWarningLettersMax } from './key-rights.ts'

/** `sup_`, the cell letter, and four characters that tell keys apart. */
const prefixChars = 9

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
export interface MintedKey extends KeyView {
  readonly key: string
}

type MintedRecord = ApiKey & Pick<MintedKey, 'key'>

export interface KeysDeps {
  readonly identity: Pick<Identity, 'scope'>
  readonly keyRights: Pick<KeyRights, 'viewOf'>
}

export function createKeys(core: Core, deps: KeysDeps) {
  const { store, clock, audit, quotas } = core
  const { identity, keyRights } = deps
  const { viewOf } = keyRights
  const records = createRecords(core, 'keys', store.apiKeys)

  return {
    /**
     * Requires a session, or the machine itself: a key cannot create keys. The default role is
     * viewer. Throws conflict beyond a quota, and for a role above that of who answers for it.
     */
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
        const made = viewOf(mint(store, now, userId, { name, role, expiresAtMs: endsAtMs }, nowMs))
        mustReachItsRole(made)
        put(store, tx, made)
        audit.note(tx, now, { action: 'key.created', objectId: made.id, detail: role })
        return made
      })
    },
    list(scope: OrgScope, page: PageRequest): PageOf<KeyView> {
      const found = records.list(scope, page)
      return { ...found, items: found.items.map((key) => viewOf(key, scope.role)) }
    },
    /** Throws not_found, precondition_failed, conflict for one that has ended or was replaced. */
    change(
      scope: OrgScope,
      keyId: KeyId,
      { name, expiresAtMs }: KeyChanges,
      expectedRevision?: number,
    ): Promise<KeyView> {
      return store.write((tx) => {
        const nowMs = clock.nowMs()
        const before = mustBeInUse(viewOf(records.found(scope, keyId)))
        mustBeAt(expectedRevision, before, 'The API key')
        if (expiresAtMs !== undefined) mustLieAhead(expiresAtMs, nowMs)
        const endsAtMs = expiresAtMs === undefined ? before.expiresAtMs : expiresAtMs
        const key: ApiKey = {
          ...recordOf(before),
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
        return viewOf(key)
      })
    },
    /**
     * The caller, an owner, answers for it from now on: it has its own role again, also after it
     * ended with its maker. Throws not_found, forbidden, conflict for one that has expired or was
     * replaced.
     */
    adopt(scope: OrgScope, keyId: KeyId): Promise<KeyView> {
      const userId = personOf(scope)
      return store.write((tx) => {
        const now = identity.scope(scope.caller, scope.orgId, 'owner')
        const nowMs = clock.nowMs()
        const before = records.found(now, keyId)
        mustBeCurrent(viewOf(before))
        const key: ApiKey = {
          ...before,
          createdBy: userId,
          backedSinceMs: backedSinceMs(store, now, userId, nowMs),
          isEndingNoted: false,
          revision: before.revision + 1,
        }
        store.apiKeys.put(tx, key)
        const detail = `${before.role}, of ${before.createdBy}`
        audit.note(tx, now, { action: 'key.adopted', objectId: key.id, detail })
        return viewOf(key)
      })
    },
    /**
     * Same name, role and lifetime. The old key works for another day, or not at all with
     * `revokeNow`. Throws not_found, conflict for an ended key or if too many replaced ones still
     * work.
     */
    rotate: createRotation(core, deps, records),
    /**
     * Refused from the next request on. Of a damaged key, the answer has only the id. Throws
     * not_found.
     */
    revoke: (scope: OrgScope, keyId: KeyId): Promise<KeyView | Pick<ApiKey, 'id' | 'revision'>> =>
      store.write((tx) => {
        const isDamaged = store.apiKeys.isDamaged(scope.orgId, keyId)
        const key = isDamaged ? undefined : records.found(scope, keyId)
        if (key) store.apiKeys.remove(tx, key)
        else store.apiKeys.discard(tx, scope.orgId, keyId)
        audit.note(tx, scope, { action: 'key.revoked', objectId: keyId })
        return key ? viewOf(key) : { id: keyId, revision: unknownRevision }
      }),
  }
}

/** How long a replaced key still works. */
const keyOverlapMs = 24 * 3_600_000

function createRotation(
  { store, clock, audit, quotas }: Core,
  { keyRights, ...deps }: KeysDeps,
  records: { readonly found: (scope: OrgScope, id: KeyId) => ApiKey },
) {
  /** Each replaced key works for another day: without a bound, rotating could create any number. */
  function mustHaveRoom({ orgId }: OrgScope): void {
    const replaced = store.apiKeys.list(orgId, limits.quotaMax).filter((key) => !isCurrent(key))
    if (replaced.length < quotas.of(orgId).keys) return
    throw new Fault('conflict', 'Too many replaced keys still work; revoke some of them first.')
  }

  /** The replaced key keeps working for a while, but not beyond its own expiry. */
  function keepForNow(tx: Tx, old: ApiKey, replacedBy: KeyId, nowMs: number): void {
    const overlapEndsAtMs = nowMs + keyOverlapMs
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
      const old = recordOf(mustBeInUse(keyRights.viewOf(records.found(now, keyId))))
      const { name, role, createdAtMs } = old
      const expiresAtMs = old.expiresAtMs && nowMs + (old.expiresAtMs - createdAtMs)
      const minted = mint(store, now, userId, { name, role, expiresAtMs }, nowMs)
      const next = keyRights.viewOf(minted)
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
  store: Store,
  scope: OrgScope,
  createdBy: UserId,
  { name, role, expiresAtMs }: Pick<ApiKey, 'name' | 'role' | 'expiresAtMs'>,
  nowMs: number,
): MintedRecord {
  const { orgId } = scope
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
    backedSinceMs: backedSinceMs(store, scope, createdBy, nowMs),
    expiresAtMs,
    lastUsedAtMs: null,
    lastUsedFrom: null,
    replacedBy: null,
    warnedDays: warnedDaysAt(expiresAtMs, nowMs),
    revision: 1,
  }
}

/**
 * The time since when the person answers for the key: not before they joined, whatever a clock that was
 * set back says.
 */
function backedSinceMs(store: Store, { orgId }: OrgScope, userId: UserId, nowMs: number): number {
  return Math.max(nowMs, store.memberships.get(orgId, userId)?.joinedAtMs ?? nowMs)
}

function put(store: Store, tx: Tx, { key: _shownOnce, ...view }: MintedKey): void {
  store.apiKeys.put(tx, recordOf(view))
}

/** The record alone, without what follows from other records. */
function recordOf(view: KeyView): ApiKey {
  const { effectiveRole: _role, endedBecause: _ending, madeBy: _maker, ...record } = view
  return record
}

const isCurrent = ({ replacedBy }: ApiKey): boolean => replacedBy === null

function mustBeCurrent(key: KeyView): void {
  if (!isCurrent(key)) throw new Fault('conflict', 'This API key was replaced by another.')
  if (key.endedBecause === 'expired') {
    throw new Fault('conflict', 'This API key has expired; create a new one.')
  }
}

function mustBeInUse(key: KeyView): KeyView {
  mustBeCurrent(key)
  if (key.effectiveRole) return key
  throw new Fault('conflict', 'This API key ended with its maker; an owner can adopt it.')
}

function mustReachItsRole({ role, effectiveRole }: KeyView): void {
  if (effectiveRole === role) return
  const most = effectiveRole ?? 'nothing'
  const why = `the member who answers for the key may do at most what ${most} may`
  throw new Fault('conflict', `role ${role} is too high: ${why}.`)
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

export type KeyWarnings = ReturnType<typeof createKeyWarnings>

export function createKeyWarnings({ store, clock, audit, mailer }: Core) {
  // Many organizations are warned in one transaction: a damaged record of one must not stop it.

  /** The creator of the key if still a member, otherwise the owners of the organization. */
  function readersOf({ orgId, createdBy }: ApiKey): User[] {
    const creator = store.users.readable(createdBy)
    const isThere = creator?.isDisabled === false && store.memberships.readable(orgId, createdBy)
    if (isThere) return [creator]
    return activeOwners(store, orgId).slice(0, keyWarningLettersMax)
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
      isRefused: !keyStanding(key, readableKeyMaker(store, key), nowMs).role,
      language: localeOf(organization).language,
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
