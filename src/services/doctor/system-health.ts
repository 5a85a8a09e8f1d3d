// The health of this installation: the checks of `stillup doctor`, run inside the daemon.
import type { RunningClock } from '../../base/clock.ts'
import type { UsableSettings } from '../../config/load.ts'
import type { SelfReport } from '../system/self-report.ts'
import { createMachine } from './machine/machine.ts'
import type { Finding, FindingStatus } from './model/finding.ts'
import type { World } from './model/world.ts'
import { runChecks } from './run-checks.ts'

export interface SystemHealthDeps {
  readonly clock: RunningClock
  readonly version: string
  /** With what the console sets. */
  readonly settings: () => UsableSettings
  readonly isReady: () => boolean
  readonly selfReport: () => Promise<SelfReport>
  /** Looks at the machine; tests replace it. */
  readonly look?: (world: World) => Promise<readonly Finding[]>
}

export interface HealthView {
  readonly checkedAtMs: number
  readonly findingCounts: Readonly<Record<FindingStatus, number>>
  /** In the order of the checks. */
  readonly findings: readonly Finding[]
}

/** How old an answer may be: the checks write to the disk, and ask name servers and the mail server. */
const healthAgeMsMax = 10 * 60_000
/** The same for somebody who asks for a new one. */
const healthAgeMsMin = 5_000

export function createSystemHealth(deps: SystemHealthDeps) {
  const { clock, version, settings, isReady, selfReport, look = runChecks } = deps
  let last: HealthView | undefined
  let running: Promise<HealthView> | undefined

  async function lookNow(): Promise<HealthView> {
    const world = createMachine({
      clock,
      version,
      env: {},
      loaded: settings(),
      mailTo: null,
      viewDaemon: async () => ({
        kind: 'running',
        status: { pid: process.pid, version, ready: isReady() },
        report: await selfReport(),
      }),
    })
    const findings = await look(world)
    const findingCounts = { problem: 0, warning: 0, ok: 0, skipped: 0 }
    for (const { status } of findings) findingCounts[status] += 1
    last = { checkedAtMs: clock.nowMs(), findingCounts, findings }
    return last
  }

  /** The newest findings if they are at most that old, else new ones, which callers at the same time share. */
  async function atMost(ageMs: number): Promise<HealthView> {
    if (last && clock.nowMs() - last.checkedAtMs < ageMs) return last
    running ??= lookNow().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    /** What was found last; looks again if that was long ago. */
    read: () => atMost(healthAgeMsMax),
    /** Looks again, unless somebody just did. */
    check: () => atMost(healthAgeMsMin),
  }
}
