// The order of monitors by name, as people count: "Shop 2" before "Shop 10", "Äpfel" before "Birnen".

/** A text whose plain comparison gives that order: comparing as languages do is slow for thousands. */
function sortKey(name: string): string {
  const base = plain.test(name) ? name : name.normalize('NFD').replace(/\p{M}/gu, '')
  return base.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(digitsMax, '0'))
}

const plain = /^[\x20-\x7e]*$/
/** Longer numbers are ordered by their first digits. */
const digitsMax = 12

export interface Named {
  readonly id: string
  readonly name: string
}

export function inNameOrder<Entry extends Named>(entries: Iterable<Entry>): Entry[] {
  const keyed = Array.from(entries, (entry) => ({ entry, key: sortKey(entry.name) }))
  keyed.sort((a, b) => {
    if (a.key !== b.key) return a.key < b.key ? -1 : 1
    return a.entry.id < b.entry.id ? -1 : 1
  })
  return keyed.map(({ entry }) => entry)
}

/** Some entries replaced by newer ones. The order is made again only if a name changed. */
export function withChanged<Entry extends Named>(
  all: ReadonlyMap<string, Entry>,
  changed: ReadonlyMap<string, Entry>,
): ReadonlyMap<string, Entry> {
  const next = new Map(all)
  let isRenamed = false
  for (const [id, entry] of changed) {
    const before = next.get(id)
    // A monitor that is gone meanwhile stays gone.
    if (!before) continue
    if (before.name !== entry.name) isRenamed = true
    next.set(id, entry)
  }
  if (!isRenamed) return next
  return new Map(inNameOrder(next.values()).map((entry) => [entry.id, entry]))
}
