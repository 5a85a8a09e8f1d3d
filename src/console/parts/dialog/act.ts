// Does something that a button asked for, and says so if it fails.
import { asProblem } from '../../api/resource.ts'
import { problemText } from '../page/problem-note.tsx'
import { tell, tellProblem } from './toast.tsx'

/** Resolves with false if it failed. `done` is told afterwards; `undo` takes it back. */
export async function act(
  work: () => Promise<unknown>,
  done?: string,
  undo?: () => void,
): Promise<boolean> {
  try {
    await work()
    if (done !== undefined) tell(done, undo)
    return true
  } catch (error) {
    tellProblem(problemText(asProblem(error)))
    return false
  }
}
