// What a client of one OpenAPI document would notice in a later one: docs/api-stability.md says which
// changes break a client, and which do not.

interface ApiSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly items?: ApiSchema
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly patternProperties?: Readonly<Record<string, ApiSchema>>
  readonly additionalProperties?: ApiSchema | boolean
  readonly required?: readonly string[]
  readonly anyOf?: readonly ApiSchema[]
  readonly oneOf?: readonly ApiSchema[]
  readonly $ref?: string
  readonly [keyword: string]: unknown
}

type Content = Readonly<Record<string, { readonly schema?: ApiSchema }>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: ApiSchema
}

interface Operation {
  readonly operationId: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly content?: Content; readonly headers?: object }>
  >
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, ApiSchema>>
    /** Refusals, which all operations name. */
    readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
  }
}

/** Each change between two documents that breaks a client of the former one, with its place. */
export function apiBreaks(before: ApiDocument, after: ApiDocument): string[] {
  const answered = createComparison({ before, after }, 'answered')
  const refusals = Object.entries(before.components.responses ?? {}).flatMap(([name, refusal]) => {
    const now = after.components.responses?.[name]
    return now ? contentBreaks(refusal.content, now.content, name, answered) : []
  })
  const operations = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const place = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method]
      if (!now) return [`${place}: is gone`]
      return operationBreaks(operation, now, { before, after }).map((text) => `${place}${text}`)
    }),
  )
  return [...refusals, ...operations]
}

interface Documents {
  readonly before: ApiDocument
  readonly after: ApiDocument
}

function operationBreaks(before: Operation, after: Operation, documents: Documents): string[] {
  const found: string[] = []
  if (before.operationId !== after.operationId) found.push(`: is called ${after.operationId} now`)
  for (const way of before.security ?? []) {
    const names = Object.keys(way).join(' ')
    const isKept = after.security?.some((one) => Object.keys(one).join(' ') === names)
    if (!isKept) found.push(`: can no longer be called with ${names}`)
  }
  found.push(...parameterBreaks(before.parameters ?? [], after.parameters ?? [], documents))
  if (after.requestBody?.required && !before.requestBody?.required)
    found.push(' body: is required now')
  const sent = createComparison(documents, 'sent')
  const answered = createComparison(documents, 'answered')
  found.push(
    ...contentBreaks(before.requestBody?.content, after.requestBody?.content, ' body', sent),
  )
  for (const [status, { content, headers = {} }] of Object.entries(before.responses)) {
    // A refusal may go, and come with another status: clients know what they cannot do by `code`.
    if (Number(status) >= 400) continue
    const now = after.responses[status]
    if (!now) {
      found.push(` ${status}: is gone`)
      continue
    }
    for (const name of Object.keys(headers)) {
      if (!Object.hasOwn(now.headers ?? {}, name)) found.push(` ${status} header ${name}: is gone`)
    }
    found.push(...contentBreaks(content, now.content, ` ${status}`, answered))
  }
  return found
}

function parameterBreaks(
  before: readonly Parameter[],
  after: readonly Parameter[],
  documents: Documents,
): string[] {
  const schemaBreaks = createComparison(documents, 'sent')
  const same = (one: Parameter) => (other: Parameter) =>
    one.name === other.name && one.in === other.in
  const lost = before.flatMap((one) => {
    const place = ` ${one.in} ${one.name}`
    const now = after.find(same(one))
    if (!now) return [`${place}: is gone`]
    const isNew = now.required && !one.required
    return [
      ...(isNew ? [`${place}: is required now`] : []),
      ...schemaBreaks(one.schema, now.schema, place),
    ]
  })
  const added = after.filter((one) => one.required && !before.some(same(one)))
  return [...lost, ...added.map((one) => ` ${one.in} ${one.name}: is required now`)]
}

function contentBreaks(
  before: Content | undefined,
  after: Content | undefined,
  place: string,
  schemaBreaks: ReturnType<typeof createComparison>,
): string[] {
  return Object.entries(before ?? {}).flatMap(([type, { schema }]) => {
    const now = after?.[type]
    if (!now) return [`${place} ${type}: is gone`]
    return schema && now.schema ? schemaBreaks(schema, now.schema, place) : []
  })
}

/** Bounds of what is sent, with whether a greater number allows less. */
const bounds: readonly (readonly [keyword: string, isLeast: boolean])[] = [
  ['minimum', true],
  ['minLength', true],
  ['minItems', true],
  ['minProperties', true],
  ['maximum', false],
  ['maxLength', false],
  ['maxItems', false],
  ['maxProperties', false],
]

/** Rules of what is sent that can only be compared as a whole. */
const rules = ['pattern', 'format', 'uniqueItems', 'not', 'propertyNames', 'allOf']

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** `sent`: all that was accepted still is. `answered`: all that was read is still there. */
function createComparison({ before, after }: Documents, way: 'sent' | 'answered') {
  const open = new Set<string>()

  const resolved = (document: ApiDocument, schema: ApiSchema): ApiSchema => {
    const named = document.components.schemas[schema.$ref?.replace(/^.*\//, '') ?? '']
    return named ? resolved(document, named) : schema
  }

  /** What a value may be. Beside fields, alternatives only say which of them belong together. */
  const formsOf = (document: ApiDocument, schema: ApiSchema): ApiSchema[] => {
    const found = resolved(document, schema)
    const alternatives = found.properties ? undefined : (found.anyOf ?? found.oneOf)
    if (!alternatives) return [found]
    const { anyOf: _, oneOf: __, ...shared } = found
    return alternatives.flatMap((one) =>
      formsOf(document, { ...shared, ...resolved(document, one) }),
    )
  }

  function compare(beforeAny: ApiSchema, afterAny: ApiSchema, place: string): string[] {
    const key = `${beforeAny.$ref} ${afterAny.$ref}`
    const isNamed = beforeAny.$ref !== undefined && afterAny.$ref !== undefined
    if (isNamed && open.has(key)) return []
    if (isNamed) open.add(key)
    const formsBefore = formsOf(before, beforeAny)
    const formsAfter = formsOf(after, afterAny)
    const found = formPairs(formsBefore, formsAfter, place)
    if (way === 'answered') {
      const known = new Set(formsBefore.flatMap(typesOf))
      const added = [...new Set(formsAfter.flatMap(typesOf))].filter((type) => !known.has(type))
      if (known.size > 0) found.push(...added.map((type) => `${place}: may be ${type} now`))
    }
    if (isNamed) open.delete(key)
    return [...new Set(found)]
  }

  /** Forms that stayed are paired first; of the others, those that differ least. */
  function formPairs(
    formsBefore: readonly ApiSchema[],
    formsAfter: readonly ApiSchema[],
    place: string,
  ) {
    const twin = (form: ApiSchema, among: readonly ApiSchema[]) =>
      among.find((other) => isSame(form, other))
    const others = formsAfter.filter((form) => !twin(form, formsBefore))
    const candidates = others.length > 0 ? others : formsAfter
    return formsBefore.flatMap((form) => {
      const same = twin(form, formsAfter)
      // What they name may have changed.
      const each = (same ? [same] : candidates).map((now) => formBreaks(form, now, place))
      return each.sort((a, b) => a.length - b.length)[0] ?? []
    })
  }

  function formBreaks(was: ApiSchema, now: ApiSchema, place: string): string[] {
    const types = typesOf(now)
    const lost = typesOf(was).filter((type) => types.length > 0 && !types.includes(type))
    if (lost.length > 0) return [`${place}: is no longer ${lost.join(' or ')}`]
    return [
      ...valueBreaks(was, now, place),
      ...(way === 'sent' ? ruleBreaks(was, now, place) : []),
      ...fieldBreaks(was, now, place),
      ...(was.items && now.items ? compare(was.items, now.items, `${place}/*`) : []),
      ...othersBreaks(was, now, place),
      ...groupBreaks(was, now, place),
    ]
  }

  /** Answers may have values that are new, as long as those that were known still occur. */
  function valueBreaks(was: ApiSchema, now: ApiSchema, place: string): string[] {
    const known = valuesOf(was)
    const values = valuesOf(now)
    if (!values) return []
    if (!known) return way === 'sent' ? [`${place}: has only some values now`] : []
    const lost = known.filter((one) => !values.some((value) => isSame(one, value)))
    const isLost = way === 'sent' ? lost.length > 0 : lost.length === known.length
    return isLost
      ? [`${place}: is no longer ${lost.map((one) => JSON.stringify(one)).join(', ')}`]
      : []
  }

  function ruleBreaks(was: ApiSchema, now: ApiSchema, place: string): string[] {
    const found: string[] = []
    for (const [keyword, isLeast] of bounds) {
      const limit = now[keyword]
      if (typeof limit !== 'number') continue
      const former = was[keyword] ?? (isLeast ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
      if (isLeast ? limit > Number(former) : limit < Number(former)) {
        found.push(`${place}: ${keyword} is ${limit} now`)
      }
    }
    for (const keyword of rules) {
      if (now[keyword] !== undefined && !isSame(was[keyword], now[keyword])) {
        found.push(`${place}: has another ${keyword}`)
      }
    }
    if (!isSame(was.default, now.default)) found.push(`${place}: has another default`)
    return found
  }

  function fieldBreaks(was: ApiSchema, now: ApiSchema, place: string): string[] {
    const fields = Object.entries(was.properties ?? {}).flatMap(([name, field]) => {
      const later = now.properties?.[name]
      if (!later) return [`${place}/${name}: is gone`]
      return compare(field, later, `${place}/${name}`)
    })
    const [one, other] = way === 'sent' ? [now, was] : [was, now]
    const words = way === 'sent' ? 'is required now' : 'may be absent now'
    const changed = (one.required ?? []).filter((name) => !other.required?.includes(name))
    const isKept = (name: string) => way === 'sent' || now.properties?.[name] !== undefined
    return [...fields, ...changed.filter(isKept).map((name) => `${place}/${name}: ${words}`)]
  }

  /** Alternatives beside fields: which of them belong together. */
  function groupBreaks(was: ApiSchema, now: ApiSchema, place: string): string[] {
    const groups = ({ anyOf, oneOf }: ApiSchema) => anyOf ?? oneOf ?? []
    const [former, later] = [groups(was), groups(now)]
    if (later.length === 0) return []
    if (former.length === 0)
      return way === 'sent' ? [`${place}: only some fields together now`] : []
    const each = (document: ApiDocument, all: readonly ApiSchema[]) =>
      all.map((one) => resolved(document, one))
    return formPairs(each(before, former), each(after, later), place)
  }

  /** Fields of any name. */
  function othersBreaks(was: ApiSchema, now: ApiSchema, place: string): string[] {
    const isClosed = now.additionalProperties === false && was.additionalProperties !== false
    if (way === 'sent' && isClosed && was.type === 'object') return [`${place}: is closed now`]
    const [named] = Object.values(was.patternProperties ?? {})
    const [namedNow] = Object.values(now.patternProperties ?? {})
    return named && namedNow ? compare(named, namedNow, `${place}/*`) : []
  }

  return compare
}

function typesOf({ type, const: only, enum: all }: ApiSchema): string[] {
  if (type !== undefined) {
    // Every integer is a number.
    return [type].flat().flatMap((name) => (name === 'number' ? ['number', 'integer'] : [name]))
  }
  const values = only === undefined ? (all ?? []) : [only]
  return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
}

const valuesOf = ({ const: only, enum: all }: ApiSchema) => (only === undefined ? all : [only])
