// What the overview says first: that everything is well, since when, and what is planned next; and the
// uptime and the checks of the day.
import { useComputed } from '@preact/signals'
import { CircleCheck } from 'lucide'
import { useData } from '../../api/resource.ts'
import { Icon } from '../../parts/text/icon.tsx'
import { duration, now, percent, Time } from '../../parts/text/time.tsx'
import { monitors } from '../../stores/monitors.ts'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { rankedAs } from './rows/filter.ts'
import type { Summary } from './summary.ts'

/** What is neither good nor bad: it does not count. */
const idle: readonly string[] = ['paused', 'pending', 'maintenance']

/** How many are up, and since when none was anything else; null while something is wrong or nothing is known. */
function wellOf(): { readonly count: number; readonly sinceMs: number } | null {
  let count = 0
  // Times of the API are texts of one form, whose order is that of time.
  let since = ''
  for (const entry of monitors.value.values()) {
    const rank = rankedAs(entry)
    if (idle.includes(rank)) continue
    if (rank !== 'up') return null
    count += 1
    if (entry.since > since) since = entry.since
  }
  return count === 0 ? null : { count, sinceMs: Date.parse(since) }
}

interface GlanceProps {
  readonly today: Summary['today'] | undefined
}

export function Glance({ today }: GlanceProps) {
  const well = useComputed(wellOf).value
  if (monitors.value.size === 0) return null
  const texts = words.value.overview.allWell
  return (
    <p class={well ? 'glance is-up' : 'glance'}>
      {well && (
        <>
          <Icon of={CircleCheck} />
          <strong>{texts.count({ count: well.count })}</strong>
          <span class="faint">
            {texts.since({ time: duration(Math.max(0, (now.value - well.sinceMs) / 1_000)) })}
          </span>
        </>
      )}
      {today && <Today today={today} />}
      {well && <NextMaintenance />}
    </p>
  )
}

function Today({ today: { checks, uptime } }: { readonly today: Summary['today'] }) {
  const texts = words.value.overview.today
  if (checks === 0) return null
  return (
    <span class="faint">
      {uptime === null ? texts.checks({ checks }) : texts.both({ uptime: percent(uptime), checks })}
    </span>
  )
}

function NextMaintenance() {
  const planned = useData('maintenance-windows.list', {
    path: { orgId: orgId() },
    query: { state: 'scheduled', limit: 200 },
  })
  const next = (planned.value.value ?? [])
    .flatMap(({ name, occurrences }) => occurrences.map(({ startsAt }) => ({ name, startsAt })))
    .toSorted((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt))[0]
  if (!next) return null
  return (
    <a class="faint" href="/app/maintenance">
      {words.value.overview.allWell.next({ name: next.name })} <Time at={next.startsAt} />
    </a>
  )
}
