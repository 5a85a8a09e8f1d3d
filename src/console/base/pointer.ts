// JSON pointers (RFC 6901): they name the fields of a form as the API names them in its problems.

/** A part of a pointer, without the signs that stand for others. */
export const plainPart = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Whether what the pointer names is a part of what the other one names. */
export const isWithin = (pointer: string, outer: string) => pointer.startsWith(`${outer}/`)

const partsOf = (pointer: string) => pointer.split('/').slice(1).map(plainPart)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const part of partsOf(pointer)) value = isObject(value) ? value[part] : undefined
  return value
}

/** A copy with another value at the pointer; `undefined` removes the field. */
export function withValueAt<Root>(root: Root, pointer: string, value: unknown): Root {
  return changed(root, partsOf(pointer), value) as Root
}

function changed(node: unknown, [part, ...rest]: readonly string[], value: unknown): unknown {
  if (part === undefined) return value
  if (Array.isArray(node)) {
    const items = [...node]
    items[Number(part)] = changed(items[Number(part)], rest, value)
    return items
  }
  const fields: Record<string, unknown> = isObject(node) ? { ...node } : {}
  const next = changed(fields[part], rest, value)
  if (next === undefined) delete fields[part]
  else fields[part] = next
  return fields
}
