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
}

export function barStates(facts: BarFacts): BarState[] {
  const { points, to, shades, state, stateSince, heldMs } = facts
  const sinceMs = Date.parse(stateSince)
  let lastMs = Number.NEGATIVE_INFINITY
  let last: BarState = 'none'
  return points.map(({ at, results }, index) => {
    const fromMs = Date.parse(at)
    const toMs = Date.parse(points[index + 1]?.at ?? to)
    const own = worstOf(results)
    if (own !== 'none') {
      // An outage ends by an incident that ends, not by time.
      lastMs = toMs
      last = results.down > 0 ? 'none' : own
      return own
    }
    const isIn = (kind: Shade['kind']) =>
      shades.some((one) => one.kind === kind && one.fromMs < toMs && one.toMs > fromMs)
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
