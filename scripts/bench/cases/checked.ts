// Where many cases begin: a target, and a daemon that checks many monitors of it.
import { startTarget } from '../load/target-process.ts'
import { type DaemonOptions, startDaemon } from '../world/daemon.ts'
import { checkedMonitor, type PrepareOptions, prepare } from '../world/prepare.ts'
import type { Workplace } from '../world/workplace.ts'

interface CheckedOptions
  extends Pick<PrepareOptions, 'name' | 'count' | 'also'>,
    Omit<DaemonOptions, 'dataDir'> {
  readonly intervalSeconds: number
  /** Further fields of each monitor. */
  readonly fields?: object
  /** Whether the target speaks TLS. */
  readonly isTls?: boolean
}

export async function startChecked(
  work: Workplace,
  { name, count, also, intervalSeconds, fields, isTls, ...options }: CheckedOptions,
) {
  const target = await startTarget(work, isTls ? { isTls } : {})
  const { urlPrefix } = target
  const monitor = { ...checkedMonitor(urlPrefix, intervalSeconds), ...fields }
  const made = await prepare(work, { name, count, monitor, urlPrefix, ...(also ? { also } : {}) })
  await target.reset(made.slotsMs, intervalSeconds * 1_000)
  const daemon = await startDaemon(work, { ...options, dataDir: made.dataDir })
  return {
    target,
    made,
    daemon,
    /** Returns how long the daemon took to end. */
    async stop(): Promise<number> {
      const startedMs = performance.now()
      await daemon.stop()
      const tookMs = performance.now() - startedMs
      await target.stop()
      return tookMs
    },
  }
}
