// A heap: finds the first of very many items, each of which may change its order or go at any time.

/** An item knows where in its heap it is, so it is found without a search. */
export interface Heaped {
  /** -1 while it is in no heap. Only the heap writes it. */
  heapAt: number
}

export interface Heap<Item extends Heaped> {
  readonly size: number
  first(): Item | undefined
  /** Adds the item; if it is in the heap, moves it after something changed that orders it. */
  put(item: Item): void
  /** Removes an item that is in the heap. */
  remove(item: Item): void
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
    put(item) {
      settle(item, item.heapAt < 0 ? items.length : item.heapAt)
    },
    remove(item) {
      const at = item.heapAt
      const last = items.pop()
      item.heapAt = -1
      if (last !== undefined && last !== item) settle(last, at)
    },
  }
}
