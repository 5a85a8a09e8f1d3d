// The places of a monitor: what each has seen, by the chart of monitors but without incidents, and what
// they say together.

import type { Reading } from '../../domain/checks/reading.ts'
import { verdictOn } from '../../domain/checks/verdict.ts'
import { foldVerdict } from '../../domain/health/fold-verdict.ts'
import { type Health, isConfirming, shownState } from '../../domain/health/health.ts'
import { neededOf } from '../../domain/locations/choice.ts'
import { hasVote, type PlaceId, placedId } from '../../domain/locations/place.ts'
import {
  firstWordsMs,
  isHeardAt,
  type LocationVote,
  type PlaceGrounds,
  type PlaceStory,
  type VotedVerdict,
  voteAfter,
  votesForMs,
} from '../../domain/locations/vote.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import {
  initialMonitorState,
  type MonitorState,
  type ResultSlot,
} from '../../domain/monitors/monitor-state.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { LeftOut } from '../../store/left-out.ts'
import type { Store } from '../../store/store.ts'
import { createKeeping, type FoldedResult } from './keeping.ts'

/** The result of a check at one place. */
export interface PlacedResult {
  readonly place: PlaceId
  readonly reading: Reading
  readonly slot: ResultSlot
  /** The place was silent until a moment ago. */
  readonly isReturning?: boolean
}

/** What the places of a monitor say, once one of them has spoken. */
export interface PlacesVerdict {
  /** The health at the place that spoke: by it the place chooses its pace. */
  readonly health: Health
  /** The place begins to confirm something, so the others are asked. */
  readonly isInDoubt: boolean
  /** The state that the place has confirmed changed. */
  readonly hasTurned: boolean
  /** It may turn something once no other place is awaited any more. */
  readonly isHeldBack: boolean
  /** Null: the result is too old to say anything about now, or counts nowhere. */
  readonly said: {
    /** Unknown: no place has anything to say. Null: nothing was said that turns it. */
    readonly verdict: VotedVerdict
    /** When what turned the verdict began; the time of the result if nothing turned it. */
    readonly turnedAtMs: number
    /** Made only for a change, which few results bring. */
    readonly grounds: () => PlaceGrounds
  } | null
}

export function createPlaces({ store, leftOut }: { store: Store; leftOut: LeftOut }) {
  const { monitorStates } = store.placed
  const keeping = createKeeping(store.placed, leftOut)

  /** The state at a place, which a damaged record begins anew. */
  function stateAt({ orgId, id }: Monitor, place: PlaceId, isRecalled = true) {
    const key = placedId(id, place)
    return isRecalled ? monitorStates.recall(orgId, key) : monitorStates.get(orgId, key)
  }

  function voteOf(
    monitor: Monitor,
    place: PlaceId,
    placed: MonitorState | undefined,
    nowMs: number,
  ): LocationVote {
    const { lastAtMs = null, lastVerdict = null, isUnsure = false } = placed ?? {}
    const isHeard = isHeardAt(monitor, lastAtMs, nowMs)
    const isFresh = isHeard && lastVerdict !== 'unknown' && !isUnsure
    const heardMs = lastAtMs ?? 0
    if (!placed) return { place, state: 'pending', isFresh, sinceMs: 0, heardMs }
    const { health } = placed
    return { place, state: shownState(health), isFresh, sinceMs: health.sinceMs, heardMs }
  }

  function storyOf(
    monitor: Monitor,
    vote: LocationVote,
    placed: MonitorState | undefined,
    nowMs: number,
  ): PlaceStory {
    const { place, state, isFresh } = vote
    const { lastError: error = null, health } = placed ?? {}
    // No probe may stand there, or none that knows such checks: that is not awaited for ever.
    const isYoung = !monitor.isActive || nowMs - monitor.updatedAtMs <= votesForMs(monitor)
    const isAwaited = state === 'pending' && isYoung
    return {
      place,
      state: isFresh || isAwaited ? state : 'silent',
      sinceMs: health?.sinceMs ?? 0,
      ...(error === null ? {} : { error }),
    }
  }

  /** The state at the place with the result; its health is that of the chart. */
  function folded(tx: Tx, monitor: Monitor, before: MonitorState, result: PlacedResult) {
    const { reading, place, slot } = result
    const id = placedId(monitor.id, place)
    const verdict = verdictOn(monitor, reading)
    if (reading.isSetAside) {
      const kept = { orgId: monitor.orgId, id }
      return { ...keeping.withRowAlone(tx, kept, before, { reading, verdict }), lastSlot: slot }
    }
    const atMs = Math.max(reading.atMs, before.accountedToMs)
    const { health } = foldVerdict(before.health, verdict, monitor, atMs)
    // In one piece, because copies of monitors and states are most of what a result would cost.
    return keeping.withReading(tx, monitor, before, {
      ...{ reading, verdict, atMs, health },
      atPlace: {
        id,
        lastSlot: slot,
        isUnsure: isUnsure(monitor, before, { verdict, atMs, health }),
      },
    })
  }

  type States = readonly (MonitorState | undefined)[]

  const votesOf = (monitor: Monitor, states: States, nowMs: number): LocationVote[] =>
    monitor.locations.map((place, at) => voteOf(monitor, place, states[at], nowMs))

  /** What the places say now, the states of which are given. */
  function grounds(
    monitor: Monitor,
    states: States,
    votes: readonly LocationVote[],
    nowMs: number,
  ): PlaceGrounds {
    const places = votes.map((vote, at) => storyOf(monitor, vote, states[at], nowMs))
    const voting = places.filter(({ state }) => state !== 'silent' && state !== 'pending').length
    return { needed: neededOf(monitor.downWhen, voting), voting, places }
  }

  return {
    /** What the places of a monitor say now; undefined without a vote. `isRecalled`: it is likely to be asked again. */
    groundsOf(monitor: Monitor, nowMs: number, isRecalled = true): PlaceGrounds | undefined {
      if (!hasVote(monitor)) return undefined
      const states = monitor.locations.map((place) => stateAt(monitor, place, isRecalled))
      return grounds(monitor, states, votesOf(monitor, states, nowMs), nowMs)
    },

    /**
     * Stores the result at its place. Null: it was stored before, or a newer one was. `sofar`: what the
     * monitor is by now.
     */
    take(
      tx: Tx,
      monitor: Monitor,
      sofar: Health,
      result: PlacedResult,
      nowMs: number,
    ): PlacesVerdict | null {
      const { place, slot, reading, isReturning = false } = result
      const before = stateAt(monitor, place) ?? initialMonitorState(Math.min(nowMs, reading.atMs))
      if (before.lastSlot && !isAfter(slot, before.lastSlot)) return null
      const after = folded(tx, monitor, before, result)
      monitorStates.put(tx, monitor.orgId, placedId(monitor.id, place), after)
      const isInDoubt = isConfirming(after.health) && !isConfirming(before.health)
      const hasTurned = shownState(after.health) !== shownState(before.health)
      const outcome = { health: after.health, isInDoubt, hasTurned }
      const isOld = !isHeardAt(monitor, reading.atMs, nowMs)
      const index = monitor.locations.indexOf(place)
      if (reading.isSetAside || isOld || index < 0)
        return { ...outcome, isHeldBack: false, said: null }
      const states = monitor.locations.map((one) => (one === place ? after : stateAt(monitor, one)))
      const votes = votesOf(monitor, states, nowMs)
      const was = voteOf(monitor, place, before, nowMs)
      const isNew = nowMs - sofar.sinceMs <= firstWordsMs(monitor)
      const isFirst = isNew && shownState(sofar) === 'pending'
      const spoken = { said: index, before: was, isFirst, isReturning }
      const verdict = voteAfter(votes, monitor.downWhen, spoken)
      return {
        ...outcome,
        isHeldBack: verdict === null && (isFirst || isReturning),
        said: {
          verdict,
          turnedAtMs: hasTurned ? Math.min(after.health.sinceMs, reading.atMs) : reading.atMs,
          grounds: () => grounds(monitor, states, votes, nowMs),
        },
      }
    },
  }
}

/**
 * Whether the place, which was silent for long, sees something else than before, and has confirmed neither: then
 * its state is what it saw long ago.
 */
function isUnsure(
  monitor: Monitor,
  before: MonitorState,
  { verdict, atMs, health }: Pick<FoldedResult, 'verdict' | 'atMs' | 'health'>,
): boolean {
  const { lastAtMs, lastVerdict } = before
  if (verdict === 'unknown') return before.isUnsure
  if ((verdict === 'down') === (shownState(health) === 'down')) return false
  const wasSilent = lastVerdict === 'unknown' || !isHeardAt(monitor, lastAtMs ?? atMs, atMs)
  return before.isUnsure || wasSilent
}

/** Whether a result came from a later check. */
function isAfter(slot: ResultSlot, before: ResultSlot): boolean {
  return slot.dueAtMs > before.dueAtMs || (slot.dueAtMs === before.dueAtMs && slot.try > before.try)
}
