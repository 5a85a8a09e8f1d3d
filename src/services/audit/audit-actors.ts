// Names the actors of audit entries with their current names and addresses.
import { asId } from '../../base/ids.ts'
import type { AuditActor, AuditEntry, AuditScope } from '../../domain/audit/audit.ts'
import type { Store } from '../../store/store.ts'

/** An actor as readers see it. */
export interface NamedActor extends AuditActor {
  readonly name: string | null
  readonly email: string | null
}

export interface AuditedEntry extends AuditEntry {
  readonly actor: NamedActor
}

const nameless = { name: null, email: null }

/** Names the actors of one list; each is looked up once. */
export function createActorNames(
  store: Pick<Store, 'users' | 'apiKeys' | 'memberships'>,
  scope: AuditScope,
): (entry: AuditEntry) => AuditedEntry {
  const known = new Map<string, typeof nameless | { name: string | null; email: string | null }>()

  function namesOf({ kind, id }: AuditActor) {
    if (id === null) return nameless
    if (kind === 'key') {
      const keyId = asId('key', id)
      const key = scope !== 'system' && keyId ? store.apiKeys.get(scope, keyId) : undefined
      return { ...nameless, name: key?.name ?? null }
    }
    const userId = asId('user', id)
    const user = userId && store.users.get(userId)
    if (!user) return nameless
    // For an organization, an operator who acts in it appears by id only.
    const isOperator = scope !== 'system' && user.isSystemAdmin
    const isMember = scope !== 'system' && store.memberships.get(scope, user.id) !== undefined
    if (isOperator && !isMember) return nameless
    return { name: user.name, email: user.email }
  }

  return (entry) => {
    const { actor } = entry
    const of = `${actor.kind} ${actor.id}`
    const names = known.get(of) ?? namesOf(actor)
    known.set(of, names)
    return { ...entry, actor: { ...actor, ...names } }
  }
}
