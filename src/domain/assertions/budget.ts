// A work budget shared by all assertions of one check.

/** Why a search or a path was abandoned, as a sentence. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/** The budget of a check, in units of the most that one assertion may cost. */
export interface Budget {
  left: number
}

/** Enough for a few expensive assertions or any number of usual ones. */
export function freshBudget(): Budget {
  return { left: 2 }
}

/** How many of `stepsMax` steps, which are one unit, remain for the next assertion. */
export function stepsIn(budget: Budget, stepsMax: number): number {
  return Math.floor(Math.min(1, budget.left) * stepsMax)
}

export function charge(budget: Budget, steps: number, stepsMax: number): void {
  budget.left = Math.max(0, budget.left - steps / stepsMax)
}

/** The selected values, or why the path was abandoned. */
export type Selection<Value> =
  | { readonly values: readonly Value[]; readonly problem?: never }
  | { readonly problem: string; readonly values?: never }

let stepsLeft = 0

/** Sets the number of steps that may be spent. Returns what remained before. */
export function grant(steps: number): number {
  const left = Math.max(0, stepsLeft)
  stepsLeft = steps
  return left
}

/** Called before each piece of work on a path. */
export function spend(steps: number): void {
  stepsLeft -= steps
  if (stepsLeft < 0) throw new GivenUp('the path takes too many steps on this document')
}

/** Follows a path within the budget. Returns a problem if it is too expensive or too deep. */
export function onBudget<Result>(
  budget: Budget,
  stepsMax: number,
  follow: () => Result,
): Result | { readonly problem: string } {
  const steps = stepsIn(budget, stepsMax)
  grant(steps)
  try {
    return follow()
  } catch (cause) {
    if (cause instanceof GivenUp) return { problem: cause.message }
    if (cause instanceof RangeError) return { problem: 'the document is too large for this path' }
    throw cause
  } finally {
    charge(budget, steps - grant(0), stepsMax)
  }
}

/** A document of this size may use a whole budget; a larger one proportionally more. */
export const smallDocumentChars = 64 * 1024

/** The steps of one unit for a document of this size: a large one may cost more. */
export function wholeFor(stepsMax: number, chars: number): number {
  return stepsMax * Math.max(1, chars / smallDocumentChars)
}
