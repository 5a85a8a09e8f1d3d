// Waits for what only a real socket or process can bring about; nothing else in the tests waits.
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves with the first answer that is neither undefined nor false; rejects if it is late. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 5_000,
): Promise<T> {
  const endMs = Date.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > endMs) throw new Error(`not within ${timeoutMs} ms: ${look}`)
    await sleep(15)
  }
}
