// Compares found values with the expected one, and words the result.
import { clip } from '../../base/clip.ts'
import { limits } from '../limits/limits.ts'
import { type Budget, charge, GivenUp, stepsIn, wholeFor } from './budget.ts'
import type { AssertionType } from './expectation.ts'
import { misfitIn } from './json-schema.ts'
import type { Json } from './json-value.ts'
import {
  compare,
  containsValue,
  equalsValue,
  isOfType,
  lengthOf,
  numberIn,
  show,
  showStart,
} from './json-value.ts'
import { markOf, partsOfMark } from './mark.ts'
import { searchFor } from './pattern.ts'

export interface Comparison {
  readonly type: AssertionType
  /** Null if the type needs no value, or only checks for existence. */
  readonly value: string | null
  /** How messages write the value, if it must not be shown. */
  readonly shownValue?: string
}

type SimpleComparison = Comparison & {
  readonly type: Exclude<AssertionType, 'jsonSchema' | 'unchanged'>
}

/** The values that are compared. */
export interface Compared {
  readonly name: string
  readonly unit?: string
  /** The length of the document that they are from, as text. */
  readonly chars?: number
}

export interface Mismatch {
  readonly expected: string
  readonly found: string
}

/** What of a found text is looked through for secrets, before an excerpt is cut out of it. */
export const excerptCharsMax = 1_600

/**
 * Returns what was expected and what was found; undefined if the assertion holds. If there are
 * several values, one match is enough; a negation allows no match, and a schema must fit all.
 */
export function mismatchOf(
  { type, value, shownValue = value ?? '' }: Comparison,
  values: readonly Json[],
  subject: Compared,
  budget: Budget,
): Mismatch | undefined {
  const { name, unit = '' } = subject
  if (type === 'unchanged') return changeIn(value, values, subject, budget)
  if (type === 'jsonSchema') return schemaMismatch(value ?? '', values, subject, budget)
  const isMet = judged({ type, value }, values, budget)
  if (isMet === true) return undefined
  const bare = type === 'jsonPath' ? 'to be found' : wording[type]
  const wanted = value === null ? bare : `${wording[type]} ${literalOf(type, shownValue, unit)}`
  const expected = `${name} ${wanted}`
  if (isMet === undefined) return { expected, found: type === 'regex' ? tooHard : tooMuch }
  const shown = values.slice(0, shownMax)
  const found = shown.map((one) => showStart(one, excerptCharsMax)).join(', ')
  return { expected, found: values.length === 0 ? 'nothing' : `${found}${unit}` }
}

function schemaMismatch(
  schema: string,
  values: readonly Json[],
  { name, chars = 0 }: Compared,
  budget: Budget,
): Mismatch | undefined {
  const expected = `${name} ${wording.jsonSchema}`
  if (values.length === 0) return { expected, found: 'nothing' }
  for (const value of values) {
    const found = misfitIn(schema, value, budget, { chars, charsShown: excerptCharsMax })
    if (found !== null) return { expected, found }
  }
  return undefined
}

/** The mark that is found can be accepted: it then is the value of the assertion. */
function changeIn(
  accepted: string | null,
  values: readonly Json[],
  { name, chars = 0 }: Compared,
  budget: Budget,
): Mismatch | undefined {
  const before = partsOfMark(accepted ?? '')
  const expected = before
    ? `${name} ${wording.unchanged} ${quoted(before.excerpt)}`
    : `${name} to be accepted`
  if (values.length === 0) return { expected, found: 'nothing' }
  const found = markOf(values, budget, { chars, charsShown: excerptCharsMax })
  if (found === undefined) return { expected, found: tooMuch }
  return before !== undefined && before.hashed === partsOfMark(found)?.hashed
    ? undefined
    : { expected, found }
}

/** JSON numbers and literals as they are, texts in quotes. */
function literalOf(type: AssertionType, value: string, unit: string): string {
  if (type === 'type') return value
  const isWord = numberIn(value) !== undefined || /^(true|false|null)$/.test(value)
  if (searches.has(type) || !isWord) return quoted(value)
  return `${clip(value.trim(), limits.quotedCharsMax)}${unit}`
}

/** These search for text, even if it consists of digits. */
const searches: ReadonlySet<AssertionType> = new Set(['contains', 'notContains', 'regex'])

/** Undefined if it is too expensive. */
function judged(
  { type, value }: SimpleComparison,
  values: readonly Json[],
  budget: Budget,
): boolean | undefined {
  const searchBudget = searchBudgetOf(budget)
  try {
    if (type !== 'regex') return holds(type, values, value, searchBudget)
    const search = searchFor(value ?? '')
    return (
      search !== undefined &&
      values.some((one) => search.find(searchBudget.write(one), searchBudget.pay))
    )
  } catch (cause) {
    if (cause instanceof GivenUp) return undefined
    throw cause
  }
}

interface SearchBudget {
  readonly pay: (steps: number) => void
  /** The value as text. This costs steps too: a path may select each of many nested lists. */
  readonly write: (value: Json) => string
  /** Pays for a comparison with the value, parts of it not included. */
  readonly payFor: (value: Json) => void
}

/** The steps of comparing a value besides its characters, and of each part of a list or object. */
const stepsPerValue = 4
/** Comparing or finding this many characters takes as long as one step. */
const charsPerStep = 4
/** Writing a character as JSON takes as long as this many steps. */
const stepsPerCharWritten = 3

/** Characters that one assertion may search, plus the cost of its pattern. */
const searchStepsMax = 250_000

/** What one assertion may spend on searching texts. */
function searchBudgetOf(budget: Budget): SearchBudget {
  let longest = 0
  let spent = 0
  const pay = (steps: number): void => {
    const max = wholeFor(searchStepsMax, longest)
    spent += steps
    const whole = max * searchesAtOnce
    const isTooMuch = spent > max || steps > stepsIn(budget, whole)
    charge(budget, steps, whole)
    if (isTooMuch) throw new GivenUp('too many steps')
  }
  return {
    pay,
    write(value) {
      const text = show(value)
      longest = Math.max(longest, text.length)
      if (typeof value !== 'string') pay(text.length * stepsPerCharWritten)
      return text
    },
    payFor(value) {
      const chars = typeof value === 'string' ? value.length : 0
      longest = Math.max(longest, chars)
      pay(stepsPerValue + chars / charsPerStep)
    },
  }
}

/** This many of the most expensive searches cost as much as one path may. */
const searchesAtOnce = 4

const tooHard = '(text too long for this pattern)'
const tooMuch = '(more data than a check examines)'

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
  jsonSchema: 'to fit the schema',
  unchanged: 'to be as accepted, beginning with',
}

function holds(
  type: Exclude<AssertionType, 'regex' | 'jsonSchema' | 'unchanged'>,
  values: readonly Json[],
  wanted: string | null,
  { write, pay, payFor }: SearchBudget,
): boolean {
  const value = wanted ?? ''
  const payForParts = (parts: number): void => pay(parts * stepsPerValue)
  const some = (test: (found: Json) => boolean): boolean =>
    values.some((found) => {
      payFor(found)
      return test(found)
    })
  switch (type) {
    case 'contains':
      return some((found) => containsValue(found, value, write, payForParts))
    case 'notContains':
      return !some((found) => containsValue(found, value, write, payForParts))
    case 'equals':
      return some((found) => equalsValue(found, value, payForParts))
    case 'notEquals':
      return !some((found) => equalsValue(found, value, payForParts))
    case 'jsonPath':
      return wanted === null
        ? values.length > 0
        : some((found) => equalsValue(found, value, payForParts))
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

/** A value in quotes, short enough for a sentence. */
export function quoted(value: string): string {
  return `"${clip(value, limits.quotedCharsMax)}"`
}
