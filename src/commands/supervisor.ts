// Notifies systemd (sd_notify); without systemd it does nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log/log.ts'
import type { Host } from './host.ts'

interface SupervisorDeps extends Pick<Host, 'env'> {
  readonly clock: Clock
  readonly log: Log
}

export function createSupervisor({ env, clock, log }: SupervisorDeps) {
  // The unit sets the maximum silence; half of it leaves room for a late ping.
  const watchdogMs = Number(env.WATCHDOG_USEC ?? 0) / 1_000
  let timer: unknown
  let isStopped = false

  /** Sends a state, such as READY=1. Never fails: without systemd the daemon continues. */
  async function tell(...states: string[]): Promise<void> {
    if (!env.NOTIFY_SOCKET) return
    // Node cannot send a Unix datagram itself. The unit has NotifyAccess=all for this child.
    const child = spawn('systemd-notify', states, { env, stdio: 'ignore' })
    try {
      await once(child, 'exit')
    } catch (error) {
      log.warn('systemd-notify could not be run', { error })
    }
  }

  function ping(): void {
    if (isStopped) return
    timer = clock.setTimeout(ping, watchdogMs / 2)
    void tell('WATCHDOG=1')
  }

  return {
    tell,
    /** Pings the watchdog until stopped, if the unit has one. */
    startPings() {
      if (env.NOTIFY_SOCKET && watchdogMs > 0) ping()
    },
    stop() {
      isStopped = true
      clock.clearTimeout(timer)
    },
  }
}
