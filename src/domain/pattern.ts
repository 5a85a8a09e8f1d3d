// User-written regular expressions: RE2 syntax, linear time, and a bound on the work of one search.
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { limits } from './limits.ts'

const compiled = new LRUCache<string, RE2JS>({ max: limits.compiledPatternsMax })

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
    compiled.set(text, pattern)
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
  /** Whether the pattern occurs in the text (`find`), or is the whole of it (`whole`). */
  find(text: string): boolean
  whole(text: string): boolean
  /** Instruction steps that a search of a text of this length may take. */
  stepsFor(length: number): number
}

/** The compiled pattern, or undefined where it has a problem. */
export function searchFor(text: string): Search | undefined {
  if (!compiled.has(text) && regexProblem(text) !== null) return undefined
  const pattern = compiled.get(text)
  if (pattern === undefined) return undefined
  return {
    find: (subject) => pattern.test(subject),
    whole: (subject) => pattern.testExact(subject),
    stepsFor: (length) => pattern.programSize() * length,
  }
}
