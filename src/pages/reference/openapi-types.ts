// The parts of an OpenAPI document that the reference shows.

export interface OpenApiSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: OpenApiSchema
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly patternProperties?: Readonly<Record<string, OpenApiSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly OpenApiSchema[]
  readonly oneOf?: readonly OpenApiSchema[]
  readonly discriminator?: { readonly propertyName: string }
  readonly examples?: readonly unknown[]
  readonly $ref?: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly schema: OpenApiSchema
}

export interface OpenApiContent {
  readonly schema?: OpenApiSchema
  readonly example?: unknown
  readonly examples?: Readonly<
    Record<string, { readonly summary: string; readonly value: unknown }>
  >
}

export interface OpenApiAnswer {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, OpenApiContent>>
}

export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: {
    readonly description?: string
    readonly content: Readonly<Record<string, OpenApiContent>>
  }
  readonly responses: Readonly<Record<string, OpenApiAnswer>>
}

export interface OpenApi {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly 'x-program-version': string
  }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly responses: Readonly<Record<string, OpenApiAnswer>>
    readonly headers: Readonly<Record<string, { readonly description: string }>>
    readonly schemas?: Readonly<Record<string, OpenApiSchema>>
  }
}

/** An operation with its place. */
export interface Placed {
  /** Upper case. */
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

/** The schema with what it refers to in the place of each reference. */
export function resolved(
  schema: OpenApiSchema,
  { components: { schemas = {} } }: OpenApi,
): OpenApiSchema {
  const whole = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(whole)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as OpenApiSchema
    const meant = typeof $ref === 'string' ? schemas[$ref.split('/').at(-1) ?? ''] : undefined
    if (meant) return whole(meant)
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, whole(value)]))
  }
  // Its shape does not change.
  return whole(schema) as OpenApiSchema
}

/** Every operation, in the order of the document. */
export function operationsOf({ paths }: OpenApi): readonly Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}
