// The news for subscribers of a page: the difference between what was announced to them and what is
// public now.
import { type Incident, publishedMessage, type TimelineEntry } from '../incidents/incident.ts'
import { limits } from '../limits/limits.ts'
import { type MaintenanceWindow, nextOccurrences } from '../maintenance/window.ts'

/** What was announced to the subscribers of a page about an incident. */
export interface AnnouncedIncident {
  readonly isOpen: boolean
  /** The newest of the updates that were announced. */
  readonly updates: readonly string[]
  readonly atMs: number
}

/** What was announced to the subscribers of a page about a maintenance window. */
export interface AnnouncedWindow {
  readonly name: string
  readonly startsAtMs: number
  readonly endsAtMs: number
  /** The times of a recurring window, without the exceptions. */
  readonly schedule: string | null
  readonly phase: 'scheduled' | 'begun' | 'over'
  readonly atMs: number
}

export type IncidentNews = 'opened' | 'updated' | 'resolved'
export type MaintenanceNews = 'scheduled' | 'changed' | 'cancelled' | 'begun' | 'ended'
export type NewsKind = IncidentNews | MaintenanceNews

/** `later`: nothing is announced yet. */
export type NewsDecision<Kind, Announced> =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'later'; readonly atMs: number }
  | { readonly kind: 'tell'; readonly news: Kind; readonly announced: Announced }

const nothing = { kind: 'nothing' } as const

/** Public entries that a person wrote, oldest first. */
function writtenUpdates(incident: Incident): TimelineEntry[] {
  return incident.timeline.filter((entry) => publishedMessage(entry, incident) !== '')
}

/** Changes of health; the public state follows from the last one. */
const turns = new Set<TimelineEntry['kind']>(['opened', 'reopened', 'resolved', 'recovered'])

const keyOf = ({ id, atMs, kind }: TimelineEntry) => id ?? `${atMs} ${kind}`

/** How long an outage, or its end, has lasted when it is announced to subscribers. */
export const newsSettleMs = 120_000
/** The same after a change of a maintenance window. */
export const maintenanceNewsSettleMs = 60_000

/**
 * An incident that the daemon opened is announced once it has lasted for a time, and its end once that
 * has lasted: an outage that flaps is announced once. What a person declares or writes is announced at
 * once. `isOpen`: for readers of the page.
 */
export function incidentNews(
  incident: Incident,
  isOpen: boolean,
  announced: AnnouncedIncident | undefined,
  nowMs: number,
): NewsDecision<IncidentNews, AnnouncedIncident> {
  const { timeline, confirmedAtMs } = incident
  if (!announced && !isOpen) return nothing
  const written = writtenUpdates(incident)
  const hasNew = untoldUpdates(incident, announced).length > 0
  const isTurned = announced?.isOpen !== isOpen
  if (!isTurned && !hasNew) return nothing
  if (isTurned && !hasNew && !incident.isDeclared) {
    const turnedAtMs = timeline.findLast(({ kind }) => turns.has(kind))?.atMs ?? confirmedAtMs
    const settledAtMs = turnedAtMs + newsSettleMs
    if (nowMs < settledAtMs) return { kind: 'later', atMs: settledAtMs }
  }
  const news = isTurned ? (isOpen ? 'opened' : 'resolved') : 'updated'
  const updates = written.slice(-limits.timelineEntriesMax).map(keyOf)
  return { kind: 'tell', news, announced: { isOpen, updates, atMs: nowMs } }
}

/** The written updates that were not announced to the subscribers yet, oldest first. */
export function untoldUpdates(
  incident: Incident,
  announced: AnnouncedIncident | undefined,
): TimelineEntry[] {
  const told = new Set(announced?.updates)
  return writtenUpdates(incident).filter((entry) => !told.has(keyOf(entry)))
}

/**
 * A window that is on once is announced when it is planned, changed or cancelled, and when it begins and
 * ends; a recurring one when it is planned, changed or cancelled. `window` is undefined if the page does
 * not show it any more.
 */
export function maintenanceNews(
  window: MaintenanceWindow | undefined,
  announced: AnnouncedWindow | undefined,
  nowMs: number,
): NewsDecision<MaintenanceNews, AnnouncedWindow> {
  const now = window && announcedNow(window, nowMs)
  if (!window || !now) return withoutWindow(announced, nowMs)
  const tell = (news: MaintenanceNews) => ({ kind: 'tell', news, announced: now }) as const
  const isNew = announced === undefined || announced.phase === 'over'
  if (now.phase === 'over') return announced?.phase === 'begun' ? tell('ended') : nothing
  if (now.phase === 'begun') {
    if (isNew || announced.phase === 'scheduled') return tell('begun')
    return announced.endsAtMs === now.endsAtMs ? laterAt(now.endsAtMs) : tell('changed')
  }
  // A slip of the pen can be corrected before anybody hears of it.
  const settledAtMs = Math.min(window.updatedAtMs + maintenanceNewsSettleMs, now.startsAtMs)
  const isMoved =
    isNew || announced.phase === 'begun' || announced.schedule !== now.schedule
      ? true
      : now.schedule === null && !isAt(announced, now)
  if (!isMoved) return now.schedule === null ? laterAt(now.startsAtMs) : nothing
  if (nowMs < settledAtMs) return laterAt(settledAtMs)
  return tell(isNew ? 'scheduled' : 'changed')
}

const laterAt = (atMs: number) => ({ kind: 'later', atMs }) as const

function isAt(one: AnnouncedWindow, other: AnnouncedWindow): boolean {
  return one.startsAtMs === other.startsAtMs && one.endsAtMs === other.endsAtMs
}

/** The news if the window was deleted, or is not public any more. */
function withoutWindow(
  announced: AnnouncedWindow | undefined,
  nowMs: number,
): NewsDecision<MaintenanceNews, AnnouncedWindow> {
  if (!announced || announced.phase === 'over') return nothing
  const news = announced.phase === 'begun' ? 'ended' : 'cancelled'
  return { kind: 'tell', news, announced: { ...announced, phase: 'over', atMs: nowMs } }
}

/** Undefined if it never takes place again, and is no window that was on once. */
function announcedNow(window: MaintenanceWindow, nowMs: number): AnnouncedWindow | undefined {
  const { name, times } = window
  if (times.kind === 'once') {
    const { startsAtMs, endsAtMs } = times
    const phase = nowMs >= endsAtMs ? 'over' : nowMs >= startsAtMs ? 'begun' : 'scheduled'
    return { name, startsAtMs, endsAtMs, schedule: null, phase, atMs: nowMs }
  }
  const [next] = nextOccurrences(times, nowMs, 1)
  if (!next) return undefined
  const { cron, timezone, durationMinutes } = times
  return {
    name,
    startsAtMs: next.fromMs,
    endsAtMs: next.toMs,
    schedule: `${cron} ${timezone} ${durationMinutes}`,
    phase: 'scheduled',
    atMs: nowMs,
  }
}
