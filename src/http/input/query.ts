// Query strings: decoded once, and converted to the types of a route's schema.
import type { TObject, TSchema } from 'typebox'
import { Fault, type FieldProblem } from '../../base/fault.ts'
import { createCheck } from '../../base/schema/validate.ts'
import { limits } from '../../domain/limits/limits.ts'

export type QueryPairs = readonly (readonly [name: string, value: string])[]

/** Percent-decodes, or throws invalid_parameter. */
export function decodePart(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Fault('invalid_parameter', 'The address contains a malformed percent escape')
  }
}

/** `a=1&b=x%20y` as pairs; `+` is a space, as in forms. */
export function parseQuery(text: string): QueryPairs {
  if (text === '') return []
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
      return [decodePart(name.replaceAll('+', ' ')), decodePart(value.replaceAll('+', ' '))]
    })
}

export type ReadQuery = (pairs: QueryPairs) => Record<string, unknown>

/** Reads a query with its schema; refuses unknown, repeated and invalid parameters (400). */
export function createQueryReader(schema: TObject): ReadQuery {
  const check = createCheck(schema, limits.fieldProblemsMax)
  const properties: Record<string, TSchema> = schema.properties
  return (pairs) => {
    // Without a prototype, `__proto__` is an unknown name like any other.
    const query: Record<string, unknown> = Object.create(null)
    for (const [name, value] of pairs) {
      const typed = typedValue(properties[name], value)
      const before = Object.hasOwn(query, name) ? query[name] : undefined
      if (before === undefined) query[name] = typed
      else if (Array.isArray(before) && Array.isArray(typed)) before.push(...typed)
      else throw new Fault('invalid_parameter', `The parameter ${name} came twice`)
    }
    const problems = check(query)
    if (problems.length > 0) throw invalidQuery(problems)
    return query
  }
}

interface ParameterShape {
  readonly type?: string
  readonly items?: TSchema
}

/**
 * The largest number that is converted: typedValue accepts 15 digits, which a double represents
 * exactly.
 */
export const queryNumberMax = 999_999_999_999_999

// A value that cannot be converted stays text, and the schema reports the problem.
function typedValue(schema: TSchema | undefined, text: string): unknown {
  const { type, items } = (schema ?? {}) as ParameterShape
  if (type === 'array') return text.split(',').map((part) => typedValue(items, part))
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = type === 'integer' || type === 'number'
  if (isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
  return text
}

function invalidQuery(problems: readonly FieldProblem[]): Fault {
  const errors = problems.map(inQueryWords)
  return new Fault('invalid_parameter', sentenceOf(errors, 'query'), { errors })
}

/** A query has parameters, not fields. */
function inQueryWords(problem: FieldProblem): FieldProblem {
  if (problem.keyword !== 'additionalProperties') return problem
  return { ...problem, message: 'is not a parameter of this operation' }
}

/** Sums up a list of problems in one sentence: the first one, and how many others there are. */
export function sentenceOf(errors: readonly FieldProblem[], whole: string): string {
  const [first] = errors
  const name = first?.pointer.slice(1).replaceAll('/', '.') || whole
  const more = errors.length - 1
  const others = more > 0 ? ` (and ${more} more problem${more > 1 ? 's' : ''})` : ''
  return `${name} ${first?.message ?? 'is not valid'}${others}`
}
