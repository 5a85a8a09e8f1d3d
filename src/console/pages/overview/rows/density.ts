// How high the rows of the overview are, as the person chose in this browser.
import { signal } from '@preact/signals'

export type Density = 'comfortable' | 'compact'

const densityKey = 'stillup.density'

export const density = signal<Density>(
  localStorage.getItem(densityKey) === 'compact' ? 'compact' : 'comfortable',
)

export function chooseDensity(chosen: Density): void {
  localStorage.setItem(densityKey, chosen)
  density.value = chosen
}

/** CSS pixels: rows have no other height. */
export const heightOf = (density: Density) => (density === 'compact' ? 32 : 56)
