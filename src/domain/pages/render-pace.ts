// How much of the time rendering may take, however often something changes: a rate (GCRA, ITU-T
// I.371) whose unit is a millisecond of work.

export interface PacePolicy {
  /** Of all time. */
  readonly share: number
  /** What may be done at once after a quiet time, as the time that it is the share of. */
  readonly burstMs: number
}

/** `paidAtMs`: when everything done so far is paid for. */
export function mayRender(policy: PacePolicy, paidAtMs: number, nowMs: number): boolean {
  return paidAtMs - nowMs <= policy.burstMs
}

/** When everything is paid for after one more piece of work; the new `paidAtMs`. */
export function paidAfter(
  policy: PacePolicy,
  paidAtMs: number,
  costMs: number,
  nowMs: number,
): number {
  return Math.max(paidAtMs, nowMs) + costMs / policy.share
}
