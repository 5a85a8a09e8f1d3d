// A budget of work: what all the assertions of one check may cost together.
import { limits } from '../limits/limits.ts'

/** Why a search or a path was not followed to its end, as a sentence. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/** In wholes: the most that one assertion may cost is one. */
export interface Budget {
  left: number
}

/** Room for a few dear assertions or any number of usual ones. */
export function freshBudget(): Budget {
  return { left: 2 }
}

/** How many of `stepsMax` steps, which are one whole, are left for the next assertion. */
export function stepsIn(budget: Budget, stepsMax: number): number {
  return Math.floor(Math.min(1, budget.left) * stepsMax)
}

export function charge(budget: Budget, steps: number, stepsMax: number): void {
  budget.left = Math.max(0, budget.left - steps / stepsMax)
}

let stepsLeft = 0

/** So many steps may be spent from now on. Returns how many were left of those before. */
export function grant(steps: number): number {
  const left = Math.max(0, stepsLeft)
  stepsLeft = steps
  return left
}

/** Paid by whoever works on a path, before the work. */
export function spend(steps: number): void {
  stepsLeft -= steps
  if (stepsLeft < 0) throw new GivenUp('the path takes too many steps on this document')
}

/** Follows a path, from the budget. One that is too dear or too deep is a problem, not a throw. */
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

/** The whole for a document of so many characters: a large one may cost more. */
export function wholeFor(stepsMax: number, chars: number): number {
  return stepsMax * Math.max(1, chars / limits.smallDocumentChars)
}
