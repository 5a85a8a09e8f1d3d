// A schedule in words, and when it runs next.
import { useMemo } from 'preact/hooks'
import { nextRuns } from '../../base/cron.ts'
import { knownZone } from '../../base/zone.ts'
import { cronWords } from '../../words/cron-words.ts'
import { locale, words } from '../../words/words.ts'
import { now } from './time.tsx'

const runsShown = 5

/** Undefined for what is no cron expression. */
export function scheduleText(cron: string): string | undefined {
  return cronWords(cron, words.value.common.schedule, locale.value)
}

export interface NextRunsProps {
  /** As it is typed. */
  readonly cron: unknown
  readonly zone: string
}

const minuteMs = 60_000

/** Nothing while the expression is none, or never runs. */
export function NextRuns({ cron, zone }: NextRunsProps) {
  const what = typeof cron === 'string' ? scheduleText(cron) : undefined
  const timezone = knownZone(zone)
  const minuteStartMs = Math.floor(now.value / minuteMs) * minuteMs
  const isKnown = what !== undefined && timezone !== undefined
  const runs = useMemo(
    () => (isKnown ? nextRuns(String(cron), timezone, minuteStartMs, runsShown) : []),
    [isKnown, cron, timezone, minuteStartMs],
  )
  if (what === undefined || runs.length === 0) return null
  const format = new Intl.DateTimeFormat(locale.value, {
    ...{ timeZone: timezone, weekday: 'short', day: 'numeric', month: 'short' },
    ...{ hour: '2-digit', minute: '2-digit' },
  })
  const next = runs.map((at) => format.format(at)).join(' · ')
  return <p class="help">{words.value.common.schedule.means({ what, runs: next })}</p>
}
