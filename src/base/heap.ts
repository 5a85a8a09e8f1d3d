// A heap: what comes first of very many, where each may change its place or go at any time.

/** An item knows where in its heap it is, so that it is found again without a search. */
export interface Heaped {
  /** -1 while it is in none. Only the heap writes it. */
  heapAt: number
}

export interface Heap<Item extends Heaped> {
  readonly size: number
  first(): Item | undefined
  add(item: Item): void
  remove(item: Item): void
  /** To be called after something changed that the order depends on. */
  moved(item: Item): void
}

/** Each operation takes the logarithm of the size. `isBefore` is a strict order. */
export function createHeap<Item extends Heaped>(
  isBefore: (one: Item, other: Item) => boolean,
): Heap<Item> {
  const items: Item[] = []

  function place(item: Item, at: number): void {
    items[at] = item
    item.heapAt = at
  }

  function rise(item: Item, from: number): number {
    let at = from
    while (at > 0) {
      const parentAt = (at - 1) >> 1
      const parent = items[parentAt]
      if (parent === undefined || !isBefore(item, parent)) break
      place(parent, at)
      at = parentAt
    }
    place(item, at)
    return at
  }

  function sink(item: Item, from: number): void {
    let at = from
    for (;;) {
      const leftAt = 2 * at + 1
      const left = items[leftAt]
      if (left === undefined) break
      const right = items[leftAt + 1]
      const child = right !== undefined && isBefore(right, left) ? right : left
      if (!isBefore(child, item)) break
      const childAt = child.heapAt
      place(child, at)
      at = childAt
    }
    place(item, at)
  }

  function settle(item: Item, at: number): void {
    sink(item, rise(item, at))
  }

  return {
    get size() {
      return items.length
    },
    first: () => items[0],
    add(item) {
      rise(item, items.length)
    },
    remove(item) {
      const at = item.heapAt
      const last = items.pop()
      item.heapAt = -1
      if (last !== undefined && last !== item) settle(last, at)
    },
    moved(item) {
      settle(item, item.heapAt)
    },
  }
}
