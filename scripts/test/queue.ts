// The test files that wait for a process: each process takes the next one when it is free, so that none
// idles while another has files left.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const folderOf = (root: string) => join(root, '.tap/queue')
const waitingOf = (root: string, kind: string) => join(folderOf(root), 'waiting', kind)
const takenOf = (root: string, name: string) => join(folderOf(root), 'taken', name)

/** Forgets the files of an earlier run, and lets these wait, by kind. */
export function writeQueue(root: string, kinds: ReadonlyMap<string, readonly string[]>): void {
  rmSync(folderOf(root), { recursive: true, force: true })
  for (const [kind, files] of kinds) {
    const folder = waitingOf(root, kind)
    mkdirSync(folder, { recursive: true })
    for (const [index, file] of files.entries()) {
      writeFileSync(join(folder, String(index).padStart(4, '0')), file)
    }
  }
}

/** The next file of the kind, for the process of that name; undefined when none is left. */
export function takeNext(root: string, kind: string, name: string): string | undefined {
  const waiting = waitingOf(root, kind)
  const taken = takenOf(root, name)
  mkdirSync(taken, { recursive: true })
  for (const place of readdirSync(waiting).sort()) {
    try {
      renameSync(join(waiting, place), join(taken, place))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue
      throw error
    }
    return readFileSync(join(taken, place), 'utf8')
  }
  return undefined
}

/** The files that no process took, because all of their kind ended too early. */
export function filesLeft(root: string): string[] {
  const waiting = join(folderOf(root), 'waiting')
  if (!existsSync(waiting)) return []
  return readdirSync(waiting).flatMap((kind) => filesIn(join(waiting, kind)))
}

/** The files that a process took, in their order. */
export const filesTaken = (root: string, name: string) => filesIn(takenOf(root, name))

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const places = readdirSync(folder).sort()
  return places.map((place) => readFileSync(join(folder, place), 'utf8'))
}
