// System information for the operator at a glance. None of it is secret.
import { dirname, relative } from 'node:path'
import type { Observer } from '../../actors/observer.ts'
import type { OutgoingHeartbeatState } from '../../actors/tasks/outgoing-heartbeat.ts'
import type { FixedSettings, Settings } from '../../config/settings.ts'
import type { Capability } from '../../domain/checks/observer.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { ClusterView } from '../../domain/standby/members.ts'
import type { SizeState, SpaceState } from '../../domain/system/space-states.ts'
import type { BytesDone } from '../../store/data-file/byte-count.ts'
import type { SizeGuard } from '../../store/size.ts'
import { measureDisk, measureFiles, type SpaceGuard } from '../../store/space.ts'
import type { RestoredNote } from '../../store/tables/system/backup-notes.ts'
import type { Backups } from '../backups/backups.ts'
import type { PrivateAnswerState, PrivateAnswers } from '../checks/private-answers.ts'
import type { Core } from '../core.ts'

export interface SystemInfo {
  readonly version: string
  readonly nodeVersion: string
  readonly startedAtMs: number
  readonly uptimeSeconds: number
  readonly data: {
    readonly bytes: number
    /** Pages of the data file that are in use. */
    readonly usedBytes: number
    /** The budget; null without one. */
    readonly maxBytes: number | null
    readonly sizeState: SizeState
    readonly diskState: SpaceState
    readonly diskFreeBytes: number
    readonly diskTotalBytes: number
    /** Known ones, up to limits.damagedRecordsMax. */
    readonly damagedRecords: number
  }
  /** Counted up to limits.systemCountMax; monitors in as many organizations. */
  readonly counts: {
    readonly users: number
    readonly organizations: number
    readonly monitors: number
    readonly channels: number
  }
  /** Threads that make checks; 0: the main thread makes them. */
  readonly checkThreads: number
  readonly owed: { readonly deliveries: number; readonly letters: number }
  /** The newest backup on the disk, and why the last attempt failed. */
  readonly backup: {
    readonly newestAtMs: number | null
    readonly lastError: string | null
    /** How far the one that is being made is; null without one. */
    readonly progress: BytesDone | null
    /** How far the copy to the bucket is. */
    readonly copyProgress: BytesDone | null
  }
  /** Which backup the data came from, if it was ever restored. */
  readonly restored: RestoredNote | null
  /** What fails in the daemon's own network, and since when. */
  readonly network: { readonly lost: readonly Capability[]; readonly lostSinceMs: number | null }
  /** The outgoing heartbeat; null without one. */
  readonly heartbeat: OutgoingHeartbeatState | null
  /** Whether a copy of the data directory includes the key that decrypts it. */
  readonly isMasterKeyBesideData: boolean
  readonly registration: Settings['auth']['registration']
  readonly mail: 'smtp' | 'files'
  readonly privateAnswers: PrivateAnswerState
  /** The machines that keep the same data; null where the daemon is alone. */
  readonly cluster: ClusterView | null
}

export interface SystemInfoDeps {
  readonly settings: Pick<FixedSettings, 'data'>
  readonly registration: () => SystemInfo['registration']
  readonly hasMailServer: () => boolean
  readonly privateAnswers: Pick<PrivateAnswers, 'state'>
  readonly version: string
  readonly clusterView: () => ClusterView | null
  readonly checkThreads: () => number
  readonly owed: () => SystemInfo['owed']
  readonly observer: Pick<Observer, 'lost' | 'episode'>
  readonly space: Pick<SpaceGuard, 'state'>
  readonly size: Pick<SizeGuard, 'state' | 'bytesMax'>
  readonly heartbeat: () => OutgoingHeartbeatState | null
  readonly backups: Pick<Backups, 'newest' | 'lastFailure' | 'progress' | 'copyProgress'>
}

/** Returns a reader of the information; `startedAtMs` is the time of this call. */
export function createSystemInfo(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  deps: SystemInfoDeps,
): () => Promise<SystemInfo> {
  const { settings, version } = deps
  const startedAtMs = clock.nowMs()
  const startedMs = clock.monoMs()
  const { dir, masterKeyFile } = settings.data

  return async () => {
    const [bytes, disk] = await Promise.all([measureFiles(dir), measureDisk(dir)])
    const most = limits.systemCountMax
    return {
      version,
      nodeVersion: process.version,
      startedAtMs,
      uptimeSeconds: Math.floor((clock.monoMs() - startedMs) / 1_000),
      data: {
        bytes,
        usedBytes: store.usage().usedBytes,
        maxBytes: deps.size.bytesMax === 0 ? null : deps.size.bytesMax,
        sizeState: deps.size.state(),
        diskState: deps.space.state(),
        diskFreeBytes: disk.freeBytes,
        diskTotalBytes: disk.totalBytes,
        damagedRecords: store.damage.count(),
      },
      counts: {
        users: store.users.count(most),
        organizations: store.orgs.count(most),
        monitors: store.monitors.countAll(most),
        channels: store.channels.countAll(most),
      },
      checkThreads: deps.checkThreads(),
      owed: deps.owed(),
      backup: {
        newestAtMs: deps.backups.newest()?.takenAtMs ?? null,
        lastError: deps.backups.lastFailure()?.reason ?? null,
        progress: deps.backups.progress(),
        copyProgress: deps.backups.copyProgress(),
      },
      restored: store.backupNotes.restored() ?? null,
      network: {
        lost: deps.observer.lost(),
        lostSinceMs: deps.observer.episode()?.fromMs ?? null,
      },
      heartbeat: deps.heartbeat(),
      isMasterKeyBesideData: !relative(dir, dirname(masterKeyFile)).startsWith('..'),
      registration: deps.registration(),
      mail: deps.hasMailServer() ? 'smtp' : 'files',
      privateAnswers: deps.privateAnswers.state(),
      cluster: deps.clusterView(),
    }
  }
}
