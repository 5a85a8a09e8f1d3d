// Which backups are kept: the backups of the last 24 hours, the newest of each day and of each week.

export interface RetentionRule {
  /** How many days that have a backup keep one. */
  readonly keepDaily: number
  /** How many weeks that have a backup keep one; weeks begin on Monday. */
  readonly keepWeekly: number
}

interface KeptBackup {
  readonly name: string
  readonly takenAtMs: number
}

const dayMs = 86_400_000
/** 1 January 1970 was a Thursday. */
const daysToMonday = 3

const dayOf = ({ takenAtMs }: KeptBackup) => Math.floor(takenAtMs / dayMs)
const weekOf = (backup: KeptBackup) => Math.floor((dayOf(backup) + daysToMonday) / 7)

/**
 * The backups that may go, oldest first. All of `backups` are verified. The time that counts is when the
 * newest one was taken, so that none goes while no new one comes.
 */
export function supersededBackups<Backup extends KeptBackup>(
  backups: readonly Backup[],
  { keepDaily, keepWeekly }: RetentionRule,
): Backup[] {
  const newestFirst = backups.toSorted((a, b) => b.takenAtMs - a.takenAtMs)
  const newestAtMs = newestFirst[0]?.takenAtMs ?? 0
  const kept = new Set([
    ...newestFirst.filter(({ takenAtMs }) => takenAtMs > newestAtMs - dayMs),
    ...newestOfEach(newestFirst, dayOf, keepDaily),
    ...newestOfEach(newestFirst, weekOf, keepWeekly),
  ])
  return newestFirst.filter((backup) => !kept.has(backup)).toReversed()
}

/** The newest one of each period, for so many periods. */
function newestOfEach<Backup>(
  newestFirst: readonly Backup[],
  periodOf: (backup: Backup) => number,
  periods: number,
): Backup[] {
  const found = new Map<number, Backup>()
  for (const backup of newestFirst) {
    const period = periodOf(backup)
    if (!found.has(period)) found.set(period, backup)
  }
  return [...found.values()].slice(0, periods)
}
