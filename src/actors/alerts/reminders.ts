// Reminds channels of incidents that nobody takes care of: one timer for each of them.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import type { IncidentId, OrgId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import { nextReminderAtMs } from '../../domain/alerts/reminder.ts'
import { type Health, shownState } from '../../domain/health/health.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Enqueue } from './enqueue.ts'
import { maintenanceEndsAtMs } from './held-alerts.ts'

export interface RemindersDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly enqueue: Pick<Enqueue, 'incident'>
  /** Whether the organization is deleted or switched off: nobody is reminded. */
  readonly isOff: (orgId: OrgId) => boolean
}

/**
 * Each time follows from stored records, and a reminder is stored with the time at which it was queued.
 * So a restart loses none and repeats none; if several were due meanwhile, one is sent.
 */
export function watchReminders({ store, clock, log, enqueue, isOff }: RemindersDeps) {
  const timers = new Map<IncidentId, unknown>()
  const changedOrgs = new Set<OrgId>()
  let isStopped = false

  /** The monitors of the incident that are still bad; of a declared one all. */
  function badMonitors({ orgId, id, monitorIds, isDeclared }: Incident): Monitor[] {
    return monitorIds.flatMap((monitorId) => {
      if (isDeclared) return store.monitors.readable(orgId, monitorId) ?? []
      const health = store.monitorStates.get(orgId, monitorId)?.health
      const isBad = health?.openIncidentId === id && isShownBad(health)
      return isBad ? (store.monitors.readable(orgId, monitorId) ?? []) : []
    })
  }

  function nextAtMs(incident: Incident): number | null {
    // Cheap for most incidents: their monitors are read only if it could be reminded of at all.
    if (incident.state !== 'open') return null
    const bad = badMonitors(incident)
    const atMs = nextReminderAtMs(
      incident,
      bad.map((monitor) => monitor.reminderMinutes),
    )
    if (atMs === null || incident.isDeclared) return atMs
    return maintenanceEndsAtMs(store, bad, Math.max(atMs, clock.nowMs())) ?? atMs
  }

  function disarm(id: IncidentId): void {
    if (!timers.has(id)) return
    clock.clearTimeout(timers.get(id))
    timers.delete(id)
  }

  /** Sets the timer of an incident anew, or removes it. */
  function arm(incident: Incident): void {
    const { orgId, id } = incident
    disarm(id)
    const atMs = isStopped || isOff(orgId) ? null : nextAtMs(incident)
    if (atMs === null) return
    const delayMs = Math.max(0, atMs - clock.nowMs())
    timers.set(
      id,
      clock.setTimeout(() => remind(orgId, id), delayMs),
    )
  }

  function look(orgId: OrgId, id: IncidentId): void {
    const incident = store.incidents.readable(orgId, id)
    if (incident) arm(incident)
    else disarm(id)
  }

  /** Many incidents may be due at once: they share a commit. */
  function remind(orgId: OrgId, id: IncidentId): void {
    timers.delete(id)
    if (isOff(orgId)) return
    store
      .writeTogether((tx) => queue(tx, orgId, id))
      .then(
        () => look(orgId, id),
        (error: unknown) => log.error('reminder not queued', { orgId, incidentId: id, error }),
      )
  }

  function queue(tx: Tx, orgId: OrgId, id: IncidentId): void {
    const nowMs = clock.nowMs()
    const before = store.incidents.readable(orgId, id)
    const atMs = before ? nextAtMs(before) : null
    // It was acknowledged or resolved a moment ago, or its time has moved.
    if (!before || atMs === null || atMs > nowMs) return
    const incident = { ...before, remindedAtMs: nowMs }
    store.incidents.noteReminded(tx, incident)
    enqueue.incident(tx, { incident, event: 'incident.reminder', nowMs })
  }

  store.signals.incidentChanged.listen(({ incident }) => arm(incident))
  function armDeclared(orgId: OrgId): void {
    for (const incident of store.incidents.openDeclared(orgId)) arm(incident)
  }

  /** Once for all monitors that one transaction changes. */
  function armDeclaredSoon(orgId: OrgId): void {
    if (changedOrgs.has(orgId)) return
    changedOrgs.add(orgId)
    queueMicrotask(() => {
      changedOrgs.delete(orgId)
      armDeclared(orgId)
    })
  }

  store.signals.reminderChanged.listen(({ orgId, id }) => {
    const incidentId = store.monitorStates.get(orgId, id)?.health.openIncidentId
    if (incidentId) look(orgId, incidentId)
    armDeclaredSoon(orgId)
  })

  return {
    /** Maintenance began or ended in the organization: reminders wait for its end, or no longer. */
    async lookAgain(orgId: OrgId): Promise<void> {
      let last: IncidentId | undefined
      do {
        const ids = store.incidents.openIds(orgId, limits.scanSlice, last)
        for (const id of ids) look(orgId, id)
        last = ids.length < limits.scanSlice ? undefined : ids.at(-1)
        if (last) await nextTurn()
      } while (last && !isStopped)
    },
    /** A monitor was started with this health: its incident may be due. */
    note({ orgId, reminderMinutes }: Monitor, { openIncidentId }: Health): void {
      if (reminderMinutes > 0 && openIncidentId !== null) look(orgId, openIncidentId)
    },
    /** The monitors of an organization were started: its declared incidents may be due. */
    noteOrg: armDeclared,
    /** The same for all organizations. Ends soon once `isStopping` says so. */
    async noteOrgs(isStopping: () => boolean): Promise<void> {
      let last: OrgId | undefined
      do {
        const orgs = store.orgs.list(limits.scanSlice, last)
        for (const { id } of orgs) armDeclared(id)
        last = orgs.length < limits.scanSlice ? undefined : orgs.at(-1)?.id
        await nextTurn()
      } while (last && !isStopping())
    },
    stop(): void {
      isStopped = true
      for (const id of [...timers.keys()]) disarm(id)
    },
  }
}

function isShownBad(health: Health): boolean {
  const shown = shownState(health)
  return shown === 'down' || shown === 'degraded'
}
