// Exports and imports secrets: names, hosts and descriptions. No document has a value.
import { limits } from '../../domain/limits/limits.ts'
import type { OrgSecret } from '../../domain/secrets/org-secret.ts'
import type { Core } from '../core.ts'
import type { Portable, WithId } from '../portable.ts'
import { type NewSecret, newSecret, secretNameTaken } from './secrets.ts'

type SecretItem = NewSecret & WithId

export function portableSecrets(core: Core): Portable<SecretItem, OrgSecret> {
  const { store, clock } = core
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
      if (named) return references.note(id, named)
      const secret = newSecret(core, orgId, input, clock.nowMs())
      references.noteValueless({ id: secret.id, name: secret.name })
      return references.note(id, secret)
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
  }
}
