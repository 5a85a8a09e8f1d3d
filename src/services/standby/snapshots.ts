// Copies of the data that a standby begins with: made as a backup is, and kept for as long as the records
// behind them are held.
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { Fault, notFound } from '../../base/fault.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import { sizeText } from '../../base/sizes.ts'
import {
  type SnapshotFile,
  type SnapshotState,
  snapshotPieceBytes,
} from '../../domain/standby/protocol.ts'
import { makeFile } from '../../store/backup/make.ts'
import { inspectDataFile } from '../../store/data-file/inspect.ts'
import { measureDisk } from '../../store/space.ts'
import type { Store } from '../../store/store.ts'

export interface SnapshotsDeps {
  readonly store: Pick<Store, 'lmdb' | 'logPosition' | 'usage'>
  readonly clock: Clock
  readonly log: Log
  readonly dataDir: string
  /** Whether the records behind this one are held. */
  readonly holds: (sequence: number) => boolean
}

interface KeptSnapshot {
  readonly file: SnapshotFile
  readonly path: string
}

const folderName = '.snapshot'
const spaceBytesLeft = 512 * 1024 * 1024
/** A standby asks for pieces without a pause; a copy that nobody reads is removed. */
const unreadMsMax = 600_000

/** Removes what a leader that was killed has left. */
export function removeSnapshot(dataDir: string): void {
  rmSync(join(dataDir, folderName), { recursive: true, force: true })
}

export type Snapshots = ReturnType<typeof createSnapshots>

export function createSnapshots({ store, clock, log, dataDir, holds }: SnapshotsDeps) {
  const folder = join(dataDir, folderName)
  let kept: KeptSnapshot | undefined
  let making: AbortController | undefined
  let failure: unknown
  let unread: unknown
  removeSnapshot(dataDir)

  function forget(): void {
    clock.clearTimeout(unread)
    kept = undefined
    removeSnapshot(dataDir)
  }

  function noteRead(): void {
    clock.clearTimeout(unread)
    unread = clock.setTimeout(forget, unreadMsMax)
  }

  async function make(signal: AbortSignal): Promise<void> {
    forget()
    const { freeBytes } = await measureDisk(dataDir)
    const neededBytes = 2 * store.usage().usedBytes + spaceBytesLeft
    if (freeBytes < neededBytes) {
      throw new Fault(
        'storage_full',
        `A copy for a standby needs ${sizeText(neededBytes)} in the data directory of this machine: ${sizeText(freeBytes)} is free`,
      )
    }
    const file = inspectDataFile(dataDir)
    const position = store.logPosition()
    if (!file || !position) throw new Error('the data is in no log')
    mkdirSync(folder, { mode: 0o700 })
    const path = join(folder, 'data.mdb.zst')
    const files = { to: path, scratch: join(folder, 'data.mdb') }
    const made = await makeFile(store.lmdb, file, files, clock.nowMs(), signal)
    const { bytes, sha256, dataBytes, dataSha256, records, damagedRecords } = made
    const id = randomBytes(8).toString('hex')
    const { sequence, origin } = position
    kept = {
      file: { id, bytes, sha256, dataBytes, dataSha256, records, damagedRecords, sequence, origin },
      path,
    }
    noteRead()
    log.info('a copy of the data is ready for a standby', { bytes, records })
  }

  return {
    /** Starts making one unless there is one. Throws what the last attempt failed with. */
    state(): SnapshotState {
      if (failure !== undefined) {
        const error = failure
        failure = undefined
        throw error
      }
      if (kept && holds(kept.file.sequence)) return { state: 'ready', file: kept.file }
      if (!making) {
        const stop = new AbortController()
        making = stop
        make(stop.signal)
          .catch((error: unknown) => {
            if (stop.signal.aborted) return
            log.error('no copy of the data could be made for a standby', {
              error: errorText(error),
            })
            failure = error
            forget()
          })
          .finally(() => {
            making = undefined
          })
      }
      return { state: 'making' }
    },

    /** Some bytes of it, from `offset`; empty at its end. */
    async piece(id: string, offset: number): Promise<Buffer> {
      if (kept?.file.id !== id) throw notFound('snapshot')
      noteRead()
      const file = await open(kept.path)
      try {
        const { buffer, bytesRead } = await file.read(
          Buffer.alloc(snapshotPieceBytes),
          0,
          snapshotPieceBytes,
          offset,
        )
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },

    stop(): void {
      making?.abort(new Error('the daemon stops'))
      forget()
    },
  }
}
