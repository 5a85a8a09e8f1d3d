// Native code is loaded only from files that nobody else could have written.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import {
  type Addon,
  addonFile,
  findAddon,
  placeAddon,
  privateModes,
  publicModes,
  removeFormerAddons,
  repairAddon,
} from '../../../src/base/native/place.ts'

const uid = process.getuid?.() ?? 0
const stranger = 12_345
const isRoot = uid === 0

function addonOf(text: string, name = 'lmdb.node'): Addon {
  const bytes = Buffer.from(text)
  return { name, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: () => bytes }
}

const addon = addonOf('the code that was built')

/** A directory below the test's own that only this user may write to. */
function ownDir(t: Test): string {
  const dir = join(t.testdir(), 'native')
  mkdirSync(dir, { mode: 0o700 })
  return dir
}

t.test('an addon is placed once, and found from then on', async (t) => {
  const dir = ownDir(t)
  t.equal(findAddon(dir, addon, uid), undefined)
  const file = placeAddon(dir, addon, uid, privateModes)
  t.equal(readFileSync(file, 'utf8'), 'the code that was built')
  t.equal(statSync(file).mode & 0o777, 0o500)
  t.equal(findAddon(dir, addon, uid), file)
  t.same(readdirSync(dir).length, 1, 'nothing else is left behind')
})

t.test('a directory for every user can be read by all, whatever the mask', async (t) => {
  const before = process.umask(0o077)
  t.teardown(() => process.umask(before))
  const dir = ownDir(t)
  const file = placeAddon(dir, addon, uid, publicModes)
  t.equal(statSync(file).mode & 0o777, 0o555)
  const deep = join(t.testdir(), 'lib', 'stillup', 'native')
  placeAddon(deep, addon, uid, publicModes)
  for (const one of [deep, dirname(deep), dirname(dirname(deep))]) {
    t.equal(statSync(one).mode & 0o777, 0o755, one)
  }
})

t.test('a file with other content is refused, and replaced by the right one', async (t) => {
  const dir = ownDir(t)
  writeFileSync(addonFile(dir, addon), 'other code', { mode: 0o500 })
  t.throws(() => findAddon(dir, addon, uid), { message: /its SHA-256 is another one/ })
  const file = repairAddon(dir, addon, uid, privateModes)
  t.equal(findAddon(dir, addon, uid), file)
  const { ino } = statSync(file)
  t.equal(repairAddon(dir, addon, uid, privateModes), file)
  t.equal(statSync(file).ino, ino, 'the right one stays')
  chmodSync(dir, 0o777)
  t.throws(() => repairAddon(dir, addon, uid, privateModes), { message: /others may write to/ })
})

t.test('a link in place of the file is not followed', async (t) => {
  const dir = ownDir(t)
  const elsewhere = join(dir, 'elsewhere')
  writeFileSync(elsewhere, 'the code that was built', { mode: 0o500 })
  symlinkSync(elsewhere, addonFile(dir, addon))
  t.throws(() => findAddon(dir, addon, uid), { code: 'ELOOP' })
  placeAddon(dir, addon, uid, privateModes)
  t.notOk(statSync(addonFile(dir, addon)).isSymbolicLink())
})

t.test('a place where others may write is refused', async (t) => {
  const dir = ownDir(t)
  placeAddon(dir, addon, uid, privateModes)
  chmodSync(dir, 0o777)
  const refused = { message: /others may write to/ }
  t.throws(() => findAddon(dir, addon, uid), refused, 'the directory')
  t.throws(() => placeAddon(dir, addon, uid, privateModes), refused, 'before anything is written')
  chmodSync(dir, 0o1777)
  t.throws(() => findAddon(dir, addon, uid), refused, 'a sticky directory itself')
  const below = join(dir, 'own')
  t.ok(placeAddon(below, addon, uid, privateModes), 'a directory of ours in a sticky one')
  chmodSync(dir, 0o777)
  t.throws(() => findAddon(below, addon, uid), refused, 'a directory above')
  chmodSync(dir, 0o700)
  chmodSync(addonFile(dir, addon), 0o520)
  t.throws(() => findAddon(dir, addon, uid), refused, 'the file')
})

const asRoot = isRoot ? {} : { skip: 'only root can give files away' }

t.test('what belongs to another user is refused', asRoot, async (t) => {
  const dir = ownDir(t)
  const file = placeAddon(dir, addon, uid, privateModes)
  chownSync(file, stranger, stranger)
  const refused = { message: /belongs to another user/ }
  t.throws(() => findAddon(dir, addon, uid), refused, 'the file')
  chownSync(file, uid, uid)
  chownSync(dir, stranger, stranger)
  t.throws(() => findAddon(dir, addon, uid), refused, 'the directory')
})

t.test('a damaged program says so instead of placing its addon', async (t) => {
  const dir = ownDir(t)
  const damaged = { ...addon, bytes: () => Buffer.from('the code that was bui1t') }
  t.throws(() => placeAddon(dir, damaged, uid, privateModes), {
    message: /^lmdb\.node in this program is not the file that was built/,
  })
  t.same(readdirSync(dir), [])
})

t.test('addons of other versions are removed, and nothing else', async (t) => {
  const dir = ownDir(t)
  const former = placeAddon(dir, addonOf('former code'), uid, privateModes)
  placeAddon(dir, addon, uid, privateModes)
  renameSync(placeAddon(dir, addonOf('half'), uid, privateModes), `${former}.123.tmp`)
  writeFileSync(join(dir, 'notes.txt'), '')
  removeFormerAddons(dir, [addon])
  t.same(readdirSync(dir).sort(), [addonFile('', addon), 'notes.txt'])
})
