// The payload: what a message to a channel says about an incident, and what it never says.
import type { MonitorId } from '../base/ids.ts'
import type { DeliveryEvent } from './delivery.ts'
import { durationMs, type Incident } from './incident.ts'
import { limits } from './limits.ts'

/** The little of a monitor that a payload needs. */
export interface PayloadMonitor {
  readonly id: MonitorId
  readonly name: string
  readonly url: string | null
}

export interface IncidentPayload {
  readonly type: DeliveryEvent
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    readonly incident: {
      readonly id: string
      readonly title: string
      readonly cause: string
      readonly severity: string
      readonly state: string
      readonly startedAt: string
      readonly confirmedAt: string
      readonly acknowledgedAt: string | null
      readonly resolvedAt: string | null
      readonly resolution: string | null
      readonly durationMs: number
      readonly flapping: boolean
      readonly url: string
    }
    /** At most 10 of them; monitorsTotal says how many there are. */
    readonly monitors: readonly PayloadMonitor[]
    readonly monitorsTotal: number
  }
}

/**
 * Says what happened and where to look. Never in it: evidence, and of a target its headers, body,
 * credentials or query. `baseUrl` is the service's own address without a slash at the end.
 */
export function incidentPayload(
  event: DeliveryEvent,
  incident: Incident,
  monitors: readonly PayloadMonitor[],
  nowMs: number,
  baseUrl: string,
): IncidentPayload {
  const { id, orgId, title, cause, severity, state, resolution, flapping } = incident
  return {
    type: event,
    timestamp: isoTime(nowMs),
    data: {
      orgId,
      incident: {
        id,
        title,
        cause,
        severity,
        state,
        startedAt: isoTime(incident.startedAtMs),
        confirmedAt: isoTime(incident.confirmedAtMs),
        acknowledgedAt: isoTimeOrNull(incident.acknowledgedAtMs),
        resolvedAt: isoTimeOrNull(incident.resolvedAtMs),
        resolution,
        durationMs: durationMs(incident, nowMs),
        flapping,
        url: `${baseUrl}/api/v1/orgs/${orgId}/incidents/${id}`,
      },
      monitors: monitors.slice(0, limits.payloadMonitorsMax).map((monitor) => ({
        id: monitor.id,
        name: monitor.name,
        url: monitor.url === null ? null : bareUrl(monitor.url),
      })),
      monitorsTotal: monitors.length,
    },
  }
}

/** Tokens hide in user names, queries and fragments: none of them leaves. Null: not a URL. */
export function bareUrl(url: string): string | null {
  const parsed = URL.parse(url)
  if (parsed === null) return null
  parsed.username = ''
  parsed.password = ''
  parsed.search = ''
  parsed.hash = ''
  return parsed.href.length <= limits.payloadUrlCharsMax ? parsed.href : null
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString()
}

function isoTimeOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoTime(atMs)
}
