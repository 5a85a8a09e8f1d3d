// Commands of the operator's list: plugins of Nagios where they are installed, and scripts that behave badly.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { command } from '../../../src/probes/machine/command.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openMachine } from '../../support/open-machine.ts'
import { testFolder } from '../../support/test-folder.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const dir = testFolder(t)
const plugins = '/usr/lib/nagios/plugins'

function script(name: string, ...lines: readonly string[]): readonly string[] {
  const path = join(dir, name)
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(path, 0o755)
  return [path]
}

const commands = {
  dummy: [`${plugins}/check_dummy`, '{state}', 'said so'],
  disk: [`${plugins}/check_disk`, '-w', '1', '-c', '0', '-p', '{path}'],
  missing: ['/nowhere/at/{all}'],
  echo: [...script('echo', 'for one; do echo "<$one>"; done'), 'a b', '--disk={disk}', '{disk}'],
  environment: script('environment', 'env; pwd; cat; ulimit -c'),
  five: script('five', 'echo five >&2; exit 5'),
  warns: script(
    'warns',
    'echo "LOAD WARNING|load1=0.5;1;2;0 \'two words\'=7MB;;;; /=-3.25%"',
    'exit 1',
  ),
  killed: script('killed', 'kill -SEGV $$'),
  flood: script('flood', 'yes 0123456789012345678901234567890123456789 | head -c 20000000'),
  hangs: script('hangs', `sleep 613 & echo $! > ${dir}/child; sleep 614`),
  leaves: script('leaves', `sleep 615 & echo $! > ${dir}/left; echo done`),
}
const { probe } = command.open({
  guard: createGuard({ targets: 'public', machine: { ...openMachine, commands } }),
  resolver: resolverTo('127.0.0.1'),
  clock,
})
const look = (url: string, fields: TargetFields = {}) => {
  const target = makeTarget({ checkType: 'command', url, timeoutMs: 10_000, ...fields })
  return probe(target, { clock, keepsAnswer: true })
}

t.test('a plugin of Nagios', { skip: !existsSync(plugins) && 'not installed' }, async (t) => {
  const dummy = (state: number) => look(`command://dummy?state=${state}`)
  t.match(await dummy(0), {
    result: 'good',
    found: { value: 0, exitCode: 0, output: 'OK: said so', performance: {} },
  })
  t.match(await dummy(1), { result: 'good', isDegraded: true, message: 'the command warns' })
  t.match(await dummy(2), {
    result: 'failed',
    error: { kind: 'status', message: 'the command reports a critical state' },
    found: { value: 2, output: 'CRITICAL: said so' },
  })
  t.match(await dummy(3), { result: 'unknown', error: { message: /does not know$/ } })
  const disk = await look('command://disk?path=/')
  t.match(disk, {
    found: { output: /^DISK (OK|WARNING)/, performance: { '/': { unit: /^[A-Z]/ } } },
  })
  const value = '$.performance["/"].value'
  const few = { source: 'json', path: value, type: 'lessThan', value: '1' } as const
  t.match(await look('command://disk?path=/', { expect: { assertions: [few] } }), {
    error: { kind: 'assertion' },
  })
})

t.test('a command gets the words of the list, and nothing else', async (t) => {
  const url = `command://echo?disk=${encodeURIComponent('sda; $(id) `id` | * "x"')}`
  const given = 'sda; $(id) `id` | * "x"'
  t.match(await look(url), { found: { output: `<a b>\n<--disk=${given.split('|')[0]}`.trim() } })
  const found = (await look('command://environment')).found as { readonly output: string }
  const lines = found.output.split('\n')
  // The shell of the script sets PWD by itself.
  const names = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split('=')[0])
  t.same(names.filter((name) => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name ?? '')).sort(), [
    'LC_ALL',
    'PATH',
  ])
  t.ok(lines.includes('/'), 'its working directory is not the one of the daemon')
  const wrong = async (url: string) => (await look(url)).error?.message
  t.equal(await wrong('command://echo'), 'the URL must give disk')
  t.match(await wrong('command://echo?disk=a&b=c'), /no query parameters other than disk$/)
  t.match(await wrong('command://echo?disk=--config'), /do not begin with -$/)
  t.match(await wrong('command://echo?disk='), /values of 1 to 200 characters/)
  t.match(await wrong('command://echo/etc?disk=a'), /must end after the name/)
  t.match(
    await wrong('command://reboot'),
    /^the URL leads to a command of this machine, which is not allowed/,
  )
})

t.test('what a command ends with is told', async (t) => {
  t.match(await look('command://five'), {
    error: { message: 'the command failed with exit code 5' },
    found: { value: 5, output: 'five' },
  })
  t.match(await look('command://warns'), {
    isDegraded: true,
    found: {
      output: 'LOAD WARNING',
      performance: {
        load1: { value: 0.5, unit: '' },
        'two words': { value: 7, unit: 'MB' },
        '/': { value: -3.25, unit: '%' },
      },
    },
  })
  t.match(await look('command://killed'), {
    error: { message: 'the command was ended by a signal (SIGSEGV)' },
  })
  t.match(await look('command://missing'), {
    result: 'unknown',
    error: { message: 'the check could not be made: there is no such program' },
  })
  const before = process.memoryUsage().rss
  t.match(await look('command://flood'), { result: 'good' })
  t.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024, 'a flood of output is not kept')
})

t.test('nothing of a command outlives its check', async (t) => {
  const isAlive = (file: string) => {
    const pid = readFileSync(join(dir, file), 'utf8').trim()
    return /^\d+$/.test(pid) && !/^Z?$/.test(stateOf(pid))
  }
  const hung = await look('command://hangs', { timeoutMs: 700 })
  t.match(hung, {
    result: 'failed',
    error: { kind: 'timeout', message: /^not finished within 700 ms/ },
  })
  t.ok(await until(() => !isAlive('child')), 'its children are killed with it')
  t.match(await look('command://leaves'), { result: 'good', found: { output: 'done' } })
  t.ok(await until(() => !isAlive('left')), 'and so is what it left behind')
  const stopping = new AbortController()
  const stopped = probe(makeTarget({ url: 'command://hangs', timeoutMs: 10_000 }), {
    clock,
    signal: stopping.signal,
  })
  clock.setTimeout(() => stopping.abort(), 200)
  t.match(await stopped, { result: 'unknown' })
  t.ok(await until(() => !isAlive('child')))
})

t.test('a few run at once, and the others wait for their turn', async (t) => {
  const many = Array.from({ length: 12 }, () => look('command://hangs', { timeoutMs: 600 }))
  const readings = await Promise.all(many)
  t.equal(readings.filter(({ result }) => result === 'failed').length, 4)
  t.equal(readings.filter(({ result }) => result === 'unknown').length, 8)
  t.match(
    await look('command://five'),
    { error: { kind: 'status' } },
    'their places are free again',
  )
})

function stateOf(pid: string): string {
  try {
    return execFileSync('ps', ['-o', 'state=', '-p', pid], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
