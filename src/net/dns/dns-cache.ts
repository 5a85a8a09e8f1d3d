// What is known of names, by whom asked: answers for a while, and which names the servers keep
// silent about. Where there is no more room, whoever has the most of it gives way.
//
// Nobody is told what others asked for: another's answer would come without a question, which the
// phases of a check show. Most organizations look at names of their own, so that costs little. What
// the name servers themselves give away by a quick answer, they give away to all who ask them.
import type { Clock } from '../../base/clock.ts'
import { createHeap, type Heaped } from '../../base/heap.ts'
import { limits } from '../../domain/limits/limits.ts'

export interface DnsCache<Answer> {
  /** Undefined where none is known, or none that is still good. */
  get(owner: string, key: string): Answer | undefined
  /** `owner` is who asked: the answer takes up room of theirs. */
  set(owner: string, key: string, answer: Answer, keepMs: number): void
  /**
   * Notes what the name servers did about something that was set. Gives how many times they kept
   * silent about it, in not too long a time.
   */
  note(owner: string, key: string, manner: Manner): number
  /** What to expect of them, should they be asked about it now. */
  prospect(owner: string, key: string): Prospect
}

/**
 * `known`: they answered. `likely`: a new name of an owner of whose names nearly all are known.
 * `new`: any other. `doubtful`: they kept silent the last time, or not long ago (the oftener the
 * longer), or it is a new name of an owner with many silent ones, or with nothing else.
 */
export type Prospect = 'known' | 'likely' | 'new' | 'doubtful'

/** What the name servers did when they were asked the last time; `silent` is also very late. */
export type Manner = 'answered' | 'silent'

interface Entry<Answer> {
  answer: Answer
  untilMs: number
  usedAtMs: number
  manner: Manner | 'untold'
  silences: number
  silentAtMs: number
}

interface Owner<Answer> extends Heaped {
  readonly name: string
  /** The one that was used last comes last. */
  readonly entries: Map<string, Entry<Answer>>
  readonly counts: Record<Manner | 'untold', number>
}

/**
 * `entriesMax`: of all owners. Beyond it the one with the most loses what was used longest ago, so
 * nobody's answers are pushed out by one who asks for more names than everybody else.
 */
export function createDnsCache<Answer>(clock: Clock, entriesMax: number): DnsCache<Answer> {
  const owners = new Map<string, Owner<Answer>>()
  const largest = createHeap<Owner<Answer>>((one, other) => one.entries.size > other.entries.size)
  let size = 0

  function ownerOf(name: string): Owner<Answer> {
    const known = owners.get(name)
    if (known) return known
    const counts = { answered: 0, silent: 0, untold: 0 }
    const owner: Owner<Answer> = { name, entries: new Map(), counts, heapAt: -1 }
    owners.set(name, owner)
    largest.add(owner)
    return owner
  }

  function dropOldest(owner: Owner<Answer>): void {
    const [oldest] = owner.entries
    if (!oldest) return
    const [key, entry] = oldest
    owner.counts[entry.manner]--
    owner.entries.delete(key)
    size--
    if (owner.entries.size > 0) {
      largest.moved(owner)
      return
    }
    largest.remove(owner)
    owners.delete(owner.name)
  }

  /** What nobody asked about for long says nothing of its owner. */
  function dropUnused(owner: Owner<Answer>): void {
    const usedAfterMs = clock.monoMs() - limits.dnsDoubtMsMax
    for (const { usedAtMs } of owner.entries.values()) {
      if (usedAtMs > usedAfterMs) return
      dropOldest(owner)
    }
  }

  function prospectOfNew(owner: Owner<Answer>): Prospect {
    const { counts } = owner
    if (counts.answered > 0 && counts.silent <= counts.answered * limits.dnsSilentRatio) {
      return 'likely'
    }
    // Who has no name that is answered may have none: many such would keep the new names of others.
    const silentMax = counts.answered === 0 ? 1 : limits.dnsSilentNamesMax
    if (counts.silent >= silentMax) dropUnused(owner)
    return counts.silent < silentMax ? 'new' : 'doubtful'
  }

  /** The entry, which was used last from now on. */
  function used(owner: Owner<Answer> | undefined, key: string): Entry<Answer> | undefined {
    const entry = owner?.entries.get(key)
    if (!owner || !entry) return undefined
    entry.usedAtMs = clock.monoMs()
    owner.entries.delete(key)
    owner.entries.set(key, entry)
    return entry
  }

  return {
    get(name, key) {
      const entry = used(owners.get(name), key)
      return entry && entry.untilMs > clock.monoMs() ? entry.answer : undefined
    },
    set(name, key, answer, keepMs) {
      const owner = ownerOf(name)
      const nowMs = clock.monoMs()
      const untilMs = nowMs + keepMs
      const known = used(owner, key)
      if (known) {
        Object.assign(known, { answer, untilMs })
        return
      }
      const untold = { manner: 'untold', silences: 0, silentAtMs: 0 } as const
      owner.entries.set(key, { answer, untilMs, usedAtMs: nowMs, ...untold })
      owner.counts.untold++
      size++
      largest.moved(owner)
      const first = largest.first()
      if (size > entriesMax && first) dropOldest(first)
    },
    note(name, key, manner) {
      const owner = owners.get(name)
      const entry = owner?.entries.get(key)
      if (!owner || !entry) return manner === 'silent' ? 1 : 0
      owner.counts[entry.manner]--
      owner.counts[manner]++
      entry.manner = manner
      if (manner === 'answered') return 0
      const nowMs = clock.monoMs()
      // A name about which they keep silent only now and then begins anew.
      const isAnew = nowMs - entry.silentAtMs >= 2 * doubtMs(entry.silences)
      entry.silences = isAnew ? 1 : entry.silences + 1
      entry.silentAtMs = nowMs
      return entry.silences
    },
    prospect(name, key) {
      const owner = owners.get(name)
      if (!owner) return 'new'
      const entry = owner.entries.get(key)
      if (!entry || entry.manner === 'untold') return prospectOfNew(owner)
      const isInDoubt = clock.monoMs() - entry.silentAtMs < doubtMs(entry.silences)
      return entry.manner === 'silent' || isInDoubt ? 'doubtful' : 'known'
    },
  }
}

function doubtMs(silences: number): number {
  return silences === 0 ? 0 : doubled(limits.dnsDoubtMs, silences, limits.dnsDoubtMsMax)
}

/** The first time so much, each further time twice as much. */
export function doubled(first: number, times: number, max: number): number {
  return Math.min(first * 2 ** (times - 1), max)
}
