// While everything is well, the overview says so first: since when, and what is planned next.
import { useComputed } from '@preact/signals'
import { CircleCheck } from 'lucide'
import { fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Icon } from '../../parts/text/icon.tsx'
import { duration, now, Time } from '../../parts/text/time.tsx'
import { monitors } from '../../stores/monitors.ts'
import { organization, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { rankedAs } from './filter.ts'

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

export function AllWell() {
  const well = useComputed(wellOf).value
  if (well === null) return null
  const texts = words.value.overview.allWell
  const seconds = Math.max(0, (now.value - well.sinceMs) / 1_000)
  return (
    <p class="all-well is-up">
      <Icon of={CircleCheck} />
      <strong>{texts.count({ count: well.count })}</strong>
      <span class="faint">{texts.since({ time: duration(seconds) })}</span>
      <NextMaintenance />
    </p>
  )
}

function NextMaintenance() {
  const planned = useResource(
    (signal) =>
      fetchData('maintenance-windows.list', {
        path: { orgId: orgId() },
        query: { state: 'scheduled', limit: 200 },
        signal,
      }),
    [organization.value?.id],
  )
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
