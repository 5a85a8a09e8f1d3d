// How states look: few tones, each with a colour and an icon, which the style sheet draws.
import type { OverallLevel, PublicState } from '../view/public-page.ts'

/** The name of a class. States that tell nothing about the service look alike. */
export type Tone = OverallLevel

export const toneOf: Readonly<Record<PublicState, Tone>> = {
  up: 'up',
  degraded: 'degraded',
  down: 'down',
  maintenance: 'maintenance',
  pending: 'unknown',
  waiting: 'unknown',
  paused: 'unknown',
  unknown: 'unknown',
}
