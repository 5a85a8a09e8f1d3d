// The run of a probe: one guarded run, recorded, that always ends in a reading.
import type { Socket } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import type { FailedAssertion } from '../../domain/assertions/assertion.ts'
import type { AnswerKind } from '../../domain/assertions/expectation.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { brokenFailure, type Failure, failure, internalFailure } from '../../net/failure.ts'
import { type GuardedRun, type RunDeps, RunError, runGuarded } from '../../net/run/guarded-run.ts'
import { ProbeRecorder, type RecorderDeps, type TargetAnswer } from './probe-recorder.ts'

interface ProbeContext {
  /** Ends the check early, with the result `unknown`. */
  readonly signal?: AbortSignal
  readonly clock: Clock
  /** Whether the reading shows the answer of the target, also a good one. */
  readonly keepsAnswer?: boolean
}

/** Checks once. Ends within the target's timeout and never rejects: a down target is a value. */
export type Probe = (target: EndpointTarget, context: ProbeContext) => Promise<Reading>

export interface ProbeDeps extends RunDeps, RecorderDeps {
  readonly guard: RunDeps['guard']
  /** Receives bugs of a probe: the reading only says that there was one. */
  readonly onBug?: (error: unknown) => void
}

/** A check in progress: connections, the deadline, and the record that becomes its reading. */
export type ProbeRun = GuardedRun<ProbeRecorder>

/** The steps return the target's answer, to be judged, or throw a RunError. */
export function createProbe(
  deps: ProbeDeps,
  steps: (target: EndpointTarget, run: ProbeRun) => Promise<TargetAnswer>,
  kind?: AnswerKind,
): Probe {
  return (target, { clock, signal, keepsAnswer }) => {
    const record = new ProbeRecorder(target, clock, deps, { kind, keepsAnswer, signal })
    const options = { deps, scope: target, clock, signal, record }
    return runGuarded(options, (run) => steps(target, run))
      .then((answer) => record.judged(answer))
      .catch((error) => {
        if (error instanceof AnswerRefused) {
          return record.failed(error.failure, error.phase, error.failedAssertions)
        }
        if (error instanceof RunError) return record.failed(error.failure, error.phase)
        deps.onBug?.(error)
        return record.failed(internalFailure)
      })
  }
}

/** A check failed because of what an answer was like. */
export class AnswerRefused extends RunError {
  readonly failedAssertions: readonly FailedAssertion[]

  constructor(found: Failure, failedAssertions: readonly FailedAssertion[]) {
    super(found)
    this.failedAssertions = failedAssertions
  }
}

/** The error if the monitor's URL is invalid for the probe; validation refuses most of these. */
export function wrongUrl(problem: string): RunError {
  return new RunError(failure('blocked', `the URL ${problem}`))
}

/** How long before its deadline a check ends by itself, to report what it has seen. */
const checkVerdictMs = 100

/** When the data received so far is judged, by the monotonic clock: shortly before the deadline. */
export function verdictAtMs({ untilMs }: ProbeRun, { timeoutMs }: EndpointTarget): number {
  return untilMs - Math.min(checkVerdictMs, timeoutMs / 10)
}

/** Sends bytes; resolves when they were sent or buffered by the system. */
export function send(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (cause) => {
      if (!cause) resolve()
      else reject(new RunError(brokenFailure(cause) ?? brokeWhileSending))
    })
  })
}

const brokeWhileSending = failure('reset', 'the connection broke while sending')
