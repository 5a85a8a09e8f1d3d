// What becomes owed to which channel when an incident changes, in the change's own transaction.
import { type ChannelId, newId, type OrgId } from '../../base/ids.ts'
import { type Channel, isLoudEnough } from '../../domain/alerts/channel.ts'
import { announcement, type Delivery, owedDelivery } from '../../domain/alerts/delivery.ts'
import { isDelayed } from '../../domain/alerts/digest.ts'
import { type IncidentEvent, incidentPayload } from '../../domain/alerts/payload.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { ToldRecord } from '../../store/tables/alerts/announcements.ts'

/** Something happened to an incident. */
export interface News {
  /** As it is after the event. */
  readonly incident: Incident
  readonly event: IncidentEvent
  /** The monitor that it happened to; absent where a person declared the incident. */
  readonly monitor?: Monitor
  readonly nowMs: number
}

/** Writes what is owed; it is sent once the transaction is on disk. */
export type Enqueue = (tx: Tx, news: News) => void

export interface EnqueueDeps {
  readonly store: Store
  /** The service's own address, without a slash at the end. */
  readonly baseUrl: string
  /** Sends what the channel is owed. */
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
}

/** Each message is the answer to "is what the channel was told still so?". */
export function createEnqueue({ store, baseUrl, wake }: EnqueueDeps): Enqueue {
  function monitorsOf({ incident, monitor }: News): Monitor[] {
    return incident.monitorIds.flatMap((id) =>
      // The monitor may be changed or removed in this very transaction: the one given is right.
      id === monitor?.id ? monitor : (store.monitors.get(incident.orgId, id) ?? []),
    )
  }

  /** The channels that know of the incident: later news go to them, whatever was changed since. */
  function knowing({ orgId, id }: Incident): Channel[] {
    return store.told
      .channelIds(orgId, id)
      .flatMap((channelId) => store.channels.get(orgId, channelId) ?? [])
  }

  /** The pairs of channel and event that this news may mean. */
  function audience(news: News, monitors: readonly Monitor[]): [Channel, IncidentEvent][] {
    const { incident, event } = news
    if (event === 'incident.opened') {
      return chosenChannels(store, incident.orgId, monitors).map((channel) => [channel, event])
    }
    const told = knowing(incident).map((channel): [Channel, IncidentEvent] => [channel, event])
    if (event !== 'incident.updated') return told
    // What got worse may now be loud enough for a channel that was spared so far.
    const spared = chosenChannels(store, incident.orgId, monitors).filter(
      (channel) =>
        channel.minSeverity !== 'degraded' &&
        store.told.get(incident.orgId, incident.id, channel.id).promised === 'none',
    )
    return [
      ...told,
      ...spared.map((channel): [Channel, IncidentEvent] => [channel, 'incident.opened']),
    ]
  }

  /** An opening that waits out the channel's delay, where there is one. */
  function delayedOpening(channel: Channel, told: ToldRecord, nowMs: number): Delivery | undefined {
    if (told.delayedId === null) return undefined
    const opening = store.deliveries.get(channel.orgId, channel.id, told.delayedId)
    return opening?.state === 'pending' && isDelayed(opening, nowMs) ? opening : undefined
  }

  function deliveryFor(channel: Channel, event: IncidentEvent, news: News, json: string): Delivery {
    const { incident, nowMs } = news
    const owed = owedDelivery({
      id: newId('delivery', nowMs),
      orgId: channel.orgId,
      channelId: channel.id,
      incidentId: incident.id,
      event,
      payloadJson: json,
      nowMs,
      // A reminder changes nothing about the incident, and yet is another message each time.
      sequence: event === 'incident.reminder' ? nowMs : incident.revision,
    })
    const delayMs = event === 'incident.opened' ? channel.delayMinutes * 60_000 : 0
    return { ...owed, dueAtMs: nowMs + delayMs, giveUpAtMs: owed.giveUpAtMs + delayMs }
  }

  return (tx, news) => {
    const { incident, nowMs } = news
    const monitors = monitorsOf(news)
    const payloads = new Map<IncidentEvent, string>()

    function payloadJson(event: IncidentEvent): string {
      const known = payloads.get(event)
      if (known !== undefined) return known
      const json = JSON.stringify(incidentPayload(event, incident, monitors, nowMs, baseUrl))
      payloads.set(event, json)
      return json
    }

    function tell(channel: Channel, event: IncidentEvent): void {
      const told = store.told.get(incident.orgId, incident.id, channel.id)
      const note = (record: ToldRecord) =>
        store.told.put(tx, incident.orgId, incident.id, channel.id, record)
      const delayed = delayedOpening(channel, told, nowMs)
      if (delayed) {
        // Over, or in somebody's hands, before the delay ran out: this channel need not hear of it.
        if (event === 'incident.resolved' || event === 'incident.acknowledged') {
          store.deliveries.remove(tx, delayed)
          note({ promised: told.heard, heard: told.heard, delayedId: null })
        }
        return
      }
      const { isOwed, told: promised } = announcement(told.promised, event)
      if (!isOwed) return
      if (wants(channel, event, incident)) {
        const delivery = deliveryFor(channel, event, news, payloadJson(event))
        store.deliveries.put(tx, delivery)
        const delayedId = delivery.dueAtMs > nowMs ? delivery.id : null
        note({ promised, heard: told.heard, delayedId })
        tx.afterCommit(() => wake(channel.orgId, channel.id))
      } else if (event === 'incident.resolved') {
        // It does not want to hear of ends; a reopening must still be news to it.
        note({ promised, heard: promised, delayedId: null })
      }
    }

    for (const [channel, event] of audience(news, monitors)) tell(channel, event)
  }
}

/** The monitors' own channels; the organization's default ones where none of them exists. */
export function chosenChannels(
  store: Store,
  orgId: OrgId,
  monitors: readonly Monitor[],
): Channel[] {
  const ids = new Set(monitors.flatMap((monitor) => monitor.notifyChannelIds))
  const named = [...ids].flatMap((id) => store.channels.get(orgId, id) ?? [])
  return named.length > 0 ? named : store.channels.defaults(orgId)
}

function wants(channel: Channel, event: IncidentEvent, { severity }: Incident): boolean {
  if (!channel.isActive || !channel.events.includes(event)) return false
  return event !== 'incident.opened' || isLoudEnough(channel, severity)
}
