// The state of each part of a time. A part without a result has the state that the results around it, or
// an incident, say: a job that reports once a day is up or down in between, too.
import type { ResponseTimes, Shade } from './shades.ts'

type Point = Pick<ResponseTimes['points'][number], 'at' | 'results'>

export type BarState = 'up' | 'degraded' | 'down' | 'none'

export interface BarFacts {
  readonly points: readonly Point[]
  /** The end of the last part. */
  readonly to: string
  readonly shades: readonly Shade[]
  /** The present state, and since when. */
  readonly state: string
  readonly stateSince: string
  /** How long a good result counts, unless another one comes. */
  readonly heldMs: number
  /** Where several places look, the share of them that must see something for it to be so. */
  readonly votingShare?: number | undefined
}

export function barStates(facts: BarFacts): BarState[] {
  const { points, to, shades, state, stateSince, heldMs, votingShare } = facts
  const sinceMs = Date.parse(stateSince)
  let lastMs = Number.NEGATIVE_INFINITY
  let last: BarState = 'none'
  return points.map(({ at, results }, index) => {
    const fromMs = Date.parse(at)
    const toMs = Date.parse(points[index + 1]?.at ?? to)
    const isIn = (kind: Shade['kind']) =>
      shades.some((one) => one.kind === kind && one.fromMs < toMs && one.toMs > fromMs)
    const isVoted = votingShare !== undefined
    const own = isVoted ? votedOf(results, votingShare, isIn('down')) : worstOf(results)
    if (own !== 'none') {
      // An outage ends by an incident that ends, not by time.
      lastMs = toMs
      last = own === 'down' ? 'none' : own
      return own
    }
    if (isIn('down')) {
      last = 'none'
      return 'down'
    }
    if (isIn('maintenance')) return 'none'
    if (fromMs >= sinceMs) return state === 'up' || state === 'degraded' ? state : 'none'
    return fromMs - lastMs < heldMs ? last : 'none'
  })
}

function worstOf({ down, degraded, up }: Point['results']): BarState {
  if (down > 0) return 'down'
  if (degraded > 0) return 'degraded'
  return up > 0 ? 'up' : 'none'
}

/** What results of several places say together: a place that fails alone says nothing; an incident does. */
function votedOf(
  { down, degraded, up }: Point['results'],
  share: number,
  isInOutage: boolean,
): BarState {
  if (isInOutage) return 'down'
  const bad = down + degraded
  if (degraded > 0 && bad >= share * (bad + up)) return 'degraded'
  return up > 0 ? 'up' : 'none'
}
