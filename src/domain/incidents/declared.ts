// Incidents that a person declares, and what people change about any incident.
import { invalidField } from '../../base/fault.ts'
import type { IncidentId, MonitorId, OrgId } from '../../base/ids.ts'
import {
  declaredMessages,
  type Incident,
  isOutage,
  type Severity,
  type WrittenUpdate,
  withEntry,
} from './incident.ts'

/** How bad a declared incident may be: as one of a monitor, or without saying so. */
export const declaredSeverities = ['declared', 'down', 'degraded'] as const satisfies Severity[]
export type DeclaredSeverity = (typeof declaredSeverities)[number]

export interface Declaration {
  readonly id: IncidentId
  readonly orgId: OrgId
  readonly monitorIds: readonly MonitorId[]
  readonly title: string
  readonly severity: DeclaredSeverity
  readonly message?: string | undefined
  readonly isPublic: boolean
  /** The person or key. */
  readonly by: string
  readonly startedAtMs: number
  readonly atMs: number
}

/** Nobody measured a cause: what is known is the message, in the timeline. */
export function declaredIncident(declaration: Declaration): Incident {
  const { message = declaredMessages.opened, by, atMs, ...fields } = declaration
  const { isPublic } = fields
  return {
    ...fields,
    monitorIds: [...new Set(fields.monitorIds)],
    hasOwnTitle: true,
    isDeclared: true,
    cause: '',
    state: 'open',
    confirmedAtMs: atMs,
    acknowledgedAtMs: null,
    acknowledgedBy: null,
    resolvedAtMs: null,
    resolution: null,
    flapping: false,
    timeline: [{ atMs, kind: 'opened', message, by, isPublic }],
    evidence: null,
    postmortem: null,
    revision: 1,
  }
}

export interface IncidentEdit {
  readonly title?: string | undefined
  readonly isPublic?: boolean | undefined
  /** Only of a declared incident. */
  readonly severity?: DeclaredSeverity | undefined
  /** Markdown, as it was written; null removes it. */
  readonly postmortem?: string | null | undefined
}

/**
 * A change of what people see of an incident, at any time. The same record if nothing changes. Throws
 * validation_failed for the severity of an incident that follows its monitor.
 */
export function editedIncident(
  incident: Incident,
  edit: IncidentEdit,
  act: Pick<WrittenUpdate, 'atMs' | 'by'>,
): Incident {
  const {
    title = incident.title,
    isPublic = incident.isPublic,
    severity = incident.severity,
    postmortem = incident.postmortem,
  } = edit
  if (severity !== incident.severity && !incident.isDeclared) {
    const rule =
      'can be changed only for an incident that was declared by hand: this one follows its monitor'
    throw invalidField('/severity', 'constant', rule)
  }
  const isRenamed = title !== incident.title
  const isSame = severity === incident.severity && postmortem === incident.postmortem
  if (!isRenamed && isSame && isPublic === incident.isPublic) return incident
  const hasOwnTitle = isRenamed || (incident.hasOwnTitle ?? false)
  const edited = { ...incident, title, isPublic, severity, postmortem, hasOwnTitle }
  if (!becomesOutage(incident, edited)) return { ...edited, revision: incident.revision + 1 }
  return withEntry(edited, { ...act, kind: 'worsened', message: declaredMessages.worsened })
}

/** Whether an incident that is not over has become so severe that more channels take it. */
export function becomesOutage(before: Incident, after: Incident): boolean {
  return after.state !== 'resolved' && isOutage(after.severity) && !isOutage(before.severity)
}
