// A store in the test's own directory, closed with the test.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import { required } from '../../src/base/assert.ts'
import type { TableKey } from '../../src/store/engine/damage.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { FakeClock } from './fake-clock.ts'
import { testFolder } from './test-folder.ts'

export interface TempStore {
  readonly store: Store
  readonly clock: FakeClock
  readonly dir: string
}

/** The window in which everything is. */
export const ever = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER } as const

const openStores = new Set<Store>()

/** Lets what was begun come to its end: the disk is real, only time is not. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    await nextTurn()
    for (const store of openStores) await store.flush()
  }
}

/**
 * Opens a store in a folder of the test. `commitDelayMs` is 0, so that delayed writes start at the next
 * `clock.advance(0)`. `inMemory` spares the disk. A disk failure fails the test.
 */
export function openTempStore(
  t: Test,
  {
    clock = new FakeClock(),
    commitDelayMs = 0,
    inMemory = false,
  }: { clock?: FakeClock; commitDelayMs?: number; inMemory?: boolean } = {},
): TempStore {
  const dir = inMemory ? memoryDir(t) : join(testFolder(t), 'db')
  const fail = (error: unknown) => t.fail(String(error))
  const store = openStore({ dir, clock, commitDelayMs, onFatal: fail, onError: fail })
  openStores.add(store)
  t.teardown(() => {
    openStores.delete(store)
    return store.close()
  })
  return { store, clock, dir }
}

/** Flips a bit of a stored record, as a failing disk would. */
export async function damageRecord(store: Store, table: string, key: TableKey): Promise<void> {
  const spec = { name: table, encoding: 'binary', cache: false } as const
  const db = store.lmdb.openDB<Buffer, TableKey>(spec)
  const bytes = Buffer.from(required(db.getBinary(key), 'the record'))
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  await db.put(key, bytes)
}

/** A directory that costs no disk, for tests with very many transactions. */
function memoryDir(t: Test): string {
  if (!existsSync('/dev/shm')) return join(testFolder(t), 'db')
  const dir = mkdtempSync('/dev/shm/tap-')
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
