// The mark of a part of an answer: by it a later check sees whether the part is still as it was when
// somebody accepted it. The mark is the value of the assertion itself, so nothing else has to be kept.
import { hash } from 'node:crypto'
import { limits } from '../limits/limits.ts'
import { type Budget, onBudget, wholeFor } from './budget.ts'
import { canonical } from './json-schema-keywords.ts'
import { type Json, showStart } from './json-value.ts'

/** The length of the hash, which is more than a target could meet by trying. */
const hashChars = 22
/** Values of which the beginning is shown. */
const valuesShownMax = 5
const pattern = /^([\w-]{22})(?: (.*))?$/s

/** The hash of a mark, and the beginning of what was accepted. */
export function partsOfMark(mark: string) {
  const [, hashed, excerpt = ''] = pattern.exec(mark) ?? []
  return hashed === undefined ? undefined : { hashed, excerpt }
}

/**
 * The mark of values, regardless of the order of keys; undefined if they are too large. Secrets are looked
 * for in what it shows, so that is cut later.
 */
export function markOf(
  values: readonly Json[],
  budget: Budget,
  { chars, charsShown }: { readonly chars: number; readonly charsShown: number },
): string | undefined {
  const stepsMax = Math.min(wholeFor(limits.jsonPathStepsMax, chars), markStepsMax)
  const text = onBudget(budget, stepsMax, () => values.map(canonical).join())
  if (typeof text !== 'string') return undefined
  const shown = values.slice(0, valuesShownMax).map((value) => showStart(value, charsShown))
  return `${hash('sha256', text, 'base64url').slice(0, hashChars)} ${shown.join(', ')}`
}

/** Steps for the mark of a large document. */
const markStepsMax = 1_000_000
