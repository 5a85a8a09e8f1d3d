// The fold: applies a reading to a monitor's state, with the incident and its consequences.

import { dueDomainNotice, dueNotice, withNotice } from '../../domain/alerts/expiry-notice.ts'
import { isTold, waitsForReports } from '../../domain/checks/check-type.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import { type VerdictKind, verdictOn } from '../../domain/checks/verdict.ts'
import { foldVerdict } from '../../domain/health/fold-verdict.ts'
import {
  confirmedBefore,
  type Health,
  type HealthChange,
  type HealthFold,
  type HealthPolicy,
  settleFlapping,
  shownState,
} from '../../domain/health/health.ts'
import {
  foldUnderMaintenance,
  isHeldBack,
  releasedHealth,
} from '../../domain/health/maintenance.ts'
import { hasVote, type PlaceId } from '../../domain/locations/place.ts'
import type { PlaceGrounds } from '../../domain/locations/vote.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { type MonitorState, shownMonitorState } from '../../domain/monitors/monitor-state.ts'
import { pushPolicy } from '../../domain/schedule/push-deadline.ts'
import type { Tx } from '../../store/engine/write.ts'
import { leftOutOf } from '../../store/left-out.ts'
import type { Store } from '../../store/store.ts'
import type { Consequences, DecidingResult } from './consequences.ts'
import { createKeeping } from './keeping.ts'
import { createPlaces, type PlacedResult } from './places.ts'

export interface FoldResult {
  /** The state, which is not stored yet: the caller stores it last. */
  readonly monitorState: MonitorState
  readonly verdict: VerdictKind
  /** The shown state or an incident changed, so pages and lists must be updated. */
  readonly isNews: boolean
  /** The state that people see changed. */
  readonly hasTurned: boolean
  /** The place that looked, where several vote. */
  readonly place?: PlaceId
  /** The health there: by it the place chooses its pace. */
  readonly pace?: Health
  /** The place begins to confirm something, so the others look now. */
  readonly isInDoubt?: boolean
  /** What the place sees turns nothing as long as others may be about to speak. */
  readonly isHeldBack?: boolean
}

/** What a result says of a monitor. */
interface SaidResult {
  readonly reading: Reading
  /** The sender itself reported the failure, so it needs no confirmation. */
  readonly explicit: boolean
  /** What its places say together; absent where there is no vote. */
  readonly said?: {
    readonly verdict: VerdictKind
    readonly turnedAtMs: number
    readonly grounds: () => PlaceGrounds
  }
}

export interface FoldDeps {
  readonly store: Store
  readonly consequences: Consequences
}

export function createFold({ store, consequences }: FoldDeps) {
  const leftOut = leftOutOf(store)
  const keeping = createKeeping(store, leftOut)
  const places = createPlaces({ store, leftOut })

  /** Writes the incidents for changes of health, in order; returns the resulting health. */
  function follow(
    tx: Tx,
    monitor: Monitor,
    health: Health,
    changes: readonly (HealthChange | null)[],
    decided: DecidingResult,
  ): Health {
    let followed = health
    for (const change of changes) {
      if (change) followed = consequences.follow(tx, monitor, followed, change, decided)
    }
    return followed
  }

  const isCovered = (monitor: Monitor, atMs: number) =>
    leftOut.maintenance(monitor, atMs, atMs + 1).length > 0

  /** The time from which an outage counts: maintenance that it began in is no part of it. */
  function afterMaintenance(monitor: Monitor, sinceMs: number, atMs: number): number {
    return leftOut.maintenance(monitor, sinceMs, atMs).at(-1)?.toMs ?? sinceMs
  }

  /** What maintenance held back begins now, if the monitor is still bad; else nothing changes. */
  function released(monitor: Monitor, health: Health, atMs: number): HealthFold {
    if (!isHeldBack(health, policyOf(monitor))) return { health, change: null }
    return releasedHealth(health, afterMaintenance(monitor, health.sinceMs, atMs), atMs)
  }

  /** The fold of a verdict outside of maintenance, which may have been on a moment ago. */
  function foldPlainly(
    monitor: Monitor,
    before: Health,
    verdict: VerdictKind,
    atMs: number,
    explicit: boolean,
  ): HealthFold {
    const folded = foldVerdict(before, verdict, policyOf(monitor), atMs, { explicit })
    const { health, change } = folded
    if (change?.kind === 'opened' || change?.kind === 'worsened') {
      const startedAtMs = afterMaintenance(monitor, change.startedAtMs, atMs)
      return { health, change: { ...change, startedAtMs } }
    }
    const isBad = verdict === 'down' || verdict === 'degraded'
    if (!isBad || health.state === 'up') return folded
    const release = released(monitor, health, atMs)
    return release.change === null ? folded : release
  }

  /** Warns that the domain expires, if that is news; else returns the same state. */
  function withDomainWarning(
    tx: Tx,
    monitor: Monitor,
    monitorState: MonitorState,
    reading: Reading,
  ): MonitorState {
    const notice = dueDomainNotice(monitor.domainWarnDays, monitorState.domainsTold, reading)
    if (!notice || !consequences.warnOfDomain(tx, monitor, notice)) return monitorState
    const { expiresAtMs } = notice.registration
    const announced = { expiresAtMs, thresholdDays: notice.thresholdDays }
    const domainsTold = withNotice(monitorState.domainsTold, announced, reading.atMs)
    return { ...monitorState, domainsTold }
  }

  /** Warns that the certificate expires, if that is news; else returns the same state. */
  function withWarning(
    tx: Tx,
    monitor: Monitor,
    monitorState: MonitorState,
    reading: Reading,
  ): MonitorState {
    const { certificatesTold: told } = monitorState
    const notice = dueNotice(monitor.certificateWarnDays, told, reading)
    // Without a subscribed channel the warning is not noted, so that a channel that is added later
    // gets it.
    if (!notice || !consequences.warn(tx, monitor, notice)) return monitorState
    const { expiresAtMs } = notice.certificate
    const announced = { expiresAtMs, thresholdDays: notice.thresholdDays }
    return { ...monitorState, certificatesTold: withNotice(told, announced, reading.atMs) }
  }

  function folded(
    tx: Tx,
    monitor: Monitor,
    before: MonitorState,
    { reading, explicit, said }: SaidResult,
  ): FoldResult {
    const own = verdictOn(monitor, reading)
    const verdict = said?.verdict ?? own
    const atMs = Math.max(reading.atMs, before.accountedToMs)
    const settled = settleFlapping(before.health, atMs)
    const isUnderMaintenance = isCovered(monitor, atMs)
    // Places confirm what they see before they say it, so a turn began earlier than the result.
    const saidAtMs = said ? Math.min(atMs, Math.max(said.turnedAtMs, before.health.sinceMs)) : atMs
    const fold = (health: Health) =>
      isUnderMaintenance
        ? foldUnderMaintenance(health, verdict, policyOf(monitor), saidAtMs, { explicit })
        : foldPlainly(monitor, health, verdict, saidAtMs, explicit)
    const plain = fold(settled.health)
    // From an outage the chart leads to `degraded` by way of `up`, but no second result comes.
    const isOnItsWay = isTold(monitor) && verdict === 'degraded' && plain.health.state === 'up'
    const reached = isOnItsWay ? fold(plain.health) : { health: plain.health, change: null }
    const changes = [
      settled.change,
      confirmedAt(plain.change, atMs),
      confirmedAt(reached.change, atMs),
    ]
    const isChanged = changes.some((change) => change !== null)
    const health = isChanged
      ? follow(tx, monitor, reached.health, changes, { reading, grounds: said?.grounds() })
      : reached.health
    const withResult = keeping.withReading(tx, monitor, before, {
      ...{ reading, verdict: own, monitorVerdict: verdict, atMs, health },
    })
    if (reading.certificate) {
      store.certificates.noteUse(tx, {
        orgId: monitor.orgId,
        monitorId: monitor.id,
        before: before.certificate?.fingerprint,
        now: reading.certificate.fingerprint,
      })
    }
    // Later results find the same, so these notices wait.
    const monitorState = isUnderMaintenance
      ? withResult
      : withDomainWarning(tx, monitor, withWarning(tx, monitor, withResult, reading), reading)
    const hasTurned =
      !isUnderMaintenance && shownMonitorState(monitorState) !== shownMonitorState(before)
    const wasLate = consequences.tellLive(tx, monitor, health) !== null
    const isNews = isChanged || hasTurned || wasLate || monitorState !== withResult
    return { monitorState, verdict: own, isNews, hasTurned }
  }

  return {
    /** `explicit`: the sender itself reported the failure, so it needs no confirmation. */
    reading(
      tx: Tx,
      monitor: Monitor,
      before: MonitorState,
      reading: Reading,
      explicit: boolean,
    ): FoldResult {
      if (!reading.isSetAside) return folded(tx, monitor, before, { reading, explicit })
      const verdict = verdictOn(monitor, reading)
      const monitorState = keeping.withRowAlone(tx, monitor, before, { reading, verdict })
      return { monitorState, verdict, isNews: false, hasTurned: false }
    },

    /**
     * A result of one of the places that vote: of the place first, then of the monitor as they say. Null:
     * the result was stored before, or a newer one of its place.
     */
    placed(
      tx: Tx,
      monitor: Monitor,
      before: MonitorState,
      result: PlacedResult,
      nowMs: number,
    ): FoldResult | null {
      const taken = places.take(tx, monitor, before.health, result, nowMs)
      if (!taken) return null
      // Pages and lists say from where a monitor fails.
      const { said, health: pace, isInDoubt, isHeldBack, hasTurned: isNews } = taken
      const { reading, place } = result
      const ofPlace = { place, pace, isInDoubt, isHeldBack }
      if (!said) {
        const verdict = verdictOn(monitor, reading)
        return { monitorState: before, verdict, isNews, hasTurned: false, ...ofPlace }
      }
      const shown = shownState(before.health)
      const stays = shown === 'pending' ? 'unknown' : shown
      // What was seen before the state began, and came late, does not turn it.
      const isPast = reading.atMs < before.health.sinceMs && said.verdict !== 'unknown'
      const verdict = isPast ? stays : (said.verdict ?? stays)
      const all = { reading, explicit: false, said: { ...said, verdict } }
      const made = folded(tx, monitor, before, all)
      return { ...made, isNews: isNews || made.isNews, ...ofPlace }
    },

    /**
     * No place has anything to say any more: what is the matter with the monitor is not known. Nothing
     * opens or ends. Null: that was so before, or a place was heard meanwhile.
     */
    silent(tx: Tx, monitor: Monitor, before: MonitorState, nowMs: number): FoldResult | null {
      const { voting = 1 } = places.groundsOf(monitor, nowMs) ?? {}
      if (voting > 0 || shownMonitorState(before) === 'unknown') return null
      if (shownState(before.health) === 'pending') return null
      const monitorState = keeping.withSilence(tx, monitor, before, nowMs)
      return { monitorState, verdict: 'unknown', isNews: true, hasTurned: true }
    },

    /**
     * Opens what maintenance held back of a monitor that is still bad, without waiting for a result;
     * null if there is nothing, or maintenance is still on.
     */
    release(tx: Tx, monitor: Monitor, before: MonitorState, nowMs: number): FoldResult | null {
      if (isCovered(monitor, nowMs)) return null
      if (consequences.tellLive(tx, monitor, before.health)) {
        const verdict = before.lastVerdict ?? 'unknown'
        return { monitorState: before, verdict, isNews: true, hasTurned: false }
      }
      const { health: opened, change } = released(monitor, before.health, nowMs)
      if (change === null) return null
      const reading = newestReading(before, nowMs)
      const grounds = places.groundsOf(monitor, nowMs)
      const health = follow(tx, monitor, opened, [change], { reading, grounds })
      const verdict = before.lastVerdict ?? 'unknown'
      return { monitorState: { ...before, health }, verdict, isNews: true, hasTurned: false }
    },

    /** Ends a flapping after half an hour without changes; null if there is none to end. */
    settling(tx: Tx, monitor: Monitor, before: MonitorState, nowMs: number): FoldResult | null {
      const settled = settleFlapping(before.health, nowMs)
      if (!settled.change) return null
      const reading = newestReading(before, nowMs)
      const health = follow(tx, monitor, settled.health, [settled.change], { reading })
      const monitorState = { ...before, health }
      const hasTurned = shownMonitorState(monitorState) !== shownMonitorState(before)
      const verdict = before.lastVerdict ?? 'unknown'
      return { monitorState, verdict, isNews: true, hasTurned }
    },
  }
}

function policyOf(monitor: Monitor): HealthPolicy {
  if (waitsForReports(monitor)) return pushPolicy(monitor)
  if (!hasVote(monitor) && !isTold(monitor)) return monitor
  return { degradedOpensIncident: monitor.degradedOpensIncident, ...confirmedBefore }
}

/** The newest result, for changes that come without a new one. */
function newestReading(monitorState: MonitorState, atMs: number): Reading {
  const error = monitorState.lastError
  return { atMs, durationMs: 0, result: error ? 'failed' : 'good', ...(error ? { error } : {}) }
}

/** The change, where what it was decided on ended later than it began. */
function confirmedAt(change: HealthChange | null, atMs: number): HealthChange | null {
  return change && 'confirmedAtMs' in change ? { ...change, confirmedAtMs: atMs } : change
}
