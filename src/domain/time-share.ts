// How much of the time some work may take, however often it is asked for: a rate (GCRA, ITU-T I.371)
// whose unit is a millisecond of work.

export interface TimeShare {
  /** The share of all time. */
  readonly share: number
  /** The work that may be done at once after a quiet time, given as the time whose share it is. */
  readonly burstMs: number
}

/** Whether more work may begin. `paidAtMs`: when everything done so far is paid for. */
export function hasTimeLeft({ burstMs }: TimeShare, paidAtMs: number, nowMs: number): boolean {
  return paidAtMs - nowMs <= burstMs
}

/** When everything is paid for after one more piece of work; the new `paidAtMs`. */
export function paidAfter(
  { share }: TimeShare,
  paidAtMs: number,
  costMs: number,
  nowMs: number,
): number {
  return Math.max(paidAtMs, nowMs) + costMs / share
}
