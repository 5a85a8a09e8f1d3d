// What probes promise holds in threads, too: their tests, once more, with checks in a thread of their own.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../../..')

const files = globSync('test/{net,probes}/**/*.test.ts', { cwd: root }).filter((file) =>
  /^import .*open-probe\.ts/m.test(readFileSync(join(root, file), 'utf8')),
)

t.test('the tests of probes hold in threads', async (t) => {
  t.ok(files.length >= 9)
  // Each process that loads the product takes longer than most of the files. Most of what these do is to wait.
  const env = { ...process.env, CHECK_THREADS: '1' }
  const inTurn = [0, 1].map((turn) => files.filter((_, at) => at % 2 === turn))
  t.jobs = inTurn.length
  await Promise.all(
    inTurn.map((some, at) => {
      const args = [...process.execArgv, 'test/support/files-process.ts', ...some]
      return t.spawn(process.execPath, args, { cwd: root, env }, `in process ${at + 1}`)
    }),
  )
})
