// API keys by [hash of the key], so that a request costs one read; by [org, key]; by due time.
import type { KeyId, OrgId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { keyDueAtMs } from '../../../domain/orgs/api-key.ts'
import type { ApiKey } from '../../../domain/people/person.ts'
import type { TableKey } from '../../engine/damage.ts'
import type { Env } from '../../engine/env.ts'
import { namedRecords } from '../../engine/named-records.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

const everything = { prefix: [], limit: Number.MAX_SAFE_INTEGER }

export function openApiKeys(env: Env, { accessLost }: Signals) {
  const keys = openTable<ApiKey>(env, {
    name: 'apiKeys',
    version: 2,
    upgrade: (record) => upgraded(record as ApiKey),
  })
  const byOrg = openTable<{ readonly keyHash: string }>(env, { name: 'orgApiKeys' })
  const byDue = openTable<{ readonly keyHash: string }>(env, { name: 'dueApiKeys' })

  function removeDue(tx: Tx, key: ApiKey | undefined): void {
    const dueAtMs = key && keyDueAtMs(key)
    if (key && typeof dueAtMs === 'number') byDue.remove(tx, [dueAtMs, key.orgId, key.id])
  }

  function get(orgId: OrgId, keyId: KeyId): ApiKey | undefined {
    const found = byOrg.get([orgId, keyId])
    return found && keys.get([found.keyHash])
  }

  function remove(tx: Tx, key: ApiKey): void {
    removeDue(tx, keys.readable([key.keyHash]))
    byOrg.remove(tx, [key.orgId, key.id])
    keys.remove(tx, [key.keyHash])
    accessLost.raise(tx)
  }

  /** Whether the record of the key is damaged, or an index entry that leads to it. */
  function isDamaged(orgId: OrgId, keyId: KeyId): boolean {
    const found = byOrg.readable([orgId, keyId])
    return found ? keys.isDamaged([found.keyHash]) : byOrg.isDamaged([orgId, keyId])
  }

  /** Deletes a damaged one: a key that nothing but its hash leads to would be accepted for ever. */
  function discard(tx: Tx, orgId: OrgId, keyId: KeyId): void {
    const found = byOrg.readable([orgId, keyId])
    const places = found
      ? [[found.keyHash]]
      : keys.entries(everything).flatMap(({ key, record }) => (record.id === keyId ? [key] : []))
    for (const place of places) keys.remove(tx, place)
    for (const due of byDue.keys(everything)) if (due[2] === keyId) byDue.remove(tx, due)
    byOrg.remove(tx, [orgId, keyId])
    accessLost.raise(tx)
  }

  function readableAt(place: TableKey): ApiKey | undefined {
    const found = byOrg.readable(place)
    return found && keys.recallReadable([found.keyHash])
  }

  return {
    findByHash: (keyHash: string) => keys.recall([keyHash]),

    readable: (orgId: OrgId, keyId: KeyId): ApiKey | undefined => readableAt([orgId, keyId]),

    get,

    /** Newest first; `after` is the last id of the previous page. */
    list: (orgId: OrgId, limit: number, after?: KeyId): ApiKey[] =>
      namedRecords(byOrg, { prefix: [orgId], reverse: true, limit, after }, readableAt),

    count: (orgId: OrgId) => byOrg.count([orgId], limits.quotaMax),

    /** Keys with a due warning or end, the longest overdue first. */
    due: (nowMs: number, limit: number): ApiKey[] =>
      byDue
        .range({ prefix: [], until: nowMs, limit })
        .flatMap(({ keyHash }) => keys.readable([keyHash]) ?? []),

    put(tx: Tx, key: ApiKey): void {
      const { orgId, id, keyHash } = key
      removeDue(tx, keys.readable([keyHash]))
      const dueAtMs = keyDueAtMs(key)
      if (dueAtMs !== null) byDue.put(tx, [dueAtMs, orgId, id], { keyHash })
      byOrg.put(tx, [orgId, id], { keyHash })
      keys.put(tx, [keyHash], key)
    },

    isDamaged,
    discard,
    remove,

    /** Deletes the keys of a whole organization, also damaged ones. */
    forget(tx: Tx, orgId: OrgId): void {
      for (const place of byOrg.keys({ prefix: [orgId], limit: limits.quotaMax })) {
        const keyId = place[1] as KeyId
        const key = isDamaged(orgId, keyId) ? undefined : get(orgId, keyId)
        if (key) remove(tx, key)
        else discard(tx, orgId, keyId)
      }
    },
  }
}

/** Version 1 had neither rotation nor warnings. */
function upgraded(key: ApiKey): ApiKey {
  return { ...key, lastUsedFrom: null, replacedBy: null, warnedDays: null }
}
