// Deletes unused links that expired and sessions that ended, slice by slice.

import { limits } from '../domain/limits/limits.ts'
import { isSessionAlive } from '../domain/people/person.ts'
import type { Tx } from './engine/write.ts'
import type { Store } from './store.ts'

/** A table that is read in the order of its hashes. */
interface TokenTable<Rec extends { readonly tokenHash: string }> {
  slice(limit: number, after?: string): Rec[]
  find(tokenHash: string): Rec | undefined
  remove(tx: Tx, record: Rec): void
}

/**
 * Resolves with the number of deleted records. They have no effect any more and would only
 * accumulate. `mayGoOn` can stop it between two slices.
 */
export async function forgetExpired(
  store: Store,
  nowMs: number,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  const { links, sessions } = store
  const isLinkOver = ({ expiresAtMs }: { expiresAtMs: number }) => nowMs >= expiresAtMs
  const sessionTable = { ...sessions, find: sessions.findByToken }
  return (
    (await clear(store, links, isLinkOver, mayGoOn)) +
    (await clear(store, sessionTable, (session) => !isSessionAlive(session, nowMs), mayGoOn))
  )
}

async function clear<Rec extends { readonly tokenHash: string }>(
  store: Store,
  shelf: TokenTable<Rec>,
  isOver: (record: Rec) => boolean,
  mayGoOn: () => boolean,
): Promise<number> {
  let total = 0
  let last: string | undefined
  if (!mayGoOn()) return total
  do {
    const slice = shelf.slice(limits.deleteSliceRecords, last)
    last = slice.length < limits.deleteSliceRecords ? undefined : slice.at(-1)?.tokenHash
    const over = slice.filter(isOver)
    if (over.length > 0) total += await store.writeSoon((tx) => removeAll(tx, shelf, over, isOver))
  } while (last !== undefined && mayGoOn())
  return total
}

/** Checks again, because a session may have been used while the write was waiting. */
function removeAll<Rec extends { readonly tokenHash: string }>(
  tx: Tx,
  shelf: TokenTable<Rec>,
  records: readonly Rec[],
  isOver: (record: Rec) => boolean,
): number {
  const still = records.flatMap(({ tokenHash }) => shelf.find(tokenHash) ?? []).filter(isOver)
  for (const record of still) shelf.remove(tx, record)
  return still.length
}
