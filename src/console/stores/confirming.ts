// Failures that are being confirmed, as the console shows them beside the state.
import type { Data } from '../api/client.ts'

type Glance = Pick<Data<'overview.all'>['monitors'][number], 'state' | 'confirming'>

/** How many of the newest checks failed, and how many make an outage; null: none is being confirmed. */
export type Confirming = Glance['confirming']

/** Null during maintenance, where failures are expected, and while the monitor is paused. */
export function shownConfirming({ state, confirming }: Glance): Confirming {
  return state === 'maintenance' || state === 'paused' ? null : confirming
}
