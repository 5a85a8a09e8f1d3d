// The oracle: which incidents a story must have led to, by counting, without any of the engine.
import type { Outage, Story } from './world.ts'

export interface ExpectedIncident {
  readonly monitorId: string
  readonly startedAtMs: number
  readonly confirmedAtMs: number
  readonly resolvedAtMs: number | null
}

export function expectedIncidents(
  story: Story,
  gaps: readonly Outage[],
  endMs: number,
): ExpectedIncident[] {
  return story.monitor.checkType === 'push' ? ofReports(story, gaps, endMs) : ofChecks(story)
}

/** An outage is N failures among the newest N + 2 results; it ends with R good ones in a row. */
function ofChecks({ monitor, seen }: Story): ExpectedIncident[] {
  const { id: monitorId, failureThreshold, recoveryThreshold } = monitor
  const incidents: ExpectedIncident[] = []
  let open: ExpectedIncident | undefined
  let newest: (number | null)[] = []
  let goodAtMs: number[] = []
  for (const { atMs, isGood } of seen) {
    if (open) {
      goodAtMs = isGood ? [...goodAtMs, atMs] : []
      if (goodAtMs.length < recoveryThreshold) continue
      incidents.push({ ...open, resolvedAtMs: goodAtMs[0] ?? 0 })
      open = undefined
      newest = []
      continue
    }
    newest = [...newest, isGood ? null : atMs].slice(-(failureThreshold + 2))
    const failedAtMs = newest.filter((one) => one !== null)
    if (failedAtMs.length < failureThreshold) continue
    const [startedAtMs = 0] = failedAtMs
    open = { monitorId, startedAtMs, confirmedAtMs: atMs, resolvedAtMs: null }
    goodAtMs = []
  }
  return open ? [...incidents, open] : incidents
}

/** A report is missing when its time is over, not counting the daemon's own absence. */
function ofReports(
  { monitor, seen }: Story,
  gaps: readonly Outage[],
  endMs: number,
): ExpectedIncident[] {
  const { id: monitorId, intervalSeconds, graceSeconds } = monitor
  const graceMs = graceSeconds * 1_000
  const allowedMs = (intervalSeconds + graceSeconds) * 1_000
  const incidents: ExpectedIncident[] = []
  for (const [index, { atMs }] of seen.entries()) {
    const nextMs = seen[index + 1]?.atMs ?? null
    let deadlineMs = atMs + allowedMs
    for (const { fromMs, toMs } of gaps) {
      if (fromMs < atMs || fromMs >= deadlineMs) continue
      // A report that was due while nobody listened may be lost: then the next one has its time.
      const mayBeLost = deadlineMs - graceMs <= toMs
      deadlineMs += toMs - fromMs
      if (mayBeLost) deadlineMs = Math.max(deadlineMs, toMs + allowedMs)
    }
    if (deadlineMs > (nextMs ?? endMs)) continue
    const times = { startedAtMs: deadlineMs, confirmedAtMs: deadlineMs, resolvedAtMs: nextMs }
    incidents.push({ monitorId, ...times })
  }
  return incidents
}
