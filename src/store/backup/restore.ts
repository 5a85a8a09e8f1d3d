// Puts a data file in the place of another one, in one rename; the other one is kept.
//
// Everything happens inside the data directory, because the directory itself may be a mount. A process
// that ends in the middle leaves the old data file or the new one, and never none.
import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { dataFileNames } from '../data-file/inspect.ts'
import { giveNew } from '../folders.ts'
import { syncFolder } from './folder.ts'

const [dataName, lockName] = dataFileNames
const unfinishedName = '.restoring'

/** A directory below `dir` for the new data; what an earlier attempt left there is removed. */
export function beginRestore(dir: string): string {
  removeUnfinished(dir)
  const path = join(dir, unfinishedName)
  mkdirSync(path, { mode: 0o700 })
  giveNew(path)
  return path
}

export function removeUnfinished(dir: string): void {
  rmSync(join(dir, unfinishedName), { recursive: true, force: true })
}

/**
 * At a start: removes what a restore left that was killed, and returns whether there was anything of
 * it. Throws StartFailure (78) where there was no data before: a start would begin without any.
 */
export function endKilledRestore(dir: string): boolean {
  const path = join(dir, unfinishedName)
  if (!existsSync(path)) return false
  if (!hasData(dir)) {
    throw new StartFailure(
      exitCodes.config,
      `a restore to ${dir} was not finished: it has no data`,
      {
        hint: `Restore again: stillup restore --help. To begin without data, remove ${path}.`,
      },
    )
  }
  // Once it has taken its place, only the directory is left.
  const isHalf = existsSync(join(path, dataName))
  try {
    removeUnfinished(dir)
  } catch {
    // It belongs to another user, and is no reason not to start.
  }
  return isHalf
}

/** Whether the directory has data that a restore would replace. */
export function hasData(dir: string): boolean {
  return dataFileNames.some((name) => existsSync(join(dir, name)))
}

/** A name below `dir` for the data before; null if there is none. */
export function placeToKeep(
  dir: string,
  what: 'replaced' | 'damaged',
  name: string,
): string | null {
  if (!existsSync(join(dir, dataName))) return null
  for (let attempt = 1; ; attempt += 1) {
    const path = join(dir, `${what}-${name}${attempt === 1 ? '' : `-${attempt}`}`)
    if (!existsSync(path)) return path
  }
}

/**
 * Moves the data file of `from` (`beginRestore`) into its place. Nobody may have either open. `keepIn`:
 * from `placeToKeep`.
 */
export function finishRestore(dir: string, from: string, keepIn: string | null): void {
  const target = join(dir, dataName)
  giveNew(join(from, dataName), dir)
  syncFolder(from)
  // The locks of the old file. A data file without them is as good; locks without one are not.
  rmSync(join(dir, lockName), { force: true })
  if (keepIn !== null) {
    mkdirSync(keepIn, { mode: 0o700 })
    giveNew(keepIn)
    keep(target, join(keepIn, dataName))
    syncFolder(keepIn)
  }
  renameSync(join(from, dataName), target)
  syncFolder(dir)
  removeUnfinished(dir)
}

/** Moves the data file to `keepIn`, from `placeToKeep`; the directory has no data then. */
export function setAside(dir: string, keepIn: string): void {
  mkdirSync(keepIn, { mode: 0o700 })
  giveNew(keepIn)
  rmSync(join(dir, lockName), { force: true })
  renameSync(join(dir, dataName), join(keepIn, dataName))
  syncFolder(keepIn)
  syncFolder(dir)
}

/** A second name for the old file, so that there is a data file at every moment. */
function keep(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // Not every file system has links.
    renameSync(from, to)
  }
}
