// What the page of parts shows: monitors in every state, and a day of response times.
import { signal } from '@preact/signals'
import { createResource, type Resource } from '../../api/resource.ts'
import type { MonitorEntry, MonitorState, Recent } from '../../stores/monitors.ts'
import type { ResponseTimes } from '../monitors/history/shades.ts'

/** A resource that is loaded already. */
export function recordOf<Row>(rows: readonly Row[]): Resource<readonly Row[]> {
  const made = createResource<readonly Row[]>(async () => rows)
  made.set(rows)
  return made
}

const from = '2026-03-01T00:00:00.000Z'
const hourMs = 3_600_000

const results = { up: 60, degraded: 0, down: 0, unknown: 0 }
const measured = (ms: number) => ({
  ...{ results, count: 60, minMs: ms / 2, avgMs: ms, p50Ms: ms, p95Ms: ms * 2, p99Ms: ms * 3 },
  ...{ maxMs: ms * 4, phases: {} },
})

export const times: ResponseTimes = {
  from,
  to: '2026-03-02T00:00:00.000Z',
  pointSeconds: 3_600,
  total: measured(180),
  points: Array.from({ length: 24 }, (_, hour) => ({
    at: new Date(Date.parse(from) + hour * hourMs).toISOString(),
    ...measured(150 + 60 * Math.sin(hour / 3)),
  })),
  maintenance: [],
}

export const recent: Recent = {
  monitorId: 'mon_of_a_look',
  uptime: 0.98,
  from,
  hours: Array.from({ length: 24 }, (_, hour) =>
    hour < 2 ? 'none' : hour === 9 ? 'down' : hour === 10 ? 'degraded' : 'up',
  ),
  medianMs: Array.from({ length: 24 }, (_, hour) => (hour < 2 ? null : 100 + 30 * (hour % 5))),
}

const places = (['down', 'up', 'up'] as const).map((state, at) => ({
  location: `loc_${at}`,
  name: ['Frankfurt', 'Oslo', null][at] ?? null,
  state,
  error: null,
}))

export function entryIn(
  state: MonitorState,
  mark: 'confirming' | 'partly' | null = null,
): MonitorEntry {
  const isConfirming = mark === 'confirming'
  const isPartly = mark === 'partly'
  const isWrong = state === 'down' || state === 'degraded'
  const shared = {
    id: `mon_${state}_${mark}`,
    name: `A monitor that is ${state}`,
    state,
    tags: ['shop', 'eu'],
    checkType: 'endpoint' as const,
  }
  return {
    ...shared,
    since: from,
    isConfirming,
    isPartly,
    glance: signal({
      ...shared,
      isPublic: true,
      isShadow: false,
      stateSince: from,
      confirming: isConfirming ? { failed: 2, needed: 3 } : null,
      failingFrom: isPartly ? { failing: 1, of: 3, places } : null,
      lastOutcome: null,
      lastError: isWrong ? 'The answer is 503' : null,
      responseTimeMs: state === 'pending' ? null : 124,
      openIncidentId: null,
    }),
  }
}
