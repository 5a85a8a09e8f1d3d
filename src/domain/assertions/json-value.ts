// Untrusted JSON values: parsing, comparing with a value that a person typed, displaying.
import { occursIn } from './occurrence.ts'

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

/**
 * Whether the value occurs in it: as an item of a list, else as part of its text. The items are paid
 * for in advance.
 */
export function containsValue(
  found: Json,
  value: string,
  write = show,
  pay: PayForParts = () => {},
): boolean {
  if (!Array.isArray(found)) return occursIn(write(found), value)
  pay(found.length)
  return found.some((item) => equalsValue(item, value, pay))
}

/** Whether both are equal: as numbers if both are, as JSON for a list or an object. */
export function equalsValue(found: Json, value: string, pay?: PayForParts): boolean {
  const wanted = readOnce(value)
  if (typeof found === 'object' && found !== null) {
    return wanted.json !== undefined && isSameJson(found, wanted.json, pay)
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
  const keys = keysOf(one)
  const count = keysOf(other).length
  pay(partsOfKeys(keys.length) + partsOfKeys(count))
  if (keys.length !== count) return false
  return keys.every((key) => {
    return Object.hasOwn(other, key) && isSameJson(one[key] ?? null, other[key] ?? null, pay)
  })
}

/** Objects with more keys are hash tables, and each key costs more. */
export const cheapKeysMax = 64
const partsOfDearKey = 8

/** Listing many keys is slow: once for each object is enough, however often it is selected. */
const knownKeys = new WeakMap<JsonObject, readonly string[]>()

export function keysOf(found: JsonObject): readonly string[] {
  const known = knownKeys.get(found)
  if (known !== undefined) return known
  const keys = Object.keys(found)
  if (keys.length > cheapKeysMax) knownKeys.set(found, keys)
  return keys
}

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

/** A longer text is no number, whatever its digits. */
const numeralCharsMax = 1_024

/** The number that it is or spells. */
export function numberIn(value: Json): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.length > numeralCharsMax) return undefined
  return numeral.test(value) ? Number(value) : undefined
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
  return typeof found === 'object' && found !== null ? keysOf(found).length : undefined
}

const tooDeep = '(nested too deep to show)'

/** Levels of a value that is searched or quoted as text. */
const jsonShownDepthMax = 256

/** The value as text: a string unchanged, everything else as JSON. */
export function show(value: Json): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const known = knownTexts.get(value)
  if (known !== undefined) return known
  const text = isTooDeep(value) ? tooDeep : JSON.stringify(value)
  if (text.length > knownTextCharsMin) knownTexts.set(value, text)
  return text
}

/** Whether it cannot be written: that takes time quadratic in the depth, and can exhaust the stack. */
export function isTooDeep(value: Json): boolean {
  return isDeeper(value, jsonShownDepthMax)
}

/** The text of a large value is written once, however many assertions search it. */
const knownTexts = new WeakMap<object, string>()
const knownTextCharsMin = 1_024

/** The beginning of the same for an excerpt: writing ends soon after so many characters. */
export function showStart(value: Json, charsMax: number): string {
  if (typeof value === 'string') return value.slice(0, charsMax + 1)
  return startOf(value, charsMax, jsonShownDepthMax) ?? tooDeep
}

/** Undefined: it is nested too deep. */
function startOf(value: Json, charsMax: number, depth: number): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, charsMax + 1))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depth === 0) return undefined
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts: Iterable<readonly [name: string, child: Json]> = Array.isArray(value)
    ? unnamed(value)
    : named(value)
  let text = ''
  for (const [name, child] of parts) {
    if (text.length > charsMax) return `${open}${text}`
    const shown = startOf(child, charsMax - text.length, depth - 1)
    if (shown === undefined) return undefined
    text += `${text === '' ? '' : ','}${name}${shown}`
  }
  return `${open}${text}${close}`
}

function* unnamed(list: readonly Json[]): Generator<readonly [string, Json]> {
  for (const child of list) yield ['', child]
}

function* named(found: JsonObject): Generator<readonly [string, Json]> {
  for (const key of keysOf(found)) yield [`${JSON.stringify(key)}:`, found[key] ?? null]
}

function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  return Object.values(value).some((child) => isDeeper(child, depth - 1))
}
