// A gate: so many at once in all and for each key; who waits is let in by due time.

export interface Gate {
  /**
   * Undefined where the caller is in at once, which costs nothing; else a promise of its turn, the
   * earliest `dueAtMs` first. Whoever was let in must leave.
   */
  enter(key: string, dueAtMs: number): Promise<void> | undefined
  leave(key: string): void
  /** How many are inside, and how many wait. */
  load(): { inside: number; waiting: number }
}

interface Waiter {
  readonly key: string
  readonly dueAtMs: number
  readonly order: number
  readonly enter: () => void
}

export function createGate(bounds: { readonly total: number; readonly perKey: number }): Gate {
  const inside = new Map<string, number>()
  let insideTotal = 0
  let order = 0
  /** One queue a key, each in order of due time: a full host does not hide another's turn. */
  const queues = new Map<string, Waiter[]>()
  let waiting = 0

  const mayEnter = (key: string) =>
    insideTotal < bounds.total && (inside.get(key) ?? 0) < bounds.perKey

  function admit(key: string): void {
    inside.set(key, (inside.get(key) ?? 0) + 1)
    insideTotal++
  }

  function queue(waiter: Waiter): void {
    const line = queues.get(waiter.key) ?? []
    let at = line.length
    while (at > 0 && isLater(line[at - 1], waiter)) at--
    line.splice(at, 0, waiter)
    queues.set(waiter.key, line)
    waiting++
  }

  function nextWaiter(): Waiter | undefined {
    let next: Waiter | undefined
    for (const [key, line] of queues) {
      const first = line[0]
      if (first && mayEnter(key) && (!next || isLater(next, first))) next = first
    }
    return next
  }

  return {
    enter(key, dueAtMs) {
      // Nobody overtakes: where others wait for the same key, the newcomer queues behind them.
      if (mayEnter(key) && !queues.has(key)) {
        admit(key)
        return undefined
      }
      return new Promise((enter) => queue({ key, dueAtMs, order: order++, enter }))
    },
    leave(key) {
      const left = (inside.get(key) ?? 1) - 1
      if (left === 0) inside.delete(key)
      else inside.set(key, left)
      insideTotal--
      if (waiting === 0) return
      const next = nextWaiter()
      if (!next) return
      const line = queues.get(next.key)
      line?.shift()
      if (line?.length === 0) queues.delete(next.key)
      waiting--
      admit(next.key)
      next.enter()
    },
    load: () => ({ inside: insideTotal, waiting }),
  }
}

function isLater(a: Waiter | undefined, b: Waiter): boolean {
  if (!a) return false
  return a.dueAtMs > b.dueAtMs || (a.dueAtMs === b.dueAtMs && a.order > b.order)
}
