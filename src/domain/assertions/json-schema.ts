// JSON Schema on untrusted documents: patterns in linear time, and a step budget for every document,
// because both schema and document may be hostile. The libraries for it bound neither. Drafts 6 to
// 2020-12, as far as json-schema-keywords.ts knows their keywords.
import { LRUCache } from 'lru-cache'
import { clip } from '../../base/clip.ts'
import { limits } from '../limits/limits.ts'
import { type Budget, GivenUp, onBudget, spend, wholeFor } from './budget.ts'
import {
  type Fit,
  keywords,
  type Misfit,
  misfit,
  type SchemaPlace,
} from './json-schema-keywords.ts'
import { type Json, parseJson, showStart } from './json-value.ts'
import { regexProblem, searchFor } from './pattern.ts'

/** The longest schema, as text. */
export const schemaCharsMax = 16 * 1024
/** Levels of a schema, and of schemas around a value: references lead further down. */
const schemaDepthMax = 64
const visitDepthMax = 512
/** Regular expressions in a schema: compiling each takes a while. */
const schemaPatternsMax = 20
const schemaPatternCharsMax = 2_048
/** Characters of the schemas that are kept compiled. */
const compiledSchemaCharsMax = 1024 * 1024
/** Places of a large document that one schema may look at, repeats included. */
const schemaStepsLargeMax = 1_000_000

type CompiledSchema =
  | { readonly fit: Fit; readonly problem?: never }
  | { readonly problem: string; readonly fit?: never }

const compiled = new LRUCache<string, CompiledSchema>({
  maxSize: compiledSchemaCharsMax,
  sizeCalculation: (_, text) => text.length + 1,
})

function compile(text: string): CompiledSchema {
  const known = compiled.get(text)
  if (known !== undefined) return known
  const schema = read(text)
  compiled.set(text, schema)
  return schema
}

function read(text: string): CompiledSchema {
  const root = parseJson(text)
  if (root === undefined) return { problem: 'it is no JSON' }
  try {
    return { fit: new SchemaReader(root).judge }
  } catch (cause) {
    if (cause instanceof SchemaProblem) return { problem: cause.message }
    throw cause
  }
}

/** What is wrong with a schema, as a sentence without its subject; null if it is valid. */
export function schemaProblem(text: string): string | null {
  if (text.length > schemaCharsMax) return `must be at most ${schemaCharsMax} characters`
  const { problem } = compile(text)
  return problem === undefined ? null : `is not a valid JSON Schema: ${problem}`
}

/** What of the value does not fit, beginning with its place; null if all does. */
export function misfitIn(
  schema: string,
  value: Json,
  budget: Budget,
  { chars, charsShown }: { readonly chars: number; readonly charsShown: number },
): string | null {
  const { fit, problem } = compile(schema)
  if (fit === undefined) return problem
  const stepsMax = Math.min(wholeFor(limits.jsonPathStepsMax, chars), schemaStepsLargeMax)
  const judged = onBudget(budget, stepsMax, () => ({ found: fit(value) }))
  if ('problem' in judged) return '(more data than a check examines)'
  const { found } = judged
  if (found === undefined) return null
  const keys = found.keys.map((key) => `/${clip(String(key), limits.quotedCharsMax)}`)
  const place = keys.length === 0 ? '' : `${keys.toReversed().join('')} `
  return `${place}${found.rule}: ${showStart(found.value, charsShown)}`
}

/** What is wrong with a schema, with the pointer to it. */
class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem'
}

function refuse(pointer: string, words: string): never {
  throw new SchemaProblem(`${clip(pointer || 'the schema', limits.quotedCharsMax)} ${words}`)
}

function pointerTo(from: string, key?: string | number): string {
  if (key === undefined) return from
  return `${from}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Drafts in which a reference hides what stands beside it. */
const oldDraft = /\/draft-0[67]\//
const draft = /^https?:\/\/json-schema\.org\/(draft-0[67]|draft\/20(19-09|20-12))\/schema#?$/

/** Reads one schema. A class because it collects what it read, and counts how deep it looks. */
class SchemaReader {
  #depth = 0
  readonly #fit: Fit
  readonly #patterns = new Set<string>()
  readonly #root: Json
  readonly #hidesSiblings: boolean
  readonly #known = new Map<string, { fit: Fit }>()
  /** The schemas that look at the same value, each by its pointer. */
  readonly #beside = new Map<string, string[]>()

  constructor(root: Json) {
    this.#root = root
    const name = isSchemaObject(root) ? root.$schema : undefined
    if (name !== undefined && !(typeof name === 'string' && draft.test(name))) {
      refuse('/$schema', 'must be draft-06, draft-07, 2019-09 or 2020-12 of json-schema.org')
    }
    this.#hidesSiblings = oldDraft.test(String(name))
    this.#fit = this.#fitAt(root, '')
    this.#refuseCircles()
  }

  readonly judge: Fit = (value) => {
    this.#depth = 0
    return this.#fit(value)
  }

  #fitAt(schema: Json, pointer: string): Fit {
    const known = this.#known.get(pointer)
    // Not finished yet where a schema refers to one around itself.
    if (known !== undefined) return (value) => known.fit(value)
    if (pointer.split('/').length > schemaDepthMax) refuse(pointer, 'is nested too deep')
    const one = { fit: fitsAll }
    this.#known.set(pointer, one)
    one.fit = this.#made(schema, pointer)
    return one.fit
  }

  #made(schema: Json, pointer: string): Fit {
    if (schema === true) return fitsAll
    if (schema === false) return fitsNone
    if (!isSchemaObject(schema)) refuse(pointer, 'must be an object, true or false')
    if (pointer !== '' && schema.$id !== undefined) {
      refuse(pointerTo(pointer, '$id'), 'is only supported at the top')
    }
    const isOnlyRef = this.#hidesSiblings && Object.hasOwn(schema, '$ref')
    const fits = Object.entries(keywords).flatMap(([keyword, make]) => {
      const given = schema[keyword]
      if (given === undefined || !Object.hasOwn(schema, keyword)) return []
      if (isOnlyRef && keyword !== '$ref') return []
      return make(given, this.#place(schema, pointer, keyword)) ?? []
    })
    return fits.length === 0 ? fitsAll : this.#visit(fits)
  }

  #visit(fits: readonly Fit[]): Fit {
    return (value) => {
      spend(1 + fits.length)
      this.#depth += 1
      if (this.#depth > visitDepthMax) throw new GivenUp('the document is nested too deep')
      let found: Misfit | undefined
      for (const fit of fits) {
        found = fit(value)
        if (found !== undefined) break
      }
      this.#depth -= 1
      return found
    }
  }

  #place(schema: SchemaPlace['schema'], owner: string, keyword: string): SchemaPlace {
    const pointer = pointerTo(owner, keyword)
    const beside = (one: Json, at: string): Fit => {
      const others = this.#beside.get(owner)
      if (others === undefined) this.#beside.set(owner, [at])
      else others.push(at)
      return this.#fitAt(one, at)
    }
    return {
      schema,
      refuse: (words) => refuse(pointer, words),
      inside: (one, key) => this.#fitAt(one, pointerTo(pointer, key)),
      beside: (one, key) => beside(one, pointerTo(pointer, key)),
      sibling(other) {
        const one = schema[other]
        return one === undefined ? fitsAll : beside(one, pointerTo(owner, other))
      },
      referred: (reference) => {
        const found = this.#target(reference)
        if (found !== undefined) return beside(found.schema, found.pointer)
        return refuse(pointer, 'must begin with # and lead to a part of this schema')
      },
      pattern: (text) => {
        this.#patterns.add(text)
        const chars = [...this.#patterns].join('').length
        if (this.#patterns.size > schemaPatternsMax || chars > schemaPatternCharsMax) {
          const most = `${schemaPatternsMax}, and ${schemaPatternCharsMax} characters of them`
          refuse(pointer, `is more than a schema may have of regular expressions: ${most}`)
        }
        return searchFor(text) ?? refuse(pointer, regexProblem(text) ?? 'is too large')
      },
    }
  }

  /** What a reference leads to: a JSON Pointer in a fragment. */
  #target(reference: string): { readonly schema: Json; readonly pointer: string } | undefined {
    const [, path] = /^#(|\/.*)$/s.exec(reference) ?? []
    if (path === undefined) return undefined
    let schema: Json = this.#root
    let pointer = ''
    for (const part of path.split('/').slice(1)) {
      const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof schema !== 'object' || schema === null) return undefined
      const found: Json | undefined = Array.isArray(schema) ? schema[Number(key)] : schema[key]
      if (found === undefined || !Object.hasOwn(schema, key)) return undefined
      schema = found
      pointer = pointerTo(pointer, key)
    }
    return { schema, pointer }
  }

  /** A schema that leads back to itself without going into the value would never end. */
  #refuseCircles(): void {
    const ended = new Set<string>()
    const above = new Set<string>()
    const follow = (pointer: string): void => {
      if (above.has(pointer)) refuse(pointer, 'refers to itself without end')
      if (ended.has(pointer)) return
      above.add(pointer)
      for (const next of this.#beside.get(pointer) ?? []) follow(next)
      above.delete(pointer)
      ended.add(pointer)
    }
    for (const pointer of this.#beside.keys()) follow(pointer)
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function isSchemaObject(schema: Json): schema is { [keyword: string]: Json } {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
}

const fitsAll: Fit = () => undefined
const fitsNone: Fit = (value) => misfit(value, 'must not be there')
