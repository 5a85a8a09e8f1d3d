// Tells systemd what the daemon is doing (sd_notify); without systemd it does nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log/log.ts'

export interface Supervisor {
  /** Sends a state, such as READY=1. Never fails: without systemd the daemon runs on. */
  tell(...states: string[]): Promise<void>
  /** Pings the watchdog, if the unit has one, until stopped. */
  startPings(): void
  stop(): void
}

export interface SupervisorDeps {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly log: Log
}

export function createSupervisor({ env, clock, log }: SupervisorDeps): Supervisor {
  // The unit names how long silence may last; half of that leaves room for a late ping.
  const watchdogMs = Number(env.WATCHDOG_USEC ?? 0) / 1_000
  let timer: unknown
  let isStopped = false

  async function tell(...states: string[]): Promise<void> {
    if (!env.NOTIFY_SOCKET) return
    // Node cannot send a Unix datagram itself. The unit says NotifyAccess=all for this child.
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
    startPings() {
      if (env.NOTIFY_SOCKET && watchdogMs > 0) ping()
    },
    stop() {
      isStopped = true
      clock.clearTimeout(timer)
    },
  }
}
