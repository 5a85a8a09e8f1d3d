// A schema of the API's request bodies, as far as forms read it.

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly $ref?: string
  /** The rule in words, where the keywords do not say it well. */
  readonly 'x-rule'?: string
  /** The kinds of checks that a field of a monitor applies to; absent: all. */
  readonly 'x-kinds'?: readonly string[]
  /** How a value begins that a form proposes; random letters and digits follow. */
  readonly 'x-proposed'?: string
  /** What it holds must not be kept where others may find it. */
  readonly 'x-secret'?: boolean
}

/** Whether a field of a monitor applies to a kind of check. */
export function appliesTo(schema: JsonSchema | undefined, field: string, kind: string): boolean {
  return schema?.properties?.[field]?.['x-kinds']?.includes(kind) ?? true
}

/** A text about a kind of check; undefined for a kind that nobody wrote one for yet. */
export function textOfKind(
  texts: Readonly<Record<string, string>>,
  kind: string,
): string | undefined {
  return texts[kind]
}

/** The schema of a field; undefined where alternatives differ. */
export function schemaAt(schema: JsonSchema, pointer: string): JsonSchema | undefined {
  let node: JsonSchema | undefined = schema
  for (const part of pointer.split('/').slice(1)) {
    node = /^\d+$/.test(part) && node?.items ? node.items : node?.properties?.[part]
    // Most optional fields are "this or null".
    const real: JsonSchema | undefined = node?.anyOf?.find(({ type }) => type !== 'null')
    if (real && node) node = { ...real, ...described(node) }
  }
  return node
}

const described = ({ description, default: usual, 'x-rule': rule }: JsonSchema) => ({
  ...(description === undefined ? {} : { description }),
  ...(usual === undefined ? {} : { default: usual }),
  ...(rule === undefined ? {} : { 'x-rule': rule }),
})
