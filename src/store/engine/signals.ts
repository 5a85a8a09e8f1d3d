// Signals: changes in the tables that other parts of the daemon react to, after the commit.
import type { MonitorId, OrgId, ProbeId } from '../../base/ids.ts'
import type { IncidentChange } from '../../domain/incidents/incident.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { Tx } from './write.ts'

/** A secret of an organization, as templates name it. */
interface NamedSecret {
  readonly orgId: OrgId
  readonly name: string
}

/** What was stored of a monitor; its record is null where it was deleted. */
export interface WrittenMonitor {
  readonly orgId: OrgId
  readonly monitorId: MonitorId
  readonly record?: Monitor | null
  readonly monitorState?: MonitorState
}

export type Signals = ReturnType<typeof createSignals>

export function createSignals() {
  return {
    /** Someone may have lost a right: a session, a key, a membership, an account. */
    accessLost: createSignal<void>(),
    /** A remote probe was deleted, or one of its tokens no longer works. */
    probeLost: createSignal<ProbeId>(),
    /** The visible content of an organization's public pages has changed. */
    pagesChanged: createSignal<OrgId>(),
    /** Which hosts lead to status pages has changed: custom domains, or subdomains. */
    pageHostsChanged: createSignal<void>(),
    /** A channel of the organization, or its health, has changed. */
    channelsChanged: createSignal<OrgId>(),
    incidentChanged: createSignal<IncidentChange>(),
    /** The record of a monitor was written or deleted, or its state was written. */
    monitorStored: createSignal<WrittenMonitor>(),
    /** The `reminderMinutes` of a monitor have changed. */
    reminderChanged: createSignal<Monitor>(),
    /** What monitors of the organization depend on has changed. */
    dependenciesChanged: createSignal<OrgId>(),
    /** A secret was made, changed or deleted: what checks that name it send has changed. */
    secretChanged: createSignal<NamedSecret>(),
    /** The maintenance windows of an organization have changed. */
    maintenanceChanged: createSignal<OrgId>(),
    /** There may be news for the subscribers of an organization's pages. */
    newsAdded: createSignal<OrgId>(),
    /** A deletion left records that are deleted in slices. */
    tombstoneAdded: createSignal<void>(),
  }
}

function createSignal<Subject>() {
  const listeners: ((subject: Subject) => void)[] = []
  // The newest transaction that raised it; there is only one at a time.
  let raisedIn: Tx | undefined
  let subjects = new Set<Subject>()

  return {
    /** Calls the listeners after the commit; once per subject, however often it is raised. */
    raise(tx: Tx, subject: Subject): void {
      if (tx !== raisedIn) {
        raisedIn = tx
        subjects = new Set()
      }
      if (subjects.has(subject)) return
      subjects.add(subject)
      tx.afterCommit(() => {
        for (const listener of listeners) listener(subject)
      })
    },

    /** Listens until the process ends. */
    listen(listener: (subject: Subject) => void): void {
      listeners.push(listener)
    },
  }
}
