// The API's own schemas, applied while somebody types: the same rules, without a round trip.
import type { FieldProblem } from '../../api/problem.ts'
import { words } from '../../words/words.ts'
import { valueAt } from './pointer.ts'

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly $ref?: string
  /** The rule in words, where the keywords do not say it well. */
  readonly 'x-rule'?: string
  /** The kinds of checks that a field of a monitor applies to; absent: all. */
  readonly 'x-kinds'?: readonly string[]
  /** What it holds must not be kept where others may find it. */
  readonly 'x-secret'?: boolean
}

/** The fields that break a rule; each once, with its first broken rule. */
export async function problemsIn(schema: JsonSchema, value: unknown): Promise<FieldProblem[]> {
  const { Validator } = await import('@cfworker/json-schema')
  const validator = new Validator(schema as object, '2020-12', false)
  const { errors } = validator.validate(value)
  const found = new Map<string, Rule>()
  // The deepest errors say most; those of the objects around them only say that something is wrong.
  const deepest = errors.toSorted((a, b) => b.instanceLocation.length - a.instanceLocation.length)
  for (const { instanceLocation, keyword, keywordLocation, error } of deepest) {
    // It is the fragment of an address.
    const location = decodeURIComponent(instanceLocation.slice(1))
    // Which alternative was meant is not known: what another one requires says more.
    if (keyword === 'const' && /\/(?:anyOf|oneOf)\//.test(keywordLocation)) continue
    const isAround = [...found.keys()].some((known) => known.startsWith(`${location}/`))
    if (isAround || keyword === 'properties' || keyword === 'items') continue
    const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined
    const pointer = `${location}${missing === undefined ? '' : `/${missing}`}`
    if (found.has(pointer)) continue
    const isName = keywordLocation.includes('/propertyNames/')
    const rule = isName
      ? { message: words.value.form.rules.name }
      : ruleOf(schema, pointer, keyword, value)
    found.set(pointer, rule)
  }
  return [...found].map(([pointer, rule]) => ({ pointer, ...rule }))
}

type Rule = Omit<FieldProblem, 'pointer'>

function ruleOf(schema: JsonSchema, pointer: string, keyword: string, root: unknown): Rule {
  const { rules } = words.value.form
  const node = schemaAt(schema, pointer)
  const value = valueAt(root, pointer)
  const isEmpty =
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  if (isEmpty) return { message: rules.required }
  if (typeof value === 'string' && (node?.type === 'integer' || node?.type === 'number'))
    return { message: rules.number }
  if (node?.['x-rule'] !== undefined) return { message: node['x-rule'], lang: 'en' }
  return { message: boundOf(node, keyword) ?? rules.other }
}

function boundOf(node: JsonSchema | undefined, keyword: string): string | undefined {
  const { rules } = words.value.form
  const { minLength, maxLength, minimum, maximum } = node ?? {}
  if (keyword === 'minLength' && minLength !== undefined) return rules.minLength(minLength)
  if (keyword === 'maxLength' && maxLength !== undefined) return rules.maxLength(maxLength)
  if (keyword === 'minimum' && minimum !== undefined) return rules.minimum(minimum)
  if (keyword === 'maximum' && maximum !== undefined) return rules.maximum(maximum)
  return undefined
}

/** Whether a field of a monitor applies to a kind of check. */
export function appliesTo(schema: JsonSchema | undefined, field: string, kind: string): boolean {
  return schema?.properties?.[field]?.['x-kinds']?.includes(kind) ?? true
}

/** The schema of a field; undefined where alternatives differ. */
export function schemaAt(schema: JsonSchema, pointer: string): JsonSchema | undefined {
  let node: JsonSchema | undefined = schema
  for (const part of pointer.split('/').slice(1)) {
    node = /^\d+$/.test(part) && node?.items ? node.items : node?.properties?.[part]
    // Most optional fields are "this or null".
    const real: JsonSchema | undefined = node?.anyOf?.find(({ type }) => type !== 'null')
    if (real && node) node = { ...real, ...described(node) }
  }
  return node
}

const described = ({ description, default: usual, 'x-rule': rule }: JsonSchema) => ({
  ...(description === undefined ? {} : { description }),
  ...(usual === undefined ? {} : { default: usual }),
  ...(rule === undefined ? {} : { 'x-rule': rule }),
})
