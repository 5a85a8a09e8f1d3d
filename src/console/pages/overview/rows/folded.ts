// Which groups of the overview are folded in this browser.
import { signal } from '@preact/signals'

const foldedKey = 'stillup.foldedGroups'
/** The oldest are forgotten. */
const keptMax = 200

function stored(): ReadonlySet<string> {
  return new Set((localStorage.getItem(foldedKey) ?? '').split('\n').filter((key) => key !== ''))
}

/** The keys of their rows. */
export const folded = signal<ReadonlySet<string>>(stored())

export function fold(key: string, isFolded: boolean): void {
  const others = [...folded.value].filter((one) => one !== key)
  folded.value = new Set(isFolded ? [...others, key].slice(-keptMax) : others)
  localStorage.setItem(foldedKey, [...folded.value].join('\n'))
}
