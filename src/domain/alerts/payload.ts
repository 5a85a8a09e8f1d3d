// The payload: the content of a message to a channel, and what it must not contain.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { toIso, toIsoOrNull } from '../../base/schema/schema.ts'
import {
  durationMs,
  type Incident,
  type IncidentState,
  isClosedWhileBad,
  newestUpdate,
  type Severity,
  type TimelineKind,
  type UpdateStatus,
} from '../incidents/incident.ts'
import { limits } from '../limits/limits.ts'
import type { CertificateNotice } from './certificate-notice.ts'
import type { DeliveryEvent } from './delivery.ts'

/** The few fields of a monitor that a payload contains. */
export interface PayloadMonitor {
  readonly id: MonitorId
  readonly name: string
  readonly url: string | null
}

/** The events of one incident. */
export type IncidentEvent = Exclude<
  DeliveryEvent,
  'incident.digest' | 'certificate.expiring' | 'channel.test'
>

export interface IncidentPayload {
  readonly type: IncidentEvent
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    readonly incident: {
      readonly id: string
      readonly title: string
      readonly cause: string
      readonly severity: Severity
      readonly state: IncidentState
      readonly startedAt: string
      readonly confirmedAt: string
      readonly acknowledgedAt: string | null
      readonly resolvedAt: string | null
      readonly resolution: string | null
      /** A person ended it while its monitor was failing. Absent in messages of earlier versions. */
      readonly stillFailing?: boolean
      readonly durationMs: number
      readonly flapping: boolean
      readonly url: string
    }
    /** What happened, in words; null for an opening and a reminder. */
    readonly update?: PayloadUpdate | null
    /** At most 10; monitorsTotal is the full number. */
    readonly monitors: readonly PayloadMonitor[]
    readonly monitorsTotal: number
  }
}

/** The newest entry of the incident's timeline. */
export interface PayloadUpdate {
  readonly kind: TimelineKind
  readonly status: UpdateStatus | null
  readonly message: string
  /** The id of the person or key that did it; null if the daemon did. */
  readonly by: string | null
  readonly at: string
}

/** Names the certificate, its expiry and its monitor. There is no incident. */
export interface CertificatePayload {
  readonly type: 'certificate.expiring'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    readonly monitor: PayloadMonitor
    readonly certificate: {
      readonly expiresAt: string
      readonly issuer: string
      readonly daysLeft: number
    }
    /** The monitor's threshold that was reached. */
    readonly thresholdDays: number
    /** The address of the monitor. */
    readonly url: string
  }
}

/**
 * Contains what happened and where to look, but no evidence and no headers, body, credentials or
 * query of a target. `baseUrl` is the public address of the service without a trailing slash.
 */
export function incidentPayload(
  event: IncidentEvent,
  incident: Incident,
  monitors: readonly PayloadMonitor[],
  nowMs: number,
  baseUrl: string,
): IncidentPayload {
  const { id, orgId, title, cause, severity, state, resolution, flapping } = incident
  const update = event === 'incident.reminder' ? null : newestUpdate(incident)
  return {
    type: event,
    timestamp: toIso(nowMs),
    data: {
      orgId,
      incident: {
        id,
        title,
        cause,
        severity,
        state,
        startedAt: toIso(incident.startedAtMs),
        confirmedAt: toIso(incident.confirmedAtMs),
        acknowledgedAt: toIsoOrNull(incident.acknowledgedAtMs),
        resolvedAt: toIsoOrNull(incident.resolvedAtMs),
        resolution,
        stillFailing: isClosedWhileBad(incident),
        durationMs: durationMs(incident, nowMs),
        flapping,
        url: `${baseUrl}/api/v1/orgs/${orgId}/incidents/${id}`,
      },
      update: update && {
        kind: update.kind,
        status: update.status ?? null,
        message: update.message,
        by: update.by ?? null,
        at: toIso(update.atMs),
      },
      monitors: monitors.slice(0, limits.payloadMonitorsMax).map(shownMonitor),
      monitorsTotal: monitors.length,
    },
  }
}

/** Follows the same rules as an incident's payload. */
export function certificatePayload(
  monitor: PayloadMonitor & { readonly orgId: OrgId },
  { certificate, daysLeft, thresholdDays }: CertificateNotice,
  nowMs: number,
  baseUrl: string,
): CertificatePayload {
  const { id, orgId } = monitor
  const { expiresAtMs, issuer } = certificate
  return {
    type: 'certificate.expiring',
    timestamp: toIso(nowMs),
    data: {
      orgId,
      monitor: shownMonitor(monitor),
      certificate: { expiresAt: toIso(expiresAtMs), issuer, daysLeft },
      thresholdDays,
      url: `${baseUrl}/api/v1/orgs/${orgId}/monitors/${id}`,
    },
  }
}

function shownMonitor({ id, name, url }: PayloadMonitor): PayloadMonitor {
  return { id, name, url: url === null ? null : bareUrl(url) }
}

/** User names, queries and fragments may contain tokens, so they are removed. Null: not a URL. */
export function bareUrl(url: string): string | null {
  const parsed = URL.parse(url)
  if (parsed === null) return null
  parsed.username = ''
  parsed.password = ''
  parsed.search = ''
  parsed.hash = ''
  return parsed.href.length <= limits.payloadUrlCharsMax ? parsed.href : null
}
