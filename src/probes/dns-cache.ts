// Answers kept for a while. Where there is no more room, whoever has the most of them gives way.
import type { Clock } from '../base/clock.ts'
import { createHeap, type Heaped } from '../base/heap.ts'

export interface DnsCache<Answer> {
  /** Undefined where none is known, or none that is still good. */
  get(key: string): Answer | undefined
  /** `owner` is who asked: the answer takes up room of theirs. */
  set(key: string, owner: string, answer: Answer, keepMs: number): void
}

interface Entry<Answer> {
  readonly owner: Owner
  readonly answer: Answer
  readonly untilMs: number
}

interface Owner extends Heaped {
  readonly name: string
  /** The one that was used last comes last. */
  readonly keys: Set<string>
}

/** So nobody's answers are pushed out by one who asks for more names than everybody else. */
export function createDnsCache<Answer>(clock: Clock, entriesMax: number): DnsCache<Answer> {
  const entries = new Map<string, Entry<Answer>>()
  const owners = new Map<string, Owner>()
  const largest = createHeap<Owner>((one, other) => one.keys.size > other.keys.size)

  function ownerOf(name: string): Owner {
    const known = owners.get(name)
    if (known) return known
    const owner: Owner = { name, keys: new Set(), heapAt: -1 }
    owners.set(name, owner)
    largest.add(owner)
    return owner
  }

  function drop(key: string): void {
    const entry = entries.get(key)
    if (!entry) return
    const { owner } = entry
    entries.delete(key)
    owner.keys.delete(key)
    if (owner.keys.size > 0) {
      largest.moved(owner)
      return
    }
    largest.remove(owner)
    owners.delete(owner.name)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry || entry.untilMs <= clock.monoMs()) return undefined
      entry.owner.keys.delete(key)
      entry.owner.keys.add(key)
      return entry.answer
    },
    set(key, name, answer, keepMs) {
      drop(key)
      const owner = ownerOf(name)
      entries.set(key, { owner, answer, untilMs: clock.monoMs() + keepMs })
      owner.keys.add(key)
      largest.moved(owner)
      if (entries.size <= entriesMax) return
      const [oldest] = largest.first()?.keys ?? []
      if (oldest !== undefined) drop(oldest)
    },
  }
}
