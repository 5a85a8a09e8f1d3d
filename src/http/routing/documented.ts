// Adds keywords to the documentation of a schema that validation does not use, for rules between
// fields that the domain checks with its own messages.
import type { TSchema } from 'typebox'

export type JsonSchema = Readonly<Record<string, unknown>>

export const documentedKey = 'x-documented'

/**
 * Attaches keywords to a schema for the documentation of requests: they replace keywords of the same
 * name, and earlier ones.
 */
export function documented<Schema extends TSchema>(schema: Schema, keywords: JsonSchema): Schema {
  return { ...schema, [documentedKey]: keywords }
}

export const componentKey = 'x-component'

/** Has the document define the schema once, under this name, and refer to it elsewhere. */
export function component<Schema extends object>(name: string, schema: Schema): Schema {
  return { ...schema, [componentKey]: name }
}

/** Where a schema that is defined once is found. */
export function componentRef(name: string): string {
  return `#/components/schemas/${name}`
}

/** Exactly one of two fields. */
export function eitherOf(one: string, other: string): JsonSchema {
  return { oneOf: [{ required: [one] }, { required: [other] }] }
}
