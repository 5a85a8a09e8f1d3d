// The monitors that a person pinned in this browser: they stand in the bar beside every page.
import { computed, signal } from '@preact/signals'
import { organization } from './session.ts'

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

/** The pins of all organizations: an id belongs to one only. */
const pins = signal(stored())

/** In the order in which they were pinned. */
export const pinnedIds = computed(() => (organization.value === undefined ? [] : pins.value))

/** The oldest goes where there are too many. */
export function pin(id: string, isPinned: boolean): void {
  const others = pins.value.filter((one) => one !== id)
  pins.value = isPinned ? [...others, id].slice(-pinsMax) : others
  localStorage.setItem(pinsKey, JSON.stringify(pins.value))
}
