// reserve: [number] → nothing of worth. What is written and deleted here leaves free pages in the file.
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export const reservePieceBytes = 1024 * 1024

export function openReserve(env: Env) {
  const table = openTable<Uint8Array>(env, {
    name: 'reserve',
    isLocal: true,
    codec: { encode: (bytes) => bytes, decode: (bytes) => Uint8Array.from(bytes) },
  })
  return {
    /** A piece is one mebibyte. */
    put: (tx: Tx, piece: number) => table.put(tx, [piece], new Uint8Array(reservePieceBytes)),

    /** Deletes at most `limit` pieces, also the pieces of a run that was interrupted; returns how many. */
    clear: (tx: Tx, limit: number) => table.removeAll(tx, [], limit),
  }
}
