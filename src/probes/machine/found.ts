// What checks of the machine have in common: what they found, and their turns at what can hang.
import { acquireWithin, createGate } from '../../base/gate.ts'
import { type Failure, failure, unknownFailure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { answerOf } from '../run/json-answer.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import type { ProbeRun } from '../run/probe-run.ts'

/** An answer in JSON, which is shown also if the check then fails. */
export function shownAnswer(run: ProbeRun, found: object): TargetAnswer {
  const answer = answerOf(found)
  run.record.text = answer.text
  return answer
}

/** What was found is bad, in a sentence of ours. `code`: a word that says more, '' if there is none. */
export function badState(sentence: string, code = ''): RunError {
  return new RunError(failure('status', code === '' ? sentence : `${sentence} (${code})`))
}

/** The check could not be made. */
export function cannotLook(reason: string): RunError {
  return new RunError(unknownFailure('connect', reason))
}

/** `percent(1, 3)` is 33.3. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10
}

/** A program or a file system that hangs holds processes or threads: so many at once, one for each place. */
const looksMax = 8
const stillBusy: Failure = unknownFailure(
  'timeout',
  'earlier checks of this machine have not ended',
)

export function createTurns(perPlace = 1) {
  const gate = createGate({ total: looksMax, perKey: perPlace })
  return {
    /** Does the work once there is room; its place is free when it has ended, also long after the check. */
    async take<Found>(run: ProbeRun, place: string, work: () => Promise<Found>): Promise<Found> {
      const leftMs = run.untilMs - run.clock.monoMs()
      const request = { key: place, dueAtMs: run.untilMs }
      // Half of the time is left for the work itself.
      if (!(await acquireWithin(gate, request, run.clock, leftMs / 2)))
        throw new RunError(stillBusy)
      return work().finally(() => gate.leave(place))
    },
  }
}
