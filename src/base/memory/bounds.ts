// Bounds for an LRUCache that takes memory only as it fills. With its option `max`, the library takes
// the places of all entries at once: 28 bytes for each, long before most of them are there.

/** Options of a cache with at most so many entries. */
export function atMostEntries(entriesMax: number) {
  return { maxSize: entriesMax, sizeCalculation: () => 1 }
}

export interface EntryBounds<Value> {
  readonly entriesMax: number
  readonly bytesMax: number
  readonly bytesOf: (value: Value) => number
}

/** Options of a cache with at most so many bytes and entries: a small entry counts as its share. */
export function atMostBytes<Value>({ entriesMax, bytesMax, bytesOf }: EntryBounds<Value>) {
  const bytesMin = Math.ceil(bytesMax / entriesMax)
  return {
    maxSize: bytesMax,
    sizeCalculation: (value: Value) => Math.max(bytesOf(value), bytesMin),
  }
}
