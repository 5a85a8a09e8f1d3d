// Folders that take long to make, such as the first data of a server: made once for all checkouts of a user, then
// copied.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

export interface PreparedFolder {
  readonly name: string
  /** The program that makes it: another one makes another folder. */
  readonly program: string
  /** The folder, which must not exist yet, gets its owner and content here. */
  readonly make: (folder: string) => void
}

/** Copies it to a place that must not exist yet. Whoever comes second while it is made makes it as well. */
export function copyPrepared({ name, program, make }: PreparedFolder, to: string): void {
  const { size, mtimeMs } = statSync(program)
  const cache = join(homedir(), '.cache/stillup-test')
  const kept = join(cache, `${name}-${size}-${Math.floor(mtimeMs)}`)
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true })
    // Who owns the folder may not come into the home of the user.
    const place = mkdtempSync(join(tmpdir(), `${name}-`))
    const own = mkdtempSync(join(cache, '.making-'))
    try {
      chmodSync(place, 0o755)
      make(join(place, 'made'))
      execFileSync('cp', ['-a', join(place, 'made'), own])
      if (!existsSync(kept)) renameSync(join(own, 'made'), kept)
    } finally {
      for (const one of [place, own]) rmSync(one, { recursive: true, force: true })
    }
  }
  execFileSync('cp', ['-a', kept, to])
}
