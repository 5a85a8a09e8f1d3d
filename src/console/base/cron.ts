// Cron expressions, read by the library by which the daemon reads them.
import { Cron, CronPattern } from 'croner'

const dialect = { mode: '5-part' } as const

/** Undefined where the daemon would not take the expression. */
export function cronPattern(cron: string): CronPattern | undefined {
  // The daemon knows no day on which both date and weekday must be right.
  if (cron.includes('+')) return undefined
  try {
    return new CronPattern(cron, undefined, dialect)
  } catch {
    return undefined
  }
}

/** When it runs next, after a moment: its times are those of the zone. None: it never does. */
export function nextRuns(
  cron: string,
  timezone: string,
  afterMs: number,
  count: number,
): readonly number[] {
  const runs = new Cron(cron, { ...dialect, timezone }).nextRuns(count, new Date(afterMs))
  return runs.map((at) => at.getTime())
}
