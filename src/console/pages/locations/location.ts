// A location and its probes, as the API has them.
import type { Item } from '../../api/client.ts'

export type LocationEntry = Item<'locations.list'>
export type ProbeEntry = Item<'locations.listProbes'>

/** The class of the colours of each state, and its shape. */
export const locationTones = {
  live: 'is-up',
  silent: 'is-degraded',
  empty: 'is-none',
} as const
