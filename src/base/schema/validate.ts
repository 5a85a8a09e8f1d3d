// Validation: the compiled schema decides, and a walk over it explains every problem.
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { FieldProblem } from '../fault.ts'
import { explain } from './explain.ts'
import { isRecord } from './pick.ts'

/** Fills defaults into a parsed value and returns its problems; an empty list means valid. */
export type Check = (value: unknown) => readonly FieldProblem[]

/**
 * Creates a check for a schema, compiled on first use. It fills in defaults and so may change the
 * value: pass freshly parsed JSON. It reports at most `problemsMax` problems.
 */
export function createCheck(schema: TSchema, problemsMax: number): Check {
  let fill: Filler | undefined
  let validator: Validator | undefined
  return (value) => {
    if (!validator) {
      fill = fillerOf(schema)
      validator = Compile(schema)
    }
    fill?.(value)
    if (validator.Check(value)) return []
    const problems = explain(schema, value)
    return (problems.length > 0 ? problems : fallback(validator, value)).slice(0, problemsMax)
  }
}

// If `explain` does not know the keyword, the problem has a pointer and the library's sentence.
function fallback(validator: Validator, value: unknown): FieldProblem[] {
  const found = validator.Errors(value).map(({ instancePath, keyword, message }) => ({
    pointer: instancePath,
    keyword,
    message,
  }))
  return found.length > 0 ? found : [{ pointer: '', keyword: 'schema', message: 'is not valid' }]
}

type Filler = (value: unknown) => void

function fillerOf(schema: TSchema): Filler | undefined {
  const { properties, items, anyOf } = schema as SchemaParts
  if (properties) return objectFiller(Object.entries(properties))
  if (items) {
    const fill = fillerOf(items)
    if (!fill) return undefined
    return (value) => {
      if (Array.isArray(value)) for (const item of value) fill(item)
    }
  }
  // Defaults are filled into alternatives only if they are "this or null".
  const branches = anyOf?.filter((branch) => (branch as SchemaParts).type !== 'null')
  return branches?.length === 1 && branches[0] ? fillerOf(branches[0]) : undefined
}

function objectFiller(entries: [string, TSchema][]): Filler | undefined {
  const presets = entries.flatMap(([name, schema]) => {
    const value = (schema as SchemaParts).default
    return value === undefined ? [] : [{ name, value }]
  })
  const nested = entries.flatMap(([name, schema]) => {
    const fill = fillerOf(schema)
    return fill ? [{ name, fill }] : []
  })
  if (presets.length + nested.length === 0) return undefined
  return (value) => {
    if (!isRecord(value)) return
    for (const { name, value: preset } of presets) {
      if (value[name] === undefined) value[name] = structuredClone(preset)
    }
    for (const { name, fill } of nested) if (value[name] !== undefined) fill(value[name])
  }
}

interface SchemaParts {
  readonly type?: string
  readonly properties?: Record<string, TSchema>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly default?: unknown
}
