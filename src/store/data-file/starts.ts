// When the daemon was started lately: after a few starts in a short time, each of which ended at once,
// the data file is suspected, however large it is. A damaged one ends LMDB by a signal.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Starts {
  readonly atMs: readonly number[]
  /** The file was found damaged while the daemon ran. */
  readonly isSuspect: boolean
}

const fileName = 'starts.json'
const none: Starts = { atMs: [], isSuspect: false }

/** So many starts within `crashesWithinMs`: the whole data file is read before it is opened. */
const crashesBeforeCheck = 3
const crashesWithinMs = 60_000

/** Notes a start; returns whether the whole data file should be read before it is opened. */
export function noteStart(dir: string, nowMs: number): boolean {
  const before = read(dir)
  const recent = before.atMs.filter((atMs) => Math.abs(nowMs - atMs) < crashesWithinMs)
  write(dir, { atMs: [...recent, nowMs], isSuspect: false })
  return before.isSuspect || recent.length + 1 >= crashesBeforeCheck
}

/** The next start reads the whole data file. */
export function suspectData(dir: string): void {
  write(dir, { ...read(dir), isSuspect: true })
}

function read(dir: string): Starts {
  try {
    const found: unknown = JSON.parse(readFileSync(join(dir, fileName), 'utf8'))
    return isStarts(found) ? found : none
  } catch {
    return none
  }
}

function isStarts(found: unknown): found is Starts {
  if (typeof found !== 'object' || found === null) return false
  const { atMs, isSuspect } = found as Partial<Record<keyof Starts, unknown>>
  return (
    Array.isArray(atMs) &&
    atMs.every((one) => typeof one === 'number') &&
    typeof isSuspect === 'boolean'
  )
}

/** Writes the starts. A disk that refuses is ignored: then a start only does no more than before. */
function write(dir: string, starts: Starts): void {
  try {
    writeFileSync(join(dir, fileName), JSON.stringify(starts), { mode: 0o600 })
  } catch {}
}
