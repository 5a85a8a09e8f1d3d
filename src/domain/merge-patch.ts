// Merge patches (RFC 7396) of the fields that callers set.

/** The change of a field: undefined keeps it, null restores its default. */
export type Clearable<Value> = Value | null | undefined

export type Changes<Fields> = {
  readonly [Name in keyof Fields]?: Clearable<Fields[Name]>
}

/**
 * The fields after the changes, in the order of their defaults. Null and '' restore the default, which
 * a field also has that was not there before. The schema has already checked the types.
 */
export function patched<Fields extends object>(
  defaults: Fields,
  before: Partial<Fields> | undefined,
  changes: Changes<Fields>,
): Fields {
  const fields = { ...defaults }
  for (const name of namesOf(defaults)) {
    const change = changes[name]
    const value = change === undefined ? before?.[name] : isCleared(change) ? undefined : change
    // Neither undefined nor a cleared change.
    if (value !== undefined) fields[name] = value as Fields[typeof name]
  }
  return fields
}

const isCleared = (value: unknown) => value === null || value === ''

// Object.keys loses the names.
const namesOf = <Fields extends object>(fields: Fields) =>
  Object.keys(fields) as (keyof Fields & string)[]
