// Values that are made once: with their first use, or for each object as long as it lives.

/** Caches the result of `make` for each object; its other arguments must follow from the object. */
export function perObject<Key extends object, Rest extends readonly unknown[], Value>(
  make: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  const cached = new WeakMap<Key, { readonly value: Value }>()
  return (key, ...rest) => {
    const before = cached.get(key)
    if (before) return before.value
    const value = make(key, ...rest)
    cached.set(key, { value })
    return value
  }
}

/** Makes it with its first use, and keeps it. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
