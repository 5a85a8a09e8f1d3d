// API keys: made and shown once, listed by what a person knows them by, revoked at once.
import { required } from '../base/assert.ts'
import type { Clock } from '../base/clock.ts'
import { Fault, invalidField } from '../base/fault.ts'
import { asId, type KeyId, newId } from '../base/ids.ts'
import { type KeyRole, reaches } from '../domain/access.ts'
import type { ApiKey } from '../domain/person.ts'
import { hashToken, mintToken } from '../seal/tokens.ts'
import type { Store } from '../store/store.ts'
import type { Audit } from './audit.ts'
import type { OrgScope, PageOf, PageRequest } from './context.ts'
import type { QuotaBook } from './quotas.ts'

const prefixChars = 8

export interface NewKey {
  readonly name: string
  readonly role?: KeyRole | undefined
  readonly expiresAtMs?: number | null | undefined
}

/** The record and the key itself, which exists nowhere else and is never shown again. */
export interface MintedKey extends ApiKey {
  readonly key: string
}

export interface Keys {
  /** Only for people who are signed in: a key can not make keys. The role is viewer by default. */
  create(scope: OrgScope, input: NewKey): Promise<MintedKey>
  list(scope: OrgScope, page: PageRequest): PageOf<ApiKey>
  /** Refused from the next request on. Throws Fault('not_found'). */
  revoke(scope: OrgScope, keyId: KeyId): Promise<ApiKey>
}

export interface KeysDeps {
  readonly store: Store
  readonly clock: Clock
  readonly audit: Audit
  readonly quotas: QuotaBook
}

export function createKeys({ store, clock, audit, quotas }: KeysDeps): Keys {
  return {
    async create(scope, { name, role = 'viewer', expiresAtMs = null }) {
      const { principal } = scope.caller
      if (principal.kind !== 'session') {
        throw new Fault('forbidden', 'Making an API key needs a sign-in, not an API key.')
      }
      if (!reaches(scope.role, role)) {
        throw new Fault('forbidden', `Nobody gives a role above the own, which is ${scope.role}.`)
      }
      const nowMs = clock.nowMs()
      if (expiresAtMs !== null && !(expiresAtMs > nowMs)) {
        throw invalidField('/expiresAt', 'minimum', 'must be in the future')
      }
      const key = mintToken('sup')
      const record: ApiKey = {
        id: newId('key', nowMs),
        orgId: scope.orgId,
        name,
        role,
        keyHash: hashToken(key),
        prefix: key.slice(0, prefixChars),
        createdBy: principal.userId,
        createdAtMs: nowMs,
        expiresAtMs,
        lastUsedAtMs: null,
        revision: 1,
      }
      return store.write((tx) => {
        quotas.mustHaveRoom(scope.orgId, 'keys', store.apiKeys.count(scope.orgId))
        store.apiKeys.put(tx, record)
        audit.note(tx, scope, { action: 'key.created', objectId: record.id, detail: role })
        return { ...record, key }
      })
    },
    list(scope, { limit, after }) {
      const afterId = after === undefined ? undefined : asId('key', after)
      const found = store.apiKeys.list(scope.orgId, limit + 1, afterId)
      const items = found.slice(0, limit)
      if (found.length <= limit) return { items }
      return { items, nextAfter: required(items.at(-1), 'the last item of a full page').id }
    },
    revoke(scope, keyId) {
      return store.write((tx) => {
        const key = store.apiKeys.get(scope.orgId, keyId)
        if (!key) throw new Fault('not_found', 'There is no such API key.')
        store.apiKeys.remove(tx, key)
        audit.note(tx, scope, { action: 'key.revoked', objectId: key.id })
        return key
      })
    },
  }
}
