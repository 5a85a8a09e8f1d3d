// Reminders: when an incident that nobody takes care of is announced again.
import { type Incident, isHeld } from '../incidents/incident.ts'

/** The wait between two reminders doubles up to this, unless the first one is longer. */
const reminderWaitMsMax = 24 * 3_600_000

/**
 * The first reminder after `afterMs`. They come `minutes` after the opening, and then after twice as
 * long each time: the wait doubles up to a day, or up to `minutes` if that is longer. The times
 * follow from the opening alone, so a restart moves none.
 */
export function reminderAtMs(openedAtMs: number, minutes: number, afterMs: number): number {
  const firstWaitMs = minutes * 60_000
  const longestWaitMs = Math.max(reminderWaitMsMax, firstWaitMs)
  let waitMs = firstWaitMs
  let atMs = openedAtMs + waitMs
  while (atMs <= afterMs && waitMs < longestWaitMs) {
    waitMs = Math.min(2 * waitMs, longestWaitMs)
    atMs += waitMs
  }
  if (atMs > afterMs) return atMs
  return atMs + (Math.floor((afterMs - atMs) / waitMs) + 1) * waitMs
}

/**
 * When the incident is announced again; null if it is not: nobody wants reminders, or it is over,
 * acknowledged, held, or flapping, which was announced once. `minutes` of each monitor that is still bad;
 * the shortest counts. A time in the past means that the daemon did not run then.
 */
export function nextReminderAtMs(incident: Incident, minutes: readonly number[]): number | null {
  const { state, flapping, confirmedAtMs, releasedAtMs = 0, remindedAtMs = 0 } = incident
  const wanted = minutes.filter((one) => one > 0)
  if (state !== 'open' || flapping || isHeld(incident) || wanted.length === 0) return null
  const toldAtMs = Math.max(confirmedAtMs, releasedAtMs)
  return reminderAtMs(toldAtMs, Math.min(...wanted), Math.max(toldAtMs, remindedAtMs))
}
