// What is derived from an object that never changes: made once, kept as long as the object itself.

/** Remembers what `make` gives for each object; its other arguments must follow from the object. */
export function perObject<Key extends object, Rest extends readonly unknown[], Value>(
  make: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>()
  return (key, ...rest) => {
    const before = made.get(key)
    if (before) return before.value
    const value = make(key, ...rest)
    made.set(key, { value })
    return value
  }
}
