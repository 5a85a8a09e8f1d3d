// Somebody else changed what a form changes: what, and who it was.
import { fetchData } from '../../api/client.ts'
import { mayAs, orgId } from '../../stores/session.ts'

export interface Conflict<Value> {
  readonly theirs: Value
  readonly revision: string | undefined
  /** The pointers of the fields that are not as they were when the form began. */
  readonly changed: readonly string[]
  /** Who changed it; undefined for somebody who may not read the audit log. */
  readonly who: string | undefined
}

const entriesRead = 100

/** Who changed the object last, according to the audit log. */
export async function lastEditor(objectId: string): Promise<string | undefined> {
  if (!mayAs('admin')) return undefined
  try {
    const query = { limit: entriesRead, outcome: 'done' } as const
    const entries = await fetchData('audit-log.list', { path: { orgId: orgId() }, query })
    const actor = entries.find((entry) => entry.objectId === objectId)?.actor
    return actor?.name ?? actor?.email ?? undefined
  } catch {
    // That somebody changed it is said without a name.
    return undefined
  }
}
