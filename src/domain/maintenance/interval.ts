// Intervals: stretches of time, and their union and difference.

export interface Interval {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

/** Their union, sorted; intervals that touch are joined. */
export function merged(intervals: readonly Interval[]): readonly Interval[] {
  if (intervals.length < 2) return intervals
  const joined: Interval[] = []
  for (const next of intervals.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1)
    if (last === undefined || next.fromMs > last.toMs) joined.push(next)
    else if (next.toMs > last.toMs) joined[joined.length - 1] = { ...last, toMs: next.toMs }
  }
  return joined
}

/** What is left of an interval without the others, in order. */
export function without(whole: Interval, others: readonly Interval[]): readonly Interval[] {
  let left: readonly Interval[] = [whole]
  for (const { fromMs, toMs } of others) {
    left = left.flatMap((piece) => {
      if (toMs <= piece.fromMs || fromMs >= piece.toMs) return [piece]
      const pieces = [
        { fromMs: piece.fromMs, toMs: fromMs },
        { fromMs: toMs, toMs: piece.toMs },
      ]
      return pieces.filter((one) => one.toMs > one.fromMs)
    })
  }
  return left
}

export function contains({ fromMs, toMs }: Interval, atMs: number): boolean {
  return fromMs <= atMs && atMs < toMs
}
