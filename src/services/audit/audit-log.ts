// Reads the audit log: newest first, exported as a file, and verified against its hashes.

import { Fault } from '../../base/fault.ts'
import { asId, type Id, type IdKind, type OrgId } from '../../base/ids.ts'
import { laterTurn } from '../../base/yielding.ts'
import {
  type AuditActor,
  type AuditEntry,
  type AuditOutcome,
  type AuditScope,
  type ChainBreak,
  chainBreak,
} from '../../domain/audit/audit.ts'
import { limits } from '../../domain/limits/limits.ts'
import { sharedOwner } from '../../domain/locations/location.ts'
import { personSeenIn } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { AuditEnd } from '../../store/tables/audit/audit.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'

/** The owner of the log: the caller's organization, or the installation. */
export type AuditPlace = OrgScope | 'system'

export interface AuditFilter {
  readonly action?: string | undefined
  readonly actorId?: string | undefined
  readonly outcome?: AuditOutcome | undefined
  /** Inclusive. */
  readonly fromMs?: number | undefined
  /** Exclusive. */
  readonly toMs?: number | undefined
}

export interface ChainReport {
  readonly ok: boolean
  /** The number of entries verified, including the wrong one. */
  readonly entries: number
  /** The oldest kept entry; retention removed the entries before it. null if there is none. */
  readonly firstSequence: number | null
  readonly newestSequence: number
  /** Compared with one noted earlier, it reveals a rewritten chain. */
  readonly headHash: string
  readonly brokenAt?: {
    readonly sequence: number
    readonly id: string | null
    readonly reason: ChainBreak
  }
}

export interface AuditSpan extends Pick<AuditFilter, 'fromMs' | 'toMs'> {
  /** The last sequence of the previous part. */
  readonly after?: number | undefined
}

/** Oldest first, and where the rest begins. */
export interface AuditPart {
  readonly entries: readonly AuditedEntry[]
  readonly nextAfter?: number
}

export interface AuditLogDeps {
  readonly store: Pick<Store, 'audit'> & NamingTables
}

/** Entries of one exported file; the next part has the rest. */
export const auditExportMax = 5_000
/** Entries that are processed before the loop yields. */
export const auditSlice = 500
/** How far the clock may have been set back between two entries, for searches by time. */
const auditClockSlackMs = 86_400_000

export function createAuditLog({ store }: AuditLogDeps) {
  const { audit } = store
  const scopeOf = (place: AuditPlace): AuditScope => (place === 'system' ? place : place.orgId)

  /**
   * The sequence before everything noted from `atMs` on. The clock may have been set back, hence the
   * slack.
   */
  function sequenceBefore(scope: AuditScope, atMs: number): number {
    const { trimmed, newest } = audit.ends(scope)
    let low = trimmed.sequence
    let high = newest.sequence
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      // The next entry that exists: this one may have been deleted from the database by hand.
      const [entry] = audit.slice(scope, 1, middle - 1)
      if (entry && entry.atMs < atMs - auditClockSlackMs) low = middle
      else high = middle - 1
    }
    return low
  }

  /** A sequence at or after everything noted before `atMs`. */
  function sequenceAfter(scope: AuditScope, atMs: number): number {
    return sequenceBefore(scope, atMs + 2 * auditClockSlackMs) + 1
  }

  /** An entry outside the two ends of its chain, which this program never writes. */
  function strayOf(scope: AuditScope): Pick<AuditEntry, 'id' | 'sequence'> | undefined {
    const { trimmed, newest } = audit.ends(scope)
    const [oldest] = audit.slice(scope, 1, -1)
    const [first] = audit.slice(scope, 1, trimmed.sequence)
    return oldest?.id === first?.id ? audit.slice(scope, 1, newest.sequence)[0] : oldest
  }

  return {
    /** Newest first. With a filter, a page reads only a bounded number of entries. */
    list(
      place: AuditPlace,
      { limit, after, ...filter }: AuditFilter & PageRequest,
    ): PageOf<ListedEntry> {
      const scope = scopeOf(place)
      const named = createActorNames(store, scope)
      const objectNameOf = createObjectNames(store, scope)
      const stopAt = filter.fromMs === undefined ? 0 : sequenceBefore(scope, filter.fromMs)
      let before = startOf(
        after,
        filter.toMs === undefined ? undefined : sequenceAfter(scope, filter.toMs),
      )
      const items: ListedEntry[] = []
      for (let scanned = 0; scanned < limits.listScanMax; ) {
        const slice = audit.list(scope, limit + 1, before)
        for (const entry of slice) {
          if (entry.sequence <= stopAt) return { items }
          if (items.length === limit) return { items, nextAfter: String(before) }
          before = entry.sequence
          if (!fits(entry, filter)) continue
          items.push({ ...named(entry), objectName: objectNameOf(entry.objectId) })
        }
        scanned += slice.length
        if (slice.length <= limit) return { items }
      }
      return before === undefined ? { items } : { items, nextAfter: String(before) }
    },

    /** Verifies the whole chain, slice by slice, and yields in between. */
    async verify(place: AuditPlace, signal?: AbortSignal): Promise<ChainReport> {
      const scope = scopeOf(place)
      const { trimmed, newest } = audit.ends(scope)
      let at: AuditEnd = trimmed
      let entries = 0
      let firstSequence: number | null = null
      const report = (brokenAt?: ChainReport['brokenAt']): ChainReport => ({
        ok: brokenAt === undefined,
        entries,
        firstSequence,
        newestSequence: newest.sequence,
        headHash: newest.hash,
        ...(brokenAt ? { brokenAt } : {}),
      })
      while (at.sequence < newest.sequence) {
        // Retention may remove entries behind the position, and just before it.
        const begin = audit.ends(scope).trimmed
        if (begin.sequence > at.sequence) at = begin
        const slice = audit.slice(scope, auditSlice, at.sequence)
        for (const entry of slice) {
          if (entry.sequence > newest.sequence) break
          entries += 1
          firstSequence ??= entry.sequence
          const reason = chainBreak(scope, at, entry)
          const id = reason === 'missing' ? null : entry.id
          if (reason) return report({ sequence: at.sequence + 1, id, reason })
          at = entry
        }
        if (slice.length < auditSlice) break
        await turnOf(signal)
      }
      if (at.sequence < newest.sequence) {
        return report({ sequence: at.sequence + 1, id: null, reason: 'removed at the end' })
      }
      if (at.sequence === newest.sequence && at.hash !== newest.hash) {
        return report({ sequence: at.sequence, id: null, reason: 'changed' })
      }
      const stray = strayOf(scope)
      return stray ? report({ ...stray, reason: 'moved' }) : report()
    },

    /** A part of the log, at most auditExportMax entries. */
    async part(
      place: AuditPlace,
      { fromMs, toMs, after }: AuditSpan,
      signal?: AbortSignal,
    ): Promise<AuditPart> {
      const scope = scopeOf(place)
      const named = createActorNames(store, scope)
      const stopAt = toMs === undefined ? Number.POSITIVE_INFINITY : sequenceAfter(scope, toMs)
      const entries: AuditedEntry[] = []
      let at = Math.max(after ?? 0, fromMs === undefined ? 0 : sequenceBefore(scope, fromMs))
      for (;;) {
        const slice = audit.slice(scope, auditSlice, at)
        for (const entry of slice) {
          if (entry.sequence >= stopAt) return { entries }
          if (entries.length === auditExportMax) return { entries, nextAfter: at }
          at = entry.sequence
          if (fits(entry, { fromMs, toMs })) entries.push(named(entry))
        }
        if (slice.length < auditSlice) return { entries }
        await turnOf(signal)
      }
    },
  }
}

/** Yields, and stops when nobody waits for the response any more. */
async function turnOf(signal: AbortSignal | undefined): Promise<void> {
  await laterTurn()
  if (signal?.aborted) throw new Fault('unavailable', 'The client has disconnected.')
}

function startOf(after: string | undefined, last: number | undefined): number | undefined {
  const cursor = after === undefined ? Number.POSITIVE_INFINITY : Number(after)
  const start = Math.min(cursor, last ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(start) ? start : undefined
}

function fits(entry: AuditEntry, filter: AuditFilter): boolean {
  const { action, actorId, outcome, fromMs, toMs } = filter
  if (action !== undefined && entry.action !== action) return false
  if (actorId !== undefined && entry.actor.id !== actorId) return false
  if (outcome !== undefined && entry.outcome !== outcome) return false
  if (fromMs !== undefined && entry.atMs < fromMs) return false
  return toMs === undefined || entry.atMs < toMs
}

interface NamedActor extends AuditActor {
  readonly name: string | null
  readonly email: string | null
}

export interface AuditedEntry extends AuditEntry {
  readonly actor: NamedActor
}

/** The list also names what an entry is about, which a file cannot: names change. */
export interface ListedEntry extends AuditedEntry {
  readonly objectName: string | null
}

interface NamedTable<Kind extends IdKind> {
  readable(orgId: OrgId, id: Id<Kind>): { readonly name: string } | undefined
}

/** Names what entries are about, as it is called now; each is looked up once. */
function createObjectNames(
  store: NamingTables,
  scope: AuditScope,
): (id: string | null) => string | null {
  const known = new Map<string, string | null>()

  function nameIn(orgId: OrgId, id: string): string | undefined {
    const incidentId = asId('incident', id)
    if (incidentId) return store.incidents.readable(orgId, incidentId)?.title
    const userId = asId('user', id)
    const person = userId && personSeenIn(store, orgId, userId)
    if (person) return person.name ?? person.email
    return (
      namedIn(store.monitors, 'monitor') ??
      namedIn(store.channels, 'channel') ??
      namedIn(store.pages, 'page') ??
      namedIn(store.windows, 'maintenance') ??
      namedIn(store.locations, 'location') ??
      namedIn(store.probes, 'probe') ??
      namedIn(store.orgSecrets, 'secret') ??
      namedIn(store.apiKeys, 'key')
    )

    function namedIn<Kind extends IdKind>(table: NamedTable<Kind>, kind: Kind): string | undefined {
      const known = asId(kind, id)
      return known && table.readable(orgId, known)?.name
    }
  }

  function nameInSystem(id: string): string | undefined {
    const orgId = asId('org', id)
    if (orgId) return store.orgs.readable(orgId)?.name
    const locationId = asId('location', id)
    if (locationId) return store.locations.readable(sharedOwner, locationId)?.name
    const probeId = asId('probe', id)
    if (probeId) return store.probes.readable(sharedOwner, probeId)?.name
    const userId = asId('user', id)
    const user = userId && store.users.readable(userId)
    return user ? (user.name ?? user.email) : undefined
  }

  return (id) => {
    if (id === null) return null
    const before = known.get(id)
    if (before !== undefined) return before
    const name = (scope === 'system' ? nameInSystem(id) : nameIn(scope, id)) ?? null
    known.set(id, name)
    return name
  }
}

type NamingTables = Pick<
  Store,
  | ('users' | 'apiKeys' | 'memberships' | 'channels' | 'monitors' | 'pages' | 'incidents')
  | ('windows' | 'orgs' | 'locations' | 'probes' | 'orgSecrets')
>

const nameless = { name: null, email: null }

/** Names the actors of one list; each is looked up once. */
function createActorNames(
  store: Pick<Store, 'users' | 'apiKeys' | 'memberships' | 'channels'>,
  scope: AuditScope,
): (entry: AuditEntry) => AuditedEntry {
  const known = new Map<string, typeof nameless | { name: string | null; email: string | null }>()

  function namesOf({ kind, id }: AuditActor) {
    if (id === null) return nameless
    if (kind === 'key') {
      const keyId = asId('key', id)
      const key = scope !== 'system' && keyId ? store.apiKeys.readable(scope, keyId) : undefined
      return { ...nameless, name: key?.name ?? null }
    }
    if (kind === 'channel') {
      const channelId = asId('channel', id)
      const isHere = scope !== 'system' && channelId
      const channel = isHere ? store.channels.readable(scope, channelId) : undefined
      return { ...nameless, name: channel?.name ?? null }
    }
    const userId = asId('user', id)
    if (!userId) return nameless
    if (scope !== 'system') return personSeenIn(store, scope, userId) ?? nameless
    const { name = null, email = null } = store.users.readable(userId) ?? {}
    return { name, email }
  }

  return (entry) => {
    const { actor } = entry
    const of = `${actor.kind} ${actor.id}`
    const names = known.get(of) ?? namesOf(actor)
    known.set(of, names)
    return { ...entry, actor: { ...actor, ...names } }
  }
}
