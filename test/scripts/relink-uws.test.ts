// The repair of uWebSockets.js for older C libraries.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  glibcVersionsNeeded,
  isTooOld,
  known,
  relinked,
  repair,
  runningGlibc,
} from '../../scripts/relink-uws.ts'

const packageDir = join(import.meta.dirname, '../../node_modules/uWebSockets.js')
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const arm = 'uws_linux_arm64_137.node'
// The machine's own file may be repaired already; those of other platforms and ABIs never are.
const untouched = ['uws_linux_x64_127.node', 'uws_linux_x64_141.node'].concat(
  process.arch === 'x64' ? [arm] : ['uws_linux_x64_137.node'],
)

t.test('a relinked binary needs nothing newer than glibc 2.36', async (t) => {
  for (const name of untouched) {
    const original = readFileSync(join(packageDir, name))
    t.ok(glibcVersionsNeeded(original).includes('GLIBC_2.38'), `${name} is too new as it comes`)
    const result = relinked(original)
    const tooNew = glibcVersionsNeeded(result).filter((version) => !isTooOld(version.slice(6)))
    t.same(tooNew, [])
    t.equal(result.length, original.length, 'no byte moves')
    let changed = 0
    for (let at = 0; at < original.length; at += 1) if (original[at] !== result[at]) changed += 1
    t.ok(changed > 0 && changed < 40, `${changed} bytes differ`)
    t.ok(relinked(result).equals(result), 'a second run changes nothing')
  }
})

t.test('every known file is identified by its hash before and after', async (t) => {
  for (const [name, hashes] of Object.entries(known)) {
    const bytes = readFileSync(join(packageDir, name))
    if (sha256(bytes) === hashes.original) t.equal(sha256(relinked(bytes)), hashes.repaired, name)
    else t.equal(sha256(bytes), hashes.repaired, name)
  }
})

t.test('the repair replaces the file whole, once, and keeps its mode', async (t) => {
  const dir = t.testdir()
  const name = process.arch === 'x64' ? arm : 'uws_linux_x64_137.node'
  const hashes = known[name]!
  const file = join(dir, name)
  copyFileSync(join(packageDir, name), file)
  const mode = statSync(file).mode
  t.equal(repair(file, hashes), 'repaired')
  t.equal(sha256(readFileSync(file)), hashes.repaired)
  t.equal(statSync(file).mode, mode)
  const { ino } = statSync(file)
  t.equal(repair(file, hashes), 'already repaired')
  t.equal(statSync(file).ino, ino, 'the second run did not write')
  t.same(readdirSync(dir), [name], 'nothing is left behind')
})

t.test('a file of unknown content is left alone', async (t) => {
  const file = join(t.testdir({ 'uws.node': 'something else' }), 'uws.node')
  t.equal(repair(file, known[arm]!), 'unknown file')
  t.equal(readFileSync(file, 'utf8'), 'something else')
})

t.test('a damaged or foreign file is refused, not rewritten', async (t) => {
  t.throws(() => relinked(Buffer.from('MZ not an ELF file'.padEnd(100))), /not a 64-bit/)
  const dir = t.testdir()
  const file = join(dir, 'uws.node')
  copyFileSync(join(packageDir, untouched[0]!), file)
  const original = sha256(readFileSync(file))
  t.throws(() => repair(file, { original, repaired: 'another' }), /went wrong/)
  t.equal(sha256(readFileSync(file)), original)
  // An import of 2.38 that has no plain twin must stop the repair.
  const bytes = readFileSync(file)
  const at = bytes.indexOf('__isoc23_sscanf')
  bytes.write('__new_', at)
  writeFileSync(file, bytes)
  t.throws(() => relinked(bytes), /cannot be replaced/)
})

t.test('glibc before 2.38 is too old, later is not', async (t) => {
  t.same(['2.17', '2.31', '2.36', '2.37', '2.38', '2.41', '3.0'].map(isTooOld), [
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  if (process.platform === 'linux') t.match(runningGlibc() ?? '2.0', /^\d+\.\d+/)
})

t.test('after the script has run, uWebSockets.js loads here', async (t) => {
  const root = join(import.meta.dirname, '../..')
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    })
  run('scripts/relink-uws.ts')
  t.equal(run('scripts/relink-uws.ts'), '', 'a second run has nothing to say')
  t.equal(run('-p', "typeof require('uWebSockets.js').App"), 'function\n')
})
