// Metrics of the engine: checks by outcome, their delay, monitors and pending messages.

import type { Jump } from '../base/clock.ts'
import type { Gate } from '../base/gate.ts'
import type { Metrics } from '../base/metrics.ts'
import type { VerdictKind } from '../domain/checks/verdict.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import type { Fleet } from './monitor/fleet.ts'

export interface CheckStarts {
  readonly started: number
  /** Checks that began more than checkLateMs late. */
  readonly late: number
}

export type CheckWatch = ReturnType<typeof watchChecks>

// Close together at the low end, where a healthy daemon is. The clock has whole milliseconds.
const latenessBuckets = [
  0, 0.001, 0.002, 0.003, 0.004, 0.005, 0.0075, 0.01, 0.0125, 0.015, 0.02, 0.025, 0.035, 0.05, 0.1,
  0.2, 0.5, 1, 5, 30,
]

/** A check that begins later than this after its time counts as late. */
const checkLateMs = 1_000

export function watchChecks(metrics: Metrics) {
  const checks = metrics.counter({
    name: 'checks_total',
    help: 'Results committed, by kind of monitor and verdict.',
    labels: ['kind', 'verdict'],
  })
  const lateness = metrics
    .histogram({
      name: 'check_lateness_seconds',
      help: 'Delay between the due time of a check and its start.',
      buckets: latenessBuckets,
    })
    .of()
  const stalled = metrics.counter({
    name: 'stalled_seconds_total',
    help: 'Time in which the process stood still: stopped, suspended or blocked in one piece.',
  })
  let committed = 0
  let started = 0
  let late = 0
  return {
    /** How many results were committed so far. */
    committed: () => committed,
    onJump({ kind, deltaMs }: Jump): void {
      if (kind === 'stall') stalled.of().inc(deltaMs / 1_000)
    },
    /** How many checks were started so far, and how many of them late. */
    starts: (): CheckStarts => ({ started, late }),
    /** How late checks began so far, by bucket; the last bucket has no bound. */
    latenessCounts: (): readonly number[] => lateness.counts,
    latenessBoundsMs: latenessBuckets.map((seconds) => seconds * 1_000),
    onStart(_monitor: Monitor, latenessMs: number): void {
      started += 1
      if (latenessMs > checkLateMs) late += 1
      lateness.observe(Math.max(0, latenessMs) / 1_000)
    },
    onVerdict({ checkType: kind }: Monitor, verdict: VerdictKind): void {
      committed += 1
      checks.of(kind, verdict).inc()
    },
    /** Connects the values that are read only when metrics are collected. */
    observe({ fleet, gate, pending }: { fleet: Fleet; gate: Gate; pending: () => number }) {
      metrics.gauge({ name: 'monitors', help: 'Running monitors.' }, (gauge) =>
        gauge.set(fleet.size()),
      )
      metrics.gauge({ name: 'checks_inside', help: 'Checks in flight.' }, (gauge) =>
        gauge.set(gate.load().inside),
      )
      metrics.gauge({ name: 'checks_waiting', help: 'Due checks waiting for a slot.' }, (gauge) =>
        gauge.set(gate.load().waiting),
      )
      metrics.gauge({ name: 'deliveries_pending', help: 'Pending messages.' }, (gauge) =>
        gauge.set(pending()),
      )
    },
  }
}
