// What is left out of every uptime: time without the daemon, and time under maintenance.
import type { Gap } from '../domain/health/span.ts'
import { coverage } from '../domain/maintenance/coverage.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import type { Store } from './store.ts'

export interface LeftOut {
  /** The daemon did not run. */
  readonly gaps: () => readonly Gap[]
  /** The monitor was under maintenance. */
  readonly maintenance: (
    monitor: Pick<Monitor, 'orgId' | 'id' | 'tags'>,
    fromMs: number,
    toMs: number,
  ) => readonly Gap[]
}

export function leftOutOf({ meta, windows }: Pick<Store, 'meta' | 'windows'>): LeftOut {
  return {
    gaps: meta.gaps,
    maintenance: (monitor, fromMs, toMs) =>
      coverage(windows.coverings(monitor.orgId), monitor, fromMs, toMs),
  }
}
