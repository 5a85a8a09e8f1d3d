// Why an incident opened, and who was told of it, and who was not, and why.

import { notFound } from '../../base/fault.ts'
import type { IncidentId, OrgId } from '../../base/ids.ts'
import { sendsEach } from '../../channels/registry.ts'
import { reaches } from '../../domain/access.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { type Delivery, waitsFor } from '../../domain/alerts/delivery.ts'
import { heldUntilMs } from '../../domain/alerts/held-messages.ts'
import { pathOf, type Route, type RoutedNews, routeTo } from '../../domain/alerts/route.ts'
import {
  happeningsOf,
  type IncidentHappening,
  type KnownDelivery,
  type Telling,
  tellingsOf,
} from '../../domain/alerts/telling.ts'
import type { CheckRow } from '../../domain/checks/check-row.ts'
import type { IncidentBasis } from '../../domain/incidents/basis.ts'
import type { Incident, TimelineEntry, TimelineKind } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Readings } from '../checks/readings.ts'
import type { OrgScope, ServiceDeps } from '../context.ts'

export interface ExplanationsDeps extends ServiceDeps {
  readonly readings: Pick<Readings, 'checks'>
  /** Whether the organization is deleted or switched off. */
  readonly isOff: (orgId: OrgId) => boolean
}

/** A result around a decision, and whether it counted. */
export interface ExplainedCheck {
  readonly row: CheckRow
  readonly counted: boolean
}

/** Something that happened to the incident, and what it was decided on. */
export interface ExplainedDecision {
  readonly entry: TimelineEntry
  /** Null if nothing was measured, or a version before this one decided it. */
  readonly basis: IncidentBasis | null
  /** Oldest first; empty if they are no longer kept. */
  readonly checks: readonly ExplainedCheck[]
}

export interface ExplainedChannel {
  readonly channel: Channel
  readonly tellings: readonly Telling[]
  /** What the present settings would make of an opening now. */
  readonly now: Route
}

export interface IncidentExplanation {
  readonly incident: Incident
  readonly decisions: readonly ExplainedDecision[]
  readonly channels: readonly ExplainedChannel[]
  readonly channelsTotal: number
  /** False: there were too many messages to look through all of them. */
  readonly isComplete: boolean
  /** Viewers do not see the words of results. */
  readonly showsWords: boolean
  readonly nowMs: number
}

export type Explanations = ReturnType<typeof createExplanations>

/** What is explained with results; people's own acts explain themselves. */
const decided: ReadonlySet<TimelineKind> = new Set([
  'opened',
  'reopened',
  'worsened',
  'flapping',
  'settled',
  'held',
  'released',
  'closed',
  'resolved',
  'recovered',
])

/** Of those, what results decide. */
const measured: ReadonlySet<TimelineKind> = new Set(['opened', 'reopened', 'worsened', 'flapping'])

export function createExplanations({ store, clock, readings, isOff }: ExplanationsDeps) {
  function checksOf(scope: OrgScope, basis: IncidentBasis): ExplainedCheck[] {
    const { monitorId, atMs, rule, countedAtMs, needed } = basis
    const isKept = store.monitorStates.get(scope.orgId, monitorId) !== undefined
    if (!isKept || rule === 'unstable') return []
    const limit = limits.explainedChecksMax
    const rows = readings.checks(scope, monitorId, { toMs: atMs, limit }).items
    const fromMs = Math.min(...countedAtMs)
    const bad = rows.filter(({ verdict }) => verdict === 'down' || verdict === 'degraded')
    const again = new Set(bad.slice(0, needed))
    const times = new Set(countedAtMs)
    const counts = (row: CheckRow) => {
      if (rule === 'still_failing' || rule === 'held_back') return again.has(row)
      if (rule === 'slow') return row.verdict === 'degraded' && row.atMs >= fromMs
      return row.verdict === 'down' && times.has(row.atMs)
    }
    const checks = rows.map((row) => ({ row, counted: counts(row) })).toReversed()
    const first = checks.findIndex(({ counted }) => counted)
    return checks.slice(first < 0 ? 0 : Math.max(0, first - limits.explainedChecksBefore))
  }

  function decisionsOf(scope: OrgScope, { timeline, basis = [] }: Incident): ExplainedDecision[] {
    const entries = timeline.filter(({ kind }) => decided.has(kind))
    entries.splice(1, Math.max(0, entries.length - limits.explainedDecisionsMax))
    return entries.map((entry) => {
      const isMeasured = measured.has(entry.kind) && entry.by === undefined
      const ownBasis = (isMeasured && basis.find(({ atMs }) => atMs === entry.atMs)) || null
      return { entry, basis: ownBasis, checks: ownBasis ? checksOf(scope, ownBasis) : [] }
    })
  }

  function knownDelivery(channel: Channel, delivery: Delivery, nowMs: number): KnownDelivery {
    const { orgId, id } = channel
    const { mergedIntoId, state, dueAtMs } = delivery
    const into = mergedIntoId === null ? undefined : store.deliveries.get(orgId, id, mergedIntoId)
    if (state !== 'pending') return { delivery, waitsFor: null, untilMs: null, into }
    const heldMs = heldUntilMs(delivery, channel.quietHours, Math.max(nowMs, dueAtMs))
    if (heldMs !== null) return { delivery, waitsFor: 'quiet_hours', untilMs: heldMs, into }
    return { delivery, waitsFor: waitsFor(delivery, nowMs), untilMs: dueAtMs, into }
  }

  /** Those with which channels have to do with the incident come first; then the oldest. */
  function channelsFor({ orgId, id }: Incident): { channels: Channel[]; meant: Set<string> } {
    const meant = new Set<string>(store.announcements.channelIds(orgId, id))
    const channels = store.channels
      .list(orgId, limits.quotaMax)
      .toReversed()
      .toSorted((a, b) => Number(meant.has(b.id)) - Number(meant.has(a.id)))
    return { channels, meant }
  }

  /** Reads a bounded number of messages, of all channels together. */
  function createFinder(incident: Incident, nowMs: number) {
    const { orgId, id, timeline, state } = incident
    const fromMs = timeline[0]?.atMs ?? incident.confirmedAtMs
    const endMs = (timeline.at(-1)?.atMs ?? nowMs) + limits.explainedTailMs
    const untilMs = state === 'resolved' ? endMs : Number.POSITIVE_INFINITY
    const progress = { left: limits.explainedDeliveriesScanned, isComplete: true }
    const find = (channel: Channel): KnownDelivery[] => {
      const found: KnownDelivery[] = []
      for (const row of store.deliveries.madeSince(orgId, channel.id, fromMs)) {
        if (row.createdAtMs > untilMs) break
        progress.isComplete = progress.left > 0
        if (!progress.isComplete) break
        progress.left -= 1
        if (row.incidentId === id) found.push(knownDelivery(channel, row, nowMs))
      }
      return found
    }
    return { find, progress }
  }

  /** While its alerts are held, that is why nobody would hear of it now. */
  function heldBy({ orgId, heldBy }: Incident): Partial<RoutedNews> {
    if (heldBy === undefined) return {}
    const blockerName = store.monitors.readable(orgId, heldBy)?.name
    return { sparedBy: 'dependency', ...(blockerName === undefined ? {} : { blockerName }) }
  }

  return {
    /** Throws not_found. */
    explain(scope: OrgScope, incidentId: IncidentId): IncidentExplanation {
      const { orgId } = scope
      const incident = store.incidents.get(orgId, incidentId)
      if (!incident) throw notFound('incident')
      const nowMs = clock.nowMs()
      const monitors = incident.monitorIds.flatMap((id) => store.monitors.readable(orgId, id) ?? [])
      const { channels, meant } = channelsFor(incident)
      const { find, progress } = createFinder(incident, nowMs)
      const isOrgOff = isOff(orgId)
      const path = (news: RoutedNews, atMs: number, about = channels) =>
        pathOf({ channels: about, monitors, news, isOrgOff }, atMs)
      const openings = new Map<IncidentHappening, Map<Channel, Route>>()

      /** The channels are chosen by an opening; what follows goes to those that know of it. */
      function routeOf(channel: Channel, happening: IncidentHappening): Route {
        const { event, severity, atMs } = happening
        if (event !== 'incident.opened') return routeTo(channel, { event, severity }, atMs)
        const known = openings.get(happening)
        const routes =
          known ??
          new Map(path({ event, severity }, atMs).map(({ channel, route }) => [channel, route]))
        openings.set(happening, routes)
        return routes.get(channel) ?? routeTo(channel, { event, severity }, atMs)
      }

      const happenings = happeningsOf(incident)
      // Their alert would stay open and ring on, so they hear of every end.
      const allTold = happenings.map((one) =>
        one.sparedBy === 'monitor_gone' ? { ...one, sparedBy: null } : one,
      )
      const shown = channels.slice(0, limits.explainedChannelsMax)
      const { severity } = incident
      const present = path({ event: 'incident.opened', severity, ...heldBy(incident) }, nowMs)
      const now = new Map(present.map(({ channel, route }) => [channel, route]))
      const explained = shown.map((channel): ExplainedChannel => {
        const isMeant = meant.has(channel.id)
        const { announced } = store.announcements.get(orgId, incidentId, channel.id)
        const tellings = tellingsOf({
          channel,
          happenings: sendsEach(channel.type) ? allTold : happenings,
          deliveries: isMeant ? find(channel) : [],
          wasMeant: isMeant,
          isInformed: announced !== 'none',
          route: routeOf,
        })
        return { channel, tellings, now: now.get(channel) ?? { kind: 'now' } }
      })
      return {
        incident,
        decisions: decisionsOf(scope, incident),
        channels: explained,
        channelsTotal: channels.length,
        isComplete: progress.isComplete,
        showsWords: reaches(scope.role, 'member'),
        nowMs,
      }
    },
  }
}
