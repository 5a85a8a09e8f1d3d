// The constructor of organizations in tests, and the records of those that most tests act in.
import type { OrgId } from '../../src/base/ids.ts'
import type { Organization } from '../../src/domain/orgs/org.ts'
import type { Store } from '../../src/store/store.ts'
import { orgA } from './make-incident.ts'

export function makeOrg(org: Partial<Organization> = {}): Organization {
  return { id: orgA, name: 'A', createdAtMs: 0, updatedAtMs: 0, revision: 1, ...org }
}

/** They are there for every later write. */
export function putOrgs(store: Store, orgIds: readonly OrgId[]): void {
  void store.write((tx) => {
    for (const id of orgIds) store.orgs.put(tx, makeOrg({ id }))
  })
}
