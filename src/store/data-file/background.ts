// Checks the data file while the daemon runs, in a thread of its own, so that requests do not wait.
import { once } from 'node:events'
import { startWorker } from '../../base/assets.ts'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import type { Env } from '../engine/env.ts'
import { type BytesDone, createByteCount } from './byte-count.ts'
import type { CheckedFile } from './check.ts'
import type { CheckJob, ThreadAnswer } from './check-thread.ts'
import { DamagedData, type DataFile, fileBytes, metaPageOf, newestMeta } from './inspect.ts'

/** A data file as one transaction left it. */
export interface Snapshot extends DataFile {
  /** The page that `meta` was read from: the next transaction but one writes it anew. */
  readonly metaPage: Uint8Array
}

/**
 * Resolves with what was found, or undefined once the signal is aborted. `onBegin` gets a reader of how
 * far it is. Rejects with StartFailure
 * if the file cannot be relied on any more.
 */
export async function checkInBackground(
  lmdb: Env['lmdb'],
  file: DataFile | null,
  signal: AbortSignal,
  onBegin?: (read: () => BytesDone) => void,
): Promise<CheckedFile | undefined> {
  if (!file || signal.aborted) return undefined
  const { snapshot, release } = holdSnapshot(lmdb, file)
  try {
    const count = createByteCount({ passBytes: fileBytes(snapshot), passes: 1 })
    onBegin?.(count.read)
    return await inThread({ file: snapshot, counted: count.memory }, signal)
  } finally {
    release()
  }
}

/**
 * The newest snapshot, none of whose pages is written before it is released. Until then, pages that
 * become free are not used again: the file grows by what is written.
 */
export function holdSnapshot(
  lmdb: Env['lmdb'],
  file: DataFile,
): { readonly snapshot: Snapshot; release(): void } {
  for (;;) {
    const before = newestMeta(file)
    const held = lmdb.useReadTransaction()
    const meta = newestMeta(file)
    const metaPage = metaPageOf(file, meta)
    if (metaPage && meta.transaction === before.transaction) {
      return { snapshot: { ...file, meta, metaPage }, release: () => held.done() }
    }
    held.done()
  }
}

async function inThread(job: CheckJob, signal: AbortSignal): Promise<CheckedFile | undefined> {
  const worker = startWorker('store/data-file/check-thread', {
    workerData: job,
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [ThreadAnswer]
    if ('checked' in answer) return answer.checked
    const { exitCode, message, hint } = answer.failure
    const more = hint === undefined ? {} : { hint }
    if (exitCode === exitCodes.config) throw new DamagedData(exitCode, message, more)
    throw new StartFailure(exitCode, message, more)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
