// How far the confirmation of an outage is: the failures so far, and how many it needs.
import type { Health, HealthPolicy } from './health.ts'
import { failuresAmong } from './health-statechart.ts'

export interface Confirmation {
  readonly failed: number
  readonly needed: number
}

/** Null unless failures are being confirmed: an outage that is shown needs no more of them. */
export function confirmationOf(
  health: Pick<Health, 'state' | 'recentBits'>,
  { failureThreshold: needed }: Pick<HealthPolicy, 'failureThreshold'>,
): Confirmation | null {
  if (health.state !== 'confirming') return null
  // A person may have lowered the threshold since the newest check.
  return { failed: Math.min(failuresAmong(health.recentBits, needed), needed), needed }
}
