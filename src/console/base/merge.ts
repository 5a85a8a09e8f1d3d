// Two versions of the same thing: how they differ, and one made of both.

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: object) => value as Fields

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The names of the fields that differ. */
export function differences(before: object, after: object): readonly string[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].filter((name) => !isSame(from[name], to[name]))
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The body of a change (RFC 7396): what is left out stays as it is stored, so each field that was
 * there before and was emptied is null. `isDeep`: the same holds inside of its objects.
 */
export function changeOf<Value extends object>(
  before: Value,
  after: Value,
  { isDeep = false } = {},
): Value {
  const now = fieldsOf(after)
  const result: Record<string, unknown> = { ...now }
  for (const [name, was] of Object.entries(before)) {
    if (now[name] === undefined) result[name] = null
    else if (isDeep && isRecord(was) && isRecord(now[name])) {
      result[name] = changeOf(was, now[name], { isDeep })
    }
  }
  return result as Value
}

/** Their version, with what was changed here. */
export function merged<Value extends object>(base: Value, mine: Value, theirs: Value): Value {
  const result: Record<string, unknown> = { ...fieldsOf(theirs) }
  for (const name of differences(base, mine)) {
    const value = fieldsOf(mine)[name]
    if (value === undefined) delete result[name]
    else result[name] = value
  }
  return result as Value
}
