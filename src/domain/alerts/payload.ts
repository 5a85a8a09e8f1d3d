// The payload: the content of a message to a channel, and what it must not contain.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { toIso, toIsoOrNull } from '../../base/schema/schema.ts'
import { type Language, localeTag } from '../../texts/languages.ts'
import { marksOf } from '../../texts/marks.ts'
import { textsOf } from '../../texts/texts.ts'
import { timeWords } from '../../texts/time-words.ts'
import { type PhaseName, phaseNames } from '../checks/reading.ts'
import { placesOf } from '../incidents/basis.ts'
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
import type { ShownPlace } from '../locations/shown-places.ts'
import type { Channel } from './channel.ts'
import type { DeliveryEvent } from './delivery.ts'
import type { CertificateNotice, DomainNotice } from './expiry-notice.ts'

/** The few fields of a monitor that a payload contains. */
export interface PayloadMonitor {
  readonly id: MonitorId
  readonly name: string
  readonly url: string | null
  /** What to do about an outage. Absent in messages of earlier versions. */
  readonly runbookUrl?: string | null
}

/** The events of one incident. */
export type IncidentEvent = Exclude<Extract<DeliveryEvent, `incident.${string}`>, 'incident.digest'>

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
      /** A person declared it, so its cause is empty. Absent: it follows its monitor. */
      readonly isDeclared?: true
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
      /** It began as a slow service. Absent in messages of earlier versions. */
      readonly worsened?: boolean
      /** What the failing check saw, in one line. Absent in messages of earlier versions. */
      readonly details?: string | null
      /**
       * What each of its locations saw when it opened or became worse; null once it is over, or if it is
       * checked from here alone. Absent in messages of earlier versions.
       */
      readonly locations?: readonly ShownPlace[] | null
      /** A page for people, where the incident can be acknowledged without an account. */
      readonly url: string
    }
    /** What happened, in words; null for a reminder, and for an opening without words of a person. */
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

/** Names the certificate, its expiry and the monitors that use it. There is no incident. */
export interface CertificatePayload {
  readonly type: 'certificate.expiring'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    /** The first of `monitors`. */
    readonly monitor: PayloadMonitor
    /** At most 10; monitorsTotal is the full number. Absent in messages of earlier versions. */
    readonly monitors?: readonly PayloadMonitor[]
    readonly monitorsTotal?: number
    readonly certificate: {
      readonly expiresAt: string
      readonly issuer: string
      readonly daysLeft: number
    }
    /** The monitor's threshold that was reached. */
    readonly thresholdDays: number
  }
}

/** The registration of a domain ends soon. There is no incident. */
export interface DomainPayload {
  readonly type: 'domain.expiring'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    readonly monitor: PayloadMonitor
    readonly domain: {
      readonly name: string
      readonly expiresAt: string
      readonly registrar: string | null
      readonly daysLeft: number
    }
    /** The monitor's threshold that was reached. */
    readonly thresholdDays: number
  }
}

/** The error budget of a month will not last, or is used up. There is no incident. */
export interface SloPayload {
  readonly type: 'slo.at_risk' | 'slo.exhausted'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    readonly monitor: PayloadMonitor
    readonly slo: {
      /** `YYYY-MM`, in UTC. */
      readonly month: string
      readonly objectivePercent: number
      readonly budgetSeconds: number
      readonly usedSeconds: number
      /** When it is used up at the present rate; null once it is. */
      readonly exhaustedAt: string | null
    }
  }
}

/** Another channel of the organization fails, or works again. */
export interface ChannelHealthPayload {
  readonly type: 'channel.failing' | 'channel.recovered'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    readonly channel: { readonly id: string; readonly name: string; readonly type: string }
    /** Why it fails, in one sentence. */
    readonly reason: string
    readonly failingSince: string
    /** The number of messages that wait for it. */
    readonly pending: number
  }
}

/** News of the service itself, for channels that an administrator chose. */
export interface SystemNoticePayload {
  readonly type: 'system.notice'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    readonly notice: {
      /** What it is about: one word. */
      readonly kind: string
      readonly title: string
      /** Whole sentences. */
      readonly text: string
      /** The trouble is over. */
      readonly isOver: boolean
    }
  }
}

/**
 * Contains what happened and where to look, but no headers, body, credentials or query of a target.
 * `url` is the page of the incident for the people of this channel.
 */
export function incidentPayload(
  event: IncidentEvent,
  incident: Incident,
  monitors: readonly PayloadMonitor[],
  nowMs: number,
  url: string,
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
        ...(incident.isDeclared ? { isDeclared: true } : {}),
        state,
        startedAt: toIso(incident.startedAtMs),
        confirmedAt: toIso(incident.confirmedAtMs),
        acknowledgedAt: toIsoOrNull(incident.acknowledgedAtMs),
        resolvedAt: toIsoOrNull(incident.resolvedAtMs),
        resolution,
        stillFailing: isClosedWhileBad(incident),
        durationMs: durationMs(incident, nowMs),
        flapping,
        worsened: incident.timeline.some(({ kind }) => kind === 'worsened'),
        details: detailsOf(incident),
        locations: state === 'resolved' ? null : placesOf(incident.basis?.at(-1)),
        url,
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

interface OwnedMonitor extends PayloadMonitor {
  readonly orgId: OrgId
}

/** The monitors that use a certificate, the one that saw it first, and how many there are in all. */
export interface CertificateUsers {
  readonly monitors: readonly [OwnedMonitor, ...PayloadMonitor[]]
  readonly total: number
}

/** Follows the same rules as an incident's payload. */
export function certificatePayload(
  { monitors, total }: CertificateUsers,
  { certificate, daysLeft, thresholdDays }: CertificateNotice,
  nowMs: number,
): CertificatePayload {
  const [monitor] = monitors
  const { orgId } = monitor
  const { expiresAtMs, issuer } = certificate
  return {
    type: 'certificate.expiring',
    timestamp: toIso(nowMs),
    data: {
      orgId,
      monitor: shownMonitor(monitor),
      monitors: monitors.slice(0, limits.payloadMonitorsMax).map(shownMonitor),
      monitorsTotal: total,
      certificate: { expiresAt: toIso(expiresAtMs), issuer, daysLeft },
      thresholdDays,
    },
  }
}

/** Follows the same rules as an incident's payload. */
export function domainPayload(
  monitor: OwnedMonitor,
  { registration, daysLeft, thresholdDays }: DomainNotice,
  nowMs: number,
): DomainPayload {
  const { name, expiresAtMs, registrar } = registration
  return {
    type: 'domain.expiring',
    timestamp: toIso(nowMs),
    data: {
      orgId: monitor.orgId,
      monitor: shownMonitor(monitor),
      domain: { name, expiresAt: toIso(expiresAtMs), registrar, daysLeft },
      thresholdDays,
    },
  }
}

/** What of an objective goes into a payload. */
export interface SloNotice {
  readonly state: 'at_risk' | 'exhausted'
  readonly month: string
  readonly objectivePercent: number
  readonly budgetMs: number
  readonly usedMs: number
  readonly exhaustedAtMs: number | null
}

/** Follows the same rules as an incident's payload. */
export function sloPayload(monitor: OwnedMonitor, notice: SloNotice, nowMs: number): SloPayload {
  const { month, objectivePercent, budgetMs, usedMs, exhaustedAtMs } = notice
  return {
    type: `slo.${notice.state}`,
    timestamp: toIso(nowMs),
    data: {
      orgId: monitor.orgId,
      monitor: shownMonitor(monitor),
      slo: {
        month,
        objectivePercent,
        budgetSeconds: Math.round(budgetMs / 1_000),
        usedSeconds: Math.round(usedMs / 1_000),
        exhaustedAt: toIsoOrNull(exhaustedAtMs),
      },
    },
  }
}

export function shownMonitor({ id, name, url, runbookUrl = null }: PayloadMonitor): PayloadMonitor {
  return { id, name, url: url === null ? null : bareUrl(url), runbookUrl }
}

const phaseTitles: Readonly<Record<PhaseName, string>> = {
  dns: 'DNS',
  connect: 'connect',
  tls: 'TLS',
  firstByte: 'first byte',
  download: 'download',
}

/** What the failing check measured, in one line; null if it got nowhere. */
export function detailsOf({ evidence }: Incident): string | null {
  const { status, phases = {} } = evidence ?? {}
  const times = phaseNames.flatMap((name) => {
    const ms = phases[name]
    return ms === undefined ? [] : `${phaseTitles[name]} ${Math.round(ms)} ms`
  })
  const parts = [...(status === undefined ? [] : [`HTTP ${status}`]), ...times]
  return parts.length === 0 ? null : parts.join(', ')
}

/** The details of a payload, as readers of a language write them. */
export function detailsIn(language: Language, details: string): string {
  // Names of protocols are the same everywhere.
  const titles = { ...phaseTitles, ...textsOf('channels', language).phases }
  const { amount } = timeWords(localeTag(language))
  const parts = details.split(', ').map((part) => {
    const [, title, ms] = /^(.+) (\d+) ms$/.exec(part) ?? []
    const phase = phaseNames.find((name) => phaseTitles[name] === title)
    return phase ? `${titles[phase]} ${amount(Number(ms), 'millisecond')}` : part
  })
  return parts.join(marksOf(language).comma)
}

export const payloadUrlCharsMax = 512

/** User names, queries and fragments may contain tokens, so they are removed. Null: not a URL. */
export function bareUrl(url: string): string | null {
  const parsed = URL.parse(url)
  if (parsed === null) return null
  parsed.username = ''
  parsed.password = ''
  parsed.search = ''
  parsed.hash = ''
  return parsed.href.length <= payloadUrlCharsMax ? parsed.href : null
}

export interface ChannelTrouble {
  readonly reason: string
  readonly failingSinceMs: number
  readonly pending: number
  readonly nowMs: number
}

/** A channel fails, or works again: news for another channel. Contains nothing of its config. */
export function channelHealthPayload(
  type: ChannelHealthPayload['type'],
  { id, orgId, name, type: channelType }: Channel,
  { reason, failingSinceMs, pending, nowMs }: ChannelTrouble,
): ChannelHealthPayload {
  return {
    type,
    timestamp: toIso(nowMs),
    data: {
      orgId,
      channel: { id, name, type: channelType },
      reason,
      failingSince: toIso(failingSinceMs),
      pending,
    },
  }
}
