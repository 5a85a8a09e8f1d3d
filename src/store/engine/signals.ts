// Signals: what the tables tell the rest of the daemon, once the change is on disk.
import type { OrgId } from '../../base/ids.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import type { Tx } from './write.ts'

export interface Signal<Subject> {
  /** Calls the listeners after the commit; once for a subject, however often it is raised. */
  raise(tx: Tx, subject: Subject): void
  /** Listens until the process ends. */
  listen(listener: (subject: Subject) => void): void
}

export type Signals = ReturnType<typeof createSignals>

export function createSignals() {
  return {
    /** Somebody may have lost a right: a session, a key, a membership, an account. */
    accessLost: createSignal<void>(),
    /** What the public pages of an organization may show has changed. */
    pagesChanged: createSignal<OrgId>(),
    incidentChanged: createSignal<Incident>(),
    /** A deletion left records behind, which are removed in slices. */
    tombstoneAdded: createSignal<void>(),
  }
}

function createSignal<Subject>(): Signal<Subject> {
  const listeners: ((subject: Subject) => void)[] = []
  // Of the newest transaction that raised it: there is one at a time.
  let raisedIn: Tx | undefined
  let subjects = new Set<Subject>()

  return {
    raise(tx, subject) {
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
    listen(listener) {
      listeners.push(listener)
    },
  }
}
