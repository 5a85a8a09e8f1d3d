// Parses JSON bodies: checks type, encoding, shape and size before any schema does.
import { isUtf8 } from 'node:buffer'
import { Fault } from '../../base/fault.ts'
import type { createYielder } from '../../base/yielding.ts'
import { limits } from '../../domain/limits/limits.ts'
import { createJsonScan, malformed, scanJson } from './json-scan.ts'

const jsonType = /^application\/json *(?:; *charset="?utf-8"? *)?$/i
const patchType = /^application\/(?:json|merge-patch\+json) *(?:; *charset="?utf-8"? *)?$/i
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Throws unsupported_media_type unless the Content-Type is JSON. */
export function needJsonType(method: string, contentType: string): void {
  const allowed = method === 'PATCH' ? patchType : jsonType
  if (allowed.test(contentType)) return
  throw new Fault('unsupported_media_type', 'The Content-Type must be application/json')
}

type Yielder = ReturnType<typeof createYielder>

export interface JsonBounds {
  readonly keysMax: number
}

/**
 * The value of a JSON body; an empty one is an empty object. Throws malformed_json for invalid JSON
 * or UTF-8, for too deep nesting, for a duplicate key and for one that could reach a prototype.
 */
export function parseJsonBody(body: Buffer, { keysMax }: JsonBounds): unknown {
  if (body.length === 0) return {}
  if (!isUtf8(body)) throw malformed('The body is not UTF-8')
  const scan = scanJson(body, keysMax)
  const value = parsed(body.toString())
  // Outside of strings, each key is followed by one colon. If the parsed value has fewer keys than
  // the text has colons, a key occurred twice.
  if (countKeys(value) !== scan.keys) throw twice()
  return value
}

/**
 * The same for a large body, which is large because of lists in its fields: these are parsed in slices,
 * between which other work runs. The rest of the body, and each item of a list, is parsed in one piece, so
 * the number of values in it is limited.
 */
export async function parseLargeJson(
  body: Buffer,
  { keysMax }: JsonBounds,
  yielder: Yielder,
): Promise<unknown> {
  if (!isUtf8(body)) throw malformed('The body is not UTF-8')
  const scan = createJsonScan(body, keysMax)
  for (let at = 0; at < body.length; at += limits.jsonSliceBytes) {
    scan.readTo(Math.min(at + limits.jsonSliceBytes, body.length))
    if (yielder.isDue()) await yielder.pause()
  }
  const { keys, lists } = scan.end()
  // First, each list has its own number as its only item; then its items are parsed in slices.
  let outside = ''
  let at = 0
  for (const [index, { fromAt, toAt }] of lists.entries()) {
    outside += `${body.toString('utf8', at, fromAt)}${index}`
    at = toAt
  }
  const value = parsed(outside + body.toString('utf8', at))
  let counted = countKeys(value)
  for (const field of listsIn(value)) {
    const slices = lists[Number(field.pop())]?.slices ?? []
    for (const { fromAt, toAt } of slices) {
      if (yielder.isDue()) await yielder.pause()
      const items = parsed(`[${body.toString('utf8', fromAt, toAt)}]`)
      counted += countKeys(items)
      if (!Array.isArray(items) || (items.length === 0 && slices.length > 1)) throw notJson()
      for (const item of items) field.push(item)
    }
  }
  if (counted !== keys) throw twice()
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

/** The lists that are fields of an object, or items of a list. */
function listsIn(value: unknown): unknown[][] {
  return Object.values(Object(value)).filter((field) => Array.isArray(field))
}

/** A field of a parsed body; undefined if it is not an object or has no own field of this name. */
export function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined
  return Reflect.get(body, name)
}

const notJson = () => malformed('The body is not valid JSON')
const twice = () => malformed('A key occurs twice in one object')

/** How many keys are in it. The scan of its text has bounded its depth and its values. */
function countKeys(value: unknown): number {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw malformed('A string contains half of a surrogate pair')
    return 0
  }
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item)
    return count
  }
  for (const [key, field] of Object.entries(value)) {
    if (forbiddenKeys.has(key)) throw malformed(`The key ${key} is not allowed`)
    if (!key.isWellFormed()) throw malformed('A key contains half of a surrogate pair')
    count += 1 + countKeys(field)
  }
  return count
}
