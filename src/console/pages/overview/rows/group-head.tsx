// The head of a group of monitors: its worst state, how many are wrong, and a button that folds it.
import { ChevronDown, ChevronRight } from 'lucide'
import { Icon } from '../../../parts/text/icon.tsx'
import { numberText } from '../../../parts/text/number.ts'
import { words } from '../../../words/words.ts'
import type { GroupRow } from './filter.ts'
import { fold } from './folded.ts'

export function GroupHead({ row }: { readonly row: GroupRow }) {
  const { key, tag, depth, count, wrong, worst, isFolded } = row
  const { overview, common } = words.value
  return (
    <h2 class={`group is-${worst}`} style={{ '--depth': depth }}>
      <button type="button" aria-expanded={!isFolded} onClick={() => fold(key, !isFolded)}>
        <Icon of={isFolded ? ChevronRight : ChevronDown} />
        <span class={`state is-${worst}`}>
          <span class="hidden">
            {worst === 'confirming' ? common.confirming.short : common.states[worst]}
          </span>
        </span>
        {nameOf(tag) ?? overview.untagged}{' '}
        <span class="faint">
          {wrong > 0
            ? overview.wrongOf({ wrong: numberText(wrong), count: numberText(count) })
            : numberText(count)}
        </span>
      </button>
    </h2>
  )
}

/** The last part: the groups above it say the others. */
function nameOf(tag: string | undefined): string | undefined {
  return tag?.split('/').at(-1) || tag
}
