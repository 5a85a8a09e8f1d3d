// A gate: bounds the number of tasks at once, in total and per key, fairly between parties.
import { assert } from './assert.ts'
import type { Clock } from './clock.ts'
import { within } from './timeout.ts'
import { Heap, type Heaped } from './waiting/heap.ts'

/**
 * Admission rules: the party with the fewest inside comes first, then the one whose next waiter is
 * due earliest; within a party the earliest due whose key has room. So no party waits for what
 * another has waiting, and no key for another that is full.
 */
export interface Gate {
  /**
   * Returns undefined if the caller is admitted at once; that costs almost nothing. Otherwise returns a
   * promise that resolves on admission. An admitted caller must call `leave` with the same arguments.
   */
  enter(key: string, dueAtMs: number, party?: string): Promise<void> | undefined
  leave(key: string, party?: string): void
  /** How many are inside, and how many wait. */
  load(): { inside: number; waiting: number }
  /** Changes the bounds. Waiting callers that fit now are admitted; callers inside may stay. */
  setBounds(bounds: GateBounds): void
}

export interface GateBounds {
  readonly total: number
  /** A party that has none inside for the key may have one beyond this. */
  readonly perKey: number
  /**
   * The last places are reserved for parties that hold few: a party takes one of the last `places`
   * only while it holds less than `share` of the free ones. So later parties find room, even if
   * many hold all they can get. Default: no reserve.
   */
  readonly kept?: { readonly places: number; readonly share: number }
}

interface GateWaiter extends Heaped {
  readonly dueAtMs: number
  readonly order: number
  readonly admit: () => void
}

/** What one party has inside for one key, and what waits for it. */
interface GateQueue extends Heaped {
  readonly party: GateParty
  readonly key: GateKey
  inside: number
  readonly waiters: Heap<GateWaiter>
}

interface GateParty extends Heaped {
  readonly name: string
  readonly queues: Map<string, GateQueue>
  inside: number
  /** Queues that may have room. One that turns out to have none is blocked at its key. */
  readonly ready: Heap<GateQueue>
}

interface GateKey {
  readonly name: string
  inside: number
  queueCount: number
  /** Queues that wait for room here: none while there is some. */
  readonly blocked: Set<GateQueue>
}

const noReserve = { places: 0, share: 0 }

export function createGate(bounds: GateBounds): Gate {
  let { total, perKey, kept = noReserve } = bounds
  const parties = new Map<string, GateParty>()
  const keys = new Map<string, GateKey>()
  /** Parties that have a ready queue. */
  const ready = new Heap<GateParty>(isPartyBefore)
  let insideTotal = 0
  let waiting = 0
  let order = 0

  // If any party may enter, the one with the fewest inside may.
  function partyMayEnter(inside: number): boolean {
    const free = total - insideTotal
    return free > kept.places || (free > 0 && inside < kept.share * free)
  }
  const keyHasRoom = ({ key, inside }: GateQueue) => key.inside < perKey || inside === 0

  function queueOf(keyName: string, partyName: string): GateQueue {
    let party = parties.get(partyName)
    if (!party) {
      const readyQueues = new Heap<GateQueue>(isQueueBefore)
      party = { name: partyName, queues: new Map(), inside: 0, ready: readyQueues, heapAt: -1 }
      parties.set(partyName, party)
    }
    const known = party.queues.get(keyName)
    if (known) return known
    let key = keys.get(keyName)
    if (!key) {
      key = { name: keyName, inside: 0, queueCount: 0, blocked: new Set() }
      keys.set(keyName, key)
    }
    key.queueCount++
    const waiters = new Heap<GateWaiter>(isWaiterBefore)
    const queue: GateQueue = { party, key, inside: 0, waiters, heapAt: -1 }
    party.queues.set(keyName, queue)
    return queue
  }

  function forgetEmpty({ party, key, inside, waiters }: GateQueue): void {
    if (inside > 0 || waiters.size > 0) return
    party.queues.delete(key.name)
    if (party.queues.size === 0) parties.delete(party.name)
    key.queueCount--
    if (key.queueCount === 0) keys.delete(key.name)
  }

  /** Puts the party at its place among the parties with a ready queue. */
  function reorder(party: GateParty): void {
    if (party.ready.size > 0) ready.put(party)
    else if (party.heapAt >= 0) ready.remove(party)
  }

  function count(queue: GateQueue, by: 1 | -1): void {
    queue.inside += by
    queue.party.inside += by
    queue.key.inside += by
    insideTotal += by
    reorder(queue.party)
  }

  function makeReady(queue: GateQueue): void {
    queue.party.ready.put(queue)
    reorder(queue.party)
  }

  function block(queue: GateQueue): void {
    queue.key.blocked.add(queue)
    queue.party.ready.remove(queue)
    reorder(queue.party)
  }

  /** Makes the queues ready that wait for the room that one of them has left. */
  function unblock({ key }: GateQueue): void {
    // Each blocked queue but this one has somebody inside, so there are fewer than perKey.
    for (const queue of key.blocked) {
      if (!keyHasRoom(queue)) continue
      key.blocked.delete(queue)
      makeReady(queue)
    }
  }

  function admitFirst(queue: GateQueue, waiter: GateWaiter): void {
    queue.waiters.remove(waiter)
    waiting--
    if (queue.waiters.size > 0) queue.party.ready.put(queue)
    else queue.party.ready.remove(queue)
    count(queue, 1)
    waiter.admit()
  }

  function admitAll(): void {
    for (let party = ready.first(); party; party = ready.first()) {
      const queue = party.ready.first()
      const waiter = queue?.waiters.first()
      if (!queue || !waiter || !partyMayEnter(party.inside)) return
      if (keyHasRoom(queue)) admitFirst(queue, waiter)
      else block(queue)
    }
  }

  return {
    enter(key, dueAtMs, party = '') {
      const queue = queueOf(key, party)
      // The queue never holds anyone admissible, so admitting immediately is fair.
      if (partyMayEnter(queue.party.inside) && keyHasRoom(queue)) {
        count(queue, 1)
        return undefined
      }
      return new Promise((admit) => {
        queue.waiters.put({ dueAtMs, order: order++, admit, heapAt: -1 })
        waiting++
        if (!queue.key.blocked.has(queue)) makeReady(queue)
      })
    },
    leave(key, party = '') {
      const queue = queueOf(key, party)
      assert(queue.inside > 0, 'leaving requires having entered')
      count(queue, -1)
      if (waiting > 0) {
        unblock(queue)
        admitAll()
      }
      forgetEmpty(queue)
    },
    load: () => ({ inside: insideTotal, waiting }),
    setBounds(next) {
      ;({ total, perKey, kept = noReserve } = next)
      for (const { queues } of parties.values()) for (const queue of queues.values()) unblock(queue)
      admitAll()
    },
  }
}

export interface GateRequest {
  readonly key: string
  readonly dueAtMs: number
  readonly party?: string
}

/** Whether it is admitted within this time; if so, it must leave. */
export async function acquireWithin(
  gate: Gate,
  { key, dueAtMs, party }: GateRequest,
  clock: Clock,
  timeoutMs: number,
): Promise<boolean> {
  const admission = gate.enter(key, dueAtMs, party)
  if (!admission) return true
  const isAdmitted = await within(
    clock,
    admission.then(() => true),
    timeoutMs,
  )
  if (!isAdmitted) void admission.then(() => gate.leave(key, party))
  return isAdmitted === true
}

function isWaiterBefore(one: GateWaiter, other: GateWaiter): boolean {
  return one.dueAtMs < other.dueAtMs || (one.dueAtMs === other.dueAtMs && one.order < other.order)
}

function isQueueBefore(one: GateQueue, other: GateQueue): boolean {
  const first = one.waiters.first()
  const second = other.waiters.first()
  return first !== undefined && second !== undefined && isWaiterBefore(first, second)
}

function isPartyBefore(one: GateParty, other: GateParty): boolean {
  if (one.inside !== other.inside) return one.inside < other.inside
  const first = one.ready.first()
  const second = other.ready.first()
  return first !== undefined && second !== undefined && isQueueBefore(first, second)
}
