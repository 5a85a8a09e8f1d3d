// Schema helpers: the few shapes that records and requests are made of, over TypeBox.
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { type Id, type IdKind, idPattern } from '../ids.ts'

interface TextOptions {
  readonly charsMin?: number
  readonly charsMax: number
  readonly pattern?: string
  /** What the caller reads when the pattern does not match: "must be a lower-case label". */
  readonly rule?: string
  /** A format that TypeBox knows, such as 'email' or 'date'. */
  readonly format?: string
  readonly description?: string
  readonly example?: string
}

/** An object that refuses every field it does not name. */
export function object<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

/** A string of `charsMin` (0) to `charsMax` characters. */
export function text({ charsMin, charsMax, rule, example, ...rest }: TextOptions) {
  return Type.String({
    maxLength: charsMax,
    ...(charsMin === undefined ? {} : { minLength: charsMin }),
    ...(rule === undefined ? {} : { 'x-rule': rule }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...rest,
  })
}

export function integer(minimum: number, maximum: number) {
  return Type.Integer({ minimum, maximum })
}

/** Any text, any number, yes or no: for what leaves; what enters has bounds. */
export const anyText = Type.String()
export const anyNumber = Type.Number()
export const flag = Type.Boolean()
export const anything = Type.Unknown()

/** One of a few words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] })
}

/** The field may be missing. */
export function optional<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(schema)
}

/** The field may be left out by a caller and is then this value: a handler always finds it. */
export function preset<Schema extends TSchema>(schema: Schema, value: Static<Schema>) {
  return { ...schema, default: value } as Schema & { readonly default: Static<Schema> }
}

/** What the reference says of it. Whether it may be missing is said after that, not before. */
export function described<Schema extends TSchema>(
  schema: Schema,
  description: string,
  example?: unknown,
): Schema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) }
}

/**
 * The reference names this default. Unlike `preset` it is not put in: who applies it knows more,
 * such as that one field leaves no room for the default of another.
 */
export function usually<Schema extends TSchema>(schema: Schema, value: unknown): Schema {
  return { ...schema, [usualKey]: value }
}

export const usualKey = 'x-default'

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

export function listOf<Schema extends TSchema>(items: Schema, itemsMax: number) {
  return Type.Array(items, { maxItems: itemsMax })
}

/** A free map from names to values, such as request headers. */
export function mapOf<Schema extends TSchema>(value: Schema, entriesMax: number) {
  return Type.Record(Type.String(), value, { maxProperties: entriesMax })
}

/** The id of one kind of thing. */
export function idOf<Kind extends IdKind>(kind: Kind) {
  const rule = `must be the id of a ${kind}`
  return Type.Unsafe<Id<Kind>>({ type: 'string', pattern: idPattern(kind), 'x-rule': rule })
}

/** A point in time: ISO 8601, in answers always UTC with milliseconds. */
export const isoTime = Type.String({ format: 'date-time' })

/** A point in time as answers spell it. */
export function toIso(atMs: number): string {
  return new Date(atMs).toISOString()
}

/** The same for a point in time that need not have come. */
export function toIsoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs)
}

type MayClear<Schema> = Schema extends { '~optional': true } | { readonly default: unknown }
  ? null
  : never

/** A merge patch: everything may be left out, and null clears what need not be there. */
export type Patch<Properties extends TProperties> = {
  [Name in keyof Properties]?: Static<Properties[Name]> | MayClear<Properties[Name]>
}

interface Noted {
  readonly default?: unknown
  readonly [usualKey]?: unknown
  readonly description?: string
}

/** The merge patch (RFC 7396) of an object: no field required, no default put in, null clears. */
export function patchOf<Properties extends TProperties>(schema: TObject<Properties>) {
  const required = new Set(schema.required as readonly string[] | undefined)
  const properties: TProperties = {}
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const { default: value, [usualKey]: usual, ...noted } = property as TSchema & Noted
    const { description = '', ...plain } = noted
    const mayClear = value !== undefined || !required.has(name)
    const kept: TSchema = plain
    const back = (usual ?? null) === null ? '' : `Null: the default, \`${JSON.stringify(usual)}\`.`
    const words = [description, back].filter((one) => one !== '').join(' ')
    const schema = mayClear && !takesNull(kept) ? nullable(kept) : kept
    properties[name] = optional(words === '' ? schema : described(schema, words))
  }
  return Type.Unsafe<Patch<Properties>>(object(properties))
}

function takesNull({ anyOf = [] }: TSchema & { readonly anyOf?: readonly TSchema[] }): boolean {
  return anyOf.some((branch) => (branch as { readonly type?: string }).type === 'null')
}
