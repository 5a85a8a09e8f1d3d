// The thread of a background check: reads its file, answers once and ends.
import { parentPort, workerData } from 'node:worker_threads'
import { StartFailure } from '../../base/exit.ts'
import { createByteCount } from './byte-count.ts'
import { type CheckedFile, checkFile } from './check.ts'
import { type DataFile, fileBytes } from './inspect.ts'

/** What the thread is asked to do. */
export interface CheckJob {
  readonly file: DataFile
  /** Where it counts what it has read. */
  readonly counted: SharedArrayBuffer
}

/** What the thread answers. Errors lose their class on the way, so a failure is sent in parts. */
export type ThreadAnswer =
  | { readonly checked: CheckedFile }
  | { readonly failure: Pick<StartFailure, 'exitCode' | 'message' | 'hint'> }

function answer(): ThreadAnswer {
  try {
    const { file, counted } = workerData as CheckJob
    const count = createByteCount({ passBytes: fileBytes(file), passes: 1 }, counted)
    count.next()
    return { checked: checkFile(file, count.add) }
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error
    const { exitCode, message, hint } = error
    return { failure: { exitCode, message, hint } }
  }
}

parentPort?.postMessage(answer())
