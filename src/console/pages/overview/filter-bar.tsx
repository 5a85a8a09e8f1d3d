// The filters of the overview: search, states with their counts, tags, groups.

import { useComputed } from '@preact/signals'
import type { RefObject } from 'preact'
import { numberText } from '../../parts/text/number.ts'
import { monitors } from '../../stores/monitors.ts'
import { words } from '../../words/words.ts'
import { DisplayMenu } from './display-menu.tsx'
import { type Filter, shownStates } from './rows/filter.ts'
import { SavedViews } from './saved-views.tsx'

/** A phone has no key for it. */
const hasKeys = matchMedia('(hover: hover)').matches

export interface FilterBarProps {
  readonly filter: Filter
  readonly onChange: (changes: Partial<Filter>) => void
  readonly search: RefObject<HTMLInputElement | null>
}

export function FilterBar({ filter, onChange, search }: FilterBarProps) {
  const counts = useComputed(() => {
    const byState = new Map<string, number>()
    const tags = new Set<string>()
    for (const { state, isPartly, tags: own } of monitors.value.values()) {
      byState.set(state, (byState.get(state) ?? 0) + 1)
      if (isPartly) byState.set('partly', (byState.get('partly') ?? 0) + 1)
      for (const tag of own) tags.add(tag)
    }
    return { byState, tags: [...tags].sort() }
  }).value
  const { overview, common } = words.value
  return (
    <search class="filters">
      <input
        ref={search}
        type="search"
        aria-label={overview.search}
        placeholder={`${overview.search}${hasKeys ? '  /' : ''}`}
        value={filter.q}
        onInput={({ currentTarget: { value } }) => onChange({ q: value })}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <fieldset class="chips" aria-label={overview.states}>
        <button
          type="button"
          aria-pressed={filter.state === undefined}
          onClick={() => onChange({ state: undefined })}
        >
          {overview.all} <b>{numberText(monitors.value.size)}</b>
        </button>
        {shownStates.map((state) => {
          const count = counts.byState.get(state) ?? 0
          if (count === 0 && filter.state !== state) return null
          return (
            <button
              key={state}
              type="button"
              class={`is-${state === 'partly' ? 'degraded' : state}`}
              aria-pressed={filter.state === state}
              onClick={() => onChange({ state: filter.state === state ? undefined : state })}
            >
              {state === 'partly' ? overview.partly : common.states[state]}{' '}
              <b>{numberText(count)}</b>
            </button>
          )
        })}
      </fieldset>
      {counts.tags.length > 0 && (
        <select
          aria-label={overview.tag}
          value={filter.tag ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ tag: value === '' ? undefined : value })
          }
        >
          <option value="">{overview.anyTag}</option>
          {counts.tags.map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
        </select>
      )}
      <SavedViews filter={filter} />
      <DisplayMenu filter={filter} hasTags={counts.tags.length > 0} onChange={onChange} />
    </search>
  )
}
