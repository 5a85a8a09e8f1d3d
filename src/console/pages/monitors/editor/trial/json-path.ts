// Assertions from an answer: the path of a value in a JSON document, and what to expect of it.
import { secretMask } from '../../../../base/secret-mask.ts'
import type { MonitorBody } from './monitor-body.ts'

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export type Assertion = NonNullable<MonitorBody['assertions']>[number]

/** Names that need no brackets (RFC 9535); of other letters than these, all may be in brackets. */
const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

const escapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  "'": "\\'",
  '\\': '\\\\',
}

function inQuotes(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be escaped
  const inside = name.replace(/[\0-\x1f'\\]/g, (one) => {
    return escapes[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `'${inside}'`
}

/** The JSONPath of a value: names of objects, indexes of lists, from the outside in. */
export function jsonPathOf(keys: readonly (string | number)[]): string {
  const steps = keys.map((key) => {
    if (typeof key === 'number') return `[${key}]`
    return plainName.test(key) ? `.${key}` : `[${inQuotes(key)}]`
  })
  return `$${steps.join('')}`
}

/** As much as the API takes for a value. */
const valueCharsMax = 1_000

/** Expects what is there now: a value as it is, a list by its length, an object to exist. */
export function assertionFor(keys: readonly (string | number)[], value: Json): Assertion {
  const at = { source: 'json', path: jsonPathOf(keys) } as const
  if (Array.isArray(value)) return { ...at, type: 'lengthEquals', value: String(value.length) }
  const text = String(value)
  const isComparable = typeof value !== 'object' || value === null
  if (!isComparable || text === '' || text.includes(secretMask) || text.length > valueCharsMax) {
    return { ...at, type: 'exists' }
  }
  return { ...at, type: 'equals', value: text }
}

export function headerAssertion(name: string, value: string): Assertion {
  const at = { source: 'header', path: name } as const
  const isComparable = value !== '' && !value.includes(secretMask) && value.length <= valueCharsMax
  return isComparable ? { ...at, type: 'equals', value } : { ...at, type: 'exists' }
}

/** Undefined if it is no JSON. Of a text that was cut, what is whole of it. */
export function jsonIn(text: string, isCut: boolean): Json | undefined {
  try {
    return JSON.parse(isCut ? closed(text) : text)
  } catch {
    return undefined
  }
}

/** Ends a cut document after its last whole value. */
function closed(text: string): string {
  const open: string[] = []
  let whole = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') {
      at += 1
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']')
      whole = text.slice(0, at + 1) + open.toReversed().join('')
    } else if (char === '}' || char === ']') {
      open.pop()
      whole = text.slice(0, at + 1) + open.toReversed().join('')
    } else if (char === ',') {
      whole = text.slice(0, at) + open.toReversed().join('')
    }
  }
  return whole
}
