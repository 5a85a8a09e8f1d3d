// JSONPath (RFC 9535) on untrusted documents: regular expressions in linear time, and a step budget
// for every query, because both path and document may be hostile.

import { JSONPathEnvironment } from 'json-p3'
import { LRUCache } from 'lru-cache'
import { limits } from '../limits/limits.ts'
import { type Budget, onBudget, type Selection, wholeFor } from './budget.ts'
import { type PathWalk, walkOf } from './json-path-walk.ts'
import type { Json } from './json-value.ts'

const environment = new JSONPathEnvironment()
const walks = new LRUCache<string, PathWalk>({ max: limits.compiledPatternsMax })

function compile(path: string): PathWalk {
  const known = walks.get(path)
  if (known !== undefined) return known
  const walk = walkOf(environment.compile(path))
  walks.set(path, walk)
  return walk
}

/** What is wrong with a path, as a sentence without its subject; null if it is valid. */
export function jsonPathProblem(path: string): string | null {
  if (path.length > limits.assertionPathCharsMax) {
    return `must be at most ${limits.assertionPathCharsMax} characters`
  }
  try {
    compile(path)
    return null
  } catch (cause) {
    return `is not a valid JSONPath: ${wordsOf(cause)}`
  }
}

/**
 * Nodes of a large JSON document that one JSONPath may visit: most of them for listing an object of
 * 60,000 keys.
 */
const jsonPathStepsLargeMax = 600_000

/**
 * The values that a path selects. A path that is too expensive or too deep is a problem and does
 * not throw. `chars`: the length of the document as text.
 */
export function select(path: string, document: Json, budget: Budget, chars = 0): Selection<Json> {
  let walk: PathWalk
  try {
    walk = compile(path)
  } catch (cause) {
    return { problem: wordsOf(cause) }
  }
  const stepsMax = Math.min(wholeFor(limits.jsonPathStepsMax, chars), jsonPathStepsLargeMax)
  return onBudget(budget, stepsMax, () => ({ values: walk(document) }))
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'syntax error'
}
