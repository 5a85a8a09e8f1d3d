// The most expensive values that the OpenAPI document lets a caller send: the longest lists, the deepest
// nesting, and for each kind of text what is hard on whatever reads it.

// The document is JSON of many shapes.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Json = any

const year = 31_557_600_000
const far = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Runs once in forty years, never, or at every minute. */
const crons = [
  '59 23 8-31 1-12 +1#1,2#1,3#1,4#1,5#1,6#1,0#1',
  '0 0 29 2 1#5',
  '0 0 31 2 *',
  '59 23 31 1-12 0#5,1#5',
  `${Array.from({ length: 60 }, (_, minute) => minute).join(',')} * * * *`,
]

const patterns = ['(a|a?)+$', '(.*a){20}', '(?:a{1,50}){1,50}', '[a-z]*[a-z]*[a-z]*[a-z]*b$']
const jsonPaths = ['$..*..*..*..*', '$..[?@..[?@..*]]', '$[?search(@.a, "(a|a?)+b")]']
const selectors = [
  '* * * * * * * * * *',
  ':not(:has(* * *)) * ~ * ~ *',
  '*:nth-child(2n+1 of * > *)',
]

/** Texts that fill so many characters, by what they are hard on. */
function texts(chars: number): string[] {
  const filled = (part: string) => part.repeat(Math.ceil(chars / part.length)).slice(0, chars)
  return [
    filled('a'),
    filled('**a _'),
    filled('[](<'),
    filled('> * '),
    filled('|a'),
    filled('e\u0301'),
    filled('{{a}}&lt;\\'),
  ]
}

const byName: Readonly<Record<string, readonly string[]>> = {
  cron: crons,
  schedule: crons,
  timezone: ['Antarctica/Troll', 'Africa/Monrovia', 'America/Argentina/ComodRivadavia'],
  path: [...jsonPaths, ...selectors],
  value: patterns,
  keyword: patterns,
}

const isTime = (name: string) => /^(at|since|until|from|to|month|before|after)$|At$/.test(name)
const times = [
  '1970-01-01T00:00:00.000Z',
  far(-100 * year),
  far(13 * year),
  far(100 * year),
  '9999-12-31T23:59:59.999Z',
]

export interface ExpensiveBody {
  readonly field: string
  readonly body: object
}

/** `sizeMax`: of a list, in bytes; making and sending what is very large takes long. */
export function createExpensive(document: Json, sizeMax: number) {
  function resolved(schema: Json): Json {
    if (typeof schema?.$ref !== 'string') return schema
    const at = schema.$ref
      .slice(2)
      .split('/')
      .reduce((one: Json, part: string) => one[part], document)
    return resolved(at)
  }

  function ofText(name: string, schema: Json): readonly unknown[] {
    if (schema.enum) return schema.enum
    const { maxLength = 10_000 } = schema
    const known = byName[name] ?? (isTime(name) || schema.format === 'date-time' ? times : [])
    const fits = schema.pattern ? new RegExp(schema.pattern, 'u') : undefined
    const isLegal = (one: string) => one.length <= maxLength && (fits?.test(one) ?? true)
    const legal = [...known, ...texts(maxLength)].filter(isLegal)
    return legal.length > 0 ? legal : known
  }

  /** The values of one schema; the first is the most expensive as far as one can tell. */
  function valuesOf(name: string, given: Json, depth: number): readonly unknown[] {
    const schema = resolved(given)
    if (schema === undefined || depth > 6) return []
    if (schema.const !== undefined) return [schema.const]
    for (const choices of [schema.anyOf, schema.oneOf]) {
      if (choices) return choices.flatMap((one: Json) => valuesOf(name, one, depth + 1))
    }
    switch (schema.type) {
      case 'string':
        return ofText(name, schema)
      case 'integer':
      case 'number':
        return schema.enum ?? [schema.maximum ?? 1e9, schema.minimum ?? 0]
      case 'boolean':
        return [true, false]
      case 'array':
        return listsOf(name, schema, depth)
      case 'object':
        return mapsOf(schema, depth)
      default:
        return []
    }
  }

  function listsOf(name: string, { items, maxItems = 1_000, uniqueItems }: Json, depth: number) {
    const values = valuesOf(name, items, depth + 1)
    if (values.length === 0) return []
    // Lists of each value, and of all of them in turns; no longer than any body may be.
    return [...values.map((value) => [value]), values].map((turn) => {
      const bytes = Buffer.byteLength(JSON.stringify(turn)) / turn.length
      const length = Math.ceil(Math.min(maxItems, sizeMax / bytes))
      const list = Array.from({ length }, (_, at) => turn[at % turn.length])
      return uniqueItems === true ? [...new Set(list.map(numbered))] : list
    })
  }

  function mapsOf(schema: Json, depth: number): unknown[] {
    const fields = Object.entries<Json>(schema.properties ?? {})
    const [[, free] = []] = Object.entries<Json>(schema.patternProperties ?? {})
    if (fields.length === 0) {
      const [value] = free ? valuesOf('', free, depth + 1) : ['x'.repeat(100)]
      const length = Math.min(schema.maxProperties ?? 100, 2_000)
      return [Object.fromEntries(Array.from({ length }, (_, at) => [`field-${at}`, value]))]
    }
    const full = Object.fromEntries(
      fields.map(([name, one]) => [name, valuesOf(name, one, depth + 1)[0]]),
    )
    const kinds = resolved(schema.properties.type ?? schema.properties.source)?.enum ?? []
    const key = schema.properties.type ? 'type' : 'source'
    return [full, ...kinds.map((kind: string) => ({ ...full, [key]: kind }))]
  }

  return {
    resolved,

    /** One field at its worst beside those of a body that is accepted; then all of them at once. */
    bodies(schema: Json, base: object, bytesMax: number): readonly ExpensiveBody[] {
      const fields = Object.entries<Json>(resolved(schema).properties ?? {})
      const worst = new Map(fields.map(([name, field]) => [name, valuesOf(name, field, 0)]))
      const one = [...worst].flatMap(([field, values]) =>
        values.map((value) => ({ field, body: { ...base, [field]: value } })),
      )
      // What is accepted once is accepted often.
      for (const [field, value] of Object.entries(base)) {
        const [item] = Array.isArray(value) ? value : []
        if (typeof item !== 'object' || item === null) continue
        const { maxItems = 1_000 } = resolved(resolved(schema).properties[field] ?? {})
        const list = Array.from({ length: maxItems }, (_, at) => ({ ...item, name: `No. ${at}` }))
        one.push({ field: `many ${field}`, body: { ...base, [field]: list } })
      }
      const all = Object.fromEntries([...worst].map(([field, [value]]) => [field, value]))
      return [...one, { field: 'all fields', body: { ...all, ...base } }].map(
        ({ field, body }) => ({ field, body: fitted(body, bytesMax) }),
      )
    },

    /** JSON that fits no schema and takes long to read: as the whole body, and in its first field. */
    texts(schema: Json, bytesMax: number): readonly string[] {
      const [field = 'field'] = Object.keys(resolved(schema).properties ?? {})
      const parts = ['0,', '[],', '{},', '"",', '{"a":{"a":[0]}},', '"\\u0061",', '1e-9,']
      const lists = parts.map((part) => `[${part.repeat(bytesMax / part.length - 4).slice(0, -1)}]`)
      const inField = (value: string) => `{"${field}":${value.slice(0, bytesMax - 100)}`
      const nested = '['.repeat(bytesMax / 2) + ']'.repeat(bytesMax / 2 - 1)
      return [...lists, nested, ...lists.map((list) => `${inField(list.slice(0, -200))}"]}`)]
    },

    values: (name: string, schema: Json) => valuesOf(name, schema, 0),
  }
}

const numbered = (value: unknown, at: number) =>
  typeof value === 'string' ? `${at}-${value}`.slice(0, value.length) : value

/** Its lists and texts halved until it fits. */
function fitted<Value>(value: Value, bytesMax: number): Value {
  let fitting = value
  for (let tries = 0; tries < 20; tries += 1) {
    if (Buffer.byteLength(JSON.stringify(fitting)) <= bytesMax) return fitting
    fitting = halved(fitting) as Value
  }
  return fitting
}

function halved(value: unknown): unknown {
  if (typeof value === 'string' && value.length > 2_000) return value.slice(0, value.length / 2)
  if (Array.isArray(value)) {
    const half = value.length > 1 ? value.slice(0, Math.ceil(value.length / 2)) : value
    return half.map(halved)
  }
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  return Object.fromEntries(fields.map(([name, one]) => [name, halved(one)]))
}
