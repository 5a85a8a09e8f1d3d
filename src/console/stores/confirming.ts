// Failures that are being confirmed, as the console shows them beside the state.
import type { Data } from '../api/client.ts'

type Glance = Pick<Data<'overview.all'>['monitors'][number], 'state' | 'confirming'>

/** How many of the newest checks failed, and how many make an outage; null: nothing is confirmed. */
export type Confirming = Glance['confirming']

/** Under maintenance failures are expected, and while paused nothing is confirmed. */
export function shownConfirming({ state, confirming }: Glance): Confirming {
  return state === 'maintenance' || state === 'paused' ? null : confirming
}
