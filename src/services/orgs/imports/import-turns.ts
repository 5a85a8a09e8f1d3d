// One import, trial or undo of an organization at a time: each takes long, and is decided by what the one before left.
import { Fault } from '../../../base/fault.ts'
import type { OrgId } from '../../../base/ids.ts'

export type ImportTurns = ReturnType<typeof createImportTurns>

export function createImportTurns() {
  const busy = new Set<OrgId>()
  return {
    /** Runs the work. Throws conflict while there is other work of the organization. */
    async alone<Result>(orgId: OrgId, work: () => Promise<Result>): Promise<Result> {
      if (busy.has(orgId)) {
        const rule = 'Another import of this organization, or its trial or undo, is not over yet.'
        throw new Fault('conflict', rule, { headers: [['Retry-After', retrySeconds]] })
      }
      busy.add(orgId)
      try {
        return await work()
      } finally {
        busy.delete(orgId)
      }
    },
  }
}

/** Most imports are over by then. */
const retrySeconds = '2'
