// JSON values of strangers: reading, comparing with a value that a person typed, showing.
import { limits } from '../limits/limits.ts'

/** A JSON value; what JSON.parse returns. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** The text as JSON, or undefined where it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return parsed(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The text as an object where it is one in JSON, else as it is. */
export function looseJson(text: string): string | { [key: string]: Json } {
  const found = /^\s*\{/.test(text) ? parseJson(text) : undefined
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : text
}

/** JSON.parse returns `any`; what it returns is JSON by definition. */
function parsed(value: unknown): Json {
  return value as Json
}

/** Whether the value occurs in it: as an item of a list, else in its text. */
export function containsValue(found: Json, value: string, write = show): boolean {
  if (Array.isArray(found)) return found.some((item) => equalsValue(item, value))
  return write(found).includes(value)
}

/** Whether it is the value: as a number where both are, as JSON where it is a list or an object. */
export function equalsValue(found: Json, value: string): boolean {
  const wanted = readOnce(value)
  if (typeof found === 'object' && found !== null) {
    return wanted.json !== undefined && isSameJson(found, wanted.json)
  }
  const left = numberIn(found)
  if (left !== undefined && wanted.number !== undefined) return left === wanted.number
  return String(found) === value
}

interface Wanted {
  readonly text: string
  readonly json: Json | undefined
  readonly number: number | undefined
}

let lastRead: Wanted = { text: '', json: undefined, number: undefined }

/** What a person typed: a path may select thousands of values to compare it with. */
function readOnce(text: string): Wanted {
  if (text !== lastRead.text) lastRead = { text, json: parseJson(text), number: numberIn(text) }
  return lastRead
}

export type PayForParts = (parts: number) => void

/** So many characters are compared in the time that one part of a list takes. */
const charsPerPart = 32

/**
 * Whether two values are equal, whatever the order of keys, and by what they have of their own.
 * `pay` is told before how many parts are compared; it may throw.
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

/** Objects of more keys than these are hash tables, and each key costs more. */
export const cheapKeysMax = 64
const partsOfDearKey = 8

/** In how many parts of a list so many keys of an object are looked at. */
export function partsOfKeys(count: number): number {
  return count > cheapKeysMax ? count * partsOfDearKey : count
}

/**
 * Negative, zero or positive; NaN where the two cannot be ordered: nothing but a number is above or
 * below a number. Other texts go by their characters, as dates do (2026-01-31).
 */
export function compare(found: Json, value: string): number {
  const left = numberIn(found)
  const right = numberIn(value)
  if (left !== undefined && right !== undefined) return left - right
  if (right !== undefined || typeof found !== 'string') return Number.NaN
  return found < value ? -1 : Number(found > value)
}

const numeral = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/

/** The number it is or spells. */
export function numberIn(value: Json): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && numeral.test(value) ? Number(value) : undefined
}

/** Those of JSON, and `integer`. */
export const typeNames: ReadonlySet<string> = new Set([
  ...['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'],
])

/** `type` is one of typeNames. */
export function isOfType(found: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(found)
  if (found === null) return type === 'null'
  return (Array.isArray(found) ? 'array' : typeof found) === type
}

/** Characters, items or keys; undefined where it has no length. */
export function lengthOf(found: Json): number | undefined {
  if (typeof found === 'string' || Array.isArray(found)) return found.length
  return typeof found === 'object' && found !== null ? Object.keys(found).length : undefined
}

/** As text: a string as it is, everything else as JSON. */
export function show(value: Json): string {
  if (typeof value === 'string') return value
  // Writing takes a time that grows with the square of the depth, and ends by exhausting the stack.
  if (isDeeper(value, limits.jsonShownDepthMax)) return '(nested too deep to show)'
  return JSON.stringify(value)
}

function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  return Object.values(value).some((child) => isDeeper(child, depth - 1))
}
