// Puts what a build made in the place of what it made before, while daemons and tests read it.
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

/** In the order of the files. One that stays the same is not touched, so that nobody notices it. */
export function replaceFolder(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of files) {
    const path = join(folder, name)
    if (existsSync(path) && readFileSync(path).equals(bytes)) continue
    // Nobody reads a part of it.
    const temporary = `${path}.${process.pid}`
    writeFileSync(temporary, bytes)
    renameSync(temporary, path)
  }
  for (const name of readdirSync(folder)) {
    // What another build is about to rename stays.
    if (!files.has(name) && !/\.\d+$/.test(name)) rmSync(join(folder, name), { force: true })
  }
}
