// A budget of work: what all the assertions of one check may cost together.
import { limits } from './limits.ts'

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

/** The whole for a document of so many characters: a large one may cost more. */
export function wholeFor(stepsMax: number, chars: number): number {
  return stepsMax * Math.max(1, chars / limits.smallDocumentChars)
}
