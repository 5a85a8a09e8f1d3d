// The thread's side of run-apart.ts.
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'

/** Posts a text without line feeds. Resolves once it was taken, so that no more than one waits in memory. */
export async function postApart(text: string): Promise<void> {
  if (!parentPort) return
  const taken = once(parentPort, 'message')
  parentPort.postMessage(text)
  await taken
}
