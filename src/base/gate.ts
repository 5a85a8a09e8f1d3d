// A gate: so many at once in all and for each key, fair between the parties that come to it.
import { assert } from './assert.ts'
import type { Clock } from './clock.ts'
import { createHeap, type Heap, type Heaped } from './heap.ts'
import { settlesInTime } from './timeout.ts'

/**
 * Who waits is let in by these rules. The party with the fewest inside comes first, then the one
 * whose next is due earliest; within a party the earliest due comes first whose key has room. So
 * nobody waits for what another party has waiting, nor for a key that is full.
 */
export interface Gate {
  /**
   * Undefined where the caller is in at once, which costs next to nothing; else a promise of its
   * turn. Whoever was let in must leave, by the same key and party.
   */
  enter(key: string, dueAtMs: number, party?: string): Promise<void> | undefined
  leave(key: string, party?: string): void
  /** Other bounds from now on; whoever is inside beyond them stays there. */
  resize(bounds: GateBounds): void
  /** How many are inside, and how many wait. */
  load(): { inside: number; waiting: number }
}

export interface GateBounds {
  readonly total: number
  /** A party that has none inside for the key may have one beyond this. */
  readonly perKey: number
  /**
   * The last places are kept for those who have few: of the last `places` a party takes one only
   * while it holds less than `share` of what is free. So whoever comes later finds room, also where
   * many hold all that they can get. Default: none are kept.
   */
  readonly kept?: { readonly places: number; readonly share: number }
}

interface Waiter extends Heaped {
  readonly dueAtMs: number
  readonly order: number
  readonly enter: () => void
}

/** What a party has inside for one key, and what waits for it. */
interface Line extends Heaped {
  readonly party: Party
  readonly key: string
  readonly place: Place
  inside: number
  waiters: Heap<Waiter> | undefined
}

interface Party extends Heaped {
  readonly name: string
  readonly lines: Map<string, Line>
  inside: number
  /** Its lines that may have room. One that turns out to have none is put down at its place. */
  ready: Heap<Line> | undefined
}

/** A key that somebody is inside for or waits for. */
interface Place {
  inside: number
  lines: number
  /** Lines that wait for room here: none while there is some. */
  blocked: Set<Line> | undefined
}

const noneKept = { places: 0, share: 0 } as const

export function createGate(bounds: GateBounds): Gate {
  let { total, perKey, kept = noneKept } = bounds
  const parties = new Map<string, Party>()
  const places = new Map<string, Place>()
  /** Those that have a line that may have room. */
  const ready = createHeap<Party>(isPartyBefore)
  let insideTotal = 0
  let waiting = 0
  let order = 0

  // Whoever has the fewest inside may enter if anybody may.
  function partyMayEnter(inside: number): boolean {
    const free = total - insideTotal
    return free > kept.places || (free > 0 && inside < kept.share * free)
  }
  const keyHasRoom = (line: Line) => line.place.inside < perKey || line.inside === 0

  function lineOf(key: string, name: string): Line {
    let party = parties.get(name)
    if (!party) {
      party = { name, lines: new Map(), inside: 0, ready: undefined, heapAt: -1 }
      parties.set(name, party)
    }
    const known = party.lines.get(key)
    if (known) return known
    let place = places.get(key)
    if (!place) {
      place = { inside: 0, lines: 0, blocked: undefined }
      places.set(key, place)
    }
    place.lines++
    const line: Line = { party, key, place, inside: 0, waiters: undefined, heapAt: -1 }
    party.lines.set(key, line)
    return line
  }

  function forgetEmpty({ party, key, place, inside, waiters }: Line): void {
    if (inside > 0 || (waiters?.size ?? 0) > 0) return
    party.lines.delete(key)
    if (party.lines.size === 0) parties.delete(party.name)
    place.lines--
    if (place.lines === 0) places.delete(key)
  }

  function count(line: Line, by: 1 | -1): void {
    line.inside += by
    line.party.inside += by
    line.place.inside += by
    insideTotal += by
    if (line.party.heapAt >= 0) ready.moved(line.party)
  }

  /** Puts a line, or a new place of it, among those of its party that may have room. */
  function makeReady(line: Line): void {
    const { party } = line
    party.ready ??= createHeap<Line>(isLineBefore)
    if (line.heapAt < 0) party.ready.add(line)
    else party.ready.moved(line)
    if (party.heapAt < 0) ready.add(party)
    else ready.moved(party)
  }

  function unready(line: Line): void {
    const { party } = line
    party.ready?.remove(line)
    if (party.ready?.size === 0) ready.remove(party)
    else ready.moved(party)
  }

  function block(line: Line): void {
    unready(line)
    line.place.blocked ??= new Set()
    line.place.blocked.add(line)
  }

  /** What waited for room at the key, where there is some now. */
  function unblock(left: Line): void {
    const { blocked, inside } = left.place
    if (!blocked || blocked.size === 0) return
    // Each of them has somebody inside, or it would not wait: they are fewer than perKey.
    const freed =
      inside < perKey ? [...blocked] : blocked.has(left) && left.inside === 0 ? [left] : []
    for (const line of freed) {
      blocked.delete(line)
      makeReady(line)
    }
  }

  function letIn(line: Line): void {
    const waiter = line.waiters?.first()
    if (!waiter) return
    line.waiters?.remove(waiter)
    waiting--
    if (line.waiters?.size === 0) unready(line)
    else makeReady(line)
    count(line, 1)
    waiter.enter()
  }

  function letInAll(): void {
    for (let party = ready.first(); party; party = ready.first()) {
      if (!partyMayEnter(party.inside)) return
      const line = party.ready?.first()
      if (!line) return
      if (keyHasRoom(line)) letIn(line)
      else block(line)
    }
  }

  function wait(line: Line, dueAtMs: number): Promise<void> {
    return new Promise((enter) => {
      line.waiters ??= createHeap<Waiter>(isWaiterBefore)
      line.waiters.add({ dueAtMs, order: order++, enter, heapAt: -1 })
      waiting++
      if (!line.place.blocked?.has(line)) makeReady(line)
    })
  }

  return {
    enter(key, dueAtMs, name = '') {
      const line = lineOf(key, name)
      // After each call nobody waits who could enter: whoever may, overtakes nobody.
      if (!partyMayEnter(line.party.inside) || !keyHasRoom(line)) return wait(line, dueAtMs)
      count(line, 1)
      return undefined
    },
    leave(key, name = '') {
      const line = lineOf(key, name)
      assert(line.inside > 0, 'leave() without a matching enter()')
      count(line, -1)
      if (waiting > 0) {
        unblock(line)
        letInAll()
      }
      forgetEmpty(line)
    },
    resize(next) {
      ;({ total, perKey, kept = noneKept } = next)
      for (const { blocked } of places.values()) {
        for (const line of blocked ?? []) makeReady(line)
        blocked?.clear()
      }
      letInAll()
    },
    load: () => ({ inside: insideTotal, waiting }),
  }
}

export interface Patience {
  readonly clock: Clock
  readonly waitMs: number
  readonly key: string
  readonly party?: string
}

/**
 * Whether a turn that `enter` promised comes within so many milliseconds. One that comes later is
 * given back, so who is not in need not leave.
 */
export async function comesInTime(
  gate: Gate,
  turn: Promise<void>,
  { clock, waitMs, key, party }: Patience,
): Promise<boolean> {
  const isInTime = await settlesInTime(clock, turn, waitMs)
  if (!isInTime) void turn.then(() => gate.leave(key, party))
  return isInTime
}

function isWaiterBefore(one: Waiter, other: Waiter): boolean {
  return one.dueAtMs < other.dueAtMs || (one.dueAtMs === other.dueAtMs && one.order < other.order)
}

function isLineBefore(one: Line, other: Line): boolean {
  const first = one.waiters?.first()
  const second = other.waiters?.first()
  return first !== undefined && second !== undefined && isWaiterBefore(first, second)
}

function isPartyBefore(one: Party, other: Party): boolean {
  if (one.inside !== other.inside) return one.inside < other.inside
  const first = one.ready?.first()
  const second = other.ready?.first()
  return first !== undefined && second !== undefined && isLineBefore(first, second)
}
