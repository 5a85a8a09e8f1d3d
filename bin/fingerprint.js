// What tells whether a bundle was made from the sources as they are: names, sizes and times of all
// files that it is made from. Plain JavaScript, because npm start reads it before anything else.
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const folders = ['src', 'scripts/build', 'scripts/console']
const files = ['package.json', 'package-lock.json', 'scripts/relink-uws.ts']

/** Written by the build and the type check, so their times say nothing. */
const made = /\/src\/console\/(built|generated)\//

/** Of the program in this folder: a few milliseconds for a thousand files. */
export function fingerprint(root) {
  const hash = createHash('sha256')
  const add = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat) hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`)
  }
  for (const folder of folders) {
    let entries = []
    try {
      entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    } catch {
      // A copy without sources of the build: it has no bundle either.
    }
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !made.test(path))
    for (const path of paths.sort()) add(path)
  }
  for (const file of files) add(join(root, file))
  return hash.digest('hex')
}
