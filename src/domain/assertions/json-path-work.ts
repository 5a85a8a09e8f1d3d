// The work of a JSONPath in steps, paid in advance: comparisons and regular expressions may cost
// more than one step.
import { LRUCache } from 'lru-cache'
import { limits } from '../limits/limits.ts'
import { spend } from './budget.ts'
import { isSameJson, type Json, lengthOf, partsOfKeys } from './json-value.ts'
import { type PatternSearch, searchFor } from './pattern.ts'

/** Pays for all keys of an object, or for their values. */
export function spendOnKeys(count: number): void {
  spend(partsOfKeys(count))
}

/** The special result Nothing (RFC 9535 §2.4.1). */
export type Nothing = undefined

type Compare = (one: Json | Nothing, other: Json | Nothing) => boolean

/** Keyed by operator. */
export const comparisons: Readonly<Record<string, Compare>> = {
  '==': isSame,
  '!=': (one, other) => !isSame(one, other),
  '<': isLess,
  '<=': (one, other) => isLess(one, other) || isSame(one, other),
  '>': (one, other) => isLess(other, one),
  '>=': (one, other) => isLess(other, one) || isSame(one, other),
}

/** Comparing this many characters takes about as long as one step. */
const charsPerStep = 32

function isLess(one: Json | Nothing, other: Json | Nothing): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other
  if (typeof one !== 'string' || typeof other !== 'string') return false
  spend(Math.min(one.length, other.length) / charsPerStep)
  return one < other
}

function isSame(one: Json | Nothing, other: Json | Nothing): boolean {
  if (one === undefined || other === undefined) return one === other
  return isSameJson(one, other, spend)
}

/** The function `length`. */
export function sizeOf(value: Json | Nothing): number | Nothing {
  const length = value === undefined ? undefined : lengthOf(value)
  if (typeof value === 'object' && !Array.isArray(value)) spendOnKeys(length ?? 0)
  return length
}

/** One step of a pattern takes as long as about this many steps of a path. */
const stepsPerPatternStep = 2

/** The functions `match` (the whole text) and `search` (anywhere in it). */
export function isFound(
  search: PatternSearch | undefined,
  subject: Json | Nothing,
  how: 'find' | 'whole',
): boolean {
  spend(1)
  if (search === undefined || typeof subject !== 'string') return false
  return search[how](subject, (steps) => spend(steps * stepsPerPatternStep))
}

/** A pattern written in the path itself; undefined if it is invalid. */
export function literalPattern(pattern: Json | Nothing): PatternSearch | undefined {
  return typeof pattern === 'string' ? searchFor(fromIRegexp(pattern)) : undefined
}

/** Charged when a pattern is compiled for the first time. */
const compileSteps = limits.jsonPathStepsMax / 10
const foreign = new LRUCache<string, { readonly search: PatternSearch | undefined }>({
  max: limits.compiledPatternsMax,
})

/** The longest regular expression that a JSON document may name. */
export const foreignRegexCharsMax = 64

/** A pattern from the document: it must be short and without repeats, to compile quickly. */
export function documentPattern(pattern: Json | Nothing): PatternSearch | undefined {
  spend(stepsToLookUp)
  if (typeof pattern !== 'string' || pattern.length > foreignRegexCharsMax) return undefined
  const known = foreign.get(pattern)
  if (known !== undefined) return known.search
  spend(compileSteps)
  const search = /\{\d/.test(pattern) ? undefined : literalPattern(pattern)
  foreign.set(pattern, { search })
  return search
}

const stepsToLookUp = 4

/** The dot of I-Regexp (RFC 9485) excludes CR and LF; that of RE2 excludes only LF. */
function fromIRegexp(pattern: string): string {
  let inClass = false
  return pattern.replace(/\\.|[[\].]/gsu, (token) => {
    if (token === '[') inClass = true
    if (token === ']') inClass = false
    return token === '.' && !inClass ? '[^\\n\\r]' : token
  })
}
