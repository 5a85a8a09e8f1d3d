// To whom an incident was announced or not, and why.
import type { OrgId } from '../../base/ids.ts'
import { sendsEach } from '../../channels/registry.ts'
import type { AttemptClass } from '../../domain/alerts/attempt.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { type Delivery, waitsFor } from '../../domain/alerts/delivery.ts'
import { heldUntilMs } from '../../domain/alerts/held-messages.ts'
import { type AlertRoute, pathOf, type RoutedNews, routeTo } from '../../domain/alerts/route.ts'
import {
  happeningsOf,
  type IncidentHappening,
  type KnownDelivery,
  type Telling,
  tellingsOf,
} from '../../domain/alerts/telling.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Core } from '../core.ts'

export interface TellingsDeps {
  /** Whether the organization is deleted or switched off. */
  readonly isOff: (orgId: OrgId) => boolean
}

export interface ExplainedChannel {
  readonly channel: Channel
  readonly tellings: readonly Telling[]
  /** What the present settings would make of an opening now. */
  readonly now: AlertRoute
}

/** What became of the news of an incident. */
export interface IncidentTellings {
  /** The channels that it was announced to come first. */
  readonly channels: readonly ExplainedChannel[]
  /** All of them, also the channels that are left out. */
  readonly channelsTotal: number
  /** False: there were too many messages to look through all of them. */
  readonly isComplete: boolean
}

/** How the newest attempt of a message ended, if it failed so. */
function classOfError({ log }: Delivery, error: string | null): AttemptClass | undefined {
  const { class: how, reason } = log.at(-1) ?? {}
  return error !== null && reason === error ? how : undefined
}

export type Tellings = ReturnType<typeof createTellings>

/** How long after the end of an incident its last message may have been queued. */
const explainedTailMs = 15 * 60_000

export function createTellings({ store, clock }: Core, { isOff }: TellingsDeps) {
  /** How the attempt of another waiting message ended, if it failed so. */
  function classAhead({ orgId, id }: Channel, error: string | null): AttemptClass | undefined {
    if (error === null) return undefined
    const ahead = store.deliveries.pending(orgId, id, limits.deliveriesPerLookMax)
    const tried = ahead.find((one) => classOfError(one, error) !== undefined)
    return tried && classOfError(tried, error)
  }

  function knownDelivery(channel: Channel, delivery: Delivery, nowMs: number): KnownDelivery {
    const { orgId, id } = channel
    const { mergedIntoId, state, dueAtMs } = delivery
    const into = mergedIntoId === null ? undefined : store.deliveries.get(orgId, id, mergedIntoId)
    const errorClass = classOfError(delivery, delivery.lastError)
    const known = { delivery, into, error: delivery.lastError, errorClass }
    if (state !== 'pending') return { ...known, waitsFor: null, untilMs: null }
    const heldMs = heldUntilMs(delivery, channel.quietHours, Math.max(nowMs, dueAtMs))
    if (heldMs !== null) return { ...known, waitsFor: 'quiet_hours', untilMs: heldMs }
    const reason = waitsFor(delivery, nowMs)
    if (reason === 'delay') return { ...known, waitsFor: reason, untilMs: dueAtMs }
    // While a channel fails again and again, one message tries it, and the others wait for that.
    const { failures, lastError, probeAtMs } = store.channelHealth.get(orgId, id)
    const error = delivery.lastError ?? (failures > 0 ? lastError : null)
    return {
      ...known,
      error,
      errorClass: errorClass ?? classAhead(channel, error),
      waitsFor: failures > 0 ? 'retry' : reason,
      untilMs: Math.max(dueAtMs, probeAtMs ?? 0),
    }
  }

  /** Channels that the incident was announced to come first; then the oldest. */
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
    const endMs = (timeline.at(-1)?.atMs ?? nowMs) + explainedTailMs
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

  /** While the alerts of an incident are held, or nobody hears of its monitor, it would be announced to no channel now. */
  function heldBy({ orgId, heldBy, isShadow }: Incident): Partial<RoutedNews> {
    if (isShadow) return { sparedBy: 'shadow' }
    if (heldBy === undefined) return {}
    const blockerName = store.monitors.readable(orgId, heldBy)?.name
    return { sparedBy: 'dependency', ...(blockerName === undefined ? {} : { blockerName }) }
  }

  return {
    /** What became of each piece of news for each channel. */
    of(incident: Incident): IncidentTellings {
      const { orgId, id: incidentId } = incident
      const nowMs = clock.nowMs()
      const monitors = incident.monitorIds.flatMap((id) => store.monitors.readable(orgId, id) ?? [])
      const { channels, meant } = channelsFor(incident)
      const { find, progress } = createFinder(incident, nowMs)
      const isOrgOff = isOff(orgId)
      const path = (news: RoutedNews, atMs: number, about = channels) =>
        pathOf({ channels: about, monitors, news, isOrgOff }, atMs)
      const openings = new Map<IncidentHappening, Map<Channel, AlertRoute>>()

      /** The channels are chosen by an opening; what follows goes to the channels that know of it. */
      function routeOf(channel: Channel, happening: IncidentHappening): AlertRoute {
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
        channels: explained,
        channelsTotal: channels.length,
        isComplete: progress.isComplete,
      }
    },
  }
}
