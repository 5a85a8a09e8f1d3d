// An incident: what people see of an outage, and its transitions. Every transition returns a copy.
import { clip } from '../../base/clip.ts'
import { Fault } from '../../base/fault.ts'
import type { ImportId, IncidentId, MonitorId, OrgId } from '../../base/ids.ts'
import type {
  ErrorKind,
  Evidence,
  PhaseName,
  Phases,
  Reading,
  ReadingError,
} from '../checks/reading.ts'
import type { HealthChange, HealthSeverity } from '../health/health.ts'
import { limits } from '../limits/limits.ts'
import type { IncidentBasis } from './basis.ts'

export const severities = ['down', 'degraded', 'certificate', 'domain', 'declared'] as const
export type Severity = (typeof severities)[number]

/** Whether a service is not there at all, or a person says so. */
export function isOutage(severity: Severity): boolean {
  return severity === 'down' || severity === 'declared'
}

export const incidentStates = ['open', 'acknowledged', 'resolved'] as const
export type IncidentState = (typeof incidentStates)[number]

export const resolutions = ['recovered', 'manual', 'paused', 'deleted'] as const
export type IncidentResolution = (typeof resolutions)[number]

export const timelineKinds = [
  'opened',
  'reopened',
  'worsened',
  'flapping',
  'settled',
  /** The alerts of the incident wait, because a monitor above is down. */
  'held',
  /** They wait no more. */
  'released',
  'acknowledged',
  'update',
  /** A person ended the incident, but the service still fails. */
  'closed',
  'resolved',
  /** The service is back after a person had closed the incident. */
  'recovered',
] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** The progress that a person states in an update. */
export const updateStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type UpdateStatus = (typeof updateStatuses)[number]

export interface TimelineEntry {
  /** Only of what a person wrote. */
  readonly id?: string
  readonly atMs: number
  readonly kind: TimelineKind
  readonly message: string
  readonly status?: UpdateStatus
  /** The person, key or `channelActor` that did it; absent if the daemon did. */
  readonly by?: string
  readonly isPublic: boolean
}

/** What the failing check saw, for the organization only: never in a payload, never public. */
export interface IncidentEvidence extends Evidence {
  readonly error?: ReadingError
  /** In records of earlier versions, which had no `error`. */
  readonly kind?: ErrorKind
  readonly phase?: PhaseName
  readonly phases?: Phases
  /** A push report besides its status: its message, and its metadata as JSON, cut. */
  readonly message?: string
  readonly metadataJson?: string
  /** The target, or a person, said that it works less than fully: it was not its time. */
  readonly isDegraded?: true
}

export interface Incident {
  readonly id: IncidentId
  readonly orgId: OrgId
  readonly monitorIds: readonly MonitorId[]
  readonly title: string
  /** A person chose the title, so the daemon leaves it as it is. */
  readonly hasOwnTitle?: boolean
  /** A person declared it, so no monitor's health opens, changes or ends it. Absent: no. */
  readonly isDeclared?: true
  /** It began while its monitor was silent, in a shadow run. Absent: people heard of it. */
  readonly isShadow?: true | undefined
  /** The import that brought it: it was over before its monitor was here. Absent: it happened here. */
  readonly importId?: ImportId
  readonly cause: string
  readonly severity: Severity
  readonly state: IncidentState
  /** The first failing result. */
  readonly startedAtMs: number
  /** When the failure was confirmed, and the incident opened. */
  readonly confirmedAtMs: number
  readonly acknowledgedAtMs: number | null
  readonly acknowledgedBy: string | null
  /** The first good result of the run that ended it. */
  readonly resolvedAtMs: number | null
  readonly resolution: IncidentResolution | null
  readonly flapping: boolean
  readonly isPublic: boolean
  /** Oldest first; at most 500, always including the first. */
  readonly timeline: readonly TimelineEntry[]
  readonly evidence: IncidentEvidence | null
  readonly postmortem: string | null
  /** What its openings were decided on, oldest first. Absent in records of earlier versions. */
  readonly basis?: readonly IncidentBasis[]
  /** When channels were last reminded of it; absent if they never were. People do not see it. */
  readonly remindedAtMs?: number
  /** Its alerts are held, because this monitor is down and it depends on that one. */
  readonly heldBy?: MonitorId
  /** When held alerts were last released, which is when channels may first have heard of it. */
  readonly releasedAtMs?: number
  /** Increases with every change: the ETag, and the sequence of announcements. */
  readonly revision: number
}

/** Whether it follows the health of a monitor, which opens and ends it. */
export function isOfHealth(
  incident: Incident,
): incident is Incident & { readonly severity: HealthSeverity } {
  if (incident.isDeclared) return false
  return incident.severity === 'down' || incident.severity === 'degraded'
}

/** The entries that results decide. */
const measured: ReadonlySet<TimelineKind> = new Set(['opened', 'reopened', 'worsened', 'flapping'])

/** What the entry was decided on; null if nothing was measured, or a version before this one decided it. */
export function basisOfEntry(
  { basis = [] }: Pick<Incident, 'basis'>,
  { kind, by, atMs }: TimelineEntry,
): IncidentBasis | null {
  if (!measured.has(kind) || by !== undefined) return null
  return basis.find((one) => one.atMs === atMs) ?? null
}

/** A record that was stored: new without `before`. */
export interface IncidentChange {
  readonly before: Incident | undefined
  readonly incident: Incident
}

type ChangeOf<Kind extends HealthChange['kind']> = Extract<HealthChange, { kind: Kind }>

/** The change of health, and the reading that confirmed it. */
interface ConfirmedFailure {
  readonly monitorName: string
  readonly cause: string
  readonly evidence: IncidentEvidence | null
}

export interface IncidentOpening extends ConfirmedFailure {
  readonly isShadow?: true | undefined
  readonly id: IncidentId
  readonly orgId: OrgId
  readonly monitorIds: readonly MonitorId[]
  readonly isPublic: boolean
}

/** Opens a new incident for a change of health. */
export function opened(opening: IncidentOpening, change: ChangeOf<'opened'>): Incident {
  const { id, orgId, monitorIds, isPublic, evidence, isShadow } = opening
  const title = titleOf(opening.monitorName, conditionOf(change.severity, evidence))
  const cause = clip(opening.cause, limits.errorMessageCharsMax)
  const { severity, startedAtMs, confirmedAtMs, flapping } = change
  return {
    id,
    orgId,
    monitorIds,
    title,
    cause,
    severity,
    state: 'open',
    startedAtMs,
    confirmedAtMs,
    acknowledgedAtMs: null,
    acknowledgedBy: null,
    resolvedAtMs: null,
    resolution: null,
    flapping,
    isPublic,
    timeline: [{ atMs: confirmedAtMs, kind: 'opened', message: `${title}: ${cause}`, isPublic }],
    evidence,
    postmortem: null,
    revision: 1,
    ...(isShadow ? { isShadow } : {}),
  }
}

/**
 * Reopens an incident whose monitor failed again soon, or never stopped. It must be acknowledged
 * anew.
 */
export function reopened(
  incident: Incident,
  failure: ConfirmedFailure,
  change: ChangeOf<'opened'>,
): Incident {
  if (incident.state !== 'resolved') throw new Fault('conflict', 'This incident is still open.')
  const { severity } = change
  const condition = conditionOf(severity, failure.evidence)
  const isStill = isClosedWhileBad(incident) && severity === incident.severity
  const again = {
    ...unheld(incident),
    ...failed(incident, failure, severity),
    state: 'open' as const,
    confirmedAtMs: change.confirmedAtMs,
    acknowledgedAtMs: null,
    acknowledgedBy: null,
    resolvedAtMs: null,
    resolution: null,
    flapping: change.flapping,
  }
  return withEntry(again, {
    atMs: change.confirmedAtMs,
    kind: 'reopened',
    message: isStill
      ? `${titleOf(failure.monitorName, condition, 'is still')}: ${again.cause}`
      : `${titleOf(failure.monitorName, condition)} again: ${again.cause}`,
  })
}

/** The monitor was slow and is now down. */
export function worsened(
  incident: Incident,
  failure: ConfirmedFailure,
  change: ChangeOf<'worsened'>,
): Incident {
  unlessResolved(incident)
  const worse = {
    ...incident,
    ...failed(incident, failure, 'down'),
    flapping: change.flapping,
  }
  return withEntry(worse, {
    atMs: change.confirmedAtMs,
    kind: 'worsened',
    message: `${titleOf(failure.monitorName, 'down')}: ${worse.cause}`,
  })
}

function failed(incident: Incident, failure: ConfirmedFailure, severity: HealthSeverity) {
  const title = titleOf(failure.monitorName, conditionOf(severity, failure.evidence))
  return {
    severity,
    title: incident.hasOwnTitle ? incident.title : title,
    cause: clip(failure.cause, limits.errorMessageCharsMax),
    evidence: failure.evidence ?? incident.evidence,
  }
}

/** The monitor changes too often: one notice, then silence. */
export function flappingIncident(incident: Incident, atMs: number): Incident {
  unlessResolved(incident)
  return withEntry(
    { ...incident, flapping: true },
    { atMs, kind: 'flapping', message: 'Unstable: the monitor keeps going down and up.' },
  )
}

/** The flapping is over, and the monitor is still bad. */
export function settledIncident(
  incident: Incident,
  change: ChangeOf<'settled'>,
  atMs: number,
): Incident {
  unlessResolved(incident)
  return withEntry(
    { ...incident, flapping: false },
    {
      atMs,
      kind: 'settled',
      message: `No longer unstable: it stays ${conditionOf(change.severity, incident.evidence)}.`,
    },
  )
}

/** Whether channels that have not heard of the incident must not hear of it now. */
export function isHeld({ heldBy }: Pick<Incident, 'heldBy'>): boolean {
  return heldBy !== undefined
}

/** What explains an outage: another monitor is down, or may be. */
export interface Explanation {
  readonly id: MonitorId
  readonly name: string
  /** Its failure is confirmed. */
  readonly isConfirmed: boolean
}

/** Channels hear nothing new of it for now. */
export function heldIncident(
  incident: Incident,
  { id, name, isConfirmed }: Explanation,
  atMs: number,
): Incident {
  unlessResolved(incident)
  const state = isConfirmed ? 'is down' : 'may be down as well'
  return withEntry(
    { ...incident, heldBy: id },
    { atMs, kind: 'held', message: `Alerts are held: "${name}" ${state}.`, isPublic: false },
  )
}

/** When channels hear of a held incident whatever explains it. */
export function heldUntilMs({ timeline, confirmedAtMs }: Incident): number {
  const hold = timeline.findLast(({ kind }) => kind === 'held')
  return (hold?.atMs ?? confirmedAtMs) + limits.heldInAllMsMax
}

/** Why held alerts are sent. */
export type ReleaseReason = 'nothing_down' | 'down_too_long' | 'held_too_long'

const releaseMessages: Readonly<Record<ReleaseReason, string>> = {
  nothing_down: 'Alerts are no longer held: nothing that it depends on is down.',
  down_too_long: 'Alerts are no longer held: what it depends on has been down for 24 hours.',
  held_too_long: 'Alerts are no longer held: they were for 24 hours.',
}

/** The incident goes on, and nothing explains it any more, or for too long: channels hear of it now. */
export function releasedIncident(
  incident: Incident,
  atMs: number,
  reason: ReleaseReason = 'nothing_down',
): Incident {
  unlessResolved(incident)
  const message = releaseMessages[reason]
  return withEntry(
    { ...unheld(incident), releasedAtMs: atMs },
    { atMs, kind: 'released', message, isPublic: false },
  )
}

/**
 * People hear of it from now on: its monitor went live, and is still bad. Status pages show it if they may show the
 * monitor.
 */
export function liveIncident(incident: Incident, isPublic: boolean, atMs: number): Incident {
  unlessResolved(incident)
  const { isShadow, ...heard } = unheld(incident)
  return withEntry(
    { ...heard, isPublic, releasedAtMs: atMs },
    { atMs, kind: 'released', message: liveMessage, isPublic: false },
  )
}

const liveMessage = 'Alerts begin: the monitor has gone live.'

/** Whether people heard of the incident from this entry on. */
export function isGoingLive({ kind, message }: TimelineEntry): boolean {
  return kind === 'released' && message === liveMessage
}

function unheld({ heldBy, ...incident }: Incident): Incident {
  return incident
}

/** Somebody takes care of it: reminders stop. Repeating changes nothing. Never shown in public. */
export function acknowledged(
  incident: Incident,
  act: { readonly atMs: number; readonly by: string; readonly message?: string },
): Incident {
  unlessResolved(incident)
  if (incident.state === 'acknowledged') return incident
  return withEntry(
    { ...incident, state: 'acknowledged', acknowledgedAtMs: act.atMs, acknowledgedBy: act.by },
    {
      atMs: act.atMs,
      kind: 'acknowledged',
      message: act.message ?? acknowledgedMessage,
      by: act.by,
      isPublic: false,
    },
  )
}

const acknowledgedMessage = 'Acknowledged.'

/** How the daemon says that an incident ended. */
export const resolvedMessages = {
  recovered: 'Recovered.',
  manual: 'Closed by hand.',
  paused: 'Closed: the monitor was paused.',
  deleted: 'Closed: the monitor was deleted.',
} as const satisfies Record<IncidentResolution, string>

/** Resolves it without a person. `resolvedAtMs` is the first good result, or when it was closed. */
export function resolvedIncident(
  incident: Incident,
  end: {
    readonly resolution: Exclude<IncidentResolution, 'manual'>
    readonly resolvedAtMs: number
    readonly atMs: number
    /** In place of the usual words. */
    readonly message?: string
  },
): Incident {
  const { resolution, resolvedAtMs, atMs } = end
  const message = end.message ?? resolvedMessages[resolution]
  const ended = { ...ending(incident, resolution, resolvedAtMs), title: pastTitle(incident) }
  return withEntry(ended, { atMs, kind: 'resolved', message })
}

/** The incident after its monitor was paused or deleted, which is no recovery. */
export function endedUnannounced({
  state,
  resolution,
}: Pick<Incident, 'state' | 'resolution'>): boolean {
  return state === 'resolved' && (resolution === 'paused' || resolution === 'deleted')
}

/** What a person writes about an incident. */
export interface WrittenUpdate {
  readonly id: string
  readonly atMs: number
  readonly by: string
  readonly message: string
  readonly status?: UpdateStatus
  readonly isPublic: boolean
}

/** A person resolves it. `stillBad`: its monitor is still down, or degraded. */
export function closedByHand(
  incident: Incident,
  act: Pick<WrittenUpdate, 'id' | 'atMs' | 'by'> & Partial<WrittenUpdate>,
  stillBad: HealthSeverity | null,
): Incident {
  const ended = ending(incident, 'manual', act.atMs)
  // Without a message of the person there is nothing to publish.
  const entry = { isPublic: false, ...act, status: 'resolved' } as const
  if (stillBad === null) {
    const { manual: message } = resolvedMessages
    return withEntry(
      { ...ended, title: pastTitle(incident) },
      { message, ...entry, kind: 'resolved' },
    )
  }
  const message = closedMessages[conditionOf(stillBad, incident.evidence)]
  return withEntry(ended, { message, ...entry, kind: 'closed' })
}

const closedMessages = {
  down: 'Closed by hand; the service is still failing.',
  slow: 'Closed by hand; the service is still slow.',
  degraded: 'Closed by hand; the service is still degraded.',
} as const satisfies Record<Condition, string>

/** How the daemon says what a person did to an incident that a person declared. */
export const declaredMessages = {
  opened: 'Declared by hand.',
  worsened: 'Became an outage.',
} as const

const fixedMessages: ReadonlySet<string> = new Set([
  acknowledgedMessage,
  ...Object.values(declaredMessages),
  ...Object.values(resolvedMessages),
  ...Object.values(closedMessages),
])

/** Whether a person wrote the message of an entry, instead of acting without one. */
export function isWritten({ by, message }: { by?: string | null; message: string }): boolean {
  return typeof by === 'string' && !fixedMessages.has(message)
}

/** What a person wrote in an entry for the readers of status pages; '' if nobody did. */
export function publishedMessage(
  entry: TimelineEntry,
  { isDeclared }: Pick<Incident, 'isDeclared'>,
): string {
  const isByHand = entry.id !== undefined || (isDeclared === true && isWritten(entry))
  return isByHand && entry.isPublic ? entry.message : ''
}

/** The monitor is good again after a person had closed the incident. */
export function recoveredIncident(
  incident: Incident,
  { recoveredAtMs }: ChangeOf<'recovered'>,
  atMs: number,
): Incident {
  const after = { ...incident, title: pastTitle(incident), resolvedAtMs: recoveredAtMs }
  return withEntry(after, { atMs, kind: 'recovered', message: resolvedMessages.recovered })
}

/** Whether a person has just ended it although its monitor was still bad. */
export function isClosedWhileBad({ timeline }: Incident): boolean {
  return timeline.at(-1)?.kind === 'closed'
}

function ending(incident: Incident, resolution: IncidentResolution, resolvedAtMs: number) {
  unlessResolved(incident)
  return {
    ...unheld(incident),
    state: 'resolved' as const,
    resolvedAtMs,
    resolution,
    flapping: false,
  }
}

/** Adds a person's update. Not after the end: later findings belong into the post-mortem. */
export function withUpdate(incident: Incident, update: WrittenUpdate): Incident {
  unlessResolved(incident)
  return withEntry(incident, { ...update, kind: 'update' })
}

/**
 * What a person, or the daemon, noted last; null right after the opening, unless a person opened it
 * with a message.
 */
export function newestUpdate({ timeline }: Incident): TimelineEntry | null {
  const newest = timeline.at(-1)
  if (newest === undefined) return null
  return newest.kind === 'opened' && !isWritten(newest) ? null : newest
}

/** How long it lasted, or has lasted so far. */
export function durationMs(incident: Incident, nowMs: number): number {
  return Math.max(0, (incident.resolvedAtMs ?? nowMs) - incident.startedAtMs)
}

/** What a bad monitor is called: `degraded` where its target or people say so, `slow` by its response time. */
export type Condition = 'down' | 'slow' | 'degraded'

function conditionOf(severity: HealthSeverity, evidence: IncidentEvidence | null): Condition {
  if (severity === 'down') return 'down'
  return evidence?.isDegraded ? 'degraded' : 'slow'
}

export function titleOf(monitorName: string, condition: Condition, verb = 'is'): string {
  return clip(`${monitorName} ${verb} ${condition}`, limits.titleCharsMax)
}

/** The title once it is over: nothing that has ended still *is* down. */
function pastTitle({ title, hasOwnTitle }: Incident): string {
  return hasOwnTitle ? title : title.replace(/ is (down|slow|degraded)$/, ' was $1')
}

/** Why the check failed that confirmed an incident, if it is known. */
export function errorOf({ evidence, cause }: Incident): ReadingError | null {
  if (evidence?.error) return evidence.error
  const { kind, phase } = evidence ?? {}
  if (kind === undefined) return null
  // The causes of earlier versions began with the kind.
  const message = cause.replace(new RegExp(`^${kind}: `), '')
  return { kind, message, ...(phase === undefined ? {} : { phase }) }
}

/** What to store of the reading that confirmed an incident. */
export function evidenceOf(reading: Reading): IncidentEvidence {
  const { metadataJson } = reading
  // A picture and the requests of a page take more than all else that is stored of an incident; the newest
  // failure of the monitor has them.
  const { picture: _, requests: __, ...evidence } = reading.evidence ?? {}
  return {
    ...(reading.status === undefined ? {} : { status: reading.status }),
    ...evidence,
    ...(reading.error === undefined ? {} : { error: reading.error }),
    ...(reading.phases === undefined ? {} : { phases: reading.phases }),
    ...(reading.message === undefined ? {} : { message: reading.message }),
    ...(reading.isDegraded ? { isDegraded: true as const } : {}),
    ...(metadataJson === undefined
      ? {}
      : { metadataJson: clip(metadataJson, limits.evidenceBodyBytesMax) }),
  }
}

function unlessResolved(incident: Incident): void {
  if (incident.state === 'resolved') {
    throw new Fault('conflict', 'This incident is already resolved.')
  }
}

type NewEntry = Omit<TimelineEntry, 'isPublic'> & { readonly isPublic?: boolean }

/** An entry is as public as its incident unless it states otherwise. */
export function withEntry(incident: Incident, entry: NewEntry): Incident {
  const timeline = extended(incident.timeline, { isPublic: incident.isPublic, ...entry })
  return { ...incident, timeline, revision: incident.revision + 1 }
}

/** All entries of a timeline together, because lists and pages read many incidents at once. */
export const timelineCharsMax = 32 * 1024

/** The timeline with one more entry. A full one keeps its first entry and the newest ones. */
export function extended(
  timeline: readonly TimelineEntry[],
  entry: TimelineEntry,
): readonly TimelineEntry[] {
  const message = clip(entry.message, limits.incidentMessageCharsMax)
  const entries = [...timeline, { ...entry, message }]
  let chars = entries.reduce((sum, { message }) => sum + message.length, 0)
  let tooMany = Math.max(0, entries.length - limits.timelineEntriesMax)
  for (const [at, old] of entries.slice(1, -1).entries()) {
    if (at >= tooMany && chars <= timelineCharsMax) break
    tooMany = Math.max(tooMany, at + 1)
    chars -= old.message.length
  }
  entries.splice(1, tooMany)
  return entries
}
