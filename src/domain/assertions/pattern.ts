// User-written regular expressions: RE2 syntax, linear time, and a bound on the work of one search.
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { limits } from '../limits/limits.ts'
import { GivenUp } from './budget.ts'

const compiled = new LRUCache<string, Bounded>({ max: limits.compiledPatternsMax })

/** What is wrong with a pattern, as a sentence without its subject; null where it can be used. */
export function regexProblem(text: string): string | null {
  if (text.length > limits.regexCharsMax) {
    return `must be at most ${limits.regexCharsMax} characters`
  }
  // Repeats multiply the compiled program, and compiling is what costs time: count them first.
  if (repeatsIn(text) > limits.regexRepeatsMax) return 'repeats too much ({n,m})'
  try {
    const pattern = RE2JS.compile(text)
    if (pattern.programSize() > limits.regexProgramMax) return 'is too large when compiled'
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

export interface Search {
  /**
   * Whether the pattern occurs in the text (`find`), or is the whole of it (`whole`). What that
   * costs is told to `pay` in steps, one for each character and more where the pattern is hard on
   * this text; it may throw. Throws GivenUp where it is too hard.
   */
  find(text: string, pay?: Pay): boolean
  whole(text: string, pay?: Pay): boolean
}

export type Pay = (steps: number) => void

const free: Pay = () => {}

/** The compiled pattern, or undefined where it has a problem. */
export function searchFor(text: string): Search | undefined {
  if (!compiled.has(text) && regexProblem(text) !== null) return undefined
  const pattern = compiled.get(text)
  if (pattern === undefined) return undefined
  return {
    find: (subject, pay = free) => paid(pattern, subject.length, pay, () => pattern.find(subject)),
    whole: (subject, pay = free) =>
      paid(pattern, subject.length, pay, () => pattern.whole(subject)),
  }
}

/** Calling the library at all costs as much time as so many characters. */
const stepsPerSearch = 4

function paid(pattern: Bounded, chars: number, pay: Pay, search: () => boolean): boolean {
  pay(stepsPerSearch + chars)
  pattern.work = 0
  const isFound = search()
  if (pattern.work > 0) pay(pattern.work * stepsPerPlace)
  const { stateBudget, memBudget } = pattern.dfa
  if (stateBudget - memBudget > limits.regexKeptBytesMax) pattern.dfa.clearCache()
  return isFound
}

/** Going from one place in a pattern to the next costs as much time as so many characters. */
const stepsPerPlace = 3
/** What a new way costs beside its places, and its table where the alphabet is large. */
const placesPerWay = 10
const classesPerPlace = 32

/** Where `^`, `$` or `\b` may be passed is found out at each place anew. */
const looksAround = /\\[AbBz]|(?<!\[)\^|\$/
const placesPerPlaceLookingAround = 5

interface Bounded {
  readonly find: (text: string) => boolean
  readonly whole: (text: string) => boolean
  readonly dfa: DFA
  /** Of the last search: places in the pattern that it came to while it made its automaton. */
  work: number
}

type DFA = ReturnType<RE2JS['re2']>['dfa']

/**
 * The library makes an automaton while it searches: a state for each set of places in the pattern
 * where the text read so far may have led, and the ways between them. `a.{30}b` has a billion of
 * them, and each new one costs as much as hundreds of characters. Here a search that needs too many
 * is given up; the library would go on, with new ones or another algorithm, for seconds.
 */
function bounded(pattern: RE2JS, text: string): Bounded {
  const { dfa } = pattern.re2()
  const it: Bounded = {
    find: (text) => pattern.test(text),
    whole: (text) => pattern.testExact(text),
    dfa,
    work: 0,
  }
  const { step, match } = dfa
  const perPlace = looksAround.test(text) ? placesPerPlaceLookingAround : 1
  const perWay = placesPerWay + dfa.numClasses / classesPerPlace
  dfa.step = (state, ...where) => {
    if (it.work > limits.regexPlacesMax) return null
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
