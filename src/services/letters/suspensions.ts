// Tells of a monitor whose checks crash: its organization by its state, the operator by a notice.

import type { Commit } from '../../actors/monitor/commit.ts'
import type { Clock } from '../../base/clock.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import { suspendedNotice } from '../../domain/alerts/system-notice.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Store } from '../../store/store.ts'
import type { SystemNotices } from './system-notices.ts'

export interface SuspensionsDeps {
  readonly store: Pick<Store, 'write'>
  readonly clock: Clock
  readonly log: Log
  readonly commit: Pick<Commit, 'reading'>
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

const words =
  'the check could not be made: it crashes, so the monitor is suspended. Resume or change it to try again'

/** The target may be fine, so the result is unknown, and no incident opens. */
export function createSuspensions(deps: SuspensionsDeps) {
  const { store, clock, log, commit, systemNotices, baseUrl } = deps

  async function tell(monitor: Monitor, error: unknown): Promise<void> {
    const reason = errorText(error)
    await store.write((tx) => systemNotices.tell(tx, suspendedNotice(baseUrl, monitor, reason)))
    const unknown = { kind: 'invalid_response', message: words } as const
    const atMs = clock.nowMs()
    await commit.reading(monitor, { atMs, durationMs: 0, result: 'unknown', error: unknown })
  }

  return {
    /** Never throws: what crashed may crash here, too. */
    note(monitor: Monitor, error: unknown): void {
      tell(monitor, error).catch((failed: unknown) =>
        log.error('a suspension could not be told', { monitorId: monitor.id, error: failed }),
      )
    },
  }
}
