// Changes the data of a daemon that is stopped: what no route can do, or nobody should.
import { startClock } from '../../src/base/clock.ts'
import type { Tx } from '../../src/store/engine/write.ts'
import { openStore, type Store } from '../../src/store/store.ts'

export async function tamper(
  dir: string,
  change: (store: Store, tx: Tx, nowMs: number) => void,
): Promise<void> {
  await tamperWith(dir, (store, nowMs) => store.write((tx) => change(store, tx, nowMs)))
}

/** The same with the store itself, which has no open transaction. */
export async function tamperWith(
  dir: string,
  change: (store: Store, nowMs: number) => Promise<unknown>,
): Promise<void> {
  const clock = startClock()
  const store = openStore({
    dir,
    clock,
    commitDelayMs: 0,
    onFatal: fail,
    onError: fail,
  })
  await change(store, clock.nowMs())
  await store.close()
  clock.stop()
}

function fail(error: unknown): never {
  throw error
}
