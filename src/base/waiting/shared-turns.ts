// Runs long work one piece at a time. Callers that ask for the same piece get the same result.
//
// Many callers therefore cannot keep the event loop from everything else. Nobody joins a piece that
// has begun: its result may lack what the caller stored before it asked.

export type SharedTurns<Key, Result> = (key: Key) => Promise<Result>

/** `work` must yield to other work now and then. */
export function createSharedTurns<Key, Result>(
  work: (key: Key) => Promise<Result>,
): SharedTurns<Key, Result> {
  const waiting = new Map<Key, Promise<Result>>()
  let last: Promise<unknown> = Promise.resolve()
  return (key) => {
    const shared = waiting.get(key)
    if (shared !== undefined) return shared
    const turn = last.then(() => {
      waiting.delete(key)
      return work(key)
    })
    waiting.set(key, turn)
    // The next one begins however this one ends; only its callers hear of a failure.
    last = turn.catch(() => {})
    return turn
  }
}
