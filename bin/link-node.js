// Runs after an install, on any Node: links the Node that stillup runs on, where npm did not.
//
// Some versions of npm 9 (Debian 13) remove the link of the right architecture with the package of the
// other one.
import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(fileURLToPath(import.meta.url)), '../node_modules')
const node = `node-linux-${process.arch}/bin/node`
const link = join(modules, '.bin/node')
if (existsSync(join(modules, node)) && !existsSync(link)) {
  mkdirSync(dirname(link), { recursive: true })
  // A link to nothing.
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link)
  symlinkSync(`../${node}`, link)
}
