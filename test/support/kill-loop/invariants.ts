// What must hold in the store after any kill: incidents follow from health, alerts from incidents.
import type { ChannelId, IncidentId, MonitorId } from '../../../src/base/ids.ts'
import { type Delivery, webhookIdOf } from '../../../src/domain/alerts/delivery.ts'
import { shownState } from '../../../src/domain/health/health.ts'
import type { Incident, TimelineEntry } from '../../../src/domain/incidents/incident.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import type { MonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { isGivenUpRightly, type Snapshot } from './snapshot.ts'
import { nameOfRow, type SubscriberType } from './wire.ts'
import type { Subscriber } from './world.ts'

/** What is known from earlier looks, so that nothing may vanish or change afterwards. */
export interface Memory {
  /** The channels that hear of a monitor, also after it was deleted. */
  readonly audiences: Map<MonitorId, readonly ChannelId[]>
  readonly incidents: Map<IncidentId, Incident>
  readonly deliveries: Map<string, Delivery>
}

export const createMemory = (): Memory => ({
  audiences: new Map(),
  incidents: new Map(),
  deliveries: new Map(),
})

export interface Received {
  readonly subscribers: readonly Pick<Subscriber, 'id' | 'type'>[]
  /** Names of the messages that have arrived for a channel. */
  readonly arrived: ReadonlyMap<ChannelId, ReadonlySet<string>>
  /** Names of those that were taken. */
  readonly taken: ReadonlySet<string>
}

/** Every invariant that does not hold, in a sentence each, of the subscribers. */
export function brokenInvariants(snapshot: Snapshot, memory: Memory, received: Received): string[] {
  const { subscribers } = received
  const defaults = [...snapshot.channels.values()].filter((channel) => channel.isDefault)
  // Some monitors are here although their creation was never answered.
  for (const { monitor } of snapshot.monitors.values()) {
    const own = monitor.notifyChannelIds.length > 0
    memory.audiences.set(monitor.id, own ? monitor.notifyChannelIds : defaults.map(({ id }) => id))
  }
  const problems = [
    ...[...snapshot.monitors.values()].flatMap((row) => monitorProblems(snapshot, row)),
    ...[...snapshot.incidents.values()].flatMap((incident) => [
      ...incidentProblems(snapshot, incident, memory),
      ...subscribers.flatMap((one) => alertProblems(snapshot, incident, one, memory)),
    ]),
    ...subscribers.flatMap((one) => deliveryProblems(snapshot, one, memory, received)),
  ]
  for (const id of memory.incidents.keys()) {
    if (!snapshot.incidents.has(id)) problems.push(`${id} is no longer there`)
  }
  for (const incident of snapshot.incidents.values()) memory.incidents.set(incident.id, incident)
  return problems
}

function monitorProblems(
  { incidents }: Snapshot,
  { monitor, monitorState }: { monitor: Monitor; monitorState: MonitorState | undefined },
): string[] {
  if (!monitorState) return [`${monitor.id} has no standing`]
  const { health } = monitorState
  const shown = shownState(health)
  const who = `${monitor.id} (${shown}${monitor.isActive ? '' : ', paused'})`
  if (health.openIncidentId === null) {
    if (shown !== 'down') return []
    const last = health.lastIncidentId && incidents.get(health.lastIncidentId)
    const wasResolvedByHand = last && last.resolution === 'manual'
    return wasResolvedByHand ? [] : [`${who} is down without an incident`]
  }
  const incident = incidents.get(health.openIncidentId)
  const problems: string[] = []
  if (incident?.state !== 'open' && incident?.state !== 'acknowledged') {
    problems.push(`${who} has ${health.openIncidentId} open, which is ${incident?.state}`)
  }
  if (!incident?.monitorIds.includes(monitor.id)) {
    problems.push(`${who} has the incident of another monitor open`)
  }
  if (shown !== 'down' && !health.flapping) problems.push(`${who} has an incident open`)
  if (incident?.flapping !== health.flapping) {
    problems.push(`${who}: flapping is ${health.flapping}, of its incident ${incident?.flapping}`)
  }
  if (!monitor.isActive) problems.push(`${who} is paused and has an incident open`)
  return problems
}

function incidentProblems(snapshot: Snapshot, incident: Incident, memory: Memory): string[] {
  const { id, timeline, revision } = incident
  const isOpen = incident.state !== 'resolved'
  const problems: string[] = []
  if (isOpen !== snapshot.openIds.has(id)) problems.push(`${id} is wrong in the index of open ones`)
  if (revision !== timeline.length) problems.push(`${id} has a gap: ${revision} changes`)
  for (const monitorId of isOpen ? incident.monitorIds : []) {
    const openId = snapshot.monitors.get(monitorId)?.monitorState?.health.openIncidentId
    if (openId !== id) problems.push(`${id} is open, but its monitor ${monitorId} has ${openId}`)
  }
  const before = memory.incidents.get(id)
  const goesOn = before?.timeline.every((entry, at) => {
    return JSON.stringify(entry) === JSON.stringify(timeline[at])
  })
  if (goesOn === false) problems.push(`${id} has lost a part of its history`)
  return problems
}

/** What a change of an incident is called when a channel is told; null: it is not told. */
function eventOf({ kind, message }: TimelineEntry, type: SubscriberType): Delivery['event'] | null {
  switch (kind) {
    case 'opened':
    case 'reopened':
      return 'incident.opened'
    case 'acknowledged':
      return 'incident.acknowledged'
    case 'closed':
      return 'incident.resolved'
    case 'resolved':
      // Closed with its monitor: there was no recovery. An alert that a platform keeps must end.
      return message.startsWith('Closed:') && type !== 'pagerduty' ? null : 'incident.resolved'
    case 'settled':
    // The end of an outage whose incident was closed by hand: channels heard of that.
    case 'recovered':
    // While what it depends on is down, channels hear nothing; its release is its opening.
    case 'held':
      return null
    case 'released':
      return 'incident.opened'
    default:
      return 'incident.updated'
  }
}

/**
 * Channels that have not heard of an incident hear nothing of it while its alerts are held. They
 * have heard of it if it was told before, and has not ended since.
 */
function isUntold(timeline: readonly TimelineEntry[], at: number): boolean {
  let isTold = false
  for (const [index, { kind }] of timeline.slice(0, at + 1).entries()) {
    const isHeld = timeline[index + 1]?.kind === 'held'
    if (index === at && kind === 'released') return isTold
    if (index === at) return !isTold && (isHeld || !beginnings.has(kind))
    if (beginnings.has(kind)) isTold ||= !isHeld
    if (endings.has(kind)) isTold = false
  }
  return false
}

const beginnings: ReadonlySet<string> = new Set(['opened', 'reopened', 'released'])
const endings: ReadonlySet<string> = new Set(['closed', 'resolved'])

/** A subscribed channel is owed each change exactly once; another one hears nothing. */
function alertProblems(
  { deliveries }: Snapshot,
  incident: Incident,
  { id: channelId, type }: Pick<Subscriber, 'id' | 'type'>,
  { audiences }: Memory,
): string[] {
  const { id, monitorIds, timeline } = incident
  const audience = audiences.get(monitorIds[0] ?? ('' as MonitorId))
  if (!audience) return [`${id} belongs to a monitor that never was`]
  const owed = audience.includes(channelId)
    ? timeline.flatMap((entry, at) => {
        const event = isUntold(timeline, at) ? null : eventOf(entry, type)
        return event === null ? [] : [`${event} ${webhookIdOf(id, at + 1, channelId)}`]
      })
    : []
  const rows = (deliveries.get(channelId) ?? []).filter((row) => row.incidentId === id)
  const found = rows.map(({ event, webhookId }) => `${event} ${webhookId}`)
  return [
    ...owed.filter((text) => !found.includes(text)).map((text) => `${id}: nobody is told ${text}`),
    ...found.filter((text) => !owed.includes(text)).map((text) => `${id} is told ${text}: why?`),
    ...(new Set(found).size === found.length ? [] : [`${id} is owed something twice`]),
  ]
}

function deliveryProblems(
  snapshot: Snapshot,
  { id: channelId, type }: Pick<Subscriber, 'id' | 'type'>,
  memory: Memory,
  { arrived, taken }: Received,
): string[] {
  const { deliveries, pendingIds } = snapshot
  const rows = deliveries.get(channelId) ?? []
  const ids = new Set<string>(rows.map(({ id }) => id))
  const problems: string[] = []
  for (const row of rows) {
    const { id, webhookId, event, state, mergedIntoId } = row
    const before = memory.deliveries.get(id)
    memory.deliveries.set(id, row)
    const name = `${event} ${webhookId} (${state})`
    if (pendingIds.has(id) !== (state === 'pending')) problems.push(`${name} is wrongly indexed`)
    if (state === 'dead' && !isGivenUpRightly(snapshot, row))
      problems.push(`${name} was given up: ${row.lastError}`)
    if (mergedIntoId !== null && !ids.has(mergedIntoId)) problems.push(`${name} went nowhere`)
    if (state === 'delivered' && mergedIntoId === null && !taken.has(nameOfRow(type, row))) {
      problems.push(`${name} was never taken by the receiver`)
    }
    if (before && before.payloadJson !== row.payloadJson) problems.push(`${name} has changed`)
    if (before?.state === 'delivered' && state !== 'delivered') problems.push(`${name} came back`)
  }
  for (const { id, channelId: of, webhookId } of memory.deliveries.values()) {
    if (of === channelId && !ids.has(id)) problems.push(`${webhookId} is no longer there`)
  }
  const known = new Set(rows.map((row) => nameOfRow(type, row)))
  for (const one of arrived.get(channelId) ?? []) {
    if (!known.has(one)) problems.push(`${one} was sent before it was on disk`)
  }
  return problems
}
