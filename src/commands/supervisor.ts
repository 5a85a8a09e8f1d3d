// Notifies systemd (sd_notify); without systemd it does nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log/log.ts'
import type { Host } from './model/host.ts'

interface SupervisorDeps extends Pick<Host, 'env'> {
  readonly clock: Clock
  readonly log: Log
}

export type Supervisor = ReturnType<typeof createSupervisor>

export function createSupervisor({ env, clock, log }: SupervisorDeps) {
  // The unit sets the maximum silence; half of it leaves room for a late ping.
  const watchdogMs = Number(env.WATCHDOG_USEC ?? 0) / 1_000
  let socket = openedSocket(env)
  let timer: unknown
  let isStopped = false

  /** Sends a state, such as READY=1. Never fails: without systemd the daemon continues. */
  async function tell(...states: string[]): Promise<void> {
    if (!env.NOTIFY_SOCKET) return
    if (socket !== undefined) {
      try {
        writeSync(socket, states.join('\n'))
        return
      } catch (error) {
        // systemd was replaced and listens on a new socket.
        log.debug('the socket of systemd is gone', { error })
        socket = undefined
      }
    }
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
    /** A reload begins; READY=1 ends it. */
    tellReloading: () => tell('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1_000n}`),
    /** Pings the watchdog until stopped, if the unit has one. */
    startPings() {
      if (env.NOTIFY_SOCKET && watchdogMs > 0 && timer === undefined) ping()
    },
    stop() {
      isStopped = true
      clock.clearTimeout(timer)
    },
  }
}

const firstPassedFd = 3

/**
 * The socket that systemd 253 and later opens for us (OpenFile=, named `notify`). Writing to it
 * needs no process, and works for Node, which cannot open such a socket.
 */
function openedSocket(env: Host['env']): number | undefined {
  if (Number(env.LISTEN_PID) !== process.pid) return undefined
  const place = env.LISTEN_FDNAMES?.split(':').indexOf('notify') ?? -1
  return place < 0 ? undefined : firstPassedFd + place
}
