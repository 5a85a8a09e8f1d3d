// Untrusted JSON values: parsing, comparing with a value that a person typed, displaying.
import { limits } from '../limits/limits.ts'

/** A JSON value, as JSON.parse returns it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** Parses the text as JSON; undefined if it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return parsed(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Parses the text if it is a JSON object, else returns it unchanged. */
export function looseJson(text: string): string | { [key: string]: Json } {
  const found = /^\s*\{/.test(text) ? parseJson(text) : undefined
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : text
}

/** JSON.parse returns `any`; what it returns is JSON by definition. */
function parsed(value: unknown): Json {
  return value as Json
}

/** Whether the value occurs in it: as an item of a list, else as part of its text. */
export function containsValue(found: Json, value: string, write = show): boolean {
  if (Array.isArray(found)) return found.some((item) => equalsValue(item, value))
  return write(found).includes(value)
}

/** Whether both are equal: as numbers if both are, as JSON for a list or an object. */
export function equalsValue(found: Json, value: string): boolean {
  const wanted = readOnce(value)
  if (typeof found === 'object' && found !== null) {
    return wanted.json !== undefined && isSameJson(found, wanted.json)
  }
  const left = numberIn(found)
  if (left !== undefined && wanted.number !== undefined) return left === wanted.number
  return String(found) === value
}

interface TypedValue {
  readonly text: string
  readonly json: Json | undefined
  readonly number: number | undefined
}

let lastRead: TypedValue = { text: '', json: undefined, number: undefined }

/** Parsed once, because a path may select thousands of values to compare. */
function readOnce(text: string): TypedValue {
  if (text !== lastRead.text) lastRead = { text, json: parseJson(text), number: numberIn(text) }
  return lastRead
}

export type PayForParts = (parts: number) => void

/** Comparing this many characters takes as long as one item of a list. */
const charsPerPart = 32

/**
 * Whether two values are equal, ignoring the order of keys and inherited properties. `pay` is
 * called in advance with the number of parts to compare; it may throw.
 */
export function isSameJson(one: Json, other: Json, pay: PayForParts = () => {}): boolean {
  if (typeof one === 'string' && typeof other === 'string') {
    if (one.length !== other.length) return false
    pay(one.length / charsPerPart)
    return one === other
  }
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object') return false
  if (one === null || other === null) return false
  return Array.isArray(one) && Array.isArray(other)
    ? isSameList(one, other, pay)
    : !Array.isArray(one) && !Array.isArray(other) && isSameObject(one, other, pay)
}

function isSameList(one: readonly Json[], other: readonly Json[], pay: PayForParts): boolean {
  if (one.length !== other.length) return false
  pay(one.length)
  return one.every((value, index) => isSameJson(value, other[index] ?? null, pay))
}

type JsonObject = { readonly [key: string]: Json }

function isSameObject(one: JsonObject, other: JsonObject, pay: PayForParts): boolean {
  const keys = Object.keys(one)
  const count = Object.keys(other).length
  pay(partsOfKeys(keys.length) + partsOfKeys(count))
  if (keys.length !== count) return false
  return keys.every((key) => {
    return Object.hasOwn(other, key) && isSameJson(one[key] ?? null, other[key] ?? null, pay)
  })
}

/** Objects with more keys are hash tables, and each key costs more. */
export const cheapKeysMax = 64
const partsOfDearKey = 8

/** The cost of an object's keys, in items of a list. */
export function partsOfKeys(count: number): number {
  return count > cheapKeysMax ? count * partsOfDearKey : count
}

/**
 * Negative, zero or positive; NaN if the two have no order: numbers compare only with numbers.
 * Texts compare by characters, as dates do (2026-01-31).
 */
export function compare(found: Json, value: string): number {
  const left = numberIn(found)
  const right = numberIn(value)
  if (left !== undefined && right !== undefined) return left - right
  if (right !== undefined || typeof found !== 'string') return Number.NaN
  return found < value ? -1 : Number(found > value)
}

const numeral = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/

/** The number that it is or spells. */
export function numberIn(value: Json): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && numeral.test(value) ? Number(value) : undefined
}

/** The types of JSON, and `integer`. */
export const typeNames: ReadonlySet<string> = new Set([
  ...['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'],
])

/** `type` is one of typeNames. */
export function isOfType(found: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(found)
  if (found === null) return type === 'null'
  return (Array.isArray(found) ? 'array' : typeof found) === type
}

/** The number of characters, items or keys; undefined if it has no length. */
export function lengthOf(found: Json): number | undefined {
  if (typeof found === 'string' || Array.isArray(found)) return found.length
  return typeof found === 'object' && found !== null ? Object.keys(found).length : undefined
}

/** As text: a string unchanged, everything else as JSON. */
export function show(value: Json): string {
  if (typeof value === 'string') return value
  // Writing takes time quadratic in the depth, and can exhaust the stack.
  if (isDeeper(value, limits.jsonShownDepthMax)) return '(nested too deep to show)'
  return JSON.stringify(value)
}

function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  return Object.values(value).some((child) => isDeeper(child, depth - 1))
}
