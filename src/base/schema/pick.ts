// Copies only the parts of a value that a schema names, so that nothing else leaves the service.
import type { TSchema } from 'typebox'

export type Pick = (value: unknown) => unknown

interface PickedShape {
  readonly type?: string
  readonly properties?: Record<string, TSchema>
  readonly patternProperties?: Record<string, TSchema>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
}

/** Creates the picker of a schema. A schema without a shape passes its value unchanged. */
export function createPick(schema: TSchema): Pick {
  const shape = schema as PickedShape
  if (shape.properties) return pickFields(shape.properties)
  const [valueSchema] = Object.values(shape.patternProperties ?? {})
  if (valueSchema) return pickValues(valueSchema)
  if (shape.items) {
    const pick = createPick(shape.items)
    return (value) => (Array.isArray(value) ? value.map((item) => pick(item)) : value)
  }
  return shape.anyOf ? pickBranch(shape.anyOf) : same
}

const same: Pick = (value) => value

function pickFields(properties: Record<string, TSchema>): Pick {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const pick = createPick(schema)
    return { name, pick: pick === same ? undefined : pick }
  })
  return (value) => {
    if (!isRecord(value)) return value
    const picked: Record<string, unknown> = {}
    for (const { name, pick } of fields) {
      const field = value[name]
      if (field !== undefined) picked[name] = pick ? pick(field) : field
    }
    return picked
  }
}

function pickValues(schema: TSchema): Pick {
  const pick = createPick(schema)
  return (value) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, pick(field)]))
      : value
}

// Picks the branch with the right type and matching constants, such as `type: 'slack'`.
function pickBranch(branches: readonly TSchema[]): Pick {
  const picks = branches.map((branch) => ({ fits: fitsOf(branch), pick: createPick(branch) }))
  if (picks.every(({ pick }) => pick === same)) return same
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    return picks.find(({ fits }) => fits(value))?.pick(value) ?? null
  }
}

function fitsOf(branch: TSchema): (value: object) => boolean {
  const shape = branch as PickedShape
  if (shape.items) return (value) => Array.isArray(value)
  const fixed = Object.entries(shape.properties ?? {}).flatMap(([name, schema]) => {
    const { const: word, enum: words } = schema as PickedShape
    const allowed = word === undefined ? words : [word]
    return allowed ? [{ name, allowed }] : []
  })
  const needed: readonly string[] = (branch as { required?: readonly string[] }).required ?? []
  const hasShape = shape.properties !== undefined || shape.patternProperties !== undefined
  return (value) =>
    hasShape &&
    isRecord(value) &&
    needed.every((name) => value[name] !== undefined) &&
    fixed.every(({ name, allowed }) => value[name] === undefined || allowed.includes(value[name]))
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
