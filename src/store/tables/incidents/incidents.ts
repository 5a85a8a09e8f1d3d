// Incidents by [org, incident], with indexes of the open ones, of each monitor's, and of the ones that
// were recorded long after they began.
import {
  type IncidentId,
  lowestId,
  type MonitorId,
  madeAtMs,
  type OrgId,
} from '../../../base/ids.ts'
import type { Incident } from '../../../domain/incidents/incident.ts'
import type { Interval } from '../../../domain/maintenance/interval.ts'
import type { Env } from '../../engine/env.ts'
import { namedRecords } from '../../engine/named-records.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'
import type { SubscriberNews } from '../subscribers/subscriber-news.ts'

export interface IncidentFilter {
  readonly state?: Incident['state'] | undefined
  readonly monitorId?: MonitorId | undefined
  readonly severity?: Incident['severity'] | undefined
  /** Only incidents that began between these times, both inclusive. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  /** A part of the title or the cause, in any case. */
  readonly q?: string | undefined
  readonly limit: number
  readonly after?: IncidentId | undefined
  /** The same incidents are likely to be read again. */
  readonly recalls?: boolean
}

/** What the index of open incidents knows of each. */
const ofHealth = 1
const declared = 2

/** Incidents that are read for a month of the history of a page. */
export const historyIncidentsScanned = 500
/** How long after its beginning an incident is usually recorded; later ones have an index. */
const incidentLateMsMax = 86_400_000
/** Open incidents of an organization: one of each monitor, and the declared ones. */
const openIncidentsMax = 1_000_200

export function openIncidents(
  env: Env,
  { incidentChanged, pagesChanged }: Signals,
  { noteIncident }: Pick<SubscriberNews, 'noteIncident'>,
) {
  const incidents = openTable<Incident>(env, { name: 'incidents' })
  // Earlier versions wrote 1 for each, and none was declared; they read only the keys.
  const open = openTable<typeof ofHealth | typeof declared>(env, { name: 'openIncidents' })
  const byMonitor = openTable<1>(env, { name: 'incidentsByMonitor' })
  // By the month of UTC in which they began. The others are found by their ids.
  const late = openTable<1>(env, { name: 'lateIncidents' })

  const readable = (orgId: OrgId, incidentId: IncidentId) => incidents.readable([orgId, incidentId])

  function idsFor(orgId: OrgId, filter: IncidentFilter, limit: number, after?: IncidentId) {
    const newest = { reverse: true, limit, after, recalls: filter.recalls ?? false }
    const { monitorId, state } = filter
    if (monitorId) return byMonitor.keys({ prefix: [orgId, monitorId], ...newest })
    const table = state === 'open' || state === 'acknowledged' ? open : incidents
    return table.keys({ prefix: [orgId], ...newest })
  }

  // Ids increase with time, so the order of keys is the order of openings.
  function* newestFirst(orgId: OrgId, filter: IncidentFilter): Generator<Incident> {
    let after = filter.after
    for (;;) {
      const keys = idsFor(orgId, filter, filter.limit, after)
      for (const key of keys) {
        // The last part of each of the three keys is the incident's id.
        after = key.at(-1) as IncidentId
        const incident = filter.recalls
          ? incidents.recallReadable([orgId, after])
          : readable(orgId, after)
        if (incident) yield incident
      }
      if (keys.length < filter.limit) return
    }
  }

  function openDeclaredIds(orgId: OrgId): IncidentId[] {
    return open
      .entries({ prefix: [orgId], reverse: true, limit: openIncidentsMax })
      .flatMap(({ key, record }) => (record === declared ? [key[1] as IncidentId] : []))
  }

  /** Ids increase with time, so the incidents that were recorded in a stretch of time are a range. */
  function* recordedIn(orgId: OrgId, { fromMs, toMs }: Interval): Generator<IncidentId> {
    const first = lowestId('incident', fromMs)
    const limit = historyIncidentsScanned
    const range = { prefix: [orgId], after: lowestId('incident', toMs), reverse: true, limit }
    for (const key of incidents.keys(range)) {
      const id = key[1] as IncidentId
      if (id < first) return
      yield id
    }
  }

  function* lateIn(orgId: OrgId, { fromMs, toMs }: Interval): Generator<IncidentId> {
    const limit = historyIncidentsScanned
    for (const month of new Set([monthText(fromMs), monthText(toMs)])) {
      for (const key of late.keys({ prefix: [orgId, month], reverse: true, limit })) {
        yield key[2] as IncidentId
      }
    }
  }

  function linkLate(tx: Tx, incident: Incident): void {
    if (isLate(incident)) late.put(tx, lateKey(incident), 1)
  }

  function unlink(tx: Tx, incident: Incident): void {
    const { orgId, id, monitorIds } = incident
    late.remove(tx, lateKey(incident))
    incidents.remove(tx, [orgId, id])
    open.remove(tx, [orgId, id])
    for (const monitorId of monitorIds) byMonitor.remove(tx, [orgId, monitorId, id])
  }

  return {
    get: (orgId: OrgId, incidentId: IncidentId) => incidents.get([orgId, incidentId]),

    readable,

    isDamaged: (orgId: OrgId, incidentId: IncidentId) => incidents.isDamaged([orgId, incidentId]),

    /** The incidents of a monitor, or the open ones, or all, newest first, after `after`. */
    newestFirst,

    /** Newest first, at most `limit` that match. */
    list(orgId: OrgId, filter: IncidentFilter): Incident[] {
      const found: Incident[] = []
      for (const incident of newestFirst(orgId, filter)) {
        if (found.length >= filter.limit) break
        if (fitsFilter(incident, filter)) found.push(incident)
      }
      return found
    },

    /** Ids of the open ones, newest first; `after` is the last id of the previous slice. */
    openIds: (orgId: OrgId, limit: number, after?: IncidentId): IncidentId[] =>
      open
        .keys({ prefix: [orgId], reverse: true, limit, after })
        .map((key) => key[1] as IncidentId),

    listOpen: (orgId: OrgId, limit: number): Incident[] =>
      namedRecords(open, { prefix: [orgId], reverse: true, limit }, incidents.readable),

    /**
     * The incidents that began in a stretch of time, newest first. Reads at most
     * `historyIncidentsScanned`, the newest ones; `isWhole`: there are no more.
     */
    beganIn(orgId: OrgId, within: Interval): { found: Incident[]; isWhole: boolean } {
      const { fromMs, toMs } = within
      const recorded = { fromMs, toMs: toMs + incidentLateMsMax }
      const ids = new Set([...recordedIn(orgId, recorded), ...lateIn(orgId, within)])
      const read = [...ids].slice(0, historyIncidentsScanned)
      const found = read
        .flatMap((id) => readable(orgId, id) ?? [])
        .filter(({ startedAtMs }) => startedAtMs >= fromMs && startedAtMs < toMs)
        .toSorted((a, b) => b.startedAtMs - a.startedAtMs)
      return { found, isWhole: ids.size < historyIncidentsScanned }
    },

    /** Writes the index of one that an earlier version stored. */
    linkLate,

    has: (orgId: OrgId, incidentId: IncidentId) => incidents.has([orgId, incidentId]),

    /** The open ones that people declared, newest first. Reads no others. */
    openDeclared: (orgId: OrgId): Incident[] =>
      openDeclaredIds(orgId).flatMap((id) => readable(orgId, id) ?? []),

    countOpenDeclared: (orgId: OrgId): number => openDeclaredIds(orgId).length,

    put(tx: Tx, incident: Incident): void {
      const { orgId, id } = incident
      const before = incidents.readable([orgId, id])
      if (!before) {
        for (const monitorId of incident.monitorIds) byMonitor.put(tx, [orgId, monitorId, id], 1)
        linkLate(tx, incident)
      }
      incidents.put(tx, [orgId, id], incident)
      if (incident.state === 'resolved') open.remove(tx, [orgId, id])
      else open.put(tx, [orgId, id], incident.isDeclared ? declared : ofHealth)
      noteIncident(tx, incident)
      incidentChanged.raise(tx, { before, incident })
    },

    /** Writes one that was over before the monitor was here: nobody is told of it. */
    putPast(tx: Tx, incident: Incident): void {
      const { orgId, id, monitorIds } = incident
      for (const monitorId of monitorIds) byMonitor.put(tx, [orgId, monitorId, id], 1)
      incidents.put(tx, [orgId, id], incident)
      pagesChanged.raise(tx, orgId)
    },

    /** Writes when channels were reminded. Nothing that people see changes, so no event is sent. */
    noteReminded(tx: Tx, incident: Incident): void {
      incidents.put(tx, [incident.orgId, incident.id], incident)
    },

    /** Deletes an incident with its indexes. `ended` is what listeners learn of it. */
    remove(tx: Tx, ended: Incident): void {
      const { orgId, id } = ended
      const before = readable(orgId, id)
      unlink(tx, ended)
      if (before && before.state !== 'resolved')
        incidentChanged.raise(tx, { before, incident: ended })
      pagesChanged.raise(tx, orgId)
    },

    /** Deletes the incidents of a whole organization, at most `limit` at once; returns how many. */
    forget(tx: Tx, orgId: OrgId, limit: number): number {
      const keys = incidents.keys({ prefix: [orgId], limit })
      for (const [, incidentId = ''] of keys) {
        incidents.remove(tx, [orgId, incidentId])
        open.remove(tx, [orgId, incidentId])
      }
      // Counted separately, because one incident may concern many monitors.
      const links = byMonitor.keys({ prefix: [orgId], limit })
      for (const key of links) byMonitor.remove(tx, key)
      const lateRemoved = late.removeAll(tx, [orgId], limit)
      return Math.max(keys.length, links.length, lateRemoved)
    },
  }
}

/** `2026-11`, of UTC. */
function monthText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, '2026-11'.length)
}

function isLate({ id, startedAtMs }: Incident): boolean {
  return madeAtMs(id) - startedAtMs > incidentLateMsMax
}

function lateKey({ orgId, id, startedAtMs }: Incident): [OrgId, string, IncidentId] {
  return [orgId, monthText(startedAtMs), id]
}

/** Whether an incident matches the filter. */
export function fitsFilter(incident: Incident, filter: IncidentFilter): boolean {
  const { state, severity, fromMs = Number.NEGATIVE_INFINITY, toMs = Number.MAX_VALUE } = filter
  const { startedAtMs, title, cause } = incident
  if (state && incident.state !== state) return false
  if (severity && incident.severity !== severity) return false
  if (startedAtMs < fromMs || startedAtMs > toMs) return false
  const q = filter.q?.toLowerCase()
  return !q || title.toLowerCase().includes(q) || cause.toLowerCase().includes(q)
}
