// The monitors that a person pinned in this browser: they stand in the bar beside every page.
import { signal } from '@preact/signals'

const pinsKey = 'stillup.pins'
const pinsMax = 20

const isId = (value: unknown): value is string => typeof value === 'string'

function stored(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(pinsKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isId) : []
  } catch {
    return []
  }
}

/** The pins of all organizations, in the order in which they were set: an id belongs to one organization. */
export const pinnedIds = signal(stored())

/** The oldest goes where there are too many. */
export function pin(id: string, isPinned: boolean): void {
  const others = pinnedIds.value.filter((one) => one !== id)
  pinnedIds.value = isPinned ? [...others, id].slice(-pinsMax) : others
  localStorage.setItem(pinsKey, JSON.stringify(pinnedIds.value))
}
