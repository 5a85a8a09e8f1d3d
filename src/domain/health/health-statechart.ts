// The health statechart: how each verdict moves a monitor. No timers, no effects, no clock.
import { assign, setup } from 'xstate'
import { limits } from '../limits/limits.ts'
import {
  badUntilReopened,
  type Health,
  type HealthChange,
  type HealthPolicy,
  type HealthSeverity,
} from './health.ts'

/** The health without its state, and the effect of the current verdict. */
export type Memory = Omit<Health, 'state'> & { readonly change: HealthChange | null }

export interface VerdictEvent {
  readonly type: 'up' | 'degraded' | 'down'
  readonly atMs: number
  readonly policy: HealthPolicy
  readonly explicit: boolean
}

type Scope = { readonly context: Memory; readonly event: VerdictEvent }
type MemoryChanges = Partial<Memory>

const recentMask = 2 ** limits.recentResultsMax - 1
const oldestBit = 2 ** (limits.recentResultsMax - 1)
const nothingCounted = { streak: 0, streakSinceMs: null }
const nothingFailed = { recentBits: 0, failedAtMs: [] }

const failing = [
  { guard: 'outageConfirmed', target: 'down', actions: ['rememberFailure', 'beginOutage'] },
  { target: 'confirming', actions: ['rememberFailure'] },
] as const

const recovering = [
  { guard: 'recoveryConfirmed', target: 'up', actions: ['count', 'endOutage'] },
  { target: 'recovering', actions: ['count'] },
] as const

const slowing = {
  guard: 'slownessConfirmed',
  target: 'degraded',
  actions: ['rememberGood', 'count', 'beginSlowness'],
} as const

/** Run it with the pure `transition()`. A verdict without a transition changes nothing. */
export const healthChart = setup({
  types: { context: {} as Memory, events: {} as VerdictEvent },
  guards: {
    outageConfirmed: ({ context, event }) =>
      event.explicit ||
      failuresAmong(context.recentBits * 2 + 1, event.policy.failureThreshold) >=
        event.policy.failureThreshold,
    recoveryConfirmed: ({ context, event }) => context.streak + 1 >= event.policy.recoveryThreshold,
    slownessConfirmed: ({ context, event }) => context.streak + 1 >= event.policy.degradedThreshold,
    fastnessConfirmed: ({ context, event }) => context.streak + 1 >= event.policy.degradedThreshold,
    wasDegraded: ({ context }) => context.held === 'degraded',
    staysDegraded: ({ context, event }) =>
      context.held === 'degraded' && context.streak + 1 < event.policy.degradedThreshold,
  },
  actions: {
    rememberFailure: assign(({ context, event }) => ({
      ...remembered(context, true, event.atMs),
      ...nothingCounted,
    })),
    rememberGood: assign(({ context, event }) => remembered(context, false, event.atMs)),
    count: assign(({ context, event }) => ({
      streak: context.streak + 1,
      streakSinceMs: context.streakSinceMs ?? event.atMs,
    })),
    startCounting: assign(nothingCounted),
    beginOutage: assign(outageBegun),
    endOutage: assign(outageEnded),
    beginSlowness: assign(slownessBegun),
    endSlowness: assign(slownessEnded),
    /** Only a monitor without an earlier state comes up at this moment. */
    comeUp: assign(({ context, event }) => ({
      sinceMs: context.held === 'pending' ? event.atMs : context.sinceMs,
    })),
    hold: assign((_, params: { held: Health['held'] }) => params),
    /** Still bad after a person closed the incident. */
    failAgain: assign(failedAgain),
  },
}).createMachine({
  id: 'health',
  // Never used: a run starts from a stored health, with resolveState.
  context: () => {
    throw new Error('the health chart starts from a stored health')
  },
  initial: 'pending',
  states: {
    pending: {
      on: {
        up: { target: 'up', actions: ['rememberGood', 'comeUp'] },
        degraded: [slowing, { target: 'up', actions: ['rememberGood', 'count', 'comeUp'] }],
        down: failing,
      },
    },
    up: {
      entry: { type: 'hold', params: { held: 'up' } },
      on: {
        up: { actions: ['rememberGood', 'startCounting'] },
        degraded: [slowing, { actions: ['rememberGood', 'count'] }],
        down: failing,
      },
    },
    confirming: {
      on: {
        up: [
          { guard: 'staysDegraded', target: 'degraded', actions: ['rememberGood', 'count'] },
          {
            guard: 'wasDegraded',
            target: 'up',
            actions: ['rememberGood', 'count', 'endSlowness'],
          },
          { target: 'up', actions: ['rememberGood', 'comeUp'] },
        ],
        degraded: [
          { guard: 'wasDegraded', target: 'degraded', actions: ['rememberGood'] },
          slowing,
          { target: 'up', actions: ['rememberGood', 'count', 'comeUp'] },
        ],
        down: failing,
      },
    },
    degraded: {
      entry: { type: 'hold', params: { held: 'degraded' } },
      on: {
        up: [
          {
            guard: 'fastnessConfirmed',
            target: 'up',
            actions: ['rememberGood', 'count', 'endSlowness'],
          },
          { actions: ['rememberGood', 'count'] },
        ],
        degraded: { actions: ['rememberGood', 'startCounting', 'failAgain'] },
        down: failing,
      },
    },
    down: { on: { up: recovering, degraded: recovering, down: { actions: ['failAgain'] } } },
    recovering: {
      on: {
        up: recovering,
        degraded: recovering,
        down: { target: 'down', actions: ['startCounting', 'failAgain'] },
      },
    },
  },
})

/** How many of the newest N + 2 results failed; N is the failure threshold. */
export function failuresAmong(bits: number, failureThreshold: number): number {
  let rest = bits & recentMask & (2 ** (failureThreshold + limits.sparedResults) - 1)
  let failures = 0
  for (; rest !== 0; rest &= rest - 1) failures += 1
  return failures
}

function remembered(memory: Memory, failed: boolean, atMs: number): MemoryChanges {
  const { recentBits, failedAtMs } = memory
  const kept = (recentBits & oldestBit) === 0 ? failedAtMs : failedAtMs.slice(1)
  return {
    recentBits: (recentBits * 2 + (failed ? 1 : 0)) & recentMask,
    failedAtMs: failed ? [...kept, atMs] : kept,
  }
}

function outageBegun({ context, event }: Scope): MemoryChanges {
  const failures = failuresAmong(context.recentBits, event.policy.failureThreshold)
  const startedAtMs = context.failedAtMs.at(-failures) ?? event.atMs
  const turnsAtMs = turned(context, event.atMs)
  const flapping = context.flapping || turnsTooOften(turnsAtMs)
  return {
    // Failures of this outage must not count towards the next one.
    ...nothingFailed,
    ...nothingCounted,
    badSinceClosed: null,
    sinceMs: startedAtMs,
    turnsAtMs,
    flapping,
    ...opening(context, 'down', startedAtMs, event.atMs, flapping),
  }
}

function outageEnded({ context, event }: Scope): MemoryChanges {
  const resolvedAtMs = context.streakSinceMs ?? event.atMs
  const incidentId = context.openIncidentId
  const turnsAtMs = turned(context, event.atMs)
  const flapping = incidentId !== null && (context.flapping || turnsTooOften(turnsAtMs))
  const ended = {
    ...nothingCounted,
    sinceMs: resolvedAtMs,
    recoveredAtMs: resolvedAtMs,
    turnsAtMs,
    flapping,
  }
  if (!flapping) return { ...ended, ...resolving(context, event.atMs, resolvedAtMs) }
  return context.flapping ? ended : { ...ended, change: { kind: 'flapping', incidentId } }
}

function slownessBegun({ context, event }: Scope): MemoryChanges {
  const startedAtMs = context.streakSinceMs ?? event.atMs
  const started = { ...nothingCounted, sinceMs: startedAtMs }
  if (!event.policy.degradedOpensIncident) return started
  return {
    ...started,
    ...opening(context, 'degraded', startedAtMs, event.atMs, context.flapping),
  }
}

function slownessEnded({ context, event }: Scope): MemoryChanges {
  const resolvedAtMs = context.streakSinceMs ?? event.atMs
  const ended = { ...nothingCounted, sinceMs: resolvedAtMs }
  if (context.flapping) return ended
  return { ...ended, ...resolving(context, event.atMs, resolvedAtMs) }
}

/** Bad once more since a person closed the incident: it reopens after enough of that. */
function failedAgain({ context, event }: Scope): MemoryChanges {
  const { badSinceClosed, lastIncidentId, sinceMs: startedAtMs } = context
  if (badSinceClosed === null) return {}
  if (!event.explicit && badUntilReopened(context, event.policy) > 1) {
    return { badSinceClosed: badSinceClosed + 1 }
  }
  const severity = event.type === 'degraded' ? 'degraded' : 'down'
  const times = { startedAtMs, confirmedAtMs: event.atMs }
  return {
    badSinceClosed: null,
    openIncidentId: lastIncidentId,
    openSeverity: severity,
    change: { kind: 'opened', severity, ...times, reopens: lastIncidentId, flapping: false },
  }
}

/** A monitor has at most one open incident: a second reason changes it. */
export function opening(
  memory: Memory,
  severity: HealthSeverity,
  startedAtMs: number,
  confirmedAtMs: number,
  flapping: boolean,
): MemoryChanges {
  const { openIncidentId: incidentId, openSeverity } = memory
  if (incidentId === null) {
    const reopens = mayReopen(memory, severity, startedAtMs) ? memory.lastIncidentId : null
    const times = { startedAtMs, confirmedAtMs }
    return {
      openIncidentId: reopens,
      openSeverity: severity,
      change: { kind: 'opened', severity, ...times, reopens, flapping },
    }
  }
  // While an incident is flapping, only the flapping is announced.
  if (memory.flapping || openSeverity === severity) return { openSeverity: severity }
  return {
    openSeverity: severity,
    change: { kind: 'worsened', incidentId, startedAtMs, confirmedAtMs, flapping },
  }
}

const reopenWithinMs = 5 * 60_000

/** Slowness soon after an outage is a new incident; an outage soon after slowness continues it. */
function mayReopen(memory: Memory, severity: HealthSeverity, startedAtMs: number): boolean {
  if (memory.lastResolvedAtMs === null) return false
  if (startedAtMs - memory.lastResolvedAtMs > reopenWithinMs) return false
  return severity === 'down' || memory.lastSeverity === 'degraded'
}

function resolving(memory: Memory, atMs: number, resolvedAtMs: number): MemoryChanges {
  const { openIncidentId: incidentId, openSeverity, badSinceClosed, lastIncidentId } = memory
  if (badSinceClosed !== null && lastIncidentId !== null) {
    const change = { kind: 'recovered', incidentId: lastIncidentId } as const
    return {
      badSinceClosed: null,
      lastResolvedAtMs: atMs,
      change: { ...change, recoveredAtMs: resolvedAtMs },
    }
  }
  if (incidentId === null) return {}
  return {
    openIncidentId: null,
    openSeverity: null,
    lastIncidentId: incidentId,
    lastSeverity: openSeverity,
    lastResolvedAtMs: atMs,
    change: { kind: 'resolved', incidentId, resolvedAtMs },
  }
}

function turned(memory: Memory, atMs: number): readonly number[] {
  return [...memory.turnsAtMs, atMs].slice(-limits.flappingTurns)
}

function turnsTooOften(turnsAtMs: readonly number[]): boolean {
  const [oldest] = turnsAtMs
  const newest = turnsAtMs.at(-1)
  if (oldest === undefined || newest === undefined) return false
  return turnsAtMs.length >= limits.flappingTurns && newest - oldest <= limits.flappingWindowMs
}
