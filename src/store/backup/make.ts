// Makes a backup of a store that runs: in a thread of its own, while a read transaction keeps the
// pages of one snapshot as they are.
//
// The library's own copy is not used: it cannot be stopped, does not flush, follows damaged pages to
// a signal that ends the process, and nothing limits how fast it writes.
import { startWorker } from '../../base/assets.ts'
import { type ExitCode, StartFailure } from '../../base/exit.ts'
import { holdSnapshot } from '../data-file/background.ts'
import { type BytesDone, backupPasses, createByteCount } from '../data-file/byte-count.ts'
import { type DataFile, fileBytes } from '../data-file/inspect.ts'
import type { Env } from '../engine/env.ts'
import type { BackupAnswer, BackupJob, BackupThreadFailure } from './make-thread.ts'
import type { PackedFile } from './pack.ts'
import { BackupDamage, type DataContents } from './verify.ts'

export interface MadeFile extends PackedFile, DataContents {
  /** Everything on disk before is in it. */
  readonly takenAtMs: number
}

/** Where the files of a backup in the making are. */
export interface MakingFiles {
  readonly to: string
  /** A file for reading it back; removed afterwards. */
  readonly scratch: string
}

/**
 * Writes the compressed file and verifies it. `onBegin` gets a reader of how far it is. Rejects with StartFailure if the data file itself is
 * damaged, with BackupDamage if the backup is not what was read, else with an error of the disk.
 */
export async function makeFile(
  lmdb: Env['lmdb'],
  file: DataFile,
  { to, scratch }: MakingFiles,
  nowMs: number,
  signal: AbortSignal,
  onBegin?: (read: () => BytesDone) => void,
): Promise<MadeFile> {
  const { snapshot, release } = holdSnapshot(lmdb, file)
  const count = createByteCount({ passBytes: fileBytes(snapshot), passes: backupPasses })
  onBegin?.(count.read)
  let packed: (PackedFile & DataContents) | undefined
  try {
    await inThread({ snapshot, to, scratch, counted: count.memory }, signal, (answer) => {
      if (!('packed' in answer)) return
      packed = answer.packed
      release()
    })
  } finally {
    if (!packed) release()
  }
  if (!packed) throw new Error('the thread of the backup ended too early')
  return { ...packed, takenAtMs: nowMs }
}

function inThread(
  job: BackupJob,
  signal: AbortSignal,
  onAnswer: (answer: BackupAnswer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = startWorker('store/backup/make-thread', {
      workerData: job,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    let isOver = false
    const end = (settle: () => void) => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', stop)
      void worker.terminate().then(settle, settle)
    }
    const stop = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    worker.on('error', (error) => end(() => reject(error)))
    worker.on('exit', () => end(() => reject(new Error('the thread of the backup ended'))))
    worker.on('message', (answer: BackupAnswer) => {
      onAnswer(answer)
      if ('isVerified' in answer) end(resolve)
      if ('failure' in answer) end(() => reject(errorOf(answer.failure)))
    })
  })
}

function errorOf({ kind, message, exitCode, hint, code }: BackupThreadFailure): Error {
  if (kind === 'damage') return new BackupDamage(message)
  if (kind === 'start') return startFailure(exitCode, message, hint)
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

function startFailure(exitCode: ExitCode | undefined, message: string, hint: string | undefined) {
  return new StartFailure(exitCode ?? 74, message, hint === undefined ? {} : { hint })
}
