// Transactions that follow from a seed and their number, so that what a store must hold is known.
import { isDeepStrictEqual } from 'node:util'
import { openTable } from '../../../src/store/engine/table.ts'
import type { Tx } from '../../../src/store/engine/write.ts'
import type { Store } from '../../../src/store/store.ts'
import { createSeeded } from '../kill-loop/seeded.ts'

interface Item {
  readonly number: number
  readonly text: string
}

type Held = Map<string, Item>

const keys = 60
const names = ['workloadA', 'workloadB'] as const

/** What a transaction changes: a record for each name, or none where it is deleted. */
function changesOf(seed: number, number: number): [name: string, item: Item | undefined][] {
  const random = createSeeded(seed * 100_003 + number)
  return Array.from({ length: random.between(1, 12) }, () => {
    const name = `${random.between(0, 1)} ${random.between(1, keys)}`
    if (random.chance(0.25)) return [name, undefined]
    const length = random.between(0, random.chance(0.15) ? 30_000 : 300)
    return [name, { number, text: String.fromCharCode(97 + (number % 26)).repeat(length) }]
  })
}

export function openWorkload(store: Store, seed: number) {
  const tables = names.map((name) => openTable<Item>(store, { name }))
  const last = openTable<{ readonly number: number }>(store, { name: 'workloadLast' })
  const tableOf = (name: string) => tables[Number(name[0])]
  const keyOf = (name: string) => [`mon_${name.slice(2)}`]

  function held(): Held {
    const found = tables.flatMap((table, at) =>
      table
        .entries({ prefix: [], limit: 2 * keys })
        .map(({ key, record }) => [`${at} ${String(key[0]).slice(4)}`, record] as const),
    )
    return new Map(found)
  }

  function change(tx: Tx, number: number): void {
    for (const [name, item] of changesOf(seed, number)) {
      if (item) tableOf(name)?.put(tx, keyOf(name), item)
      else tableOf(name)?.remove(tx, keyOf(name))
    }
    last.put(tx, ['last'], { number })
  }

  return {
    /** The newest transaction that the store has; 0 without any. */
    newest: () => last.get(['last'])?.number ?? 0,

    /** Whether the store holds exactly what the transactions up to its newest leave. */
    isWhole(): boolean {
      const expected: Held = new Map()
      const newest = last.get(['last'])?.number ?? 0
      for (let number = 1; number <= newest; number += 1) {
        for (const [name, item] of changesOf(seed, number)) {
          if (item) expected.set(name, item)
          else expected.delete(name)
        }
      }
      return isDeepStrictEqual(held(), expected)
    },

    /** Resolves once the transaction is on disk. */
    write: (number: number): Promise<void> => store.write((tx) => change(tx, number)),
  }
}
