// Resumes paused monitors for the reports of their senders, as Healthchecks does.

import { isOrgOff } from '../../store/org-state.ts'
import type { Core } from '../core.ts'
import { keeperOf } from './kept-addresses.ts'
import { type ChangesDeps, createChanges } from './monitor-changes.ts'
import type { KeptSender } from './push.ts'

export function createResumptions(core: Core, deps: ChangesDeps) {
  const { store, audit } = core
  const changes = createChanges(core, deps)

  return {
    /** Resumes the monitor that keeps the address; nothing if it is not paused, or gone. */
    async resume({ keptHash }: KeptSender): Promise<void> {
      await store.write((tx) => {
        const before = keeperOf(store, keptHash)
        if (!before || before.isActive || isOrgOff(store, before.orgId)) return
        const { orgId, id } = before
        const detail = 'by a report to its address'
        audit.noteOwn(tx, orgId, { action: 'monitor.resumed', objectId: id, detail })
        const resumed = { ...before, isActive: true, resumedFromRevision: before.revision }
        const change = changes.put(tx, before, resumed)
        tx.afterCommit(() => changes.follow(change))
      })
    },
  }
}
