// The change of a monitor that accepts what a check found where nothing may change.
import type { Body, Data } from '../../api/client.ts'

type AcceptingMonitor = Pick<Data<'monitors.get'>, 'assertions' | 'steps'>
type AcceptedFailure = Pick<NonNullable<Data<'monitors.latest'>['failure']>, 'steps'>

/** `at`: the place of the assertion, among those of the step that failed where there is one. */
export function acceptedChange(
  { assertions = [], steps = [] }: AcceptingMonitor,
  failure: AcceptedFailure,
  at: number,
  found: string,
): Body<'monitors.change'> {
  const accepted = <One extends { readonly value?: string | null }>(all: readonly One[]) =>
    all.map((one, index) => (index === at ? { ...one, value: found } : one))
  // Steps that clean up are made last.
  const inOrder = [
    ...steps.filter(({ isCleanUp }) => !isCleanUp),
    ...steps.filter(({ isCleanUp }) => isCleanUp),
  ]
  const failed = inOrder[failure.steps.findIndex(({ outcome }) => outcome === 'failed')]
  if (failed === undefined) return { assertions: accepted(assertions) }
  return {
    steps: steps.map((step) =>
      step === failed ? { ...step, assertions: accepted(step.assertions ?? []) } : step,
    ),
  }
}
