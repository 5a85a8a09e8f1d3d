// JSON values of strangers: reading, comparing with a value that a person typed, showing.

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

/** JSON.parse returns `any`; what it returns is JSON by definition. */
function parsed(value: unknown): Json {
  return value as Json
}

/** Whether the value occurs in it: as an item of a list, else in its text. */
export function containsValue(found: Json, value: string): boolean {
  if (Array.isArray(found)) return found.some((item) => equalsValue(item, value))
  return show(found).includes(value)
}

/** Whether it is the value: as a number where both are, as JSON where it is a list or an object. */
export function equalsValue(found: Json, value: string): boolean {
  if (typeof found === 'object' && found !== null) {
    const wanted = parseJson(value)
    return wanted !== undefined && sortedText(found) === sortedText(wanted)
  }
  const left = numberIn(found)
  const right = numberIn(value)
  if (left !== undefined && right !== undefined) return left === right
  return String(found) === value
}

/** Negative, zero or positive; NaN where the two cannot be ordered. */
export function compare(found: Json, value: string): number {
  const left = numberIn(found)
  const right = numberIn(value)
  if (left !== undefined && right !== undefined) return left - right
  if (typeof found !== 'string') return Number.NaN
  return found < value ? -1 : Number(found > value)
}

const numeral = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/

/** The number it is or spells. */
export function numberIn(value: Json): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && numeral.test(value) ? Number(value) : undefined
}

/** Type names are those of JSON, and `integer`. */
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

/** JSON with its keys in order, so that two equal objects have one text. */
function sortedText(value: Json): string {
  return attempt(() =>
    JSON.stringify(value, (_key, inner: Json) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ),
  )
}

/** As text: a string as it is, everything else as JSON. */
export function show(value: Json): string {
  return typeof value === 'string' ? value : attempt(() => JSON.stringify(value))
}

/** A document nested ten thousand deep parses, but exhausts the stack when written. */
function attempt(write: () => string): string {
  try {
    return write()
  } catch {
    return '(nested too deep to show)'
  }
}
