// The keywords of JSON Schema: what each makes of a value, paid for in steps. The others only describe,
// as `format` does by default, or are refused.
import { limits } from '../limits/limits.ts'
import { spend } from './budget.ts'
import { spendOnKeys } from './json-path-work.ts'
import { isOfType, isSameJson, type Json, keysOf, showStart, typeNames } from './json-value.ts'
import type { PatternSearch } from './pattern.ts'

/** A part of a value that a rule does not allow. */
export interface Misfit {
  /** Where it is, from the inside out. */
  readonly keys: (string | number)[]
  readonly rule: string
  readonly value: Json
}

/** What of the value does not fit, if anything. */
export type Fit = (value: Json) => Misfit | undefined

/** Where a keyword stands, and what it needs of the schema around it. */
export interface SchemaPlace {
  /** The schema that has the keyword. */
  readonly schema: JsonFields
  /** Throws what is wrong with the keyword. */
  refuse(words: string): never
  /** A schema in the keyword, for parts of the value. */
  inside(schema: Json, key?: string | number): Fit
  /** A schema in the keyword, for the value itself. */
  beside(schema: Json, key?: string | number): Fit
  /** The schema that another keyword of the same schema has, for the value itself; absent: all fit. */
  sibling(keyword: string): Fit
  /** What a reference leads to. */
  referred(reference: string): Fit
  pattern(text: string): PatternSearch
}

/** Undefined if the keyword says nothing by itself. */
type Keyword = (given: Json, at: SchemaPlace) => Fit | undefined

export function misfit(value: Json, rule: string): Misfit {
  return { keys: [], rule, value }
}

type JsonFields = { [key: string]: Json }

function isObject(value: Json): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function within(found: Misfit | undefined, key: string | number): Misfit | undefined {
  found?.keys.push(key)
  return found
}

/** The rule of what holds or not. */
function holds(test: (value: Json) => boolean, rule: string): Fit {
  return (value) => (test(value) ? undefined : misfit(value, rule))
}

/** A rule about objects only. */
function ofObject(fit: (value: JsonFields) => Misfit | undefined): Fit {
  return (value) => (isObject(value) ? fit(value) : undefined)
}

function ofList(fit: (value: Json[]) => Misfit | undefined): Fit {
  return (value) => (Array.isArray(value) ? fit(value) : undefined)
}

/** The words of a value in a rule. */
function wordsFor(value: Json): string {
  return showStart(value, limits.quotedCharsMax)
}

function number(given: Json, at: SchemaPlace): number {
  return typeof given === 'number' ? given : at.refuse('must be a number')
}

function size(given: Json, at: SchemaPlace): number {
  const isSize = Number.isSafeInteger(given) && Number(given) >= 0
  return isSize ? Number(given) : at.refuse('must be a whole number, 0 or more')
}

function list(given: Json, at: SchemaPlace): readonly Json[] {
  return Array.isArray(given) ? given : at.refuse('must be a list')
}

function object(given: Json, at: SchemaPlace): JsonFields {
  return isObject(given) ? given : at.refuse('must be an object')
}

function names(given: Json, at: SchemaPlace): readonly string[] {
  return list(given, at).map((one) => {
    return typeof one === 'string' ? one : at.refuse('must be a list of names')
  })
}

/** Schemas by name. */
function schemas(given: Json, at: SchemaPlace): readonly (readonly [string, Fit])[] {
  return Object.entries(object(given, at)).map(([key, one]) => [key, at.inside(one, key)])
}

function alternatives(given: Json, at: SchemaPlace): readonly Fit[] {
  return list(given, at).map((one, index) => at.beside(one, index))
}

function ofNumber(rule: string, test: (value: number, bound: number) => boolean): Keyword {
  return (given, at) => {
    const bound = number(given, at)
    return holds((value) => typeof value !== 'number' || test(value, bound), `${rule} ${bound}`)
  }
}

function isMultiple(value: number, step: number): boolean {
  const times = value / step
  // Decimals are not exact: 0.0075 is 75 times 0.0001.
  return Math.abs(times - Math.round(times)) <= 4 * Number.EPSILON * Math.abs(times)
}

/** What a size is of: the characters of a text, the items of a list, the fields of an object. */
const measures = {
  characters(value: Json) {
    if (typeof value !== 'string') return undefined
    spend(value.length / charsPerStep)
    let pairs = 0
    for (let i = 0; i < value.length; i += 1) if ((value.codePointAt(i) ?? 0) > 0xffff) pairs += 1
    return value.length - pairs
  },
  items: (value: Json) => (Array.isArray(value) ? value.length : undefined),
  fields: (value: Json) => (isObject(value) ? ownKeys(value).length : undefined),
} as const

const charsPerStep = 8

function atLeast(unit: keyof typeof measures): Keyword {
  return (given, at) => {
    const least = size(given, at)
    const measure = measures[unit]
    return holds(
      (value) => (measure(value) ?? least) >= least,
      `must have at least ${least} ${unit}`,
    )
  }
}

function atMost(unit: keyof typeof measures): Keyword {
  return (given, at) => {
    const most = size(given, at)
    const measure = measures[unit]
    return holds((value) => (measure(value) ?? most) <= most, `must have at most ${most} ${unit}`)
  }
}

function ownKeys(value: JsonFields): readonly string[] {
  const keys = keysOf(value)
  spendOnKeys(keys.length)
  return keys
}

/** One step of a pattern takes as long as about this many steps of a schema. */
const stepsPerPatternStep = 2

function isFound(search: PatternSearch, text: string): boolean {
  return search.find(text, (steps) => spend(steps * stepsPerPatternStep))
}

function isOneOf(given: readonly Json[]): (value: Json) => boolean {
  const plain = new Set<Json>(given.filter((one) => typeof one !== 'object' || one === null))
  const others = given.filter((one) => !plain.has(one))
  return (value) => {
    if (typeof value !== 'object' || value === null) return plain.has(value)
    return others.some((one) => isSameJson(value, one, spend))
  }
}

const typed: Keyword = (given, at) => {
  const wanted = names(typeof given === 'string' ? [given] : given, at)
  const unknown = wanted.find((one) => !typeNames.has(one))
  if (unknown !== undefined) at.refuse(`must be one of ${[...typeNames].join(', ')}`)
  const rule = `must be of type ${wanted.join(' or ')}`
  return holds((value) => wanted.some((one) => isOfType(value, one)), rule)
}

const properties: Keyword = (given, at) => {
  const all = schemas(given, at)
  return ofObject((value) => {
    spend(all.length)
    for (const [key, fit] of all) {
      const found = Object.hasOwn(value, key) ? within(fit(value[key] ?? null), key) : undefined
      if (found !== undefined) return found
    }
    return undefined
  })
}

const patternProperties: Keyword = (given, at) => {
  const all = schemas(given, at).map(([text, fit]) => [at.pattern(text), fit] as const)
  return ofObject((value) => {
    for (const key of ownKeys(value)) {
      for (const [search, fit] of all) {
        const found = isFound(search, key) ? within(fit(value[key] ?? null), key) : undefined
        if (found !== undefined) return found
      }
    }
    return undefined
  })
}

const additionalProperties: Keyword = (given, at) => {
  const { properties: named = {}, patternProperties: patterned = {} } = at.schema
  const known = new Set(isObject(named) ? Object.keys(named) : [])
  const patterns = isObject(patterned) ? Object.keys(patterned).map((text) => at.pattern(text)) : []
  const fit = at.inside(given)
  return ofObject((value) => {
    for (const key of ownKeys(value)) {
      if (known.has(key) || patterns.some((search) => isFound(search, key))) continue
      const found = within(fit(value[key] ?? null), key)
      if (found !== undefined) return found
    }
    return undefined
  })
}

const propertyNames: Keyword = (given, at) => {
  const fit = at.inside(given)
  return ofObject((value) => {
    for (const key of ownKeys(value)) {
      const found = fit(key)
      if (found !== undefined) return misfit(key, `has a name that ${found.rule}`)
    }
    return undefined
  })
}

const required: Keyword = (given, at) => needed(names(given, at))

function needed(all: readonly string[]): Fit {
  return ofObject((value) => {
    spend(all.length)
    const missing = all.find((name) => !Object.hasOwn(value, name))
    return missing === undefined ? undefined : misfit(value, `must have ${wordsFor(missing)}`)
  })
}

/** What an object must be like that has a certain field: other fields, or a schema. */
const dependencies: Keyword = (given, at) => {
  const all = Object.entries(object(given, at)).map(([key, one]) => {
    return [key, Array.isArray(one) ? needed(names(one, at)) : at.beside(one, key)] as const
  })
  return ofObject((value) => {
    spend(all.length)
    for (const [key, fit] of all) {
      const found = Object.hasOwn(value, key) ? fit(value) : undefined
      if (found !== undefined) return found
    }
    return undefined
  })
}

/** The items from the first on, each with a schema of its own. */
function inOrder(fits: readonly Fit[]): Fit {
  return ofList((value) => {
    for (const [index, fit] of fits.entries()) {
      const found = index < value.length ? within(fit(value[index] ?? null), index) : undefined
      if (found !== undefined) return found
    }
    return undefined
  })
}

/** The items from one on, all with the same schema. */
function from(start: number, fit: Fit): Fit {
  return ofList((value) => {
    for (let index = start; index < value.length; index += 1) {
      const found = within(fit(value[index] ?? null), index)
      if (found !== undefined) return found
    }
    return undefined
  })
}

const prefixItems: Keyword = (given, at) => {
  return inOrder(list(given, at).map((one, index) => at.inside(one, index)))
}

const items: Keyword = (given, at) => {
  if (Array.isArray(given)) return prefixItems(given, at)
  const { prefixItems: before } = at.schema
  return from(Array.isArray(before) ? before.length : 0, at.inside(given))
}

const additionalItems: Keyword = (given, at) => {
  const { items: before } = at.schema
  return Array.isArray(before) ? from(before.length, at.inside(given)) : undefined
}

const contains: Keyword = (given, at) => {
  const { minContains = 1, maxContains = null } = at.schema
  const fit = at.inside(given)
  const least = size(minContains, at)
  const most = maxContains === null ? Number.POSITIVE_INFINITY : size(maxContains, at)
  return ofList((value) => {
    spend(value.length)
    const { length } = value.filter((one) => fit(one) === undefined)
    if (length < least) return misfit(value, `must contain at least ${least} of what contains says`)
    return length > most
      ? misfit(value, `must contain at most ${most} of what contains says`)
      : undefined
  })
}

const uniqueItems: Keyword = (given) => {
  if (given !== true) return undefined
  return ofList((value) => {
    const seen = new Set<string>()
    for (const [index, one] of value.entries()) {
      const text = canonical(one)
      if (seen.has(text)) return within(misfit(one, 'must not be there twice'), index)
      seen.add(text)
    }
    return undefined
  })
}

/** A value that is kept to compare others with it takes as long as this many steps. */
const stepsToKeep = 16

/** The same text for equal values, and for no others. */
export function canonical(value: Json): string {
  spend(stepsToKeep + (typeof value === 'string' ? value.length / charsPerStep : 0))
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value === 0 ? 0 : value)
  const keys = ownKeys(value).toSorted()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join()}}`
}

const allOf: Keyword = (given, at) => {
  const all = alternatives(given, at)
  return (value) => {
    for (const fit of all) {
      const found = fit(value)
      if (found !== undefined) return found
    }
    return undefined
  }
}

const anyOf: Keyword = (given, at) => {
  const all = alternatives(given, at)
  return (value) => {
    let first: Misfit | undefined
    for (const fit of all) {
      const found = fit(value)
      if (found === undefined) return undefined
      first ??= found
    }
    return all.length === 1 ? first : misfit(value, 'must fit a part of anyOf')
  }
}

const oneOf: Keyword = (given, at) => {
  const all = alternatives(given, at)
  return (value) => {
    const { length } = all.filter((fit) => fit(value) === undefined)
    return length === 1 ? undefined : misfit(value, `must fit one part of oneOf, not ${length}`)
  }
}

const not: Keyword = (given, at) => {
  const fit = at.beside(given)
  return holds((value) => fit(value) !== undefined, 'must not fit what not says')
}

const conditional: Keyword = (given, at) => {
  const test = at.beside(given)
  const fit = at.sibling('then')
  const otherwise = at.sibling('else')
  return (value) => (test(value) === undefined ? fit(value) : otherwise(value))
}

const reference: Keyword = (given, at) => {
  return typeof given === 'string' ? at.referred(given) : at.refuse('must be a text')
}

/** Judged, though only references lead there. */
const definitions: Keyword = (given, at) => {
  schemas(given, at)
  return undefined
}

const unsupported: Keyword = (_, at) => at.refuse('is not supported')

/** In the order in which they are asked, the plainest first. */
export const keywords: Readonly<Record<string, Keyword>> = {
  $defs: definitions,
  definitions,
  $dynamicRef: unsupported,
  $recursiveRef: unsupported,
  unevaluatedItems: unsupported,
  unevaluatedProperties: unsupported,
  type: typed,
  const: (given) => holds(isOneOf([given]), `must be ${wordsFor(given)}`),
  enum: (given, at) => holds(isOneOf(list(given, at)), `must be one of ${wordsFor(given)}`),
  minimum: ofNumber('must be at least', (value, bound) => value >= bound),
  maximum: ofNumber('must be at most', (value, bound) => value <= bound),
  exclusiveMinimum: ofNumber('must be greater than', (value, bound) => value > bound),
  exclusiveMaximum: ofNumber('must be less than', (value, bound) => value < bound),
  multipleOf: ofNumber('must be a multiple of', isMultiple),
  minLength: atLeast('characters'),
  maxLength: atMost('characters'),
  pattern(given, at) {
    const search = at.pattern(typeof given === 'string' ? given : at.refuse('must be a text'))
    const isIn = (value: Json) => typeof value !== 'string' || isFound(search, value)
    return holds(isIn, `must match ${wordsFor(given)}`)
  },
  minItems: atLeast('items'),
  maxItems: atMost('items'),
  minProperties: atLeast('fields'),
  maxProperties: atMost('fields'),
  required,
  dependentRequired: dependencies,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  dependentSchemas: dependencies,
  dependencies,
  prefixItems,
  items,
  additionalItems,
  contains,
  uniqueItems,
  $ref: reference,
  allOf,
  anyOf,
  oneOf,
  not,
  if: conditional,
}
