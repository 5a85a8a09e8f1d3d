// Directories that are made, and whom they belong to.
import { chownSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { giveNew, makeWithParents } from '../../src/store/folders.ts'

const isRoot = process.geteuid?.() === 0

t.test('a directory is made with those above it, or the reason why not is told', async (t) => {
  const dir = t.testdir()
  t.equal(makeWithParents(join(dir, 'a', 'b')), join(dir, 'a'), 'the topmost of the new ones')
  t.equal(lstatSync(join(dir, 'a', 'b')).mode & 0o777, 0o700)
  t.equal(makeWithParents(join(dir, 'a')), undefined)
  t.throws(() => makeWithParents('/proc/stillup/backups'), { code: 'ENOENT' }, 'it comes back')
})

t.test(
  'one path is given to the owner of its directory',
  { skip: isRoot ? false : 'needs root' },
  async (t) => {
    const dir = t.testdir({ file: '' })
    giveNew(join(dir, 'file'))
    t.equal(lstatSync(join(dir, 'file')).uid, 0, 'a directory of root changes nothing')
    chownSync(dir, 12_345, 12_345)
    giveNew(join(dir, 'file'))
    t.equal(lstatSync(join(dir, 'file')).uid, 12_345)
    mkdirSync(join(dir, 'below'))
    writeFileSync(join(dir, 'below', 'file'), '')
    giveNew(join(dir, 'below', 'file'), dir)
    t.equal(lstatSync(join(dir, 'below', 'file')).uid, 12_345)
    t.doesNotThrow(() => giveNew(join(dir, 'missing')))
  },
)
