// Puts the native addons of dist/bundle where the daemon of the container image looks for them: root's,
// so nothing that the daemon can write to holds code.
// Usage: node scripts/build/container.ts DIRECTORY
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { placeAddon, publicModes } from '../../src/base/native/place.ts'
import { dist } from './places.ts'

const [target] = process.argv.slice(2)
if (target === undefined) throw new Error('which directory?')
const source = join(dist, 'bundle/native')
const sums = JSON.parse(readFileSync(join(source, 'sha256.json'), 'utf8')) as Record<string, string>
for (const name of readdirSync(source).filter((name) => name.endsWith('.node'))) {
  const sha256 = sums[name]
  if (sha256 === undefined) throw new Error(`the build recorded no sum of ${name}`)
  const addon = { name, sha256, bytes: () => readFileSync(join(source, name)) }
  placeAddon(resolve(target), addon, process.getuid?.() ?? 0, publicModes)
}
