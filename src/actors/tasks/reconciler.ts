// Compares what must agree: monitors and their open incidents, what channels were promised and the
// messages that wait, messages and their index. Nothing of it should ever differ: each is written in
// one transaction. If something does, it is repaired and logged, so that no alert is lost over it.

import type { Clock } from '../../base/clock.ts'
import type { ChannelId, IncidentId, MonitorId, OrgId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import { createYielder } from '../../base/yielding.ts'
import type { DigestPayload } from '../../domain/alerts/digest.ts'
import { withClosedIncident } from '../../domain/health/health.ts'
import {
  type Incident,
  isHeld,
  isOfHealth,
  resolvedIncident,
} from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { TableKey } from '../../store/engine/damage.ts'
import type { Tx } from '../../store/engine/write.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { DeliveryKey } from '../../store/tables/alerts/deliveries.ts'
import type { Enqueue } from '../alerts/enqueue.ts'
import type { Holds } from '../alerts/holds.ts'

export interface ReconcilerDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly enqueue: Pick<Enqueue, 'incident'>
  /** Releases held alerts. */
  readonly holds: Pick<Holds, 'note' | 'isWatched'>
  /** Sends the pending messages of the channel. */
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
}

export type Reconciler = ReturnType<typeof createReconciler>

/** Something that does not agree. `mend` looks again, because the world may have moved on. */
interface StateMismatch {
  readonly what: string
  readonly of: object
  mend(tx: Tx): void
}

/** What is announced of an incident to a channel. */
interface ChannelNews {
  readonly orgId: OrgId
  readonly incidentId: IncidentId
  readonly channelId: ChannelId
}

const reconcileRecentMs = 24 * 3_600_000

export function createReconciler(deps: ReconcilerDeps) {
  const { store, clock, log, enqueue, holds, wake } = deps

  // Everything is seen in time, a slice in each round.
  let lastMonitor: Monitor | undefined
  let lastDelivery: DeliveryKey | undefined
  let lastPending: TableKey | undefined

  async function repair(faults: readonly StateMismatch[]): Promise<number> {
    for (const { what, of, mend } of faults) {
      log.error('stored data did not agree and was repaired', { what, ...of })
      await store.write(mend)
    }
    return faults.length
  }

  // Monitors and incidents

  function monitorsIn({ orgId, id, monitorIds }: Incident): readonly MonitorId[] {
    return monitorIds.filter(
      (monitorId) =>
        store.monitorStates.isDamaged(orgId, monitorId) ||
        store.monitorStates.get(orgId, monitorId)?.health.openIncidentId === id,
    )
  }

  /** An incident that follows the health of monitors, but names none of them. */
  function abandoned(orgId: OrgId, incidentId: IncidentId): Incident | undefined {
    const incident = store.incidents.readable(orgId, incidentId)
    if (!incident || incident.state === 'resolved' || !isOfHealth(incident)) return undefined
    return monitorsIn(incident).length === 0 ? incident : undefined
  }

  function closeAbandoned(tx: Tx, orgId: OrgId, incidentId: IncidentId): void {
    const incident = abandoned(orgId, incidentId)
    if (!incident) return
    const nowMs = clock.nowMs()
    const end = { resolution: 'recovered', resolvedAtMs: nowMs, atMs: nowMs } as const
    const over = resolvedIncident(incident, end)
    store.incidents.put(tx, over)
    enqueue.incident(tx, { incident: over, event: 'incident.resolved', nowMs })
  }

  /** A monitor that is in an incident which is over, or not there. */
  function isInNone({ orgId, id }: Pick<Monitor, 'orgId' | 'id'>): boolean {
    if (store.monitorStates.isDamaged(orgId, id)) return false
    const incidentId = store.monitorStates.get(orgId, id)?.health.openIncidentId
    if (!incidentId || store.incidents.isDamaged(orgId, incidentId)) return false
    const incident = store.incidents.readable(orgId, incidentId)
    return !incident || incident.state === 'resolved'
  }

  /** If it is still bad, its next failures open an incident. */
  function release(tx: Tx, monitor: Pick<Monitor, 'orgId' | 'id'>): void {
    if (!isInNone(monitor)) return
    const { orgId, id } = monitor
    const before = store.monitorStates.get(orgId, id)
    if (!before) return
    const health = withClosedIncident(before.health, clock.nowMs())
    store.monitorStates.put(tx, orgId, id, { ...before, health })
  }

  function faultsOfMonitors(): StateMismatch[] {
    const slice = store.monitors.slice(limits.reconcileSlice, lastMonitor)
    lastMonitor = slice.length < limits.reconcileSlice ? undefined : slice.at(-1)
    return slice.filter(isInNone).map(({ orgId, id }) => ({
      what: 'a monitor is in an incident that is over or missing',
      of: { orgId, monitorId: id },
      mend: (tx) => release(tx, { orgId, id }),
    }))
  }

  // Announcements and deliveries

  /**
   * The incidents about which a message to the channel waits; null if there are too many messages to look
   * through.
   */
  function owedTo(orgId: OrgId, channelId: ChannelId): Set<string> | null {
    const most = limits.pendingCountedMax
    const pending = store.deliveries.pending(orgId, channelId, most)
    if (pending.length >= most) return null
    return new Set(
      pending.flatMap(({ incidentId, event, payloadJson }) => {
        if (event !== 'incident.digest') return incidentId ?? []
        // Our own JSON, so its shape is known.
        const { incidents, incidentIds } = (JSON.parse(payloadJson) as DigestPayload).data
        return incidentIds ?? incidents.map(({ id }) => id)
      }),
    )
  }

  /** The channel was promised news of the incident, and nothing waits for it. */
  function isBroken(
    { orgId, incidentId, channelId }: ChannelNews,
    owedOf: (channelId: ChannelId) => Set<string> | null,
  ): boolean {
    const { announced, delivered } = store.announcements.get(orgId, incidentId, channelId)
    return announced !== delivered && owedOf(channelId)?.has(incidentId) === false
  }

  /** The message may be there, and only its index entry be lost. */
  function indexHidden(tx: Tx, { orgId, incidentId, channelId }: ChannelNews): boolean {
    const hidden = store.deliveries
      .list(orgId, channelId, { limit: limits.reconcileSlice })
      .filter((row) => row.incidentId === incidentId && row.state === 'pending')
    for (const row of hidden) store.deliveries.put(tx, row)
    if (hidden.length > 0) tx.afterCommit(() => wake(orgId, channelId))
    return hidden.length > 0
  }

  /** Takes the promise back, and makes the one that the incident calls for. */
  function promiseAgain(tx: Tx, news: ChannelNews): void {
    if (!isBroken(news, (channelId) => owedTo(news.orgId, channelId))) return
    const { orgId, incidentId, channelId } = news
    if (indexHidden(tx, news)) return
    const { delivered } = store.announcements.get(orgId, incidentId, channelId)
    const record = { announced: delivered, delivered, delayedId: null }
    store.announcements.put(tx, orgId, incidentId, channelId, record)
    const incident = store.incidents.readable(orgId, incidentId)
    if (!incident) return
    const event = incident.state === 'resolved' ? 'incident.resolved' : 'incident.opened'
    enqueue.incident(tx, { incident, event, nowMs: clock.nowMs(), onlyTo: channelId })
  }

  /** Whether the alerts of the incident are held for ever, because nothing watches it. */
  function isForgotten(incident: Incident): boolean {
    return isHeld(incident) && incident.state !== 'resolved' && !holds.isWatched(incident.id)
  }

  function watchAgain(tx: Tx, orgId: OrgId, incidentId: IncidentId): void {
    const incident = store.incidents.readable(orgId, incidentId)
    if (incident) tx.afterCommit(() => holds.note(incident))
  }

  /** The incidents that are open, and the incidents that ended within a day. */
  function recentIncidents(orgId: OrgId): Incident[] {
    const open = store.incidents.listOpen(orgId, limits.reconcileSlice)
    const sinceMs = clock.nowMs() - reconcileRecentMs
    const ended = store.incidents
      .list(orgId, { state: 'resolved', limit: limits.reconcileSlice })
      .filter(({ resolvedAtMs }) => (resolvedAtMs ?? 0) >= sinceMs)
    return [...open, ...ended]
  }

  function faultsOfOrg(orgId: OrgId): StateMismatch[] {
    const owed = new Map<ChannelId, Set<string> | null>()
    const owedOf = (channelId: ChannelId) => {
      const known = owed.get(channelId)
      if (known !== undefined) return known
      const found = owedTo(orgId, channelId)
      owed.set(channelId, found)
      return found
    }
    return recentIncidents(orgId).flatMap((incident): StateMismatch[] => {
      const { id: incidentId } = incident
      const promises: StateMismatch[] = store.announcements
        .channelIds(orgId, incidentId)
        .filter((channelId) => store.channels.has(orgId, channelId))
        .map((channelId): ChannelNews => ({ orgId, incidentId, channelId }))
        .filter((news) => isBroken(news, owedOf))
        .map((news) => ({
          what: 'a channel was promised news that does not wait for it',
          of: news,
          mend: (tx: Tx) => promiseAgain(tx, news),
        }))
      if (isForgotten(incident)) {
        promises.push({
          what: 'alerts of an incident are held, and nothing waits for their release',
          of: { orgId, incidentId },
          mend: (tx) => watchAgain(tx, orgId, incidentId),
        })
      }
      if (!abandoned(orgId, incidentId)) return promises
      const close = {
        what: 'an incident is open although none of its monitors is in it',
        of: { orgId, incidentId },
        mend: (tx: Tx) => closeAbandoned(tx, orgId, incidentId),
      }
      return [...promises, close]
    })
  }

  // Deliveries and their index

  function faultsOfIndex(): StateMismatch[] {
    const pending = store.deliveries.slicePending(limits.reconcileSlice, lastPending)
    lastPending = pending.length < limits.reconcileSlice ? undefined : pending.at(-1)?.key
    const strays = pending.filter(({ isStray }) => isStray)
    const stray = strays.map(({ key }) => ({
      what: 'the index names a pending message that is none',
      of: { key: key.join(' ') },
      mend: (tx: Tx) => store.deliveries.removeStray(tx, key),
    }))
    const slice = store.deliveries.sliceIndexed(limits.reconcileSlice, lastDelivery)
    lastDelivery = slice.length < limits.reconcileSlice ? undefined : slice.at(-1)?.delivery
    const missing = slice
      .filter(({ isIndexed }) => !isIndexed)
      .map(({ delivery: { orgId, channelId, id } }) => ({
        what: 'the index lacks a message',
        of: { orgId, channelId, deliveryId: id },
        mend(tx: Tx) {
          const row = store.deliveries.get(orgId, channelId, id)
          if (row) store.deliveries.put(tx, row)
          if (row?.state === 'pending') tx.afterCommit(() => wake(orgId, channelId))
        },
      }))
    return [...stray, ...missing]
  }

  return {
    /** One round; resolves with how much was repaired. Ends soon once the signal is aborted. */
    async round(signal?: AbortSignal): Promise<number> {
      const yielder = createYielder(clock, limits.turnMs)
      let total = await repair([...faultsOfIndex(), ...faultsOfMonitors()])
      let last: OrgId | undefined
      do {
        const orgs = store.orgs.list(limits.reconcileSlice, last)
        for (const { id: orgId } of orgs) {
          if (signal?.aborted) return total
          if (!isOrgOff(store, orgId)) total += await repair(faultsOfOrg(orgId))
          if (yielder.isDue()) await yielder.pause()
        }
        last = orgs.length < limits.reconcileSlice ? undefined : orgs.at(-1)?.id
      } while (last)
      return total
    },
  }
}
