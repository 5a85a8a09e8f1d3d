// What `serve` starts: everything that serves and checks. app/app.ts in the daemon.
import type { RunningClock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import type { SettingsChange } from '../../config/live.ts'
import type { Problem, StartSettings } from '../../config/load.ts'
import type { ProxySettings } from '../../net/daemon-wire.ts'

interface DaemonInputs {
  readonly clock: RunningClock
  readonly log: Log
  readonly version: string
  /** The disk failed: the process must end and restart. */
  readonly fail: (error: unknown) => void
  /** Hears what is being done while a start takes long. */
  readonly progress: (status: string) => void
  /** Called where it runs as it should before it serves: it is a standby. */
  readonly standsBy: (status: string) => void
  /** Aborted by the first signal. What waits as a standby throws its reason. */
  readonly stopping: AbortSignal
}

export interface RunningApp {
  /** Its address, such as http://127.0.0.1:8080. */
  readonly address: string
  /** The public address, without a trailing slash. */
  readonly baseUrl: string
  /** No setting names it: it was derived from where the daemon listens. */
  readonly isBaseGuessed: boolean
  /** Whether monitors and channels may lead to this machine. */
  readonly isLocalAllowed: boolean
  /** The addresses of some status pages. */
  readonly statusPages: readonly string[]
  readonly firstRun: { readonly setupToken: string } | null
  /** Resolves when every monitor runs. */
  readonly ready: Promise<void>
  /** Applies the new settings that can change now. */
  reload(next: StartSettings): SettingsChange | { readonly problems: readonly Problem[] }
  stop(): Promise<unknown>
}

export type StartApp = (own: StartSettings, world: DaemonInputs) => Promise<RunningApp>

interface StandbyWishes {
  /** The address of the daemon to follow, without a slash at the end. */
  readonly of: string
  /** A file of authorities that it may be certified by. */
  readonly caFile: string | undefined
  readonly proxy: ProxySettings
  /** Whether data that is no copy may be replaced. */
  readonly mayReplace: boolean
}

/** What `serve` starts where there is a cluster: app/member.ts. */
export type StartMember = (
  own: StartSettings,
  world: DaemonInputs,
  proxy: ProxySettings,
) => Promise<RunningApp>

/** What `standby` starts: app/standby.ts. */
export type StartStandby = (
  own: StartSettings,
  world: DaemonInputs,
  wishes: StandbyWishes,
) => Promise<RunningApp>
