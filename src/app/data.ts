// Wires the store: looks at its file, opens it, and tells of what is damaged.

import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningClock } from '../base/clock.ts'
import { exitCodes, StartFailure } from '../base/exit.ts'
import { errorText } from '../base/log/error-text.ts'
import type { Log } from '../base/log/log.ts'
import type { Metrics } from '../base/metrics.ts'
import type { FixedSettings } from '../config/settings.ts'
import { endKilledRestore } from '../store/backup/restore.ts'
import { checkInBackground } from '../store/data-file/background.ts'
import type { BytesDone } from '../store/data-file/byte-count.ts'
import { type CheckedFile, checkFile, isCheckedAtStart } from '../store/data-file/check.ts'
import {
  DamagedData,
  type DataFile,
  dataFileNames,
  inspectDataFile,
} from '../store/data-file/inspect.ts'
import { noteStart, suspectData } from '../store/data-file/starts.ts'
import type { RedoLog } from '../store/engine/redo.ts'
import { openStore, type Store } from '../store/store.ts'

export interface DataDeps {
  readonly settings: FixedSettings['data']
  /** data.maxMib in bytes. */
  readonly budgetBytes: () => number
  readonly clock: RunningClock
  readonly log: Log
  readonly metrics: Metrics
  /** The disk failed, or the file is damaged: the process must end. */
  readonly fail: (error: unknown) => void
  /** Whether a start that finds damage can put a backup in its place. */
  readonly mayRestart: () => boolean
}

export interface OpenedData {
  readonly store: Store
  /** Reads all data in the background; a damaged file ends the process. */
  readonly checkData: (signal: AbortSignal) => Promise<string>
  /** How far that is; null while it is not done. */
  readonly checkProgress: () => BytesDone | null
  /** It was too large to be checked before it was opened. */
  readonly isUnchecked: boolean
}

/** Call `look` before anything else is written to the directory, and `open` then. */
export function createData(deps: DataDeps) {
  const { settings, budgetBytes, clock, log, metrics, fail, mayRestart } = deps
  const { dir, commitDelayMs } = settings

  /**
   * The file as it is before LMDB opens it. Throws StartFailure if it must not. A member of a cluster has read it
   * before it followed: while it begins to lead, nothing may take long.
   */
  function look(isMember: boolean): {
    readonly file: DataFile | null
    readonly checked: CheckedFile | null
  } {
    if (endKilledRestore(dir))
      log.warn('a restore was not finished: the data is as it was before it')
    const file = inspectDataFile(dir)
    if (isMember) return { file, checked: null }
    const isSuspect = noteStart(dir, clock.wallMs())
    if (!file || !(isSuspect || isCheckedAtStart(file))) return { file, checked: null }
    const startedMs = clock.monoMs()
    const checked = checkFile(file)
    const durationMs = Math.round(clock.monoMs() - startedMs)
    log.info('the data was read and checked', { records: checked.records, durationMs })
    return { file, checked }
  }

  function watch({ damage, usage }: Store): void {
    damage.listen(({ table, key, reason }) => {
      const record = key.join(' ')
      log.error('a stored record is damaged: its bytes are kept aside', { table, record, reason })
    })
    const help = 'Stored records that cannot be read.'
    metrics.gauge({ name: 'damaged_records', help }, (gauge) => gauge.set(damage.count()))
    const used = { name: 'data_used_bytes', help: 'What is in use of the data file.' }
    metrics.gauge(used, (gauge) => gauge.set(usage().usedBytes))
    const budget = { name: 'data_max_bytes', help: 'The budget for it; 0 without one.' }
    metrics.gauge(budget, (gauge) => gauge.set(budgetBytes()))
  }

  function openAt({ file, checked }: ReturnType<typeof look>, redoLog?: RedoLog): OpenedData {
    const onError = (error: unknown) => log.error('what follows a commit failed', { error })
    const store = opened(dir, file, () =>
      openStore({ dir, clock, commitDelayMs, onFatal: fail, onError, redoLog }),
    )
    watch(store)
    for (const found of checked?.damaged ?? []) store.damage.note(found)
    let readProgress: (() => BytesDone) | undefined
    return {
      store,
      isUnchecked: file !== null && checked === null,
      checkProgress: () => readProgress?.() ?? null,
      async checkData(signal) {
        try {
          const file = inspectDataFile(dir)
          const found = await checkInBackground(store.lmdb, file, signal, (read) => {
            readProgress = read
          })
          if (!found) return 'stopped'
          for (const one of found.damaged) store.damage.note(one)
          return `${found.records} records read, ${store.damage.count()} damaged`
        } catch (error) {
          if (error instanceof StartFailure) fail(whatEnds(dir, error, mayRestart))
          throw error
        } finally {
          readProgress = undefined
        }
      },
    }
  }

  return { look, open: openAt }
}

/** A first opening that fails leaves nothing that the next start would take for lost data. */
function opened(dir: string, file: DataFile | null, open: () => Store): Store {
  try {
    return open()
  } catch (cause) {
    for (const name of file ? [] : dataFileNames) {
      const path = join(dir, name)
      const size = statSync(path, { throwIfNoEntry: false })?.size
      if (name !== dataFileNames[0] || size === 0) rmSync(path, { force: true })
    }
    const why = errorText(cause)
    throw new StartFailure(exitCodes.io, `the data in ${dir} cannot be opened: ${why}`, { cause })
  }
}

/**
 * Damage that was found while the daemon runs ends it. The next start reads the whole file before it
 * opens it, and may put a backup in its place; then the supervisor should start it.
 */
function whatEnds(dir: string, error: StartFailure, mayRestart: () => boolean): StartFailure {
  if (!(error instanceof DamagedData)) return error
  suspectData(dir)
  if (!mayRestart()) return error
  return new StartFailure(exitCodes.io, error.message, {
    hint: 'The next start reads the whole file, and puts the newest backup in its place.',
    cause: error,
  })
}
