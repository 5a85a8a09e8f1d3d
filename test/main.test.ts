// The command line as a process: what it prints where, and the code it ends with.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { bareNode } from './support/bare-node.ts'
import { startProcess } from './support/daemon-process.ts'
import { program } from './support/program.ts'
import { testFolder } from './support/test-folder.ts'

function stillup(cwd: string, ...args: string[]) {
  return spawnSync(...bareNode([program, ...args]), { cwd, encoding: 'utf8' })
}

t.test('the version and the help go to standard output', async (t) => {
  const cwd = testFolder(t)
  t.match(stillup(cwd, '--version'), { status: 0, stdout: /^\d+\.\d+\.\d+\n$/, stderr: '' })
  t.match(stillup(cwd, '--help'), { status: 0, stdout: /^Usage: stillup/, stderr: '' })
})

t.test('a wrong command line gets the usage, and ends with 64', async (t) => {
  const cwd = testFolder(t)
  for (const args of [['fly'], ['--sped'], ['serve', 'now'], ['--config']]) {
    t.match(stillup(cwd, ...args), { status: 64, stdout: '', stderr: /Usage: stillup/ })
  }
})

t.test('a question ends with its input, with or without an answer', async (t) => {
  const cwd = testFolder(t)
  const argv = ['import', '--from', 'healthchecks', 'http://127.0.0.1:9', '--org', 'Acme']
  const [command, args] = bareNode([program, ...argv])
  const answered = (input: string) =>
    spawnSync(command, args, { cwd, encoding: 'utf8', input, timeout: 30_000 })
  t.match(answered(''), { status: 64, stderr: /there is no key of its API/ })
  for (const input of ['key', 'key\n']) {
    const { status, stderr } = answered(input)
    t.equal(status, 1)
    t.match(stderr, /no daemon runs/)
  }
})

t.test('check-config reports valid settings, or each problem and 78', async (t) => {
  const cwd = testFolder(t, { 'bad.toml': '[http]\nlisten = 1\nx = 2' })
  t.match(stillup(cwd, 'check-config'), { status: 0, stdout: /settings are valid/ })
  const bad = stillup(cwd, 'check-config', '--config', 'bad.toml')
  t.equal(bad.status, 78)
  t.match(bad.stderr, /^http\.listen \(.*bad\.toml\): found 1; allowed: host:port/m)
  t.match(bad.stderr, /^http\.x /m)
})

t.test('a reader that leaves early is no failure; a full disk is one', async (t) => {
  const cwd = testFolder(t)
  const [command, args] = bareNode([program, 'check-config', '--defaults'])
  const shell = (end: string) => {
    const script = `{ "$0" "$@"; echo $? >&2; } ${end}`
    return spawnSync('/bin/sh', ['-c', script, command, ...args], { cwd, encoding: 'utf8' })
  }
  t.match(shell('| head -n 1'), { stdout: /^# Every setting/, stderr: '0\n' })
  t.match(shell('>&-'), { stdout: '', stderr: '0\n' })
  t.match(shell('>/dev/full'), { stderr: /could not be written: ENOSPC.*\n74\n$/ })
})

t.test('a start goes on, even while it waits for what keeps no process alive', async (t) => {
  const slowDisk = `
    import promises from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    import { Worker } from 'node:worker_threads'
    const { statfs } = promises
    promises.statfs = async (dir) => {
      const thread = new Worker('', { eval: true })
      thread.unref()
      await new Promise((resolve) => thread.once('exit', resolve))
      return statfs(dir)
    }
    syncBuiltinESMExports()`
  const dir = testFolder(t, { 'slow-disk.mjs': slowDisk })
  const daemon = startProcess(t, dir, { NODE_OPTIONS: `--import=${join(dir, 'slow-disk.mjs')}` })
  await daemon.ready()
  t.equal((await daemon.stop()).code, 0)
})
