// API keys by [hash of the key], so that a request costs one read, and by [org, key] for lists.
import type { KeyId, OrgId } from '../../base/ids.ts'
import { limits } from '../../domain/limits.ts'
import type { ApiKey } from '../../domain/person.ts'
import type { Env } from '../env.ts'
import { openTable } from '../table.ts'
import type { Tx } from '../write.ts'

export type ApiKeysTable = ReturnType<typeof openApiKeys>

export function openApiKeys(env: Env) {
  const keys = openTable<ApiKey>(env, { name: 'apiKeys', version: 1 })
  const byOrg = openTable<{ readonly keyHash: string }>(env, { name: 'orgApiKeys', version: 1 })

  return {
    findByHash: (keyHash: string) => keys.get([keyHash]),

    get(orgId: OrgId, keyId: KeyId): ApiKey | undefined {
      const found = byOrg.get([orgId, keyId])
      return found && keys.get([found.keyHash])
    },

    /** Newest first; `after` is the last id of the page before. */
    list: (orgId: OrgId, limit: number, after?: KeyId): ApiKey[] =>
      byOrg
        .range({
          prefix: [orgId],
          reverse: true,
          limit,
          ...(after ? { after: [orgId, after] } : {}),
        })
        .flatMap(({ keyHash }) => keys.get([keyHash]) ?? []),

    count: (orgId: OrgId) => byOrg.count([orgId], limits.quotaMax),

    put(tx: Tx, key: ApiKey): void {
      byOrg.put(tx, [key.orgId, key.id], { keyHash: key.keyHash })
      keys.put(tx, [key.keyHash], key)
    },

    remove(tx: Tx, key: ApiKey): void {
      byOrg.remove(tx, [key.orgId, key.id])
      keys.remove(tx, [key.keyHash])
    },
  }
}
