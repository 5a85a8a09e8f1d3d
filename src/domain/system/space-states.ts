// How much space there is for the data: on the disk, and in the budget that the operator set.

/** `low`: the operator should act. `full`: nothing new is stored. */
export const spaceStates = ['ok', 'low', 'full'] as const
export type SpaceState = (typeof spaceStates)[number]

/**
 * `large`: the operator should act. `trimmed`: the oldest results of checks are dropped. `full`:
 * nothing new is created, and checks, incidents and alerts go on.
 */
export const sizeStates = ['ok', 'large', 'trimmed', 'full'] as const
export type SizeState = (typeof sizeStates)[number]

/** Shares of data.maxMib. */
const sizeShareLarge = 0.8
const sizeShareTrimmed = 0.9

/** `bytesMax` is 0 without a budget. */
export function judgeSize(usedBytes: number, bytesMax: number): SizeState {
  if (bytesMax === 0) return 'ok'
  const share = usedBytes / bytesMax
  if (share >= 1) return 'full'
  if (share >= sizeShareTrimmed) return 'trimmed'
  return share >= sizeShareLarge ? 'large' : 'ok'
}
