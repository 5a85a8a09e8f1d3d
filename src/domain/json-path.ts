// JSONPath (RFC 9535) on a document of a stranger: regular expressions in linear time, and every
// query on a budget of steps, since both the path and the document may be hostile.

import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery } from 'json-p3'
import { LRUCache } from 'lru-cache'
import { type Budget, charge, stepsIn } from './budget.ts'
import type { Json } from './json-value.ts'
import { limits } from './limits.ts'
import { searchFor } from './pattern.ts'

class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps'
}

/** Charged for a pattern that is compiled for the first time, which takes milliseconds. */
const compileSteps = limits.jsonPathStepsMax / 4
/** One step of a query costs as much time as about this many steps of a pattern. */
const patternStepsPerStep = 200

let stepsLeft = 0

function spend(steps: number): void {
  stepsLeft -= steps
  if (stepsLeft < 0) throw new OutOfSteps('the path takes too many steps on this document')
}

const seenPatterns = new LRUCache<string, true>({ max: limits.compiledPatternsMax })

/** The dot of I-Regexp (RFC 9485) is any character but CR and LF; that of RE2 only spares LF. */
function fromIRegexp(pattern: string): string {
  let inClass = false
  return pattern.replace(/\\.|[[\].]/gsu, (token) => {
    if (token === '[') inClass = true
    if (token === ']') inClass = false
    return token === '.' && !inClass ? '[^\\n\\r]' : token
  })
}

function regexFunction(how: 'find' | 'whole') {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(subject: unknown, pattern: unknown): boolean {
      if (typeof subject !== 'string' || typeof pattern !== 'string') return false
      if (pattern.length > limits.regexCharsMax) return false
      if (!seenPatterns.has(pattern)) spend(compileSteps)
      seenPatterns.set(pattern, true)
      const search = searchFor(fromIRegexp(pattern))
      if (search === undefined) return false
      spend(Math.ceil(search.stepsFor(subject.length) / patternStepsPerStep))
      return search[how](subject)
    },
  }
}

const environment = new JSONPathEnvironment({ maxRecursionDepth: limits.jsonDepthMax + 1 })
environment.functionRegister.set('match', regexFunction('whole'))
environment.functionRegister.set('search', regexFunction('find'))

const queries = new LRUCache<string, JSONPathQuery>({ max: limits.compiledPatternsMax })

function compile(path: string): JSONPathQuery {
  const known = queries.get(path)
  if (known !== undefined) return known
  const query = environment.compile(path)
  meter(query, new Set())
  queries.set(path, query)
  return query
}

/** What is wrong with a path, as a sentence without its subject; null where it can be used. */
export function jsonPathProblem(path: string): string | null {
  if (path.length > limits.assertionPathCharsMax) {
    return `must be at most ${limits.assertionPathCharsMax} characters`
  }
  try {
    compile(path)
    return null
  } catch (cause) {
    return `is not a valid JSONPath: ${cause instanceof Error ? cause.message : 'syntax error'}`
  }
}

export type Selection =
  | { readonly values: readonly Json[]; readonly problem?: never }
  | { readonly problem: string; readonly values?: never }

/** The values a path selects. One that is too expensive or too deep is a problem, not a throw. */
export function select(path: string, document: Json, budget: Budget): Selection {
  const steps = stepsIn(budget, limits.jsonPathStepsMax)
  stepsLeft = steps
  try {
    const values: Json[] = []
    for (const node of compile(path).lazyQuery(document)) values.push(asJson(node.value))
    return { values }
  } catch (cause) {
    if (cause instanceof OutOfSteps) return { problem: cause.message }
    if (cause instanceof RangeError) return { problem: 'the document is too large for this path' }
    return { problem: cause instanceof Error ? cause.message : 'the path cannot be evaluated' }
  } finally {
    charge(budget, steps - stepsLeft, limits.jsonPathStepsMax)
  }
}

/** The library types values as `unknown`; what it selects from parsed JSON is JSON. */
function asJson(value: unknown): Json {
  return value as Json
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/**
 * Makes every part of a compiled query pay for its work. The library has no such bound of its own,
 * and `$..[*,*]..[*,*]` multiplies a small document into billions of nodes.
 */
function meter(part: unknown, seen: Set<unknown>): void {
  if (typeof part !== 'object' || part === null || part === environment || seen.has(part)) return
  seen.add(part)
  for (const child of Object.values(part)) meter(child, seen)
  chargeFor(part, 'visit', (args) => spend(1 + width(args[0])))
  if (!('selectors' in part)) chargeFor(part, 'resolve', (args) => spend(1 + width(args[0])))
  if ('path' in part) chargeFor(part, 'evaluate', () => spend(1), weigh)
}

function chargeFor(
  part: object,
  name: string,
  before: (args: readonly unknown[]) => void,
  after?: (result: unknown) => void,
): void {
  const original: unknown = Reflect.get(part, name)
  if (typeof original !== 'function') return
  const paying: Method = function (...args) {
    before(args)
    const result: unknown = Reflect.apply(original, this, args)
    after?.(result)
    return result
  }
  Reflect.set(part, name, paying)
}

/** How many children a step on this node walks through. */
function width(node: unknown): number {
  if (typeof node !== 'object' || node === null || !('value' in node)) return 0
  const { value } = node
  if (Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

/** Pays for comparing what a query inside a filter selected, which may be the whole document. */
function weigh(result: unknown): void {
  if (typeof result !== 'object' || result === null || !('nodes' in result)) return
  if (!Array.isArray(result.nodes) || result.nodes.length !== 1) return
  const pending: unknown[] = [result.nodes[0]?.value]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    const children = Object.values(value)
    spend(children.length)
    for (const child of children) pending.push(child)
  }
}
