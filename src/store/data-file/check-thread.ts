// The thread of a background check: reads its file, answers once and ends.
import { parentPort, workerData } from 'node:worker_threads'
import { StartFailure } from '../../base/exit.ts'
import { type CheckedFile, checkFile } from './check.ts'
import type { DataFile } from './inspect.ts'

/** What the thread answers. Errors lose their class on the way, so a failure is sent in parts. */
export type ThreadAnswer =
  | { readonly checked: CheckedFile }
  | { readonly failure: Pick<StartFailure, 'exitCode' | 'message' | 'hint'> }

function answer(): ThreadAnswer {
  try {
    return { checked: checkFile(workerData as DataFile) }
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error
    const { exitCode, message, hint } = error
    return { failure: { exitCode, message, hint } }
  }
}

parentPort?.postMessage(answer())
