// The cache of names, separately for each organization: answers, and which names are not answered.
// When it is full, the organization with the most names loses its oldest ones.
//
// Organizations share nothing, because a fast answer would reveal that another organization looked
// up the same name, and a name server that does not answer one organization's names would delay
// others. Most organizations check only their own names, so sharing would save little.
import type { Clock } from '../../base/clock.ts'
import { Heap, type Heaped } from '../../base/waiting/heap.ts'

/** The result of the last look-up of a name; an answer that came very late counts as `silent`. */
export type LookupOutcome = 'answered' | 'silent'

/**
 * How likely a look-up will be answered. `known`: the name was answered the last time. `likely`:
 * the name is new, and nearly all names of its organization are answered. `doubtful`: anything
 * else, and for a while every name that was silent.
 */
export type Confidence = 'known' | 'likely' | 'doubtful'

export interface DnsCache<Answer> {
  /** Undefined without a cached answer that is still valid. */
  get(orgId: string, key: string): Answer | undefined
  set(orgId: string, key: string, answer: Answer, keepMs: number): void
  /** Notes the outcome for a cached name; returns how many times in a row it was silent. */
  note(orgId: string, key: string, outcome: LookupOutcome): number
  confidence(orgId: string, key: string): Confidence
}

interface KnownName<Answer> {
  answer: Answer
  untilMs: number
  usedAtMs: number
  outcome: LookupOutcome | undefined
  silences: number
  silentAtMs: number
}

interface NameOwner<Answer> extends Heaped {
  readonly orgId: string
  /** The least recently used name comes first. */
  readonly names: Map<string, KnownName<Answer>>
  readonly counts: Record<LookupOutcome, number>
}

/** How long a name that answers again stays doubtful. */
export const dnsDoubtMs = 10 * 60_000
/** A name that was not looked up for this long says nothing about its organization. */
export const dnsUnusedMsMax = 3_600_000
/** The share of silent names up to which an organization's new names probably answer. */
const dnsSilentRatio = 1 / 50

/** `namesMax`: for all organizations together. */
export function createDnsCache<Answer>(clock: Clock, namesMax: number): DnsCache<Answer> {
  const owners = new Map<string, NameOwner<Answer>>()
  const largest = new Heap<NameOwner<Answer>>((one, other) => one.names.size > other.names.size)
  let size = 0

  function ownerOf(orgId: string): NameOwner<Answer> {
    const known = owners.get(orgId)
    if (known) return known
    const counts = { answered: 0, silent: 0 }
    const owner: NameOwner<Answer> = { orgId, names: new Map(), counts, heapAt: -1 }
    owners.set(orgId, owner)
    return owner
  }

  /** The name, marked as the most recently used. */
  function used(owner: NameOwner<Answer> | undefined, key: string): KnownName<Answer> | undefined {
    const name = owner?.names.get(key)
    if (!owner || !name) return undefined
    name.usedAtMs = clock.monoMs()
    owner.names.delete(key)
    owner.names.set(key, name)
    return name
  }

  function dropOldest(owner: NameOwner<Answer>): void {
    for (const [key, { outcome }] of owner.names) {
      if (outcome !== undefined) owner.counts[outcome]--
      owner.names.delete(key)
      size--
      break
    }
    if (owner.names.size > 0) {
      largest.put(owner)
    } else {
      largest.remove(owner)
      owners.delete(owner.orgId)
    }
  }

  function dropUnused(owner: NameOwner<Answer>): void {
    const usedAfterMs = clock.monoMs() - dnsUnusedMsMax
    for (const { usedAtMs } of owner.names.values()) {
      if (usedAtMs > usedAfterMs) return
      dropOldest(owner)
    }
  }

  return {
    get(orgId, key) {
      const name = used(owners.get(orgId), key)
      return name && name.untilMs > clock.monoMs() ? name.answer : undefined
    },
    set(orgId, key, answer, keepMs) {
      const owner = ownerOf(orgId)
      const nowMs = clock.monoMs()
      const untilMs = nowMs + keepMs
      const known = used(owner, key)
      if (known) {
        Object.assign(known, { answer, untilMs })
        return
      }
      const unknown = { outcome: undefined, silences: 0, silentAtMs: Number.NEGATIVE_INFINITY }
      owner.names.set(key, { answer, untilMs, usedAtMs: nowMs, ...unknown })
      size++
      largest.put(owner)
      const first = largest.first()
      if (size > namesMax && first) dropOldest(first)
    },
    note(orgId, key, outcome) {
      const owner = owners.get(orgId)
      const name = owner?.names.get(key)
      if (!owner || !name) return outcome === 'silent' ? 1 : 0
      if (name.outcome !== undefined) owner.counts[name.outcome]--
      owner.counts[outcome]++
      name.outcome = outcome
      name.silences = outcome === 'silent' ? name.silences + 1 : 0
      if (outcome === 'silent') name.silentAtMs = clock.monoMs()
      return name.silences
    },
    confidence(orgId, key) {
      const owner = owners.get(orgId)
      if (!owner) return 'doubtful'
      const name = owner.names.get(key)
      if (name?.outcome === undefined) {
        dropUnused(owner)
        const { answered, silent } = owner.counts
        const isLikely = answered > 0 && silent <= answered * dnsSilentRatio
        return isLikely ? 'likely' : 'doubtful'
      }
      const isInDoubt = clock.monoMs() - name.silentAtMs < dnsDoubtMs
      return name.outcome === 'silent' || isInDoubt ? 'doubtful' : 'known'
    },
  }
}
