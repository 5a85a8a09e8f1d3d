// The operator's own names, and files that change while the daemon runs.
import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { followFile, hostsIn } from '../../../src/net/dns/hosts-file.ts'

t.test('a line gives its address to each of its names', (t) => {
  const text = '# x\n127.0.0.5\tdb.test Cache.test # more\n::1 db.test\nnonsense x.test\n\n'
  t.same(
    [...hostsIn(text)],
    [
      ['db.test', ['127.0.0.5', '::1']],
      ['cache.test', ['127.0.0.5']],
    ],
  )
  t.end()
})

t.test('a changed file is read once, whether written, replaced or created', (t) => {
  const directory = t.testdir({ here: 'one' })
  const taken: string[] = []
  const path = join(directory, 'here')
  const look = followFile(path, () => taken.push('here'))
  const lookLater = followFile(join(directory, 'later'), () => taken.push('later'))
  const lookAll = () => {
    look()
    lookLater()
    return taken.splice(0)
  }
  t.same(lookAll(), ['here'])
  t.same(lookAll(), [])
  writeFileSync(path, 'longer')
  t.same(lookAll(), ['here'])
  t.same(lookAll(), [])
  writeFileSync(join(directory, 'new'), 'longer')
  renameSync(join(directory, 'new'), path)
  t.same(lookAll(), ['here'], 'another file of the same length')
  rmSync(path)
  t.same(lookAll(), [], 'gone: about to come')
  writeFileSync(join(directory, 'later'), 'x')
  t.same(lookAll(), ['later'])
  t.end()
})

t.test('a file that could not be applied is tried again', (t) => {
  const path = join(t.testdir({ here: 'one' }), 'here')
  let tries = 0
  const look = followFile(path, () => {
    tries++
    if (tries === 1) throw new Error('no file to spare')
  })
  writeFileSync(path, 'longer')
  for (let i = 0; i < 3; i++) look()
  t.equal(tries, 2)
  t.end()
})

t.test('an unreadable file is not applied, and is tried again', (t) => {
  const path = join(t.testdir({}), 'here')
  const taken: string[] = []
  const look = followFile(path, (text) => taken.push(text))
  // A directory has a stamp, and cannot be read.
  mkdirSync(path)
  look()
  t.same(taken, [])
  look()
  t.same(taken, [])
  rmdirSync(path)
  writeFileSync(path, 'one')
  look()
  t.same(taken, ['one'])
  t.end()
})
