// The thread that makes one backup and reads it back: answers after each step and ends.

import { rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { StartFailure } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Snapshot } from '../data-file/background.ts'
import { backupPasses, createByteCount } from '../data-file/byte-count.ts'
import { fileBytes } from '../data-file/inspect.ts'
import { type BytesPace, type PackedFile, packFile } from './pack.ts'
import {
  BackupDamage,
  contentsOf,
  createPace,
  type DataContents,
  noPace,
  unpackVerified,
} from './verify.ts'

/** What the thread is asked to do. */
export interface BackupJob {
  readonly snapshot: Snapshot
  readonly to: string
  readonly scratch: string
  /** Where it counts what it has read and written. */
  readonly counted: SharedArrayBuffer
}

/** What it answers. Errors lose their class on the way, so a failure is sent in parts. */
export type BackupAnswer =
  /** The snapshot is not needed any more. */
  | { readonly packed: PackedFile & DataContents }
  | { readonly isVerified: true }
  | { readonly failure: BackupThreadFailure }

export interface BackupThreadFailure {
  readonly kind: 'damage' | 'start' | 'other'
  readonly message: string
  readonly exitCode?: StartFailure['exitCode']
  readonly hint?: string | undefined
  readonly code?: string | undefined
}

async function work({ snapshot, to, scratch, counted }: BackupJob): Promise<void> {
  const passBytes = fileBytes(snapshot)
  const count = createByteCount({ passBytes, passes: backupPasses }, counted)
  /** Begins a pass with its first bytes. */
  const pass = (pace: BytesPace = noPace): BytesPace => {
    let hasBegun = false
    return (bytes) => {
      if (!hasBegun) count.next()
      hasBegun = true
      count.add(bytes)
      pace(bytes)
    }
  }
  const { isUsed, ...contents } = contentsOf(snapshot, pass())
  const packed = { ...(await packFile(snapshot, isUsed, to, pass(createPace()))), ...contents }
  tell({ packed })
  await unpackVerified(to, scratch, packed, pass(createPace()), pass())
  rmSync(scratch)
  tell({ isVerified: true })
}

function tell(answer: BackupAnswer): void {
  parentPort?.postMessage(answer)
}

function failureOf(error: unknown): BackupThreadFailure {
  if (error instanceof StartFailure) {
    const { exitCode, message, hint } = error
    return { kind: 'start', exitCode, message, hint }
  }
  const message = errorText(error)
  if (error instanceof BackupDamage) return { kind: 'damage', message }
  const { code } = error as NodeJS.ErrnoException
  return { kind: 'other', message, code }
}

/** The niceness of the thread that makes a backup, which answers no other requests meanwhile. */
const backupPriority = 10

/** Lowers the priority of this thread only. A sandbox may forbid it: then both threads have the same. */
function stepBack(): void {
  try {
    setPriority(backupPriority)
  } catch {}
}

stepBack()
work(workerData as BackupJob).catch((error: unknown) => tell({ failure: failureOf(error) }))
