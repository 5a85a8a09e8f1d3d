// What the description says of a schema beyond what the schema checks itself: rules between fields
// and the like, which the domain checks in words of its own.
import type { TSchema } from 'typebox'

export type JsonSchema = Readonly<Record<string, unknown>>

export const documentedKey = 'x-documented'

/**
 * The schema, which the description of a request tells with these keywords too: they replace those
 * of the same name, and what was documented of it before.
 */
export function documented<Schema extends TSchema>(schema: Schema, keywords: JsonSchema): Schema {
  return { ...schema, [documentedKey]: keywords }
}

/** One of two fields, and not both. */
export function eitherOf(one: string, other: string): JsonSchema {
  return { oneOf: [{ required: [one] }, { required: [other] }] }
}
