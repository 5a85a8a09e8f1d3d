// The audit log: every change is noted in its own transaction, so that none is without its entry.
import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import {
  type AuditActor,
  type AuditEntry,
  type AuditNote,
  type AuditScope,
  actorOf,
  sealedEntry,
} from '../domain/audit.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../store/write.ts'
import type { Caller, OrgScope } from './context.ts'

export interface Audit {
  /** Notes what a caller does in an organization, in the transaction that does it. */
  note(tx: Tx, scope: OrgScope, note: AuditNote): void
  /** The same where there is no scope: at sign-in, or for a deed of the operator. */
  noteIn(tx: Tx, where: AuditScope, caller: Caller, note: AuditNote): void
  /** What the daemon does by itself. */
  noteOwn(tx: Tx, where: AuditScope, note: AuditNote): void
}

export interface AuditDeps {
  readonly store: Store
  readonly clock: Clock
}

const daemon: AuditActor = { kind: 'daemon', id: null, sessionId: null }

export function createAudit({ store, clock }: AuditDeps): Audit {
  type Origin = Pick<AuditEntry, 'actor' | 'address' | 'requestId'>

  function append(tx: Tx, scope: AuditScope, origin: Origin, note: AuditNote): void {
    const { newest } = store.audit.ends(scope)
    const atMs = clock.nowMs()
    const entry = sealedEntry({
      ...{ id: newId('audit', atMs), scope, sequence: newest.sequence + 1, atMs },
      ...origin,
      ...{ action: note.action, objectId: note.objectId, fields: note.fields ?? [] },
      ...{ outcome: note.outcome ?? 'done', detail: note.detail ?? null },
      previousHash: newest.hash,
    })
    store.audit.append(tx, entry)
  }

  const originOf = ({ principal, address, requestId }: Caller): Origin => ({
    ...{ actor: actorOf(principal), address, requestId },
  })

  return {
    note: (tx, { orgId, caller }, note) => append(tx, orgId, originOf(caller), note),
    noteIn: (tx, where, caller, note) => append(tx, where, originOf(caller), note),
    noteOwn: (tx, where, note) =>
      append(tx, where, { actor: daemon, address: '', requestId: '' }, note),
  }
}
