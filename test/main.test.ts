// The command line as a process: what it prints where, and the code it ends with.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { bareNode } from './support/bare-node.ts'

const main = join(import.meta.dirname, '../src/main.ts')

function stillup(cwd: string, ...args: string[]) {
  return spawnSync(...bareNode([main, ...args]), { cwd, encoding: 'utf8' })
}

t.test('the version and the help go to standard output', async (t) => {
  const cwd = t.testdir()
  t.match(stillup(cwd, '--version'), { status: 0, stdout: /^\d+\.\d+\.\d+\n$/, stderr: '' })
  t.match(stillup(cwd, '--help'), { status: 0, stdout: /^Usage: stillup/, stderr: '' })
})

t.test('a wrong command line gets the usage, and ends with 64', async (t) => {
  const cwd = t.testdir()
  for (const args of [['fly'], ['--sped'], ['serve', 'now'], ['--config']]) {
    t.match(stillup(cwd, ...args), { status: 64, stdout: '', stderr: /Usage: stillup/ })
  }
})

t.test('check-config reports valid settings, or each problem and 78', async (t) => {
  const cwd = t.testdir({ 'bad.toml': '[http]\nlisten = 1\nx = 2' })
  t.match(stillup(cwd, 'check-config'), { status: 0, stdout: /settings are valid/ })
  const bad = stillup(cwd, 'check-config', '--config', 'bad.toml')
  t.equal(bad.status, 78)
  t.match(bad.stderr, /^http\.listen \(.*bad\.toml\): found 1; allowed: host:port/m)
  t.match(bad.stderr, /^http\.x /m)
})
