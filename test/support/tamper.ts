// Changes the data of a daemon that is stopped: what no route can do, or nobody should.
import { startClock } from '../../src/base/clock.ts'
import type { Tx } from '../../src/store/engine/write.ts'
import { openStore, type Store } from '../../src/store/store.ts'

export async function tamper(
  dir: string,
  change: (store: Store, tx: Tx, nowMs: number) => void,
): Promise<void> {
  const clock = startClock()
  const store = openStore({
    dir,
    clock,
    commitDelayMs: 0,
    onFatal: fail,
    onError: fail,
  })
  await store.write((tx) => change(store, tx, clock.nowMs()))
  await store.close()
  clock.stop()
}

function fail(error: unknown): never {
  throw error
}
