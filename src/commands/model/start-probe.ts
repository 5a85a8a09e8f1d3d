// What `probe` starts: app/probe.ts.
import type { RunningClock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import type { HostAndPort } from '../../config/kinds.ts'
import type { Settings } from '../../config/settings.ts'
import type { ProxySettings } from '../../net/daemon-wire.ts'

interface RemoteProbeInputs {
  readonly clock: RunningClock
  readonly log: Log
  readonly version: string
  readonly settings: Settings
  readonly token: string
  /** The addresses of the daemon. */
  readonly urls: readonly string[]
  readonly proxy: ProxySettings
  /** A file of authorities that the daemon may be certified by. */
  readonly caFile: string | undefined
  readonly health: HostAndPort | undefined
}

export type StartProbe = (inputs: RemoteProbeInputs) => Promise<{ stop(): Promise<unknown> }>
