// A heap: finds the first of very many items, each of which may change its order or go at any time.

/** An item knows where in its heap it is, so it is found without a search. */
export interface Heaped {
  /** -1 while it is in no heap. Only the heap writes it. */
  heapAt: number
}

/** Each operation takes the logarithm of the size. A class, since the gate makes very many. */
export class Heap<Item extends Heaped> {
  readonly #isBefore: (one: Item, other: Item) => boolean
  readonly #items: Item[] = []

  /** `isBefore` is a strict order. */
  constructor(isBefore: (one: Item, other: Item) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#items.length
  }

  first(): Item | undefined {
    return this.#items[0]
  }

  /** Adds the item; if it is in the heap, moves it after something changed that orders it. */
  put(item: Item): void {
    this.#settle(item, item.heapAt < 0 ? this.#items.length : item.heapAt)
  }

  /** Removes an item that is in the heap. */
  remove(item: Item): void {
    const at = item.heapAt
    const last = this.#items.pop()
    item.heapAt = -1
    if (last !== undefined && last !== item) this.#settle(last, at)
  }

  #settle(item: Item, at: number): void {
    this.#sink(item, this.#rise(item, at))
  }

  #rise(item: Item, from: number): number {
    let at = from
    while (at > 0) {
      const parentAt = (at - 1) >> 1
      const parent = this.#items[parentAt]
      if (parent === undefined || !this.#isBefore(item, parent)) break
      this.#place(parent, at)
      at = parentAt
    }
    this.#place(item, at)
    return at
  }

  #sink(item: Item, from: number): void {
    let at = from
    for (;;) {
      const leftAt = 2 * at + 1
      const left = this.#items[leftAt]
      if (left === undefined) break
      const right = this.#items[leftAt + 1]
      const child = right !== undefined && this.#isBefore(right, left) ? right : left
      if (!this.#isBefore(child, item)) break
      const childAt = child.heapAt
      this.#place(child, at)
      at = childAt
    }
    this.#place(item, at)
  }

  #place(item: Item, at: number): void {
    this.#items[at] = item
    item.heapAt = at
  }
}
