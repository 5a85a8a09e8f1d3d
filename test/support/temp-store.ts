// A store in the test's own directory, closed with the test.
import { join } from 'node:path'
import type { Test } from 'tap'
import { openStore, type Store } from '../../src/store/store.ts'
import { FakeClock } from './fake-clock.ts'

export interface TempStore {
  readonly store: Store
  readonly clock: FakeClock
  readonly dir: string
}

/**
 * Opens a store in `t.testdir()`. `commitDelayMs` is 0, so that delayed writes start at the next
 * `clock.advance(0)`. A disk failure fails the test.
 */
export function openTempStore(
  t: Test,
  {
    clock = new FakeClock(),
    commitDelayMs = 0,
  }: { clock?: FakeClock; commitDelayMs?: number } = {},
): TempStore {
  const dir = join(t.testdir(), 'db')
  const store = openStore({ dir, clock, commitDelayMs, onFatal: (error) => t.fail(String(error)) })
  t.teardown(() => store.close())
  return { store, clock, dir }
}
