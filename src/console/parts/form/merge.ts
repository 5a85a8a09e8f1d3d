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
