// The alerts that a simulation would have sent: the rules of real ones, with the channels of today.
import type { ChannelId } from '../../base/ids.ts'
import type { SimulatedIncident, SimulatedNews } from '../health/simulation.ts'
import { limits } from '../limits/limits.ts'
import type { Channel, ChannelEvent } from './channel.ts'
import { type AnnouncedState, announcement } from './delivery.ts'
import { reminderAtMs } from './reminder.ts'
import { routeTo } from './route.ts'

export interface SimulatedAlert {
  readonly event: IncidentEventName
  readonly channelId: ChannelId
  /** When it happened, and when the channel would have got the message. */
  readonly atMs: number
  readonly sentAtMs: number
}

export interface SimulatedAlerts {
  /** By the number of the incident: the first ones of each. */
  readonly ofIncident: (number: number) => readonly SimulatedAlert[]
  readonly countOfIncident: (number: number) => number
  readonly countOfChannel: (channelId: ChannelId) => number
}

type IncidentEventName =
  | 'incident.opened'
  | 'incident.updated'
  | 'incident.resolved'
  | 'incident.reminder'

/** What one channel knows of one incident. */
interface ChannelKnowledge {
  readonly announced: AnnouncedState
  /** What it knew before an opening that still waits. */
  readonly before: AnnouncedState
  /** Oldest first: an opening that is not sent at once, and what followed while it waited. */
  readonly waiting: readonly SimulatedAlert[]
  /** The opening waits for the delay of the channel. */
  readonly isDelayed: boolean
}

interface IncidentAlerts {
  readonly knowledge: Map<ChannelId, ChannelKnowledge>
  readonly alerts: SimulatedAlert[]
  count: number
}

interface OpenIncident {
  readonly incident: SimulatedIncident
  readonly openedAtMs: number
  remindedAtMs: number
  isFlapping: boolean
}

const nothingKnown: ChannelKnowledge = {
  announced: 'none',
  before: 'none',
  waiting: [],
  isDelayed: false,
}

/** `channels` are the ones that the monitor would alert. News must come oldest first. */
export function simulateAlerts(channels: readonly Channel[], reminderMinutes: number) {
  const byIncident = new Map<number, IncidentAlerts>()
  const counts = new Map<ChannelId, number>()
  let open: OpenIncident | null = null

  function alertsOf(number: number): IncidentAlerts {
    const known = byIncident.get(number)
    if (known) return known
    const made: IncidentAlerts = { knowledge: new Map(), alerts: [], count: 0 }
    byIncident.set(number, made)
    return made
  }

  function send(to: IncidentAlerts, alert: SimulatedAlert): void {
    to.count += 1
    counts.set(alert.channelId, (counts.get(alert.channelId) ?? 0) + 1)
    if (to.alerts.length < limits.simulatedAlertsShown) to.alerts.push(alert)
  }

  function takeBack(from: IncidentAlerts, alert: SimulatedAlert): void {
    from.count -= 1
    counts.set(alert.channelId, (counts.get(alert.channelId) ?? 1) - 1)
    const at = from.alerts.findIndex(
      ({ event, channelId, sentAtMs }) =>
        event === alert.event && channelId === alert.channelId && sentAtMs === alert.sentAtMs,
    )
    if (at >= 0) from.alerts.splice(at, 1)
  }

  function announce(
    to: IncidentAlerts,
    channel: Channel,
    event: IncidentEventName,
    { severity }: SimulatedIncident,
    atMs: number,
  ): void {
    const known = to.knowledge.get(channel.id) ?? nothingKnown
    const waiting = known.waiting.filter(({ sentAtMs }) => sentAtMs > atMs)
    const [opening] = waiting
    if (opening && known.isDelayed) {
      if (event !== 'incident.resolved') return
      // It was over before the channel wanted to hear of it.
      takeBack(to, opening)
      to.knowledge.set(channel.id, { ...nothingKnown, announced: known.before })
      return
    }
    const { isOwed, announced } = announcement(known.announced, event)
    if (!isOwed) return
    const route = routeTo(channel, { event: event satisfies ChannelEvent, severity }, atMs)
    if (route.kind === 'none') {
      if (event !== 'incident.resolved') return
      to.knowledge.set(channel.id, { ...nothingKnown, announced })
      return
    }
    const sentAtMs = route.kind === 'now' ? atMs : route.atMs
    const alert: SimulatedAlert = { event, channelId: channel.id, atMs, sentAtMs }
    send(to, alert)
    if (event === 'incident.resolved') {
      // One message carries it and the opening that still waits, with all in between.
      for (const overtaken of waiting) takeBack(to, overtaken)
      to.knowledge.set(channel.id, { ...nothingKnown, announced })
    } else if (event === 'incident.opened') {
      const isDelayed = channel.delayMinutes > 0
      const held = sentAtMs > atMs ? [alert] : []
      to.knowledge.set(channel.id, { announced, before: known.announced, waiting: held, isDelayed })
    } else if (opening) {
      to.knowledge.set(channel.id, { ...known, waiting: [...waiting, alert] })
    }
  }

  /** Nobody acknowledges anything here. */
  function remind(untilMs: number): void {
    if (open === null || open.isFlapping || reminderMinutes === 0) return
    const to = alertsOf(open.incident.number)
    for (;;) {
      const atMs = reminderAtMs(open.openedAtMs, reminderMinutes, open.remindedAtMs)
      if (atMs >= untilMs) return
      open.remindedAtMs = atMs
      for (const channel of channels) {
        if (to.knowledge.has(channel.id)) {
          announce(to, channel, 'incident.reminder', open.incident, atMs)
        }
      }
    }
  }

  return {
    tell({ event, atMs, incident, isFlapping }: SimulatedNews): void {
      remind(atMs)
      const to = alertsOf(incident.number)
      const isNew = (channel: Channel) =>
        (to.knowledge.get(channel.id)?.announced ?? 'none') === 'none'
      if (event === null) {
        if (open !== null) open = { ...open, isFlapping }
        return
      }
      for (const channel of channels) {
        if (event === 'incident.opened' || to.knowledge.has(channel.id)) {
          announce(to, channel, event, incident, atMs)
        } else if (event === 'incident.updated' && channel.minSeverity !== 'degraded') {
          // It may have become severe enough for a channel that was spared before.
          if (isNew(channel)) announce(to, channel, 'incident.opened', incident, atMs)
        }
      }
      if (event === 'incident.resolved') open = null
      else if (event === 'incident.opened') {
        open = { incident, openedAtMs: atMs, remindedAtMs: atMs, isFlapping }
      } else if (open !== null) open = { ...open, incident, isFlapping }
    },

    /** The alerts until the end. */
    end(toMs: number): SimulatedAlerts {
      remind(toMs)
      return {
        ofIncident: (number) => byIncident.get(number)?.alerts ?? [],
        countOfIncident: (number) => byIncident.get(number)?.count ?? 0,
        countOfChannel: (channelId) => counts.get(channelId) ?? 0,
      }
    },
  }
}
