// A maintenance window: when it is on, for which monitors, and how persons change it.
import { Fault } from '../../base/fault.ts'
import type { MaintenanceId, MonitorId, OrgId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'
import type { Covering } from './coverage.ts'
import { contains, type Interval, merged, without } from './interval.ts'
import { occurrencesFrom, type WindowTimes } from './occurrences.ts'

export interface MaintenanceWindow {
  readonly id: MaintenanceId
  readonly orgId: OrgId
  readonly name: string
  readonly description: string | null
  /** With `tags` also empty: every monitor. */
  readonly monitorIds: readonly MonitorId[]
  readonly tags: readonly string[]
  readonly times: WindowTimes
  /** Public pages announce it. */
  readonly isPublic: boolean
  /** When what it covers last changed: before that, `FormerWindow`s tell what was covered. */
  readonly coversFromMs: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** Increases with every change; the ETag. */
  readonly revision: number
}

/** What a window covered before it was changed or deleted. */
export interface FormerWindow extends Covering {
  readonly id: MaintenanceId
  readonly orgId: OrgId
}

export const windowStates = ['scheduled', 'active', 'ended'] as const
export type WindowState = (typeof windowStates)[number]

export function coveringOf(window: MaintenanceWindow): Covering {
  const { times, monitorIds, tags, coversFromMs } = window
  return { times, monitorIds, tags, coversFromMs, coversToMs: Number.POSITIVE_INFINITY }
}

/** What it has covered so far; undefined if nothing. */
export function formerOf(window: MaintenanceWindow, nowMs: number): FormerWindow | undefined {
  const { id, orgId, times, monitorIds, tags, coversFromMs } = window
  if (coversFromMs >= nowMs || nextOccurrences(times, coversFromMs, 1, nowMs).length === 0) return
  return { id, orgId, times, monitorIds, tags, coversFromMs, coversToMs: nowMs }
}

/** The occurrence that is on, then the next ones; of a window that is on once, its only one. */
export function shownOccurrences({ times }: MaintenanceWindow, nowMs: number): Interval[] {
  if (times.kind === 'once') return [{ fromMs: times.startsAtMs, toMs: times.endsAtMs }]
  return nextOccurrences(times, nowMs, limits.maintenanceOccurrencesShown)
}

/** The occurrences that end after a time and begin before another one, at most so many. */
export function nextOccurrences(
  times: WindowTimes,
  afterMs: number,
  most: number,
  beforeMs = Number.POSITIVE_INFINITY,
): Interval[] {
  const found: Interval[] = []
  for (const occurrence of occurrencesFrom(times, afterMs)) {
    if (occurrence.fromMs >= beforeMs) break
    found.push(occurrence)
    if (found.length >= most) break
  }
  return found
}

export function windowState({ times }: MaintenanceWindow, nowMs: number): WindowState {
  const [next] = nextOccurrences(times, nowMs, 1)
  if (next === undefined) return 'ended'
  return contains(next, nowMs) ? 'active' : 'scheduled'
}

function occurrenceOn({ times }: MaintenanceWindow, nowMs: number): Interval {
  const [on] = nextOccurrences(times, nowMs, 1)
  if (on && contains(on, nowMs)) return on
  throw new Fault('conflict', 'The maintenance window is not on at the moment.')
}

/** The occurrence that is on ends now. Throws conflict if none is on. */
export function endedWindow(window: MaintenanceWindow, nowMs: number): MaintenanceWindow {
  const { times } = window
  const on = occurrenceOn(window, nowMs)
  if (times.kind === 'once') return { ...window, times: { ...times, endsAtMs: nowMs } }
  return withCut(window, { fromMs: nowMs, toMs: on.toMs }, nowMs)
}

/** The occurrence that is on lasts longer. Throws conflict if none is on. */
export function extendedWindow(
  window: MaintenanceWindow,
  minutes: number,
  nowMs: number,
): MaintenanceWindow {
  const { times } = window
  const on = occurrenceOn(window, nowMs)
  const toMs = on.toMs + minutes * 60_000
  if (toMs - on.fromMs > limits.maintenanceDaysMax * 86_400_000) {
    const most = `at most ${limits.maintenanceDaysMax} days`
    throw new Fault('conflict', `The maintenance window would be longer than ${most}.`)
  }
  if (times.kind === 'once') return { ...window, times: { ...times, endsAtMs: toMs } }
  const added = { fromMs: on.toMs, toMs }
  const extras = merged(upcoming([...times.extras, added], nowMs))
  // An occurrence that was cancelled does not end the extension.
  const cuts = times.cuts.flatMap((cut) => without(cut, [added]))
  return withTimes(window, { ...times, extras, cuts: upcoming(cuts, nowMs) })
}

/**
 * One coming occurrence of a recurring window does not take place. Throws conflict if the window is on
 * only once, or the occurrence has begun; not_found if there is none that starts then.
 */
export function cancelledWindow(
  window: MaintenanceWindow,
  startsAtMs: number,
  nowMs: number,
): MaintenanceWindow {
  if (window.times.kind === 'once') {
    const words = 'The maintenance window takes place only once: delete it instead.'
    throw new Fault('conflict', words)
  }
  if (startsAtMs <= nowMs) {
    throw new Fault('conflict', 'Only a coming occurrence can be cancelled; one that is on, ended.')
  }
  const [found] = nextOccurrences(window.times, startsAtMs, 1)
  if (found?.fromMs !== startsAtMs) {
    throw new Fault('not_found', 'No occurrence of the maintenance window starts at that time.')
  }
  return withCut(window, found, nowMs)
}

function withCut(window: MaintenanceWindow, cut: Interval, nowMs: number): MaintenanceWindow {
  const { times } = window
  if (times.kind === 'once') return window
  const cuts = merged([...upcoming(times.cuts, nowMs), cut])
  return withTimes(window, { ...times, extras: upcoming(times.extras, nowMs), cuts })
}

/** Occurrences of one window that persons have changed and that are not over. */
const maintenanceChangesMax = 100

function withTimes(
  window: MaintenanceWindow,
  times: Extract<WindowTimes, { kind: 'recurring' }>,
): MaintenanceWindow {
  const changes = times.cuts.length + times.extras.length
  if (changes <= maintenanceChangesMax) return { ...window, times }
  const most = maintenanceChangesMax
  throw new Fault('conflict', `At most ${most} coming occurrences may be cancelled or changed.`)
}

/** What is over matters only to the window as it was. */
function upcoming(intervals: readonly Interval[], nowMs: number): readonly Interval[] {
  return intervals.filter(({ toMs }) => toMs > nowMs)
}
