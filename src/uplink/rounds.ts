// The rounds of a probe: when each of its monitors is checked, and what is told of each check.
import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import type { Gate } from '../base/gate.ts'
import type { MonitorId } from '../base/ids.ts'
import type { Reading } from '../domain/checks/reading.ts'
import { judge, type VerdictKind } from '../domain/checks/verdict.ts'
import { foldVerdict } from '../domain/health/fold-verdict.ts'
import { type Health, initialHealth, isConfirming } from '../domain/health/health.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Assignment, ProbePlan } from '../domain/locations/protocol.ts'
import {
  firstDueAtMs,
  gridPointAfter,
  slotOf,
  stalledRetryMs,
  unseenRetryMs,
} from '../domain/schedule/schedule.ts'
import { likeness, type MadeResult } from './held-results.ts'

export interface RoundsDeps {
  /** For timers and spans. */
  readonly clock: Pick<Clock, 'monoMs' | 'setTimeout' | 'clearTimeout'>
  /** The daemon's time. */
  readonly nowMs: () => number
  readonly gate: Gate
  /** The host that a check of it contacts: the key for the gate. */
  readonly hostOf: (assignment: Assignment) => string
  /** Checks once; never rejects. May set the reading aside unless it `mustCount`. */
  readonly check: (
    assignment: Assignment,
    signal: AbortSignal,
    mustCount: boolean,
  ) => Promise<Reading>
  readonly hold: (made: MadeResult) => void
}

/** A monitor on its rounds. */
interface MonitorRound {
  assignment: Assignment
  health: Health
  verdict: VerdictKind | undefined
  /** What the newest result was like. */
  likeness: string
  /** When it is checked next, and whether that is a point of its grid. */
  dueAtMs: number
  isSlot: boolean
  /** The newest point of the grid that was reached, and the checks since then. */
  slotAtMs: number
  tries: number
  /** The results in a row that were set aside. */
  setAside: number
  /** The target, as it is set now, was seen from here. */
  isSeen: boolean
  alarm: unknown
  /** While it is checked. */
  controller: AbortController | undefined
  /** Somebody waits for the check in progress. */
  isAsked: boolean
}

/** So many new monitors of one change are checked at once; more are spread over `newcomersMs`. */
const newcomersAtOnce = 10
const newcomersMs = 30_000
/** What became due while time was not known is checked within this time. */
const catchUpMs = 60_000
const leftMax = 10_000
/** Checks whose lateness is remembered, and for how long. */
const latenessesMax = 1_000
const latenessKeptMs = 60_000

export function createRounds(deps: RoundsDeps) {
  const { clock, nowMs, gate } = deps
  const rounds = new Map<MonitorId, MonitorRound>()
  /** Where monitors were on their rounds that were taken away: they may come back. */
  const left = new LRUCache<MonitorId, Pick<MonitorRound, 'slotAtMs' | 'tries'>>({
    max: leftMax,
  })
  const latenesses: { readonly atMonoMs: number; readonly lateMs: number }[] = []
  let checks = 0

  function arm(round: MonitorRound, dueAtMs: number, isSlot: boolean): void {
    clock.clearTimeout(round.alarm)
    round.dueAtMs = dueAtMs
    round.isSlot = isSlot
    round.alarm = clock.setTimeout(() => begin(round), Math.max(0, dueAtMs - nowMs()))
  }

  /** Its next point of the grid. */
  function armNext(round: MonitorRound): void {
    arm(round, gridAfter(round.assignment, Math.max(nowMs(), round.dueAtMs)), true)
  }

  function begin(round: MonitorRound): void {
    const { assignment, dueAtMs, isSlot } = round
    clock.clearTimeout(round.alarm)
    // A timer may fire a little early.
    const slotAtMs = gridUntil(assignment, Math.max(nowMs(), dueAtMs))
    round.tries = slotAtMs === round.slotAtMs ? round.tries + 1 : isSlot ? 0 : 1
    round.slotAtMs = slotAtMs
    const controller = new AbortController()
    round.controller = controller
    void run(round, controller.signal)
  }

  async function run(round: MonitorRound, signal: AbortSignal): Promise<void> {
    const { assignment, dueAtMs } = round
    const host = deps.hostOf(assignment)
    await gate.enter(host, round.isAsked ? 0 : dueAtMs)
    let reading: Reading | undefined
    const startedMonoMs = clock.monoMs()
    try {
      if (signal.aborted) return
      noteStart(Math.max(0, nowMs() - dueAtMs))
      reading = await deps.check(assignment, signal, round.setAside >= limits.stalledResultsMax)
    } finally {
      gate.leave(host)
    }
    // It is not ours any more, or has changed meanwhile.
    if (signal.aborted) return
    round.controller = undefined
    settle(round, reading, startedMonoMs)
  }

  /**
   * What may not be opened says nothing about the target, unless this probe has opened it before: then its name,
   * or a redirect, leads elsewhere now, and nobody reaches it.
   */
  function counted(round: MonitorRound, reading: Reading): Reading {
    if (reading.result !== 'unknown') round.isSeen = true
    const isLost = round.isSeen && reading.result === 'unknown' && reading.error?.kind === 'blocked'
    return isLost ? { ...reading, result: 'failed' } : reading
  }

  function settle(round: MonitorRound, found: Reading, startedMonoMs: number): void {
    const reading = counted(round, found)
    const { assignment, slotAtMs: dueAtMs, tries, isAsked } = round
    const { monitorId, revision, retryMs } = assignment
    const verdict = judge(reading, assignment.degradedThresholdMs)
    const policy = { ...assignment, degradedOpensIncident: false }
    round.health = foldVerdict(round.health, verdict, policy, nowMs()).health
    const { atMs: _ours, doubt: _settled, answer: _untold, ...told } = reading
    const result = { monitorId, revision, dueAtMs, try: tries, ...told }
    const like = likeness(result)
    const isTurn = round.verdict !== undefined && verdict !== round.verdict
    deps.hold({
      result,
      startedMonoMs,
      isAlike: like === round.likeness && !isAsked,
      isUrgent: verdict === 'down' || isTurn || isAsked,
    })
    round.likeness = like
    round.verdict = verdict
    round.isAsked = false
    round.setAside = reading.isSetAside ? round.setAside + 1 : 0
    if (isConfirming(round.health)) arm(round, nowMs() + retryMs, false)
    else armNext(round)
    // After an unknown result the next check comes soon, also with a long interval, unless it was not
    // permitted: that does not pass by itself.
    if (reading.isSetAside) armUntil(round, soonWithin(round, stalledRetryMs))
    else if (isPassing(reading)) armUntil(round, nowMs() + unseenRetryMs)
  }

  function armUntil(round: MonitorRound, atMs: number): void {
    if (atMs < round.dueAtMs) arm(round, atMs, false)
  }

  /** A time within so long from now, evenly spread over the monitors. */
  function soonWithin({ assignment }: MonitorRound, spanMs: number): number {
    const { monitorId, intervalMs } = assignment
    return firstDueAtMs(monitorId, Math.min(spanMs, intervalMs), nowMs() + 1, 'start')
  }

  function checkNow(round: MonitorRound): void {
    if (round.controller) return
    round.dueAtMs = nowMs()
    round.isSlot = false
    begin(round)
  }

  function drop(round: MonitorRound): void {
    const { monitorId } = round.assignment
    clock.clearTimeout(round.alarm)
    round.controller?.abort()
    rounds.delete(monitorId)
    left.set(monitorId, { slotAtMs: round.slotAtMs, tries: round.tries })
  }

  function add(assignment: Assignment): MonitorRound {
    const round: MonitorRound = {
      assignment,
      health: initialHealth(nowMs()),
      verdict: undefined,
      likeness: '',
      dueAtMs: nowMs(),
      isSlot: false,
      // Checks since a slot are numbered on, or what is found would be taken for what was found before.
      ...(left.get(assignment.monitorId) ?? { slotAtMs: Number.NEGATIVE_INFINITY, tries: 0 }),
      setAside: 0,
      isSeen: false,
      alarm: undefined,
      controller: undefined,
      isAsked: false,
    }
    rounds.set(assignment.monitorId, round)
    return round
  }

  /** What was being checked is checked anew, because its result would count no more. */
  function change(round: MonitorRound, next: Assignment): void {
    const before = round.assignment
    round.assignment = next
    if (before.revision !== next.revision) round.isSeen = false
    if (isDeepStrictEqual(timingOf(before), timingOf(next))) return
    const wasChecking = round.controller !== undefined
    round.controller?.abort()
    round.controller = undefined
    round.dueAtMs = nowMs()
    if (wasChecking) checkNow(round)
    else armNext(round)
  }

  function noteStart(lateMs: number): void {
    checks += 1
    latenesses.push({ atMonoMs: clock.monoMs(), lateMs })
    if (latenesses.length > latenessesMax) latenesses.shift()
  }

  return {
    apply({ isWhole, put, remove, ask }: Omit<ProbePlan, 'revision' | 'nowMs'>): void {
      const isFirst = rounds.size === 0
      if (isWhole) {
        const kept = new Set(put.map(({ monitorId }) => monitorId))
        for (const round of [...rounds.values()]) {
          if (!kept.has(round.assignment.monitorId)) drop(round)
        }
      }
      for (const monitorId of remove) {
        const round = rounds.get(monitorId)
        if (round) drop(round)
      }
      const newcomers = put.filter(({ monitorId }) => !rounds.has(monitorId))
      for (const assignment of put) {
        const round = rounds.get(assignment.monitorId)
        if (round) change(round, assignment)
      }
      // A probe that starts spreads its checks, as the daemon does, but what was never checked is soon.
      const isSoon = ({ isNew = false }: Assignment) => isNew || !(isFirst && isWhole)
      const isFew = newcomers.filter(isSoon).length <= newcomersAtOnce
      for (const round of newcomers.map(add)) {
        if (!isSoon(round.assignment)) armNext(round)
        else if (isFew) checkNow(round)
        else arm(round, soonWithin(round, newcomersMs), false)
      }
      // A check in progress tells at once what it finds.
      for (const { monitorId } of ask) {
        const round = rounds.get(monitorId)
        if (!round) continue
        round.isAsked = true
        checkNow(round)
      }
    },
    /** Repeats checks within 30 s, after an outage of our own network. */
    checkSoon(monitorIds: readonly MonitorId[]): void {
      for (const monitorId of monitorIds) {
        const round = rounds.get(monitorId)
        if (round && !round.controller) armUntil(round, soonWithin(round, newcomersMs))
      }
    },
    /** The daemon's time is another one than was thought, or became known again. */
    retime(): void {
      for (const round of rounds.values()) {
        if (round.controller) continue
        const isOverdue = round.dueAtMs < nowMs()
        round.dueAtMs = nowMs()
        armNext(round)
        if (isOverdue || !round.isSlot) armUntil(round, soonWithin(round, catchUpMs))
      }
    },
    /** Ends all checks. */
    forget(): void {
      for (const round of [...rounds.values()]) drop(round)
    },
    /** How many monitors it checks. */
    size: () => rounds.size,
    isRunning: (monitorId: MonitorId) => rounds.has(monitorId),
    isDown: (monitorId: MonitorId) => rounds.get(monitorId)?.health.state === 'down',
    load() {
      const sinceMonoMs = clock.monoMs() - latenessKeptMs
      const late = latenesses.filter(({ atMonoMs }) => atMonoMs >= sinceMonoMs)
      const sorted = late.map(({ lateMs }) => lateMs).sort((one, other) => one - other)
      const lateMs = Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0)
      return { checks, lateMs, monitors: rounds.size }
    },
  }
}

/** Whether the check could not be made, for a reason that may be gone soon. */
function isPassing({ result, error }: Reading): boolean {
  return result === 'unknown' && error?.kind !== 'blocked'
}

function timingOf({ revision, intervalMs, retryMs, offsetMs }: Assignment) {
  return { revision, intervalMs, retryMs, offsetMs }
}

function gridAfter({ monitorId, intervalMs, offsetMs }: Assignment, afterMs: number): number {
  return gridPointAfter(slotOf(monitorId, intervalMs) + offsetMs, intervalMs, afterMs)
}

/** The newest point of its grid. */
function gridUntil(assignment: Assignment, untilMs: number): number {
  return gridAfter(assignment, untilMs) - assignment.intervalMs
}
