// Audit entries by [scope, sequence], and for each scope the two ends of its chain.
import type { AuditEntry, AuditScope } from '../../../domain/audit/audit.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** A position in a chain: the predecessor of the next entry. */
export interface AuditEnd {
  readonly sequence: number
  readonly hash: string
}

/** The two ends of a chain, so that missing entries at either end are detected. */
export interface AuditEnds {
  /** The last entry that retention removed; the oldest kept entry follows it. */
  readonly trimmed: AuditEnd
  readonly newest: AuditEnd
}

const nothing: AuditEnd = { sequence: 0, hash: '' }
const noEnds: AuditEnds = { trimmed: nothing, newest: nothing }

export function openAudit(env: Env) {
  // By sequence, not by id: ids follow the wall clock, which may be set back between two starts.
  const entries = openTable<AuditEntry>(env, { name: 'audit' })
  const ends = openTable<AuditEnds>(env, { name: 'auditEnds' })

  /** What the entries themselves say, if the record of the ends is damaged. */
  function endsOfEntries(scope: AuditScope): AuditEnds {
    const [newest] = entries.range({ prefix: [scope], reverse: true, limit: 1 })
    const [oldest] = entries.range({ prefix: [scope], limit: 1 })
    if (!newest || !oldest) return noEnds
    const { sequence, hash } = newest
    const trimmed = { sequence: oldest.sequence - 1, hash: oldest.previousHash }
    return { trimmed, newest: { sequence, hash } }
  }

  function endsOf(scope: AuditScope): AuditEnds {
    const known = ends.readable([scope])
    if (known) return known
    return ends.has([scope]) ? endsOfEntries(scope) : noEnds
  }

  return {
    ends: endsOf,

    /** Every scope with a chain; `after` is the last one of the previous page. */
    scopes: (limit: number, after?: AuditScope): AuditScope[] =>
      ends.keys({ prefix: [], limit, after }).map(([scope]) => scope as AuditScope),

    /** The entries before the sequence `before`, newest first. */
    list: (scope: AuditScope, limit: number, before?: number): AuditEntry[] =>
      entries.range({ prefix: [scope], reverse: true, limit, after: before }),

    /** The entries after the sequence `after`, oldest first. */
    slice: (scope: AuditScope, limit: number, after: number): AuditEntry[] =>
      entries.range({ prefix: [scope], limit, after }),

    append(tx: Tx, entry: AuditEntry): void {
      const { scope, sequence, hash } = entry
      const { trimmed } = endsOf(scope)
      entries.put(tx, [scope, sequence], entry)
      ends.put(tx, [scope], { trimmed, newest: { sequence, hash } })
    },

    /** Deletes entries older than `beforeMs`, oldest first; returns how many. */
    trim(tx: Tx, scope: AuditScope, beforeMs: number, limit: number): number {
      const isOld = ({ atMs }: AuditEntry) => atMs < beforeMs
      // Most chains have no entry that is old enough: one read shows that.
      if (!entries.range({ prefix: [scope], limit: 1 }).some(isOld)) return 0
      const found = entries.range({ prefix: [scope], limit })
      const kept = found.findIndex((entry) => !isOld(entry))
      const old = kept < 0 ? found : found.slice(0, kept)
      for (const { sequence } of old) entries.remove(tx, [scope, sequence])
      const last = old.at(-1)
      if (last) {
        const { newest } = endsOf(scope)
        const { sequence, hash } = last
        ends.put(tx, [scope], { trimmed: { sequence, hash }, newest })
      }
      return old.length
    },

    /** Deletes the whole chain of a scope, at most `limit` entries at once; returns how many. */
    forget(tx: Tx, scope: AuditScope, limit: number): number {
      const found = entries.keys({ prefix: [scope], limit })
      for (const key of found) entries.remove(tx, key)
      if (found.length < limit) ends.remove(tx, [scope])
      return found.length
    },
  }
}
