// Long work as a generator of steps, between which other work may run.

/** Yields after each step; returns its result. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Does all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let next = steps.next()
  while (!next.done) next = steps.next()
  return next.value
}
