// The audit log: every change is recorded in its own transaction, so that none lacks an entry.

import { hash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { type ChannelId, newId, type OrgId } from '../base/ids.ts'
import { createLimiter } from '../base/limiter.ts'
import {
  type AuditActor,
  type AuditEntry,
  type AuditNote,
  type AuditScope,
  actorOf,
  sealedEntry,
} from '../domain/audit/audit.ts'
import { limits } from '../domain/limits/limits.ts'
import { countedAddress } from '../domain/network.ts'
import { normalizedEmail } from '../domain/people/person.ts'
import type { Tx } from '../store/engine/write.ts'
import type { Store } from '../store/store.ts'
import type { Caller, OrgScope } from './context.ts'

interface AuditDeps {
  readonly store: Store
  readonly clock: Clock
}

const daemon: AuditActor = { kind: 'daemon', id: null, sessionId: null }

export type Audit = ReturnType<typeof createAudit>

export function createAudit({ store, clock }: AuditDeps) {
  type Origin = Pick<AuditEntry, 'actor' | 'address' | 'requestId'>

  function append(tx: Tx, scope: AuditScope, origin: Origin, note: AuditNote): void {
    const { newest } = store.audit.ends(scope)
    const atMs = clock.nowMs()
    const entry = sealedEntry({
      id: newId('audit', atMs),
      scope,
      sequence: newest.sequence + 1,
      atMs,
      ...origin,
      action: note.action,
      objectId: note.objectId,
      fields: note.fields ?? [],
      outcome: note.outcome ?? 'done',
      detail: note.detail ?? null,
      previousHash: newest.hash,
    })
    store.audit.append(tx, entry)
  }

  const mayNote = createNoteLimits(clock)

  function later(where: AuditScope, caller: Caller, note: AuditNote): void {
    const body = (tx: Tx) => {
      // A deleted organization must not get a log again.
      const isThere = where === 'system' || store.orgs.has(where)
      if (isThere) append(tx, where, originOf(caller), note)
    }
    // Not awaited; a failed write has already ended the process, by the store's rule.
    store.writeSoon(body).catch(() => {})
  }

  function belongsTo({ principal }: Caller, orgId: string): boolean {
    if (principal.kind === 'key') return principal.orgId === orgId
    if (principal.kind !== 'session') return false
    return store.memberships.get(orgId as OrgId, principal.userId) !== undefined
  }

  const originOf = ({ principal, address, requestId }: Caller): Origin => ({
    actor: actorOf(principal),
    address,
    requestId,
  })

  return {
    /** Notes an action, in its transaction. */
    note: (tx: Tx, { orgId, caller }: OrgScope, note: AuditNote) =>
      append(tx, orgId, originOf(caller), note),
    /** The same without a scope: for sign-ins and actions of the operator. */
    noteIn: (tx: Tx, where: AuditScope, caller: Caller, note: AuditNote) =>
      append(tx, where, originOf(caller), note),
    /** Notes an action of a person with a link from an alert. */
    noteThrough: (tx: Tx, orgId: OrgId, channelId: ChannelId, caller: Caller, note: AuditNote) => {
      const actor = { kind: 'channel', id: channelId, sessionId: null } as const
      append(tx, orgId, { ...originOf(caller), actor }, note)
    },
    noteOwn: (tx: Tx, where: AuditScope, note: AuditNote) =>
      append(tx, where, { actor: daemon, address: '', requestId: '' }, note),

    /**
     * Written later, and limited in number. In an organization, only its own people and keys are
     * recorded, so strangers cannot fill its log.
     */
    refused(caller: Caller, where: 'system' | { readonly orgId: string }, detail: string): void {
      if (where !== 'system' && !belongsTo(caller, where.orgId)) return
      if (!mayNote(caller)) return
      const scope = where === 'system' ? where : (where.orgId as OrgId)
      const note = { action: 'access.refused', objectId: null, outcome: 'refused', detail } as const
      later(scope, caller, note)
    },

    /** Records a failed sign-in, with only a hash of the typed address. */
    signInFailed(caller: Caller, email: string | undefined, detail: string): void {
      if (!mayNote(caller)) return
      const { principal } = caller
      const ownId = principal.kind === 'session' ? principal.userId : null
      const userId = (email && store.users.findByEmail(email)?.id) || ownId
      const typed = email && userId === null ? `; address ${addressMark(email)}` : ''
      later('system', caller, {
        action: 'session.refused',
        objectId: userId,
        outcome: 'failed',
        detail: detail + typed,
      })
    },
  }
}

/** Refused requests that are recorded, per caller, and for all callers without a credential. */
export const refusalsNoted = { quota: 60, windowSeconds: 3_600 } as const
export const strangersRefusalsNoted = { quota: 600, windowSeconds: 3_600 } as const

/** Limits the refusals that are recorded, so that floods do not fill the disk. */
function createNoteLimits(clock: Clock) {
  const each = createLimiter(refusalsNoted, limits.rateKeysMax)
  // A caller with many addresses has many counts; this one limits them together.
  const strangers = createLimiter(strangersRefusalsNoted, 1)
  return ({ principal, address }: Caller): boolean => {
    const nowMs = clock.nowMs()
    const { kind, id } = actorOf(principal)
    if (!each.take(id ?? `${kind} ${countedAddress(address)}`, nowMs).isAllowed) return false
    return kind !== 'anonymous' || strangers.take('', nowMs).isAllowed
  }
}

// Enough to recognize the same address again, too little to recover it with certainty.
function addressMark(email: string): string {
  return hash('sha256', normalizedEmail(email), 'hex').slice(0, 8)
}
