// Comparisons: whether found values are as a person wants them, and in which words that is said.
import { clip } from '../base/clip.ts'
import { type Budget, charge, stepsIn } from './budget.ts'
import type { Json } from './json-value.ts'
import {
  compare,
  containsValue,
  equalsValue,
  isOfType,
  lengthOf,
  numberIn,
  show,
} from './json-value.ts'
import { limits } from './limits.ts'
import type { AssertionType } from './monitor.ts'
import { searchFor } from './pattern.ts'

export interface Comparison {
  readonly type: AssertionType
  /** Null where the type needs none, or nothing but that something is there. */
  readonly value: string | null
}

export interface Unmet {
  readonly expected: string
  readonly found: string
}

/**
 * What is expected and what was found instead; undefined where all is well. Of several values one
 * that fits is enough; a negation allows none that fits. `name` says whose the values are.
 */
export function unmet(
  { type, value }: Comparison,
  values: readonly Json[],
  name: string,
  budget: Budget,
): Unmet | undefined {
  const isTooLong = type === 'regex' && !affords(budget, values, value ?? '')
  if (!isTooLong && holds(type, values, value)) return undefined
  const bare = type === 'jsonPath' ? 'to be found' : wording[type]
  const expected = `${name} ${value === null ? bare : `${wording[type]} ${quoted(value)}`}`
  if (isTooLong) return { expected, found: '(a text too long for this pattern)' }
  const found = values.slice(0, shownMax).map(show).join(', ')
  return { expected, found: values.length === 0 ? 'nothing' : found }
}

/** Pays for a search of the pattern in all values; false where that is too dear. */
function affords(budget: Budget, values: readonly Json[], pattern: string): boolean {
  const search = searchFor(pattern)
  if (search === undefined) return true
  const { regexStepsMax: max } = limits
  const steps = values.reduce<number>((sum, found) => sum + search.stepsFor(show(found).length), 0)
  if (steps > stepsIn(budget, max)) return false
  charge(budget, steps, max)
  return true
}

const shownMax = 5

const wording: Readonly<Record<AssertionType, string>> = {
  contains: 'to contain',
  notContains: 'not to contain',
  equals: 'to equal',
  notEquals: 'not to equal',
  regex: 'to match',
  jsonPath: 'to be',
  exists: 'to exist',
  notExists: 'not to exist',
  greaterThan: 'to be greater than',
  greaterOrEqual: 'to be at least',
  lessThan: 'to be less than',
  lessOrEqual: 'to be at most',
  type: 'to be of type',
  lengthEquals: 'to have the length',
}

function holds(type: AssertionType, values: readonly Json[], wanted: string | null): boolean {
  const value = wanted ?? ''
  const some = (test: (found: Json) => boolean): boolean => values.some(test)
  switch (type) {
    case 'contains':
      return some((found) => containsValue(found, value))
    case 'notContains':
      return !some((found) => containsValue(found, value))
    case 'equals':
      return some((found) => equalsValue(found, value))
    case 'notEquals':
      return !some((found) => equalsValue(found, value))
    case 'regex':
      return some((found) => matches(found, value))
    case 'jsonPath':
      return wanted === null ? values.length > 0 : some((found) => equalsValue(found, value))
    case 'exists':
      return values.length > 0
    case 'notExists':
      return values.length === 0
    case 'greaterThan':
      return some((found) => compare(found, value) > 0)
    case 'greaterOrEqual':
      return some((found) => compare(found, value) >= 0)
    case 'lessThan':
      return some((found) => compare(found, value) < 0)
    case 'lessOrEqual':
      return some((found) => compare(found, value) <= 0)
    case 'type':
      return some((found) => isOfType(found, value))
    case 'lengthEquals':
      return some((found) => lengthOf(found) === numberIn(value))
  }
}

function matches(found: Json, pattern: string): boolean {
  return searchFor(pattern)?.find(show(found)) ?? false
}

/** A value in quotes, short enough for a sentence. */
export function quoted(value: string): string {
  return `"${clip(value, limits.quotedCharsMax)}"`
}
