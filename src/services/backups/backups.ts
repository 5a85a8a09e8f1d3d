// Backups of all data: made one at a time, verified, listed, and removed when newer ones take their
// place.

import { statfsSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import { Fault, notFound } from '../../base/fault.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import type { Metrics } from '../../base/metrics.ts'
import { sizeText } from '../../base/sizes.ts'
import { type BackupManifest, backupFormat, backupName } from '../../domain/backups/backup.ts'
import { type RetentionRule, supersededBackups } from '../../domain/backups/retention.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  type BrokenBackup,
  beginBackup,
  isTaken,
  listBackups,
  removeBackup,
  removeLeftovers,
  type StoredBackup,
} from '../../store/backup/folder.ts'
import { makeFile } from '../../store/backup/make.ts'
import type { BytesDone } from '../../store/data-file/byte-count.ts'
import { inspectDataFile } from '../../store/data-file/inspect.ts'
import type { Store } from '../../store/store.ts'
import type { BackupFailure, BackupTrouble } from '../../store/tables/system/backup-notes.ts'
import type { PresentBucket } from './backup-bucket.ts'
import type { BackupRemote } from './remote.ts'
import { createCopies } from './remote-copies.ts'

export interface BackupsDeps {
  readonly store: Pick<Store, 'backupNotes' | 'lmdb' | 'usage' | 'write'>
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
  /** The program. */
  readonly version: string
  readonly dataDir: string
  readonly settings: RetentionRule & { readonly dir: string }
  /** Opens what the master key sealed. Throws if it is not the key of the data. */
  readonly proveKey: (keyProof: string) => void
  /** Where copies go besides; absent: nowhere. */
  readonly bucket?: PresentBucket
  /** Free bytes on the disk of a directory; tests replace it. */
  readonly freeBytes?: (dir: string) => number
}

/** A backup cannot be made of this data, or on this disk; nothing is wrong with the program. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

export type Backups = ReturnType<typeof createBackups>

/** What must stay free on the disk of the backups when one is made. */
export const backupSpaceBytesLeft = 512 * 1024 * 1024

export function createBackups(deps: BackupsDeps) {
  const { store, clock, log, metrics, version, dataDir, settings, proveKey, bucket } = deps
  const { dir } = settings
  const { freeBytes = measureFree } = deps
  let running: Promise<StoredBackup> | undefined
  let stopping: AbortController | undefined
  let readProgress: (() => BytesDone) | undefined
  let copyProgress: BytesDone | null = null
  let failures = 0
  let isCopying = false

  const instance = () => {
    const id = store.backupNotes.instance()
    if (id === undefined)
      throw new BackupRefused('the data has no name yet: the daemon never started')
    return id
  }

  /** The backups of this service, oldest first; a directory that cannot be read has none. */
  function own(): { backups: readonly StoredBackup[]; broken: readonly BrokenBackup[] } {
    const { backups, broken } = listBackups(dir)
    return { backups: backups.filter((one) => one.instance === instance()), broken }
  }

  /**
   * One of the future was taken while the clock was wrong, before older data was restored: it is no
   * reason to make none until then.
   */
  function newest(): StoredBackup | undefined {
    try {
      return own().backups.findLast(({ takenAtMs }) => takenAtMs <= clock.nowMs())
    } catch (error) {
      log.debug('the backups cannot be listed', { dir, error })
      return undefined
    }
  }

  const lastFailure = (): BackupFailure | null => store.backupNotes.trouble().failure

  function noteTrouble(changes: Partial<BackupTrouble>): Promise<void> {
    return store.write((tx) => {
      store.backupNotes.putTrouble(tx, { ...store.backupNotes.trouble(), ...changes })
    })
  }

  async function noteUncopied(uncopied: string | null): Promise<void> {
    if (store.backupNotes.trouble().uncopied !== uncopied) await noteTrouble({ uncopied })
  }

  if (metrics) watchMetrics(metrics, newest, { failures: () => failures, clock })

  /** Throws unless there is space for the compressed file, and for reading it back. */
  function needSpace(): void {
    const neededBytes = 2 * store.usage().usedBytes
    const free = freeBytes(dir)
    if (free - neededBytes >= backupSpaceBytesLeft) return
    throw new BackupRefused(
      `a backup needs up to ${sizeText(neededBytes)} in ${dir}, and ` +
        `${sizeText(backupSpaceBytesLeft)} must stay free: ${sizeText(free)} is free`,
    )
  }

  function freeName(): { readonly name: string; readonly takenAtMs: number } {
    const takenAtMs = clock.nowMs()
    let namedAtMs = takenAtMs
    while (isTaken(dir, backupName(namedAtMs))) namedAtMs += 1_000
    return { name: backupName(namedAtMs), takenAtMs }
  }

  async function makeNow(signal: AbortSignal): Promise<StoredBackup> {
    const startedMs = clock.monoMs()
    const owner = instance()
    const file = inspectDataFile(dataDir)
    if (!file) throw new Error('there is no data yet')
    const making = beginBackup(dir, owner)
    try {
      removeLeftovers(dir, `${owner}-`)
      needSpace()
      const { name, takenAtMs } = freeName()
      const { keyProof, schema, ...made } = await makeFile(
        store.lmdb,
        file,
        making,
        takenAtMs,
        signal,
        (read) => {
          readProgress = read
        },
      )
      if (keyProof === null || schema === null) {
        throw new BackupRefused('the records that a restore needs first are damaged in the data')
      }
      proveKey(keyProof)
      const manifest: BackupManifest = {
        format: backupFormat,
        name,
        instance: owner,
        version,
        schema,
        ...made,
        verifiedAtMs: clock.nowMs(),
        durationMs: Math.round(clock.monoMs() - startedMs),
        keyId: keyProof.slice(0, keyProof.indexOf('.')),
      }
      return making.finish(manifest)
    } finally {
      // After the rename there is nothing.
      making.discard()
    }
  }

  async function make(signal: AbortSignal): Promise<StoredBackup> {
    try {
      const backup = await makeNow(signal)
      const { name, bytes, durationMs, damagedRecords } = backup
      log.info('a backup was made', { name, bytes, durationMs, damagedRecords })
      if (store.backupNotes.trouble().failure) await noteTrouble({ failure: null })
      return backup
    } catch (error) {
      if (!isStop(signal)) await noteFailure(error, false)
      throw error
    }
  }

  async function noteFailure(error: unknown, isOfCopy: boolean): Promise<void> {
    failures += 1
    const atMs = clock.nowMs()
    const before = lastFailure()
    const sinceMs = before?.isOfCopy === isOfCopy ? before.sinceMs : atMs
    await noteTrouble({ failure: { atMs, sinceMs, isOfCopy, reason: reasonOf(error) } })
  }

  /** One at a time: a second caller gets what the first one waits for. */
  function join(): Promise<StoredBackup> {
    if (running !== undefined) return running
    const stop = new AbortController()
    const timer = clock.setTimeout(
      () => stop.abort(new Error('the backup took too long')),
      limits.backupMsMax,
    )
    stopping = stop
    running = make(stop.signal).finally(() => {
      clock.clearTimeout(timer)
      running = undefined
      stopping = undefined
      readProgress = undefined
    })
    return running
  }

  function removeOld(): number {
    const old = supersededBackups(own().backups, settings)
    for (const { name } of old) removeBackup(dir, name, instance())
    return old.length
  }

  /** Returns whether there is a bucket. If another one was set while it failed, the copy goes there. */
  async function copy(backup: StoredBackup, signal: AbortSignal): Promise<boolean> {
    isCopying = true
    let remote: BackupRemote | undefined
    try {
      remote = bucket?.()
      // Until it is copied: a stop may cut it off.
      await noteUncopied(remote ? backup.name : null)
      const copies = remote && createCopies(remote, settings)
      await copies?.add(backup, instance(), {
        signal,
        progressed: (done) => {
          copyProgress = done
        },
      })
      await noteUncopied(null)
      return remote !== undefined
    } catch (error) {
      await noteUncopied(backup.name)
      if (remote && !signal.aborted && bucket?.() !== remote) return await copy(backup, signal)
      throw error
    } finally {
      copyProgress = null
      isCopying = false
    }
  }

  function find(name: string): StoredBackup {
    const found = own().backups.find((one) => one.name === name)
    if (!found) throw notFound('backup')
    return found
  }

  return {
    dir,
    /** Newest first. */
    list: (): StoredBackup[] => own().backups.toReversed(),
    /** Directories that have the name of a backup and are none. */
    broken: (): readonly BrokenBackup[] => own().broken,
    /** Throws not_found. */
    find,
    newest,
    isRunning: () => running !== undefined,
    /** How far the one that is being made is; null without one. */
    progress: (): BytesDone | null => readProgress?.() ?? null,
    /** How far the copy to the bucket is that is being made; null without one. */
    copyProgress: (): BytesDone | null => copyProgress,
    lastFailure,

    /** Makes one now, or joins the one that is being made. */
    make: join,

    /** Makes a backup, copies it, and removes the backups that are not kept any more. */
    async round(signal: AbortSignal): Promise<string> {
      const stop = () => stopping?.abort(stopped)
      signal.addEventListener('abort', stop, { once: true })
      try {
        const backup = await join()
        const { name, bytes } = backup
        let removed = 0
        let isCopied = false
        try {
          removed = removeOld()
        } finally {
          // An old one that cannot be removed keeps none from being copied.
          isCopied = await copy(backup, signal)
        }
        return `${name}: ${sizeText(bytes)}, verified${isCopied ? ', copied' : ''}; ${removed} removed`
      } catch (error) {
        // What `make` noted already is noted once, and a stop is no failure.
        if (!signal.aborted && error !== stopped && lastFailure() === null) {
          await noteFailure(error, store.backupNotes.trouble().uncopied !== null)
        }
        throw error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },

    /** Copies the newest one if that failed, or was cut off; resolves in any case. */
    async copyAgain(signal: AbortSignal): Promise<void> {
      const last = newest()
      if (isCopying || !last || store.backupNotes.trouble().uncopied !== last.name) return
      try {
        await copy(last, signal)
        // A newer backup may have failed meanwhile.
        if (lastFailure()?.isOfCopy) await noteTrouble({ failure: null })
      } catch (error) {
        if (!signal.aborted) await noteFailure(error, true)
      }
    },

    /** Throws not_found; conflict for the only one that is left. */
    remove(name: string): void {
      find(name)
      if (own().backups.length === 1) {
        throw new Fault('conflict', 'This is the only backup. Make another one first.')
      }
      removeBackup(dir, name, instance())
    },

    /** Stops the one that is being made. */
    async stop(): Promise<void> {
      stopping?.abort(stopped)
      await running?.catch(() => {})
    },
  }
}

const stopped = new Error('the daemon stops')

function isStop(signal: AbortSignal): boolean {
  return signal.reason === stopped
}

export function reasonOf(error: unknown): string {
  const text = errorText(error)
  return text.endsWith('.') ? text.slice(0, -1) : text
}

/** Space that an ordinary user can use. */
function measureFree(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}

function watchMetrics(
  metrics: Metrics,
  newest: () => StoredBackup | undefined,
  { failures, clock }: { readonly failures: () => number; readonly clock: Clock },
): void {
  const age = { name: 'backup_age_seconds', help: 'Since the newest backup; -1 if there is none.' }
  metrics.gauge(age, (gauge) => {
    const found = newest()
    gauge.set(found ? Math.round((clock.nowMs() - found.takenAtMs) / 1_000) : -1)
  })
  const size = { name: 'backup_bytes', help: 'The size of the newest backup.' }
  metrics.gauge(size, (gauge) => gauge.set(newest()?.bytes ?? 0))
  const took = { name: 'backup_duration_seconds', help: 'How long the newest backup took.' }
  metrics.gauge(took, (gauge) => gauge.set((newest()?.durationMs ?? 0) / 1_000))
  metrics.counter({ name: 'backup_failures_total', help: 'Backups that failed.' }, failures)
}
