// What other products said of monitors in a shadow run, by [org, monitor].
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import type { TheirWord } from '../../../domain/imports/their-word.ts'
import type { Env } from '../../engine/env.ts'
import { jsonCodec, openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export function openTheirWords(env: Env) {
  const words = openTable<TheirWord>(env, { name: 'theirWords', codec: jsonCodec() })

  return {
    /** With nothing said if nothing is known. */
    get: (orgId: OrgId, monitorId: MonitorId): TheirWord =>
      words.readable([orgId, monitorId]) ?? { orgId, monitorId, outages: [], historyToMs: null },

    put: (tx: Tx, word: TheirWord) => words.put(tx, [word.orgId, word.monitorId], word),

    remove: (tx: Tx, orgId: OrgId, monitorId: MonitorId) => words.remove(tx, [orgId, monitorId]),

    /** Deletes those of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => words.removeAll(tx, [orgId], limit),
  }
}
