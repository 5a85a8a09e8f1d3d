// Schemas that the document defines once and refers to by name.
import { assert } from '../../base/assert.ts'
import { componentKey, componentRef } from '../routing/documented.ts'

export interface Referring {
  /** The document with references in the place of named schemas. */
  readonly node: unknown
  /** By name. */
  readonly schemas: Readonly<Record<string, unknown>>
}

/** Moves every schema that has a name out of the document. */
export function withComponents(document: unknown): Referring {
  const schemas: Record<string, unknown> = {}

  function moved(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(moved)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).filter(([key]) => key !== componentKey)
    const copy = Object.fromEntries(entries.map(([key, value]) => [key, moved(value)]))
    const name = (node as Readonly<Record<string, unknown>>)[componentKey]
    if (typeof name !== 'string') return copy
    const isSame = !(name in schemas) || JSON.stringify(schemas[name]) === JSON.stringify(copy)
    assert(isSame, `one schema is named ${name}`)
    schemas[name] = copy
    return { $ref: componentRef(name) }
  }

  return { node: moved(document), schemas }
}
