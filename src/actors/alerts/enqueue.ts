// What becomes owed to which channel, in the transaction of the change that causes it.
import { type ChannelId, newId, type OrgId } from '../../base/ids.ts'
import type { CertificateNotice } from '../../domain/alerts/certificate-notice.ts'
import { type Channel, isLoudEnough } from '../../domain/alerts/channel.ts'
import {
  announcement,
  type Delivery,
  type DeliveryEvent,
  owedDelivery,
} from '../../domain/alerts/delivery.ts'
import { isDelayed } from '../../domain/alerts/digest.ts'
import { certificatePayload, incidentPayload } from '../../domain/alerts/payload.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { AnnouncementRecord } from '../../store/tables/alerts/announcements.ts'

export type IncidentEvent = Exclude<
  DeliveryEvent,
  'incident.digest' | 'certificate.expiring' | 'channel.test'
>

/** Something happened to an incident. */
export interface IncidentNews {
  /** As it is after the event. */
  readonly incident: Incident
  readonly event: IncidentEvent
  /** The monitor that it happened to; absent where a person declared the incident. */
  readonly monitor?: Monitor
  readonly nowMs: number
}

/** A certificate expires soon: no incident, one message. */
export interface CertificateNews {
  readonly monitor: Monitor
  readonly notice: CertificateNotice
  readonly nowMs: number
}

/** Makes messages owed; they are sent once the transaction is on disk. */
export interface Enqueue {
  /** Each message is the answer to "is what was announced to the channel still so?". */
  incident(tx: Tx, news: IncidentNews): void
  /** Returns whether a channel is owed the notice. It is due at once, whatever the delay. */
  certificate(tx: Tx, news: CertificateNews): boolean
}

export interface EnqueueDeps {
  readonly store: Store
  /** The service's own address, without a slash at the end. */
  readonly baseUrl: string
  /** Sends what the channel is owed. */
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
}

export function createEnqueue({ store, baseUrl, wake }: EnqueueDeps): Enqueue {
  function put(tx: Tx, delivery: Delivery): void {
    store.deliveries.put(tx, delivery)
    tx.afterCommit(() => wake(delivery.orgId, delivery.channelId))
  }

  /** The monitors' own channels; the organization's default ones where none of them exists. */
  function chosenChannels(orgId: OrgId, monitors: readonly Monitor[]): Channel[] {
    const ids = new Set(monitors.flatMap((monitor) => monitor.notifyChannelIds))
    const named = [...ids].flatMap((id) => store.channels.get(orgId, id) ?? [])
    return named.length > 0 ? named : store.channels.defaults(orgId)
  }

  function monitorsOf({ incident, monitor }: IncidentNews): Monitor[] {
    return incident.monitorIds.flatMap((id) =>
      // The monitor may be changed or removed in this very transaction: the one given is right.
      id === monitor?.id ? monitor : (store.monitors.get(incident.orgId, id) ?? []),
    )
  }

  /** The channels that know of the incident: later news go to them, whatever was changed since. */
  function informedChannels({ orgId, id }: Incident): Channel[] {
    return store.announcements
      .channelIds(orgId, id)
      .flatMap((channelId) => store.channels.get(orgId, channelId) ?? [])
  }

  /** The pairs of channel and event that this news may mean. */
  function audience(news: IncidentNews, monitors: readonly Monitor[]): [Channel, IncidentEvent][] {
    const { incident, event } = news
    const { orgId, id } = incident
    if (event === 'incident.opened') {
      return chosenChannels(orgId, monitors).map((channel) => [channel, event])
    }
    const informed = informedChannels(incident).map((channel): [Channel, IncidentEvent] => [
      channel,
      event,
    ])
    if (event !== 'incident.updated') return informed
    // A worse incident may now be severe enough for a channel that was spared so far.
    const spared = chosenChannels(orgId, monitors).filter(
      (channel) =>
        channel.minSeverity !== 'degraded' &&
        store.announcements.get(orgId, id, channel.id).announced === 'none',
    )
    return [
      ...informed,
      ...spared.map((channel): [Channel, IncidentEvent] => [channel, 'incident.opened']),
    ]
  }

  /** An opening that waits out the channel's delay, where there is one. */
  function delayedOpening(
    { orgId, id }: Channel,
    { delayedId }: AnnouncementRecord,
    nowMs: number,
  ): Delivery | undefined {
    const opening = delayedId === null ? undefined : store.deliveries.get(orgId, id, delayedId)
    return opening?.state === 'pending' && isDelayed(opening, nowMs) ? opening : undefined
  }

  function deliveryFor(
    channel: Channel,
    event: IncidentEvent,
    { incident, nowMs }: IncidentNews,
    payloadJson: string,
  ): Delivery {
    const owed = owedDelivery({
      id: newId('delivery', nowMs),
      orgId: channel.orgId,
      channelId: channel.id,
      incidentId: incident.id,
      event,
      payloadJson,
      nowMs,
      // A reminder changes nothing about the incident, and yet is another message each time.
      sequence: event === 'incident.reminder' ? nowMs : incident.revision,
    })
    const delayMs = event === 'incident.opened' ? channel.delayMinutes * 60_000 : 0
    return { ...owed, dueAtMs: nowMs + delayMs, giveUpAtMs: owed.giveUpAtMs + delayMs }
  }

  function announce(
    tx: Tx,
    news: IncidentNews,
    channel: Channel,
    event: IncidentEvent,
    payloadJson: () => string,
  ): void {
    const { incident, nowMs } = news
    const before = store.announcements.get(incident.orgId, incident.id, channel.id)
    const { delivered } = before
    const note = (record: AnnouncementRecord) =>
      store.announcements.put(tx, incident.orgId, incident.id, channel.id, record)
    const delayed = delayedOpening(channel, before, nowMs)
    if (delayed) {
      // Over, or in somebody's hands, before the delay ran out: this channel need not know of it.
      if (event === 'incident.resolved' || event === 'incident.acknowledged') {
        store.deliveries.remove(tx, delayed)
        note({ announced: delivered, delivered, delayedId: null })
      }
      return
    }
    const { isOwed, announced } = announcement(before.announced, event)
    if (!isOwed) return
    if (wants(channel, event, incident)) {
      const delivery = deliveryFor(channel, event, news, payloadJson())
      put(tx, delivery)
      note({ announced, delivered, delayedId: delivery.dueAtMs > nowMs ? delivery.id : null })
    } else if (event === 'incident.resolved') {
      // It does not want to hear of ends; a reopening must still be news to it.
      note({ announced, delivered: announced, delayedId: null })
    }
  }

  return {
    incident(tx, news) {
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

      for (const [channel, event] of audience(news, monitors)) {
        announce(tx, news, channel, event, () => payloadJson(event))
      }
    },

    certificate(tx, { monitor, notice, nowMs }) {
      const { orgId } = monitor
      const event = 'certificate.expiring'
      const receivers = chosenChannels(orgId, [monitor]).filter(
        (channel) =>
          channel.isActive &&
          channel.events.includes(event) &&
          isLoudEnough(channel, 'certificate'),
      )
      if (receivers.length === 0) return false
      const payloadJson = JSON.stringify(certificatePayload(monitor, notice, nowMs, baseUrl))
      for (const { id: channelId } of receivers) {
        const id = newId('delivery', nowMs)
        const owed = { id, orgId, channelId, incidentId: null, event, payloadJson, nowMs } as const
        put(tx, owedDelivery({ ...owed, sequence: 0 }))
      }
      return true
    },
  }
}

function wants(channel: Channel, event: IncidentEvent, { severity }: Incident): boolean {
  if (!channel.isActive || !channel.events.includes(event)) return false
  return event !== 'incident.opened' || isLoudEnough(channel, severity)
}
