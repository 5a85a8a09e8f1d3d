// How much a test does, and from which seed: a share in `npm test`, more in `npm run test:deep`.
import t from 'tap'

const { STILLUP_TEST_DEPTH, STILLUP_TEST_SEED } = process.env

/** 0 in the usual run, 1 in a deep one, 10 in one that does ten times as much as that. */
const depth = Number(STILLUP_TEST_DEPTH ?? 0)
/** Whether this is a deep run. */
export const isDeep = depth > 0
const propertyFactor = 100

/** So many times in the usual run, and so many in a deep one. */
export function amount(usual: number, deep: number): number {
  return isDeep ? Math.ceil(deep * depth) : usual
}

/** What the usual run allows instead of a number of milliseconds: its machine may be busy. */
export function patient(ms: number): number {
  return isDeep ? ms : 4 * ms
}

/** The seed that the environment gives, or else the usual one. The report names it. */
export function testSeed(usual = 20_260_101): number {
  const seed = Number(STILLUP_TEST_SEED ?? usual)
  t.comment(`STILLUP_TEST_SEED=${seed}`)
  return seed
}

/** How fast-check tries a property. By default it chooses a seed, and names it in a failure. */
export function runs(usual = 100): { numRuns: number; seed?: number } {
  const numRuns = amount(usual, usual * propertyFactor)
  return STILLUP_TEST_SEED === undefined ? { numRuns } : { numRuns, seed: testSeed() }
}
