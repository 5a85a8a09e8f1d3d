// JSON bodies: type, encoding, shape and size are refused here, before any schema sees them.
import { isUtf8 } from 'node:buffer'
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'

const jsonType = /^application\/json *(?:; *charset="?utf-8"? *)?$/i
const patchType = /^application\/(?:json|merge-patch\+json) *(?:; *charset="?utf-8"? *)?$/i
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Throws unsupported_media_type unless the body says that it is JSON. */
export function needJsonType(method: string, contentType: string): void {
  const allowed = method === 'PATCH' ? patchType : jsonType
  if (allowed.test(contentType)) return
  throw new Fault('unsupported_media_type', 'The Content-Type must be application/json')
}

export interface JsonBounds {
  readonly keysMax: number
}

/**
 * The value of a JSON body; an empty one is an empty object. Throws malformed_json for what is no
 * JSON, no UTF-8, too deep, or has a key twice or one that could reach a prototype.
 */
export function parseJsonBody(body: Buffer, { keysMax }: JsonBounds): unknown {
  if (body.length === 0) return {}
  if (!isUtf8(body)) throw malformed('The body is not UTF-8')
  const text = body.toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON')
  }
  const keys = countKeys(value, 0, keysMax)
  // Each key has one colon outside of strings: fewer keys than colons means that one came twice.
  if (keys !== countColons(text)) throw malformed('A key occurs twice in one object')
  return value
}

/** A field of a parsed body; undefined if that is no object, or has no such field of its own. */
export function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined
  return Reflect.get(body, name)
}

function malformed(detail: string): Fault {
  return new Fault('malformed_json', detail)
}

function countKeys(value: unknown, depth: number, keysMax: number): number {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw malformed('A string contains half of a surrogate pair')
    return 0
  }
  if (typeof value !== 'object' || value === null) return 0
  if (depth >= limits.jsonDepthMax) {
    throw malformed(`The body is nested deeper than ${limits.jsonDepthMax}`)
  }
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item, depth + 1, keysMax - count)
    return count
  }
  for (const [key, field] of Object.entries(value)) {
    if (forbiddenKeys.has(key)) throw malformed(`The key ${key} is not allowed`)
    if (!key.isWellFormed()) throw malformed('A key contains half of a surrogate pair')
    count += 1 + countKeys(field, depth + 1, keysMax - count)
    if (count > keysMax) throw malformed('The body has too many keys')
  }
  return count
}

const quote = 34
const backslash = 92
const colon = 58

// The text is valid JSON already, so a string ends at its first quote without a backslash.
function countColons(text: string): number {
  let count = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) inString = !inString
    else if (inString && code === backslash) at += 1
    else if (!inString && code === colon) count += 1
  }
  return count
}
