// What the daemon remembers of itself, by [length of a point, from when]: blocks of points.
import type { PackedPoint } from '../../../domain/system/system-history.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export type SystemPointLength = 'minutes' | 'hours'

/** Blocks of one length; each is removed in its time. */
const blocksMax = 1_000

export function openSystemHistory(env: Env) {
  const blocks = openTable<{ readonly points: readonly PackedPoint[] }>(env, {
    name: 'systemHistory',
  })

  return {
    /** The blocks of a length, oldest first. */
    all: (length: SystemPointLength): readonly PackedPoint[] =>
      blocks.range({ prefix: [length], limit: blocksMax }).flatMap(({ points }) => points),

    block: (length: SystemPointLength, fromMs: number): readonly PackedPoint[] =>
      blocks.readable([length, fromMs])?.points ?? [],

    put: (
      tx: Tx,
      length: SystemPointLength,
      fromMs: number,
      points: readonly PackedPoint[],
    ): void => blocks.put(tx, [length, fromMs], { points }),

    /** Removes the blocks that begin before a time. */
    removeBefore(tx: Tx, length: SystemPointLength, beforeMs: number): void {
      for (const key of blocks.keys({ prefix: [length], limit: blocksMax })) {
        if (Number(key[1]) < beforeMs) blocks.remove(tx, key)
      }
    },
  }
}
