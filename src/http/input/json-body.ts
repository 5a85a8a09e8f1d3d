// Parses JSON bodies: checks type, encoding, shape and size before any schema does.
import { isUtf8 } from 'node:buffer'
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'

const jsonType = /^application\/json *(?:; *charset="?utf-8"? *)?$/i
const patchType = /^application\/(?:json|merge-patch\+json) *(?:; *charset="?utf-8"? *)?$/i
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Throws unsupported_media_type unless the Content-Type is JSON. */
export function needJsonType(method: string, contentType: string): void {
  const allowed = method === 'PATCH' ? patchType : jsonType
  if (allowed.test(contentType)) return
  throw new Fault('unsupported_media_type', 'The Content-Type must be application/json')
}

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
  const text = body.toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON')
  }
  const keys = countKeys(value, 0, keysMax)
  // Outside of strings, each key is followed by one colon. If the parsed value has fewer keys than
  // the text has colons, a key occurred twice.
  if (keys !== countColons(text)) throw malformed('A key occurs twice in one object')
  return value
}

/** A field of a parsed body; undefined if it is not an object or has no own field of this name. */
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

// The text was parsed before, so it is valid JSON, and the next unescaped quote ends a string.
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
