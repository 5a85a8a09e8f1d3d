// Maintenance windows that other products tell by points in time: where the first begins and ends, and how it recurs.
import { type ForeignFields, type Note, within } from './foreign.ts'

export interface PointWindow {
  /** In ms; `untilMs` is 0 if it recurs for good, `readAtMs` if that is not known. */
  readonly startMs: number
  readonly endMs: number
  readonly untilMs: number
  readonly readAtMs: number
  /** `day`, `week` or `month`; empty or `none`: once. */
  readonly every: string
  /** Each day, every second one and so on. */
  readonly count: number
}

const windowMinutesMax = 10_080

/** The times of a window of ours, or why there is none. */
export function pointWindow(
  { startMs, endMs, untilMs, readAtMs, every, count }: PointWindow,
  note: Note,
): ForeignFields | string {
  if (!(startMs > 0 && endMs > startMs)) return 'its time is not told'
  if (every === '' || every === 'none') {
    if (endMs <= readAtMs) return 'it is over'
    const [startsAt, endsAt] = [startMs, endMs].map((ms) => new Date(ms).toISOString())
    return { startsAt, endsAt }
  }
  if (untilMs > 0 && untilMs <= readAtMs) return 'it is over'
  if (count > 1) return `it recurs every ${count} of ${every}, which cron cannot say`
  const cron = cronOf(every, new Date(startMs))
  if (cron === undefined) return `it recurs by ${every.slice(0, 20)}`
  if (untilMs > 0) note(`that it ends on ${new Date(untilMs).toISOString().slice(0, 10)}`)
  const durationMinutes = within((endMs - startMs) / 60_000, 1, windowMinutesMax)
  return { cron, durationMinutes, timezone: 'UTC' }
}

function cronOf(every: string, start: Date): string | undefined {
  const time = `${start.getUTCMinutes()} ${start.getUTCHours()}`
  switch (every) {
    case 'day':
      return `${time} * * *`
    case 'week':
      return `${time} * * ${start.getUTCDay()}`
    case 'month':
      return `${time} ${start.getUTCDate()} * *`
    default:
      return undefined
  }
}
