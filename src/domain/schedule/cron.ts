// Cron schedules: when the next and the previous run are, in a time zone. Only computes; timers and
// clocks are elsewhere.
import { Cron } from 'croner'
import { isTimezone, timezoneRule } from '../language.ts'
import { limits } from '../limits/limits.ts'

/** Five fields as in crontab(5), or a nickname such as `@daily`. */
export interface CronSchedule {
  readonly cron: string
  /** IANA. */
  readonly timezone: string
}

const fieldsRule =
  'must be a cron expression of five fields, such as "30 2 * * 1-5", or a nickname such as @daily'

/** The rule that a schedule breaks, and its field; null if it has a next run. */
export function cronProblem({
  cron,
  timezone,
}: CronSchedule): { readonly field: 'cron' | 'timezone'; readonly rule: string } | null {
  if (!isTimezone(timezone)) return { field: 'timezone', rule: timezoneRule }
  if (cron.length > limits.cronCharsMax) return { field: 'cron', rule: fieldsRule }
  try {
    // Any time will do: an expression has no years, so it has runs for ever or never.
    const next = new Cron(cron, { mode: '5-part', timezone }).nextRun(new Date(0))
    return next === null ? { field: 'cron', rule: 'must have a next run' } : null
  } catch {
    return { field: 'cron', rule: fieldsRule }
  }
}

/**
 * The first run strictly after a time; null if there is none. Where the clock skips the hour of a
 * run, it takes place right after the gap; where the clock repeats an hour, a run at a fixed time
 * takes place once, one at each step of a wildcard every time.
 */
export function nextRunAtMs(schedule: CronSchedule, afterMs: number): number | null {
  return cronOf(schedule).nextRun(new Date(afterMs))?.getTime() ?? null
}

/** The newest run at a time or before; null if there was none. */
export function previousRunAtMs(schedule: CronSchedule, throughMs: number): number | null {
  // The library looks strictly before a time, in whole seconds.
  const [found] = cronOf(schedule).previousRuns(1, new Date(throughMs + 1_000))
  if (found === undefined) return null
  if (found.getTime() <= throughMs) return found.getTime()
  return cronOf(schedule).previousRuns(1, found)[0]?.getTime() ?? null
}

/** Reading an expression takes longer than using it. */
const cronOf = createCronReader()

function createCronReader() {
  const known = new Map<string, Cron>()
  return ({ cron, timezone }: CronSchedule): Cron => {
    const key = `${timezone}\n${cron}`
    const before = known.get(key)
    if (before) return before
    if (known.size >= limits.cronsRemembered) known.clear()
    const made = new Cron(cron, { mode: '5-part', timezone })
    known.set(key, made)
    return made
  }
}
