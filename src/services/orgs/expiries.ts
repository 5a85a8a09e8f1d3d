// The certificates and domains of an organization that end soon, by the warnings that its monitors ask for.
import { LRUCache } from 'lru-cache'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { laterTurn } from '../../base/yielding.ts'
import { warnedAtMs } from '../../domain/alerts/expiry-notice.ts'
import { dayMs } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { isSilent } from '../../domain/monitors/shadow.ts'
import type { Core } from '../core.ts'

/** A certificate or a domain; monitors that see the same one share it, as they share an alert. */
export interface Expiry {
  readonly kind: 'certificate.expiring' | 'domain.expiring'
  /** The oldest monitor. */
  readonly monitor: Monitor
  readonly otherMonitors: number
  readonly endsAtMs: number
  /** When the newest warning became due. */
  readonly warnedAtMs: number
}

/** How long the expiries of a very large organization are reused. */
const expiriesFreshMs = 60_000
const organizationsRemembered = 1_000
const soonMs = (limits.certificateWarnDaysMax + 1) * dayMs

export function createExpiries({ store, clock }: Pick<Core, 'store' | 'clock'>) {
  const cached = new LRUCache<OrgId, Promise<readonly Expiry[]>>({
    max: organizationsRemembered,
    ttl: expiriesFreshMs,
    perf: { now: clock.monoMs },
  })

  async function read(orgId: OrgId): Promise<readonly Expiry[]> {
    const nowMs = clock.nowMs()
    const found = new Map<string, Expiry>()
    let after: MonitorId | undefined
    do {
      const slice = store.monitorStates.slice(orgId, limits.scanSlice, after)
      for (const { monitorId, monitorState } of slice) {
        if (monitorState.isPaused || !endsSoon(monitorState, nowMs)) continue
        const monitor = store.monitors.readable(orgId, monitorId)
        if (monitor && !isSilent(monitor)) noteEndings(found, monitor, monitorState, nowMs)
      }
      after = slice.length < limits.scanSlice ? undefined : slice.at(-1)?.monitorId
      if (after) await laterTurn()
    } while (after)
    return [...found.values()]
  }

  /** The present ones; for a very large organization up to a minute old. Yields to other work. */
  return (orgId: OrgId): Promise<readonly Expiry[]> => {
    if (store.monitors.count(orgId) <= limits.scanSlice) return read(orgId)
    const known = cached.get(orgId) ?? read(orgId)
    if (!cached.has(orgId)) cached.set(orgId, known)
    return known
  }
}

function endsSoon({ certificate, domainExpiresAtMs }: MonitorState, nowMs: number): boolean {
  const endsAtMs = Math.min(certificate?.expiresAtMs ?? Infinity, domainExpiresAtMs ?? Infinity)
  return endsAtMs - nowMs <= soonMs
}

/** Adds what is due of a monitor; older monitors come first. */
function noteEndings(
  found: Map<string, Expiry>,
  monitor: Monitor,
  { certificate, domainExpiresAtMs }: MonitorState,
  nowMs: number,
): void {
  function note(kind: Expiry['kind'], identity: string, days: readonly number[], endsAtMs: number) {
    const dueAtMs = warnedAtMs(days, endsAtMs, nowMs)
    if (dueAtMs === null) return
    const key = `${kind} ${identity}`
    const { otherMonitors, ...before } = found.get(key) ?? {
      kind,
      monitor,
      otherMonitors: -1,
      endsAtMs,
      // To a monitor that was made later it is news then.
      warnedAtMs: monitor.createdAtMs,
    }
    found.set(key, {
      ...before,
      otherMonitors: otherMonitors + 1,
      warnedAtMs: Math.max(before.warnedAtMs, dueAtMs),
    })
  }
  const { id, url, certificateWarnDays, domainWarnDays } = monitor
  if (certificate) {
    const { fingerprint = id, expiresAtMs } = certificate
    note('certificate.expiring', fingerprint, certificateWarnDays, expiresAtMs)
  }
  if (domainExpiresAtMs !== null) {
    note('domain.expiring', url ?? id, domainWarnDays, domainExpiresAtMs)
  }
}
