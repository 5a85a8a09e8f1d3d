// Waits for what only a real socket or process can bring about; nothing else in the tests waits.
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * For what comes in milliseconds on an idle machine. It says nothing about how fast something is: it
 * only ends a test in which something never comes, so it outlasts a machine that does much else.
 */
export const patienceMs = 60_000

/**
 * Resolves with the first answer that is neither undefined nor false; rejects if it is late. `everyMs` is for
 * a look that takes much of the machine itself.
 */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = patienceMs,
  everyMs = 15,
): Promise<T> {
  const endMs = Date.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > endMs) throw new Error(`not within ${timeoutMs} ms: ${look}`)
    await sleep(everyMs)
  }
}
