// Groups of monitors in the bar beside the page: pinned monitors, then tags, each with its worst state.
import { computed } from '@preact/signals'
import { rankPlaces as places, type Rank, rankedAs } from '../pages/overview/rows/filter.ts'
import type { Tone } from '../parts/text/mark.tsx'
import { type MonitorEntry, monitors } from '../stores/monitors.ts'
import { pinnedIds } from '../stores/preferences.ts'
import { inOrganization } from '../stores/session.ts'
import { words } from '../words/words.ts'

const worse = (a: Rank, b: Rank) => (places[a] <= places[b] ? a : b)

const tones: Readonly<Record<Rank, Tone>> = {
  down: 'down',
  degraded: 'slow',
  confirming: 'slow',
  unknown: 'slow',
  pending: 'none',
  maintenance: 'calm',
  up: 'up',
  paused: 'none',
}

/** How many of the tags are named: the overview has all. */
const tagsMax = 12

interface TagGroup {
  readonly tag: string
  worst: Rank
  count: number
}

const isBefore = (a: TagGroup, b: TagGroup) => {
  const order = places[a.worst] - places[b.worst]
  return order === 0 ? a.tag.localeCompare(b.tag) < 0 : order < 0
}

/** The tags with the worst state, the worst first. All are not put in order: each monitor may have one of its own. */
const tags = computed((): readonly TagGroup[] => {
  const byTag = new Map<string, TagGroup>()
  for (const entry of monitors.value.values()) {
    const rank = rankedAs(entry)
    for (const tag of entry.tags) {
      const known = byTag.get(tag)
      if (known === undefined) byTag.set(tag, { tag, worst: rank, count: 1 })
      else {
        known.worst = worse(known.worst, rank)
        known.count += 1
      }
    }
  }
  const first: TagGroup[] = []
  for (const group of byTag.values()) {
    const last = first[tagsMax - 1]
    if (last && !isBefore(group, last)) continue
    if (last) first.pop()
    const place = first.findIndex((one) => isBefore(group, one))
    first.splice(place === -1 ? first.length : place, 0, group)
  }
  return first
})

/** The tone of the worst monitor; monitors that are paused or new say nothing. */
export const worstTone = computed((): Tone => {
  let worst: Rank = 'paused'
  for (const entry of monitors.value.values()) {
    worst = worse(worst, rankedAs(entry))
    if (places[worst] === 0) break
  }
  // What waits for its first result stands above what is well.
  if (worst === 'pending' || worst === 'paused') {
    return [...monitors.value.values()].some(({ state }) => state === 'up') ? 'up' : 'none'
  }
  return tones[worst]
})

export function Groups() {
  const { pinned, tags: tagsTitle } = words.value.shell.groups
  const shownPins = pinnedIds.value.flatMap((id) => monitors.value.get(id) ?? [])
  return (
    <>
      {shownPins.length > 0 && (
        <nav class="side-group" aria-label={pinned}>
          <h2 class="side-text">{pinned}</h2>
          {shownPins.map((entry) => (
            <Pinned key={entry.id} entry={entry} />
          ))}
        </nav>
      )}
      {tags.value.length > 0 && (
        <nav class="side-group" aria-label={tagsTitle}>
          <h2 class="side-text">{tagsTitle}</h2>
          {tags.value.map(({ tag, worst, count }) => (
            <a
              key={tag}
              class="side-link"
              href={inOrganization(`/app?tag=${encodeURIComponent(tag)}`)}
              title={tag}
            >
              <Dot rank={worst} />
              <span class="side-text">{tag}</span>
              <span class="side-text count">{count}</span>
            </a>
          ))}
        </nav>
      )}
    </>
  )
}

function Pinned({ entry }: { readonly entry: MonitorEntry }) {
  const { id, name } = entry
  return (
    <a class="side-link" href={`/app/monitors/${id}`} title={name}>
      <Dot rank={rankedAs(entry)} />
      <span class="side-text">{name}</span>
    </a>
  )
}

function Dot({ rank }: { readonly rank: Rank }) {
  const { states, confirming } = words.value.common
  return (
    <span class={`state is-${rank}`}>
      <span class="hidden">{rank === 'confirming' ? confirming.short : states[rank]}</span>
    </span>
  )
}
