// What the checks of `stillup doctor` may see of the machine; tests replace it to simulate faults.
import type { Clock } from '../../../base/clock.ts'
import type { Problem } from '../../../config/load.ts'
import type { Settings } from '../../../config/settings.ts'
import type { Outcome } from '../../../domain/alerts/delivery.ts'
import type { DaemonStatus } from '../../../store/lock.ts'
import type { Leadership } from '../../../store/tables/system/leadership.ts'
import type { ClusterProblem } from '../../cluster/cluster-tools.ts'
import type { SelfReport } from '../../system/self-report.ts'
import type { CheckFinding } from './finding.ts'
import type { UnitFile } from './unit-file.ts'

/** One check: looks at the world, changes nothing, and says what it found. */
export interface DoctorCheck {
  readonly name: string
  run(world: World): Promise<readonly CheckFinding[]>
}

export interface World {
  readonly clock: Clock
  readonly version: string
  /** The settings. Where some are wrong, these have their defaults. */
  readonly settings: Settings
  readonly settingsSource: string | null
  readonly settingsProblems: readonly Problem[]
  readonly settingsWarnings: readonly string[]
  /** Where secrets are in the settings file. */
  readonly secretsInFile: readonly string[]
  readonly own: OwnProcess
  /** Where `--send-mail` sends a letter. */
  readonly mailTo: string | null
  readonly files: FilesPort
  readonly network: NetworkPort
  /** The daemon of the data directory. */
  daemon(): Promise<DaemonView>
  /** What the data is to another machine's, where no daemon has it open. Throws if it cannot be read. */
  leadership(): Leadership | undefined
  /** What is wrong with the cluster that this machine is a member of. */
  cluster(): Promise<readonly ClusterProblem[]>
  /** The systemd unit with its drop-ins; undefined if none is installed. */
  unit(): Promise<UnitFile | undefined>
}

/** The process of the doctor itself. */
export interface OwnProcess {
  readonly uid: number
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface FileFacts {
  readonly kind: 'file' | 'directory' | 'other'
  /** The permission bits. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly bytes: number
  readonly changedAtMs: number
}

interface DiskFacts {
  readonly freeBytes: number
  readonly totalBytes: number
  readonly freeFiles: number
  /** 0: the file system has no bound. */
  readonly totalFiles: number
}

/** How long single writes took until they were on the disk, or why there were none. */
export type WriteTrial = { readonly slowestMs: number } | { readonly code: string }

export interface FilesPort {
  /** The text of a small file; undefined if it cannot be read. */
  read(path: string): Promise<string | undefined>
  look(path: string): Promise<FileFacts | 'missing' | 'denied'>
  /** The names in a directory, up to a bound; none if it cannot be read. */
  list(dir: string): Promise<readonly string[]>
  disk(dir: string): Promise<DiskFacts | undefined>
  /** Writes to a file without a name, which is gone with the call. */
  tryWrite(dir: string): Promise<WriteTrial>
}

export type ExchangeResult =
  | {
      readonly ok: true
      readonly body: string
    }
  | { readonly ok: false; readonly reason: string }

type ResolveResult = { readonly addresses: readonly string[] } | { readonly reason: string }

export interface NetworkPort {
  /** Each is `address` or `address:port`. */
  nameServers(): readonly string[]
  /** Asks one name server; `code` is null if it has the name. */
  askServer(server: string, name: string): Promise<{ tookMs: number; code: string | null }>
  resolve(name: string): Promise<ResolveResult>
  /** One GET, without redirects. */
  exchange(url: URL): Promise<ExchangeResult>
  /** Connects to the mail server, with TLS and password; sends nothing. */
  verifyMail(url: string): Promise<Outcome>
  sendMail(to: string): Promise<Outcome>
}

export type DaemonView =
  /** No daemon holds the directory. */
  | { readonly kind: 'absent' }
  /** The control socket belongs to another user. */
  | { readonly kind: 'refused' }
  /** A process is there, and does not answer. */
  | { readonly kind: 'silent'; readonly reason: string }
  | {
      readonly kind: 'running'
      readonly status: DaemonStatus
      /** undefined: its version does not know the question. */
      readonly report: SelfReport | undefined
    }
