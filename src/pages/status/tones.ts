// How states look: few tones, each with a colour and an icon, which the style sheet draws. States
// without a tone of their own have an icon of their own.
import type { OverallLevel, PublicState } from '../view/public-page.ts'

/** The name of a class. States that tell nothing about the service have one colour. */
export const toneOf: Readonly<Record<PublicState, OverallLevel>> = {
  up: 'up',
  degraded: 'degraded',
  down: 'down',
  maintenance: 'maintenance',
  pending: 'unknown',
  waiting: 'unknown',
  paused: 'unknown',
  unknown: 'unknown',
}

const marks: Partial<Record<PublicState, string>> = {
  pending: 'unknown pending',
  waiting: 'unknown pending',
  paused: 'unknown paused',
}

/** The classes that draw a state: its tone, and its icon where that has another one. */
export function classOf(state: PublicState): string {
  return marks[state] ?? toneOf[state]
}
