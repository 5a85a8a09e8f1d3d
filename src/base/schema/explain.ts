// Explains why a value does not match a schema: a pointer (RFC 6901), the rule, a sentence.
import type { TSchema } from 'typebox'
import { Test as matchesFormat } from 'typebox/format'
import { type FieldProblem, pointerPart } from '../fault.ts'
import { isRecord } from './pick.ts'

interface Rules {
  readonly type?: string
  readonly properties?: Record<string, TSchema>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | TSchema
  readonly patternProperties?: Record<string, TSchema>
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: TSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly TSchema[]
  readonly oneOf?: readonly TSchema[]
  readonly 'x-rule'?: string
}

type Rule = (rules: Rules, value: unknown) => [keyword: string, message: string] | undefined

/** Returns every problem of the value, in the order of its fields; empty if there is none. */
export function explain(schema: TSchema, value: unknown, pointer = ''): FieldProblem[] {
  const rules = schema as Rules
  if (rules.anyOf) return explainAny(rules, rules.anyOf, value, pointer)
  const broken = typeRule(rules, value)
  if (broken) return [problem(pointer, broken)]
  const own = scalarRules.flatMap((rule) => {
    const found = rule(rules, value)
    return found ? [problem(pointer, found)] : []
  })
  if (Array.isArray(value) && rules.items) {
    const { items } = rules
    return [...own, ...value.flatMap((item, at) => explain(items, item, `${pointer}/${at}`))]
  }
  if (!isRecord(value)) return own
  const { oneOf = [] } = rules
  return [...own, ...explainFields(rules, value, pointer), ...explainOneOf(oneOf, value, pointer)]
}

/** Explains by the branch whose constants match. If none does, the rule for the constant says so. */
function explainOneOf(
  branches: readonly TSchema[],
  value: Record<string, unknown>,
  pointer: string,
): FieldProblem[] {
  const meant = branches.find((branch) =>
    Object.entries((branch as Rules).properties ?? {}).every(([name, field]) => {
      const { const: only } = field as Rules
      return only === undefined || only === value[name]
    }),
  )
  return meant ? explain(meant, value, pointer) : []
}

function explainFields(rules: Rules, value: Record<string, unknown>, pointer: string) {
  const problems: FieldProblem[] = []
  for (const name of rules.required ?? []) {
    if (value[name] !== undefined) continue
    problems.push(problem(at(pointer, name), ['required', 'is required']))
  }
  const patterns = Object.entries(rules.patternProperties ?? {})
  for (const [name, field] of Object.entries(value)) {
    const named = rules.properties && Object.hasOwn(rules.properties, name)
    const schema = named
      ? rules.properties?.[name]
      : patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1]
    if (schema) problems.push(...explain(schema, field, at(pointer, name)))
    else if (rules.additionalProperties === false) {
      const message: [string, string] = ['additionalProperties', 'is not a known field']
      problems.push(problem(at(pointer, name), message))
    } else if (typeof rules.additionalProperties === 'object') {
      problems.push(...explain(rules.additionalProperties, field, at(pointer, name)))
    }
  }
  return problems
}

function explainAny(
  rules: Rules,
  branches: readonly TSchema[],
  value: unknown,
  pointer: string,
): FieldProblem[] {
  const found = branches.map((branch) => ({ branch, problems: explain(branch, value, pointer) }))
  if (found.some(({ problems }) => problems.length === 0)) return []
  if (rules['x-rule']) return [problem(pointer, ['anyOf', rules['x-rule']])]
  // The most likely branch: the right type, and its constants (a `type` field) match.
  const meant = found.filter(
    ({ branch, problems }) =>
      !typeRule(branch as Rules, value) && !problems.some(({ keyword }) => keyword === 'const'),
  )
  const [best] = meant.toSorted((a, b) => a.problems.length - b.problems.length)
  if (best) return best.problems
  const words = branches.map((branch) => nounOf(branch as Rules))
  return [problem(pointer, ['anyOf', `must be ${[...new Set(words)].join(' or ')}`])]
}

const typeNouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

function nounOf(rules: Rules): string {
  if (rules.const !== undefined) return JSON.stringify(rules.const)
  if (rules.enum) return `one of ${listed(rules.enum)}`
  return typeNouns[rules.type ?? ''] ?? 'another value'
}

const typeRule: Rule = ({ type }, value) => {
  if (type === undefined || isOfType(type, value)) return undefined
  return ['type', `must be ${typeNouns[type] ?? type}`]
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return isRecord(value)
  return typeof value === type
}

const numberRule: Rule = (rules, value) => {
  if (typeof value !== 'number') return undefined
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = rules
  if (minimum !== undefined && value < minimum) return ['minimum', `must be at least ${minimum}`]
  if (maximum !== undefined && value > maximum) return ['maximum', `must be at most ${maximum}`]
  if (above !== undefined && value <= above) return ['exclusiveMinimum', `must be above ${above}`]
  if (below !== undefined && value >= below) return ['exclusiveMaximum', `must be below ${below}`]
  const step = rules.multipleOf
  if (step !== undefined && value % step !== 0)
    return ['multipleOf', `must be a multiple of ${step}`]
  return undefined
}

const textRule: Rule = (rules, value) => {
  if (typeof value !== 'string') return undefined
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = rules
  const chars = [...value].length
  if (chars < minLength) {
    return [
      'minLength',
      chars === 0 ? 'must not be empty' : `must have at least ${minLength} characters`,
    ]
  }
  if (chars > maxLength) return ['maxLength', `must have at most ${maxLength} characters`]
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    return ['pattern', rules['x-rule'] ?? `must match ${pattern}`]
  }
  if (format !== undefined && !matchesFormat(format, value)) {
    return ['format', rules['x-rule'] ?? `must be a valid ${format}`]
  }
  return undefined
}

const sizeRule: Rule = (rules, value) => {
  const size = Array.isArray(value)
    ? value.length
    : isRecord(value)
      ? Object.keys(value).length
      : -1
  if (size < 0) return undefined
  const what = Array.isArray(value) ? 'entries' : 'fields'
  const [least, most] = Array.isArray(value)
    ? [rules.minItems ?? 0, rules.maxItems ?? size]
    : [rules.minProperties ?? 0, rules.maxProperties ?? size]
  if (size < least) return ['minItems', `must have at least ${least} ${what}`]
  if (size > most) return ['maxItems', `must have at most ${most} ${what}`]
  if (rules.uniqueItems && Array.isArray(value)) {
    const texts = new Set(value.map((item) => JSON.stringify(item)))
    if (texts.size < size) return ['uniqueItems', 'must not contain duplicates']
  }
  return undefined
}

const constantRule: Rule = (rules, value) => {
  if (rules.const !== undefined && value !== rules.const) {
    return ['const', `must be ${JSON.stringify(rules.const)}`]
  }
  if (rules.enum && !rules.enum.includes(value)) {
    return ['enum', `must be one of ${listed(rules.enum)}`]
  }
  return undefined
}

/** An empty word stands for "nothing", so it is not listed as a choice. */
function listed(words: readonly unknown[]): string {
  return words.filter((word) => word !== '').join(', ')
}

const scalarRules = [constantRule, numberRule, textRule, sizeRule]

function problem(pointer: string, [keyword, message]: [string, string]): FieldProblem {
  return { pointer, keyword, message }
}

function at(pointer: string, name: string): string {
  return `${pointer}/${pointerPart(name)}`
}
