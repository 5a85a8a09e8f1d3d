// Audit entries by [scope, entry], and for each scope the two ends of its chain.
import type { AuditId } from '../../base/ids.ts'
import type { AuditEntry, AuditScope } from '../../domain/audit.ts'
import type { Env } from '../env.ts'
import { openTable } from '../table.ts'
import type { Tx } from '../write.ts'

/** Where a chain begins and ends: what is missing at either side shows. */
export interface AuditEnds {
  /** The last entry that retention removed: the oldest one kept follows it. */
  readonly trimmed: { readonly sequence: number; readonly hash: string }
  readonly newest: { readonly sequence: number; readonly hash: string }
}

const noEnds: AuditEnds = {
  trimmed: { sequence: 0, hash: '' },
  newest: { sequence: 0, hash: '' },
}

export type AuditTable = ReturnType<typeof openAudit>

export function openAudit(env: Env) {
  const entries = openTable<AuditEntry>(env, { name: 'audit', version: 1 })
  const ends = openTable<AuditEnds>(env, { name: 'auditEnds', version: 1 })

  return {
    ends: (scope: AuditScope): AuditEnds => ends.get([scope]) ?? noEnds,

    /** Every scope that has a chain; `after` is the last one of the page before. */
    scopes: (limit: number, after?: AuditScope): AuditScope[] =>
      ends
        .keys({ prefix: [], limit, ...(after ? { after: [after] } : {}) })
        .map(([scope]) => scope as AuditScope),

    /** Newest first; `after` is the last id of the page before. */
    list: (scope: AuditScope, limit: number, after?: AuditId): AuditEntry[] =>
      entries.range({
        ...{ prefix: [scope], reverse: true, limit },
        ...(after ? { after: [scope, after] } : {}),
      }),

    /** Oldest first; `after` is the last id of the slice before. */
    slice: (scope: AuditScope, limit: number, after?: AuditId): AuditEntry[] =>
      entries.range({ prefix: [scope], limit, ...(after ? { after: [scope, after] } : {}) }),

    append(tx: Tx, entry: AuditEntry): void {
      const { scope, sequence, hash } = entry
      const { trimmed } = ends.get([scope]) ?? noEnds
      entries.put(tx, [scope, entry.id], entry)
      ends.put(tx, [scope], { trimmed, newest: { sequence, hash } })
    },

    /** Removes entries older than `beforeMs`, oldest first; tells how many. */
    trim(tx: Tx, scope: AuditScope, beforeMs: number, limit: number): number {
      const found = entries.range({ prefix: [scope], limit })
      const old = found.filter(({ atMs }) => atMs < beforeMs)
      for (const { id } of old) entries.remove(tx, [scope, id])
      const last = old.at(-1)
      if (last) {
        const { newest } = ends.get([scope]) ?? noEnds
        const { sequence, hash } = last
        ends.put(tx, [scope], { trimmed: { sequence, hash }, newest })
      }
      return old.length
    },

    /** Removes the whole chain of a scope, at most `limit` entries at once; tells how many. */
    forget(tx: Tx, scope: AuditScope, limit: number): number {
      const found = entries.keys({ prefix: [scope], limit })
      for (const key of found) entries.remove(tx, key)
      if (found.length < limit) ends.remove(tx, [scope])
      return found.length
    },
  }
}
