// Schemas of OpenAPI: a value that fits one, for a request, and a JSON Schema of its own, for an answer.
import { regexProblem } from '../../assertions/pattern.ts'
import {
  type ForeignFields,
  fieldsOf,
  flagOf,
  listOf,
  numberOf,
  textOf,
} from '../../imports/foreign.ts'
import { secretField } from '../../secret-mask.ts'
import type { Draft } from './draft.ts'
import { literalValue } from './named-values.ts'
import type { LocalReferences } from './openapi-references.ts'

/** Schemas inside others that a value is made of, and those that one document has in all. */
const depthMax = 12
const samplesMax = 20_000

/** Makes the least value that fits a schema: examples where there are, and what is required alone. */
export function createSamples(
  { resolved }: LocalReferences,
  draft: Draft,
): (schema: unknown) => unknown {
  let left = samplesMax

  function sample(given: unknown, depth: number): unknown {
    left -= 1
    if (given === undefined || depth > depthMax || left < 0) return undefined
    const schema = merged(resolved(given), depth)
    const said = [schema.example, listOf(schema.examples)[0], schema.default, schema.const]
    const example = [...said, listOf(schema.enum)[0]].find((one) => one !== undefined)
    if (example !== undefined) return literalValue(example, draft)
    const [choice] = [...listOf(schema.oneOf), ...listOf(schema.anyOf)]
    if (choice !== undefined && schema.type === undefined) return sample(choice, depth + 1)
    const types = listOf(typeof schema.type === 'string' ? [schema.type] : schema.type)
    const type = types.find((one) => one !== 'null') ?? (schema.properties ? 'object' : undefined)
    switch (type) {
      case 'object':
        return objectOf(schema, depth)
      case 'array': {
        const item =
          (numberOf(schema.minItems) ?? 0) > 0 ? sample(schema.items, depth + 1) : undefined
        return item === undefined ? [] : [item]
      }
      case 'integer':
      case 'number':
        return numberOf(schema.minimum) ?? 1
      case 'boolean':
        return true
      case 'string':
        return textFor(schema)
      default:
        return undefined
    }
  }

  /** With the fields of all that it is made of. */
  function merged(schema: ForeignFields, depth: number): ForeignFields {
    const parts = listOf(schema.allOf)
    if (parts.length === 0 || depth > depthMax) return schema
    const all = [...parts.map((part) => merged(resolved(part), depth + 1)), schema]
    return {
      ...Object.assign({}, ...all),
      type: 'object',
      properties: Object.assign({}, ...all.map(({ properties }) => fieldsOf(properties))),
      required: all.flatMap(({ required }) => listOf(required)),
    }
  }

  function objectOf(schema: ForeignFields, depth: number): ForeignFields {
    const required = new Set(listOf(schema.required))
    const entries = Object.entries(fieldsOf(schema.properties)).flatMap(([name, given]) => {
      const property = resolved(given)
      if (!required.has(name) || flagOf(property.readOnly)) return []
      const isOpen = property.example === undefined && property.default === undefined
      if (isOpen && property.type === 'string' && secretField.test(name)) {
        return [[name, `{{${draft.nameFor(name)}|json}}`]]
      }
      return [[name, sample(given, depth + 1) ?? null]]
    })
    return Object.fromEntries(entries)
  }

  return (schema) => sample(schema, 0)
}

const textsOfFormats: Readonly<Record<string, string>> = {
  'date-time': '{{$isoTimestamp}}',
  uuid: '{{$uuid}}',
  date: '2026-01-31',
  email: 'user@example.com',
  uri: 'https://example.com/',
  ipv4: '192.0.2.1',
}

function textFor({ format, minLength }: ForeignFields): string {
  const name = textOf(format)
  const text = Object.hasOwn(textsOfFormats, name) ? (textsOfFormats[name] ?? '') : 'text'
  const least = Math.min(numberOf(minLength) ?? 0, 1_000)
  return text.includes('{{') ? text : text.padEnd(least, 'x')
}

/** Keywords that only describe, or that only OpenAPI has. */
const describing: ReadonlySet<string> = new Set([
  ...['$comment', 'default', 'deprecated', 'description', 'discriminator', 'example', 'examples'],
  ...['externalDocs', 'format', 'nullable', 'readOnly', 'title', 'writeOnly', 'xml', '$id'],
  ...['$anchor', '$schema', 'definitions', '$defs', 'components'],
])

/** Schemas by the name of a field or of themselves, lists of them, and those that stand alone. */
const ofNames: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
])
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const single: ReadonlySet<string> = new Set([
  ...['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'],
])

/** A JSON Schema that needs nothing else of the document: what it refers to is in its `$defs`. */
export function answerSchema(root: unknown, references: LocalReferences): unknown {
  const names = new Map<string, string>()
  const definitions: [name: string, schema: unknown][] = []

  function nameOf(reference: string): string {
    const known = names.get(reference)
    if (known !== undefined) return known
    const last = reference.split('/').at(-1) ?? ''
    const plain = last.replace(/[^\w.-]/g, '_') || 'schema'
    const isTaken = [...names.values()].includes(plain) || plain === '__proto__'
    const name = isTaken ? `${plain}_${names.size}` : plain
    names.set(reference, name)
    definitions.push([name, copied(references.target(reference) ?? true, 0)])
    return name
  }

  function copied(given: unknown, depth: number): unknown {
    if (typeof given === 'boolean' || depth > 2 * depthMax) return given !== false
    const schema = fieldsOf(given)
    if (typeof schema.$ref === 'string') return { $ref: `#/$defs/${nameOf(schema.$ref)}` }
    const inside = (one: unknown): unknown => copied(one, depth + 1)
    const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (describing.has(key) || key.startsWith('x-')) return []
      if (ofNames.has(key)) {
        const all = Object.entries(fieldsOf(value)).map(([name, one]) => [name, inside(one)])
        return [[key, Object.fromEntries(all)]]
      }
      if (lists.has(key)) return [[key, listOf(value).map(inside)]]
      if (single.has(key)) return [[key, inside(value)]]
      if (key === 'pattern') return regexProblem(textOf(value)) === null ? [[key, value]] : []
      return [[key, value]]
    })
    return inAnswers(oldBounds(Object.fromEntries(entries), schema), schema)
  }

  /** What is only sent is in no answer. */
  function inAnswers(copy: ForeignFields, schema: ForeignFields): ForeignFields {
    const properties = fieldsOf(schema.properties)
    const required = listOf(copy.required).filter((name) => {
      return !flagOf(references.resolved(properties[String(name)]).writeOnly)
    })
    const whole = Array.isArray(copy.required) ? { ...copy, required } : copy
    if (!flagOf(schema.nullable)) return whole
    if (Array.isArray(whole.enum)) return { anyOf: [whole, { type: 'null' }] }
    return typeof whole.type === 'string' ? { ...whole, type: [whole.type, 'null'] } : whole
  }

  const copy = fieldsOf(copied(root, 0))
  return definitions.length === 0 ? copy : { ...copy, $defs: Object.fromEntries(definitions) }
}

/** OpenAPI 3.0 and Swagger 2.0: whether a bound is itself excluded was said by true or false. */
function oldBounds(copy: ForeignFields, schema: ForeignFields): ForeignFields {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...others } = copy
  const low = schema.exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum }
  const high = schema.exclusiveMaximum === true ? { exclusiveMaximum: maximum } : { maximum }
  const bounds = {
    ...low,
    ...high,
    ...(typeof exclusiveMinimum === 'number' ? { exclusiveMinimum } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { exclusiveMaximum } : {}),
  }
  const given = Object.entries(bounds).filter(([, bound]) => bound !== undefined)
  return { ...others, ...Object.fromEntries(given) }
}
