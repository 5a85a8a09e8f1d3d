// The order that a person gives the monitors. Those that have no place in it yet stand last, by name.

/** `entries` are in the order of their names. */
export function inOwnOrder<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  own: readonly string[],
): readonly Entry[] {
  const places = new Map(own.map((id, place) => [id, place]))
  const placed = entries.map((entry) => ({ entry, place: places.get(entry.id) ?? own.length }))
  return placed.toSorted((a, b) => a.place - b.place).map(({ entry }) => entry)
}

/**
 * All ids with one at another place among those that are shown. What the filters hide keeps its place
 * beside its neighbours.
 */
export function movedTo(
  all: readonly string[],
  shown: readonly string[],
  { id, place }: { readonly id: string; readonly place: number },
): readonly string[] {
  const others = all.filter((one) => one !== id)
  const beside = shown.filter((one) => one !== id)
  const [before, after] = [beside[place - 1], beside[place]]
  const at =
    after === undefined ? others.indexOf(before ?? '') + 1 : Math.max(0, others.indexOf(after))
  return others.toSpliced(at, 0, id)
}
