// Deadlines for checks that have to run into one.
import type { PhaseName, Reading } from '../../src/domain/checks/reading.ts'

/** How much more it is given, one after the other. */
const growth = [10, 100] as const

/**
 * What a check says that has to get somewhere before its deadline, which is short, because the test
 * waits for it. A busy machine may not let it get there in time: then it is given more.
 */
export async function withDeadline<Found>(
  firstMs: number,
  check: (timeoutMs: number) => Promise<Found>,
  isThere: (found: Found) => boolean,
): Promise<Found> {
  let found = await check(firstMs)
  for (const factor of growth) {
    if (isThere(found)) break
    found = await check(firstMs * factor)
  }
  return found
}

/** What a check says whose deadline comes while it is in this phase. */
export function stuckIn(
  phase: PhaseName,
  check: (timeoutMs: number) => Promise<Reading>,
  firstMs = 200,
): Promise<Reading> {
  return withDeadline(firstMs, check, ({ error }) => error?.phase === phase)
}
