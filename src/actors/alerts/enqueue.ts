// Queues messages to channels, in the transaction of the change that causes them.
import { type ChannelId, newId, type OrgId } from '../../base/ids.ts'
import { sendsEach } from '../../channels/registry.ts'
import type { AlertLinkSubject } from '../../domain/alerts/alert-link.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { announcement, type Delivery, newDelivery } from '../../domain/alerts/delivery.ts'
import { isDelayed } from '../../domain/alerts/digest.ts'
import type { CertificateNotice, DomainNotice } from '../../domain/alerts/expiry-notice.ts'
import {
  type CertificatePayload,
  type CertificateUsers,
  certificatePayload,
  type DomainPayload,
  domainPayload,
  type IncidentEvent,
  incidentPayload,
  type SloNotice,
  type SloPayload,
  sloPayload,
} from '../../domain/alerts/payload.ts'
import { isLetOut, quietUntilMs } from '../../domain/alerts/quiet-hours.ts'
import {
  type AlertRoute,
  chosenChannels,
  type RoutedNews,
  routeTo,
} from '../../domain/alerts/route.ts'
import { type Incident, isHeld } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { isSilent } from '../../domain/monitors/shadow.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { AnnouncementRecord } from '../../store/tables/alerts/announcements.ts'
import { escalationHeldUntilMs } from './held-alerts.ts'

export interface IncidentAlert {
  /** The incident after the event. */
  readonly incident: Incident
  readonly event: IncidentEvent
  /** The monitor of the event; absent if a person declared the incident. */
  readonly monitor?: Monitor
  /** Absent: every channel that the news concerns. */
  readonly onlyTo?: ChannelId
  readonly nowMs: number
}

/** A certificate expires soon. This causes one message and no incident. */
export interface CertificateNews {
  readonly monitor: Monitor
  readonly notice: CertificateNotice
  readonly nowMs: number
}

/** The registration of a domain ends soon. This causes one message and no incident. */
export interface DomainNews {
  readonly monitor: Monitor
  readonly notice: DomainNotice
  readonly nowMs: number
}

/** The error budget of a month will not last, or is used up. This causes one message. */
export interface SloNews {
  readonly monitor: Monitor
  readonly notice: SloNotice
  readonly nowMs: number
}

interface Taker {
  readonly channel: Channel
  readonly route: Exclude<AlertRoute, { kind: 'none' }>
}

export type Enqueue = ReturnType<typeof createEnqueue>

type EventForChannel = [channel: Channel, event: IncidentEvent]

export interface EnqueueDeps {
  readonly store: Store
  /** The page of an incident for the people of one channel. */
  readonly incidentUrl: (subject: AlertLinkSubject) => string
  /** Sends the pending messages of the channel. */
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
}

/** Queues messages; they are sent once the transaction is on disk. */
export function createEnqueue({ store, incidentUrl, wake }: EnqueueDeps) {
  function put(tx: Tx, delivery: Delivery): void {
    store.deliveries.put(tx, delivery)
    tx.afterCommit(() => wake(delivery.orgId, delivery.channelId))
  }

  /** Whether the monitor tells anybody. Its record is read again: it may have gone live since the caller read it. */
  function isHeard(monitor: Monitor): boolean {
    if (monitor.alertsNobody) return false
    if (monitor.shadow === undefined) return true
    return !isSilent(store.monitors.readable(monitor.orgId, monitor.id) ?? monitor)
  }

  /** The channels that hear first of news about the monitors: no way of telling begins elsewhere. */
  function channelsOf(orgId: OrgId, monitors: readonly Monitor[]): Channel[] {
    const heard = monitors.filter(isHeard)
    if (monitors.length > 0 && heard.length === 0) return []
    const ids = new Set(heard.flatMap((monitor) => monitor.notifyChannelIds))
    const named = [...ids].flatMap((id) => store.channels.readable(orgId, id) ?? [])
    return chosenChannels(heard, named, () => store.channels.defaults(orgId))
  }

  function monitorsOf({ incident, monitor }: IncidentAlert): Monitor[] {
    return incident.monitorIds.flatMap((id) =>
      // The given monitor takes precedence over the stored one, because this transaction may change
      // or remove it.
      id === monitor?.id ? monitor : (store.monitors.readable(incident.orgId, id) ?? []),
    )
  }

  /** The channels that know of the incident. They get later events even if their settings changed. */
  function informedChannels({ orgId, id }: Incident): Channel[] {
    return store.announcements
      .channelIds(orgId, id)
      .flatMap((channelId) => store.channels.readable(orgId, channelId) ?? [])
  }

  /** The messages that this news may cause. */
  function audience({ incident, event }: IncidentAlert, monitors: Monitor[]): EventForChannel[] {
    const { orgId, id } = incident
    const isNews = (channel: Channel) =>
      // An escalation is for what nobody takes care of.
      !(channel.delayMinutes > 0 && incident.state === 'acknowledged')
    if (event === 'incident.opened') {
      if (isHeld(incident)) return []
      return channelsOf(orgId, monitors)
        .filter(isNews)
        .map((channel) => [channel, event])
    }
    const informed = informedChannels(incident)
    const later = informed.map((channel): EventForChannel => [channel, event])
    if (event !== 'incident.updated' || isHeld(incident)) return later
    // The incident may have become severe enough for a channel that was not informed before.
    const spared = channelsOf(orgId, monitors).filter(
      (channel) =>
        channel.minSeverity !== 'degraded' &&
        isNews(channel) &&
        store.announcements.get(orgId, id, channel.id).announced === 'none',
    )
    return later.concat(spared.map((channel) => [channel, 'incident.opened']))
  }

  /**
   * The opening message, if one still waits for the channel's delay, or for the end of the quiet hours in
   * which the delay ended.
   */
  function delayedOpening(
    channel: Channel,
    { delayedId }: AnnouncementRecord,
    { incident, nowMs }: IncidentAlert,
  ): Delivery | undefined {
    const { orgId, id, quietHours } = channel
    const opening = delayedId === null ? undefined : store.deliveries.get(orgId, id, delayedId)
    if (opening?.state !== 'pending') return undefined
    if (isDelayed(opening, nowMs)) return opening
    const heldUntilMs = escalationHeldUntilMs(store, opening, nowMs)
    if (heldUntilMs !== null && heldUntilMs > nowMs) return opening
    const isHeld =
      opening.lastAtMs === null &&
      quietHours !== null &&
      !isLetOut(quietHours, incident.severity) &&
      quietUntilMs(quietHours, nowMs) !== null
    return isHeld ? opening : undefined
  }

  function deliveryFor(
    channel: Channel,
    event: IncidentEvent,
    { incident, nowMs }: IncidentAlert,
    route: Exclude<AlertRoute, { kind: 'none' }>,
    payloadJson: string,
  ): Delivery {
    const owed = newDelivery({
      id: newId('delivery', nowMs),
      orgId: channel.orgId,
      channelId: channel.id,
      incidentId: incident.id,
      event,
      payloadJson,
      nowMs,
      // A reminder does not change the incident's revision, so the time makes it a new message.
      sequence: event === 'incident.reminder' ? nowMs : incident.revision,
    })
    const delayMs = event === 'incident.opened' ? channel.delayMinutes * 60_000 : 0
    return waiting({ ...owed, dueAtMs: nowMs + delayMs }, route)
  }

  function announce(
    tx: Tx,
    news: IncidentAlert,
    channel: Channel,
    event: IncidentEvent,
    payloadJson: (event: IncidentEvent) => string,
  ): void {
    const { incident, nowMs } = news
    const before = store.announcements.get(incident.orgId, incident.id, channel.id)
    const { delivered } = before
    const note = (record: AnnouncementRecord) =>
      store.announcements.put(tx, incident.orgId, incident.id, channel.id, record)
    const delayed = delayedOpening(channel, before, news)
    if (delayed) {
      // The incident was resolved or acknowledged during the delay, so this channel need not learn
      // of it.
      if (event === 'incident.resolved' || event === 'incident.acknowledged') {
        store.deliveries.remove(tx, delayed)
        note({ announced: delivered, delivered, delayedId: null })
      }
      // Nobody has got the opening yet, so it tells how things stand now.
      if (event === 'incident.updated') {
        put(tx, { ...delayed, payloadJson: payloadJson('incident.opened') })
      }
      return
    }
    const { isOwed, announced } = announcement(before.announced, event)
    if (!isOwed) return
    const route = routeTo(channel, routedNews(event, incident), nowMs)
    if (route.kind !== 'none') {
      const delivery = deliveryFor(channel, event, news, route, payloadJson(event))
      put(tx, delivery)
      note({ announced, delivered, delayedId: delivery.dueAtMs > nowMs ? delivery.id : null })
    } else if (event === 'incident.resolved') {
      // The channel does not subscribe to resolutions, but a reopening must still be news.
      note({ announced, delivered: announced, delayedId: null })
    }
  }

  /** The channels that take news of a monitor which is about no incident. */
  function takersOf(monitor: Monitor, news: RoutedNews, nowMs: number): Taker[] {
    return channelsOf(monitor.orgId, [monitor]).flatMap((channel) => {
      const route = routeTo(channel, news, nowMs)
      return route.kind === 'none' ? [] : [{ channel, route }]
    })
  }

  /** One message for each of the channels. */
  function notify(
    tx: Tx,
    takers: readonly Taker[],
    payload: CertificatePayload | DomainPayload | SloPayload,
    nowMs: number,
  ): void {
    const payloadJson = JSON.stringify(payload)
    for (const { channel, route } of takers) {
      const { orgId, id: channelId } = channel
      const id = newId('delivery', nowMs)
      const event = payload.type
      const owed = { id, orgId, channelId, incidentId: null, event, payloadJson, nowMs }
      put(tx, waiting(newDelivery({ ...owed, sequence: 0 }), route))
    }
  }

  /** The monitors that are known to use the certificate; the given one comes first. */
  function usersOf(monitor: Monitor, fingerprint: string | undefined): CertificateUsers {
    if (fingerprint === undefined) return { monitors: [monitor], total: 1 }
    const { orgId } = monitor
    const others = store.certificates.users(orgId, fingerprint).filter((id) => id !== monitor.id)
    const named = others
      .slice(0, limits.payloadMonitorsMax - 1)
      .flatMap((id) => store.monitors.readable(orgId, id) ?? [])
      .filter((one) => !isSilent(one))
    return { monitors: [monitor, ...named], total: 1 + others.length }
  }

  return {
    /** Each message corrects the last announcement to the channel if that is no longer true. */
    incident(tx: Tx, news: IncidentAlert): void {
      const { incident, nowMs } = news
      const monitors = monitorsOf(news)
      function payloadJson({ id: channelId }: Channel, event: IncidentEvent): string {
        const url = incidentUrl({ orgId: incident.orgId, incidentId: incident.id, channelId })
        return JSON.stringify(incidentPayload(event, incident, monitors, nowMs, url))
      }

      for (const [channel, event] of audience(news, monitors)) {
        if (news.onlyTo !== undefined && news.onlyTo !== channel.id) continue
        announce(tx, news, channel, event, (about) => payloadJson(channel, about))
      }
    },

    /**
     * The monitor was paused or deleted, which is no recovery: only the platforms that keep an alert for
     * each incident get a message, because their alerts would stay open and ring on.
     */
    monitorGone(tx: Tx, news: Omit<IncidentAlert, 'event' | 'onlyTo'>): void {
      const { incident, nowMs } = news
      const event = 'incident.resolved'
      for (const channel of informedChannels(incident)) {
        if (!sendsEach(channel.type)) continue
        const { orgId, id: incidentId } = incident
        const url = incidentUrl({ orgId, incidentId, channelId: channel.id })
        const monitors = monitorsOf({ ...news, event })
        announce(tx, { ...news, event }, channel, event, () =>
          JSON.stringify(incidentPayload(event, incident, monitors, nowMs, url)),
        )
      }
    },

    /**
     * Returns whether any channel gets the notice, or got it before: monitors that use the same
     * certificate share it. It is due at once, whatever the delay.
     */
    certificate(tx: Tx, { monitor, notice, nowMs }: CertificateNews): boolean {
      const event = 'certificate.expiring'
      const takers = takersOf(monitor, { event, severity: 'certificate' }, nowMs)
      const { orgId } = monitor
      const { certificate, thresholdDays } = notice
      const { fingerprint, expiresAtMs } = certificate
      const receivers = takers.filter(({ channel }) => {
        const toldDays = fingerprint && store.certificates.toldDays(orgId, fingerprint, channel.id)
        return typeof toldDays !== 'number' || toldDays > thresholdDays
      })
      if (receivers.length === 0) return takers.length > 0
      const payload = certificatePayload(usersOf(monitor, fingerprint), notice, nowMs)
      notify(tx, receivers, payload, nowMs)
      if (fingerprint === undefined) return true
      const told = Object.fromEntries(receivers.map(({ channel }) => [channel.id, thresholdDays]))
      store.certificates.noteTold(tx, orgId, fingerprint, { expiresAtMs, told }, nowMs)
      return true
    },

    /** Returns whether any channel gets the notice. */
    domain(tx: Tx, { monitor, notice, nowMs }: DomainNews): boolean {
      const takers = takersOf(monitor, { event: 'domain.expiring', severity: 'domain' }, nowMs)
      if (takers.length === 0) return false
      notify(tx, takers, domainPayload(monitor, notice, nowMs), nowMs)
      return true
    },

    /** Returns whether any channel gets the notice. */
    slo(tx: Tx, { monitor, notice, nowMs }: SloNews): boolean {
      const event = `slo.${notice.state}` as const
      const takers = takersOf(monitor, { event, severity: 'degraded' }, nowMs)
      if (takers.length === 0) return false
      notify(tx, takers, sloPayload(monitor, notice, nowMs), nowMs)
      return true
    },
  }
}

/** While a person takes care of an incident, or it flaps, nobody is reminded of it. */
function routedNews(event: IncidentEvent, { severity, state, flapping }: Incident): RoutedNews {
  if (event !== 'incident.reminder') return { event, severity }
  if (state === 'acknowledged') return { event, severity, sparedBy: 'acknowledged' }
  return flapping ? { event, severity, sparedBy: 'flapping' } : { event, severity }
}

/** The time for attempts begins when the message may be sent. */
function waiting(delivery: Delivery, route: Exclude<AlertRoute, { kind: 'none' }>): Delivery {
  if (route.kind === 'now') return delivery
  return { ...delivery, giveUpAtMs: route.atMs + limits.deliveryAgeMsMax }
}
