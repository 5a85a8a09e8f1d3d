// Schema helpers over TypeBox: the few shapes that records and requests consist of.
import Type, {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from 'typebox'
import { type Id, type IdKind, idPattern, kindTitles } from '../ids.ts'

interface TextOptions {
  readonly charsMin?: number
  readonly charsMax: number
  readonly pattern?: string
  /** What the caller reads if the pattern does not match: "must be a lower-case label". */
  readonly rule?: string
  /** A format that TypeBox knows, such as 'email' or 'date'. */
  readonly format?: string
  readonly description?: string
  readonly example?: string
  /** How a value begins that forms propose; random letters and digits follow. */
  readonly proposed?: string
}

/** An object that refuses unknown fields. */
export function object<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

/** An object that another program sends, which may be newer: unknown fields are ignored. */
export function openObject<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties)
}

/** The schema of a stored object that has a `revision`, which need not be shown. */
export interface Revised {
  readonly '~revised': true
}

/** An object of an answer, stored with a `revision`: the answer has an ETag. */
export function revised<Properties extends TProperties>(properties: Properties) {
  const schema = object(properties)
  return Object.defineProperty(schema, '~revised', { value: true }) as typeof schema & Revised
}

/** Whether an answer with this schema has an ETag. */
export function isRevised(schema: InputSchema): boolean {
  return '~revised' in schema || (schema.anyOf ?? []).some(isRevised)
}

/** A string of `charsMin` (0) to `charsMax` characters. */
export function text({ charsMin, charsMax, rule, example, proposed, ...rest }: TextOptions) {
  return Type.String({
    maxLength: charsMax,
    ...(charsMin === undefined ? {} : { minLength: charsMin }),
    ...(rule === undefined ? {} : { 'x-rule': rule }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(proposed === undefined ? {} : { 'x-proposed': proposed }),
    ...rest,
  })
}

/** A number in a closed range, which may have a fraction. */
export function fraction(minimum: number, maximum: number) {
  return Type.Number({ minimum, maximum })
}

export function integer(minimum: number, maximum: number) {
  return Type.Integer({ minimum, maximum })
}

/** Any text, number or boolean, for output; input has bounds. */
export const anyText = Type.String()
export const anyNumber = Type.Number()
export const flag = Type.Boolean()
export const anything = Type.Unknown()

/** One of a few words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return asType<Words[number]>({ type: 'string', enum: [...words] })
}

/**
 * The field may be missing. TypeBox marks a schema in the same way, but copies it property by property:
 * ten times slower, for half of all schemas that a start makes.
 */
export function optional<Schema extends TSchema>(
  schema: Schema,
  description?: string,
): TOptional<Schema> {
  return marked<Schema>(description === undefined ? { ...schema } : described(schema, description))
}

/** The field may be missing, or null; the description says what that means. */
export function optionalOrNull<Schema extends TSchema>(schema: Schema, description?: string) {
  return optional(nullable(schema, description))
}

function marked<Schema extends TSchema>(copy: Schema): TOptional<Schema> {
  return Object.defineProperty(copy, '~optional', { value: true }) as TOptional<Schema>
}

/** The schema as one of values of a type, which TypeScript cannot derive from it. */
export function asType<Value>(schema: object): TUnsafe<Value> {
  return schema as TUnsafe<Value>
}

/** The caller may omit the field; the handler then receives this value. */
export function preset<Schema extends TSchema>(
  schema: Schema,
  value: Static<Schema>,
  description?: string,
) {
  const said = description === undefined ? schema : described(schema, description)
  return { ...said, default: value } as Schema & { readonly default: Static<Schema> }
}

/**
 * Adds a description for the reference, where the maker takes none. Apply it before `optional`, which
 * must come last.
 */
export function described<Schema extends TSchema>(
  schema: Schema,
  description: string,
  example?: unknown,
): Schema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) }
}

/**
 * Names a default in the reference. Unlike `preset` it does not fill it in: the code that applies
 * it knows more, for example that one field leaves no room for the default of another.
 */
export function usually<Schema extends TSchema>(schema: Schema, value: unknown): Schema {
  return { ...schema, [usualKey]: value }
}

export const usualKey = 'x-default'

/** Also null. The description says what null means. */
export function nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  const either = Type.Union([schema, Type.Null()])
  return description === undefined ? either : described(either, description)
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
  const article = /^[aeio]/.test(kind) ? 'an' : 'a'
  const rule = `must be the id of ${article} ${kind}`
  return asType<Id<Kind>>({ type: 'string', pattern: idPattern(kind), 'x-rule': rule })
}

/** The id of one of several kinds of things. */
export function idOfAny<Kind extends IdKind>(kinds: readonly Kind[]) {
  const titles = kinds.map((kind) => kindTitles[kind]).join(', ')
  const pattern = kinds.map(idPattern).join('|')
  const rule = `must be the id of one of these: ${titles}`
  return asType<Id<Kind>>({ type: 'string', pattern, 'x-rule': rule })
}

/** The id of an item of a document that is imported; the item gets a new one. */
export function idInDocument<Kind extends IdKind>(kind: Kind) {
  const words = 'Other items of the document refer to it; what is created has an id of its own.'
  return described(idOf(kind), words)
}

/** A point in time: ISO 8601; responses always use UTC with milliseconds. */
export const isoTime = Type.String({ format: 'date-time' })

/** The last fields of an answer that shows its revision. */
export const revisionFields = {
  createdAt: isoTime,
  updatedAt: isoTime,
  revision: described(anyNumber, 'Counts the changes; the ETag follows from it.'),
}

/** Formats a point in time as responses do; `toISOString` is several times slower. */
export function toIso(atMs: number): string {
  const ms = Math.trunc(atMs)
  const day = Math.floor(ms / dayMs)
  // Most times in a response are on the same few days.
  const knownDay = knownDays[day & (knownDays.length - 1)] ?? { number: Number.NaN, date: '' }
  if (day !== knownDay.number) {
    knownDay.date = new Date(day * dayMs).toISOString().slice(0, -timeChars)
    knownDay.number = day
  }
  const inDay = ms - day * dayMs
  const minutes = Math.floor(inDay / 60_000)
  const hours = Math.floor(minutes / 60)
  const seconds = Math.floor(inDay / 1_000) - minutes * 60
  const millis = String(inDay % 1_000).padStart(3, '0')
  const time = `${twoDigits[hours]}:${twoDigits[minutes - hours * 60]}:${twoDigits[seconds]}`
  return `${knownDay.date}${time}.${millis}Z`
}

const dayMs = 86_400_000
const timeChars = '00:00:00.000Z'.length
/** The number of days is a power of two. */
const knownDays = Array.from({ length: 8 }, () => ({ number: Number.NaN, date: '' }))
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** The same for a point in time that may be null. */
export function toIsoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs)
}

type MayClear<Schema> = Schema extends { '~optional': true } | { readonly default: unknown }
  ? null
  : never

/** A merge patch: every field is optional, and null clears fields that are not required. */
export type Patch<Properties extends TProperties> = {
  [Name in keyof Properties]?: Static<Properties[Name]> | MayClear<Properties[Name]>
}

interface SchemaNotes {
  readonly default?: unknown
  readonly [usualKey]?: unknown
  readonly description?: string
}

/** The merge patch (RFC 7396) of an object: nothing is required or filled in, null clears. */
export function patchOf<Properties extends TProperties>(schema: TObject<Properties>) {
  return asType<Patch<Properties>>(object(patchFields(schema)))
}

/** The fields of the merge patch of an object, for a body that has others too. */
export function patchFields(schema: TObject): TProperties {
  const required = new Set(schema.required as readonly string[] | undefined)
  const properties: TProperties = {}
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const { default: value, [usualKey]: usual, ...noted } = property as TSchema & SchemaNotes
    const { description = '', ...plain } = noted
    const mayClear = value !== undefined || !required.has(name)
    const kept: TSchema = plain
    const back = (usual ?? null) === null ? '' : `Null: the default, \`${JSON.stringify(usual)}\`.`
    const words = [description, back].filter((one) => one !== '').join(' ')
    const schema = mayClear && !takesNull(kept) ? nullable(kept) : kept
    properties[name] = optional(words === '' ? schema : described(schema, words))
  }
  return properties
}

/** The keywords that a schema may have besides its shape. */
interface InputSchema extends TSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly maxLength?: number
  readonly items?: TSchema
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly properties?: TProperties
  readonly patternProperties?: TProperties
  readonly anyOf?: readonly TSchema[]
}

/**
 * The schema in answers of what callers send by another one: its shape, without bounds and words. What
 * is stored may be older than a bound. `''` and null mean "not given", and only null is answered.
 */
export function shownAs(schema: TSchema): TSchema {
  const { type, enum: words, items, maxItems = 0, properties, ...more }: InputSchema = schema
  if (more.anyOf) return nullable(shownAs(withoutNull(schema)))
  if (words) return oneOf(words.filter((word) => word !== ''))
  if (items) return listOf(shownAs(items), maxItems)
  if (properties) {
    const shown = Object.entries(properties).map(([name, one]) => [name, shownAs(one)])
    return object(Object.fromEntries(shown))
  }
  const [ofMap] = Object.values(more.patternProperties ?? {})
  if (ofMap) return mapOf(shownAs(ofMap), more.maxProperties ?? 0)
  if (type === 'boolean') return flag
  if (type === 'string') return more.maxLength === undefined ? schema : anyText
  return anyNumber
}

/** The same schema, without its alternative null. */
export function withoutNull(schema: TSchema): TSchema {
  const { anyOf: [meant] = [] }: InputSchema = schema
  return meant ?? schema
}

function takesNull({ anyOf = [] }: TSchema & { readonly anyOf?: readonly TSchema[] }): boolean {
  return anyOf.some((branch) => (branch as { readonly type?: string }).type === 'null')
}
