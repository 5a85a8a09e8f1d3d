// A schedule in words, where its cron expression is a common one, and when it runs next.
import { type CommonCron, commonCron, nextRuns } from '../../base/common-cron.ts'
import { knownZone } from '../../base/zone.ts'
import { locale, words } from '../../words/words.ts'
import { now } from './time.tsx'

const runsShown = 5

const dayMs = 86_400_000
/** The first of January 2023 is a Sunday. */
const sundayMs = Date.UTC(2023, 0, 1)

const utc = (atMs: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale.value, { ...options, timeZone: 'UTC' }).format(atMs)

const time = { hour: '2-digit', minute: '2-digit' } as const

function inWords({ minute, hour, weekdays, monthDay }: CommonCron): string {
  const texts = words.value.common.schedule
  if (hour === null) return texts.hourly({ minute })
  const at = utc(sundayMs + (hour * 60 + minute) * 60_000, time)
  if (monthDay !== null) return texts.monthly({ day: monthDay, time: at })
  if (weekdays === null || weekdays.length === 7) return texts.daily({ time: at })
  if (weekdays.join() === '1,2,3,4,5') return texts.workdays({ time: at })
  // Monday first, as calendars have it.
  const days = weekdays
    .toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
    .map((day) => utc(sundayMs + day * dayMs, { weekday: 'long' }))
  return texts.weekly({ days: new Intl.ListFormat(locale.value).format(days), time: at })
}

/** Undefined where only the expression itself says it. */
export function scheduleText(cron: string): string | undefined {
  const common = commonCron(cron)
  return common && inWords(common)
}

export interface NextRunsProps {
  /** As it is typed. */
  readonly cron: unknown
  readonly zone: string
}

/** Nothing while the expression is not a common one. */
export function NextRuns({ cron, zone }: NextRunsProps) {
  const common = typeof cron === 'string' ? commonCron(cron) : undefined
  const timeZone = knownZone(zone)
  if (common === undefined || timeZone === undefined) return null
  const texts = words.value.common.schedule
  const format = new Intl.DateTimeFormat(locale.value, {
    ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short', ...time },
  })
  const runs = nextRuns(common, timeZone, now.value, runsShown).map((atMs) => format.format(atMs))
  return <p class="help">{texts.means({ what: inWords(common), runs: runs.join(' · ') })}</p>
}
