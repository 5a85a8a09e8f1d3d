// User-written regular expressions: RE2 syntax, linear time, and a bound on the work of one search.
import { LRUCache } from 'lru-cache'
import type { RE2JS } from 're2js'
import { requireLibrary } from '../../base/assets.ts'
import { limits } from '../limits/limits.ts'
import { GivenUp } from './budget.ts'

const compiled = new LRUCache<string, BoundedPattern>({ max: limits.compiledPatternsMax })

export const regexCharsMax = 512
const regexRepeatsMax = 1_000
const regexProgramMax = 2_000

/** What is wrong with a pattern, as a sentence without its subject; null if it is valid. */
export function regexProblem(text: string): string | null {
  if (text.length > regexCharsMax) {
    return `must be at most ${regexCharsMax} characters`
  }
  // Repeats multiply the compiled program, and compiling takes the time: count them first.
  if (repeatsIn(text) > regexRepeatsMax) return 'repeats too much ({n,m})'
  try {
    const pattern = loadLibrary().RE2JS.compile(text)
    if (pattern.programSize() > regexProgramMax) return 'is too large when compiled'
    compiled.set(text, bounded(pattern, text))
    return null
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'syntax error'
    return `is not a valid RE2 expression: ${reason.replace(/^error parsing regexp: /, '')}`
  }
}

function repeatsIn(text: string): number {
  let sum = 0
  for (const [, low = '0', high = ''] of text.matchAll(/\{(\d{1,6})(?:,(\d{0,6}))?\}/g)) {
    sum += Math.max(Number(low), Number(high))
  }
  return sum
}

export interface PatternSearch {
  /**
   * Whether the pattern occurs in the text (`find`), or is the whole of it (`whole`). The cost is
   * passed to `pay` in steps, one per character and more if the pattern is hard on this text; `pay`
   * may throw. Throws GivenUp if it is too hard.
   */
  find(text: string, pay?: Pay): boolean
  whole(text: string, pay?: Pay): boolean
  /**
   * The first group of the first match, or the whole match if it has no group; undefined: no match. The cost is
   * paid as above. Throws GivenUp if it is too hard.
   */
  capture(text: string, pay?: Pay): string | undefined
}

type Pay = (steps: number) => void

const free: Pay = () => {}

/** The compiled pattern, or undefined if it is invalid. */
export function searchFor(text: string): PatternSearch | undefined {
  if (!compiled.has(text) && regexProblem(text) !== null) return undefined
  const pattern = compiled.get(text)
  if (pattern === undefined) return undefined
  return {
    find: (subject, pay = free) => paid(pattern, subject.length, pay, () => pattern.find(subject)),
    whole: (subject, pay = free) =>
      paid(pattern, subject.length, pay, () => pattern.whole(subject)),
    capture(subject, pay = free) {
      // Tells at little cost that there is nothing to capture.
      if (!paid(pattern, subject.length, pay, () => pattern.find(subject))) return undefined
      if (subject.length * pattern.size > captureWorkMax) {
        throw new GivenUp('the pattern takes too many steps on this text')
      }
      const { value, end } = pattern.capture(subject)
      pay(end * pattern.size)
      return value
    },
  }
}

/** Groups are found by an algorithm that visits each place of the pattern for each character. */
export const captureWorkMax = 20_000_000

/** One call of the library takes as long as this many characters. */
const stepsPerSearch = 4

/** Bytes of the automaton that are kept for the next search. */
const regexKeptBytesMax = 64 * 1024

function paid(pattern: BoundedPattern, chars: number, pay: Pay, search: () => boolean): boolean {
  pay(stepsPerSearch + chars)
  pattern.work = 0
  const isFound = search()
  if (pattern.work > 0) pay(pattern.work * stepsPerPlace)
  const { stateBudget, memBudget } = pattern.dfa
  if (stateBudget - memBudget > regexKeptBytesMax) pattern.dfa.clearCache()
  return isFound
}

/** A transition between two positions in a pattern takes as long as this many characters. */
const stepsPerPlace = 3
/** The cost of a new transition besides its positions; its table is large if the alphabet is. */
const placesPerWay = 10
const classesPerPlace = 32

/** Whether `^`, `$` or `\b` matches must be determined at each position again. */
const looksAround = /\\[AbBz]|(?<!\[)\^|\$/
const placesPerPlaceLookingAround = 5

interface BoundedPattern {
  readonly find: (text: string) => boolean
  readonly whole: (text: string) => boolean
  /** `end`: of the match, which is as far as the text was read. */
  readonly capture: (text: string) => { readonly value: string | undefined; readonly end: number }
  readonly size: number
  readonly dfa: DFA
  /** The number of positions in the pattern that the last search visited to build its automaton. */
  work: number
}

type DFA = ReturnType<RE2JS['re2']>['dfa']

/** Positions in a pattern that one search visits while it builds its automaton. */
const regexPlacesMax = 60_000

/**
 * The library builds an automaton while it searches: a state for each set of positions in the
 * pattern that the text so far may have reached, and the transitions between them. `a.{30}b` has a
 * billion states, and each new one costs as much as hundreds of characters. This code abandons a
 * search that needs too many; the library would continue for seconds, with new states or another
 * algorithm.
 */
function bounded(pattern: RE2JS, text: string): BoundedPattern {
  const { dfa } = pattern.re2()
  const it: BoundedPattern = {
    find: (text) => pattern.test(text),
    whole: (text) => pattern.testExact(text),
    capture(text) {
      const matcher = pattern.matcher(text)
      if (!matcher.find()) return { value: undefined, end: text.length }
      const value = matcher.group(matcher.groupCount() > 0 ? 1 : 0) ?? undefined
      return { value, end: matcher.end() }
    },
    size: pattern.programSize(),
    dfa,
    work: 0,
  }
  const { step, match } = dfa
  const perPlace = looksAround.test(text) ? placesPerPlaceLookingAround : 1
  const perWay = placesPerWay + dfa.numClasses / classesPerPlace
  dfa.step = (state, ...where) => {
    if (it.work > regexPlacesMax) return null
    const next = step.call(dfa, state, ...where)
    it.work += perWay + perPlace * (state.nfaStates.length + (next?.nfaStates.length ?? 0))
    return next
  }
  dfa.resetCache = () => null
  dfa.match = (...where) => {
    const found = match.apply(dfa, where)
    if (found !== null) return found
    dfa.clearCache()
    throw new GivenUp('the pattern takes too many steps on this text')
  }
  return it
}

/** `require` knows no types. */
function loadLibrary(): { readonly RE2JS: typeof RE2JS } {
  return requireLibrary('re2js') as { readonly RE2JS: typeof RE2JS }
}
