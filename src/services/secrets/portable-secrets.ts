// Exports and imports secrets: names, hosts and descriptions. No document has a value.
import { refuseInvalid } from '../../base/fault.ts'
import type { SecretId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import { carriedHosts, type OrgSecret } from '../../domain/secrets/org-secret.ts'
import type { Core } from '../core.ts'
import { type Portable, type WithId, withFields } from '../portable.ts'
import { createRecords } from '../records.ts'
import { type NewSecret, newSecret, secretNameTaken } from './secrets.ts'

type SecretItem = NewSecret & WithId

export function portableSecrets(core: Core): Portable<SecretItem, OrgSecret> {
  const { store, clock } = core
  const records = createRecords(core, 'secrets', store.orgSecrets)
  return {
    async export(orgId) {
      const secrets = store.orgSecrets.list(orgId, limits.quotaMax).toReversed()
      return secrets.map(({ id, name, hosts, description }) => ({
        item: { id, name, hosts, description },
        secrets: ['/value'],
      }))
    },
    /** One that is there already under this name takes the place of that of the document, and keeps its value. */
    prepare({ id, ...input }, orgId, references) {
      const named = store.orgSecrets.named(orgId, input.name)
      const made = newSecret(core, orgId, input, clock.nowMs())
      if (named) return references.note(id, { ...made, id: named.id })
      const secret = references.note(id, made)
      references.noteValueless({ id: secret.id, name: secret.name })
      return secret
    },
    countNew: (orgId, secrets) =>
      secrets.filter(({ id }) => !store.orgSecrets.readable(orgId, id)).length,
    put(tx, orgId, secrets, pointer) {
      for (const [index, secret] of secrets.entries()) {
        const named = store.orgSecrets.named(orgId, secret.name)
        if (named && named.id !== secret.id) throw secretNameTaken(`${pointer}/${index}/name`)
        if (!named) store.orgSecrets.put(tx, secret)
      }
    },
    again: {
      find: (orgId, id) => store.orgSecrets.readable(orgId, id as SecretId),
      fixed: ['name'],
      merged(stored, ready, fields) {
        const merged = withFields(stored, ready, fields)
        // Who changes the hosts there may not know the value.
        if (stored.valueBox !== null) refuseInvalid(carriedHosts(stored.hosts, merged.hosts))
        return merged
      },
      replace(tx, scope, stored, merged, fields) {
        records.replace(tx, scope, stored, merged, { fields })
        return undefined
      },
    },
  }
}
