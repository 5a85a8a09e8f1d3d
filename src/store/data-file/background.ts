// Checks the data file while the daemon runs, in a thread of its own, so that requests do not wait.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StartFailure } from '../../base/exit.ts'
import type { Env } from '../engine/env.ts'
import type { CheckedFile } from './check.ts'
import type { ThreadAnswer } from './check-thread.ts'
import { type DataFile, newestMeta } from './inspect.ts'

/**
 * Resolves with what was found, or undefined once the signal is aborted. Rejects with StartFailure
 * if the file cannot be relied on any more.
 */
export async function checkInBackground(
  lmdb: Env['lmdb'],
  file: DataFile | null,
  signal: AbortSignal,
): Promise<CheckedFile | undefined> {
  if (!file || signal.aborted) return undefined
  // While a read transaction holds it, no page of its snapshot is written.
  let before = newestMeta(file)
  let held = lmdb.useReadTransaction()
  let meta = newestMeta(file)
  while (meta.transaction !== before.transaction) {
    held.done()
    before = meta
    held = lmdb.useReadTransaction()
    meta = newestMeta(file)
  }
  try {
    return await inThread({ ...file, meta }, signal)
  } finally {
    held.done()
  }
}

async function inThread(file: DataFile, signal: AbortSignal): Promise<CheckedFile | undefined> {
  const worker = new Worker(new URL('./check-thread.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [ThreadAnswer]
    if ('checked' in answer) return answer.checked
    const { exitCode, message, hint } = answer.failure
    throw new StartFailure(exitCode, message, hint === undefined ? {} : { hint })
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
