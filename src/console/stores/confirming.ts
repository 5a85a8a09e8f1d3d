// What the console shows beside a state: failures that are being confirmed, and places that see it otherwise.
import type { Data } from '../api/client.ts'

type Glance = Pick<Data<'overview.all'>['monitors'][number], 'state' | 'confirming' | 'failingFrom'>

/** How many of the newest checks failed, and how many make an outage; null: none is being confirmed. */
export type Confirming = Glance['confirming']

/** From where it fails though it is up; null: from nowhere. */
export type FailingFrom = Glance['failingFrom']

/** Null during maintenance, where failures are expected, and while the monitor is paused. */
export function shownConfirming({ state, confirming }: Omit<Glance, 'failingFrom'>): Confirming {
  return state === 'maintenance' || state === 'paused' ? null : confirming
}

/** Null unless it is up and some of its locations see it failing. */
export const shownFailing = ({ state, failingFrom }: Omit<Glance, 'confirming'>) =>
  state === 'up' ? failingFrom : null
