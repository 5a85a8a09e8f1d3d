// Disk, memory and load of the machine on which the tests run.
import { execFileSync } from 'node:child_process'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { host } from '../../../src/probes/machine/host.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openMachine } from '../../support/open-machine.ts'

const clock = startClock()
t.after(() => clock.stop())
const listed = ['memory', 'load', 'cpu', '/', '/nowhere']
const { probe } = host.open({
  guard: createGuard({ targets: 'public', machine: { ...openMachine, host: listed } }),
  resolver: resolverTo('127.0.0.1'),
  clock,
})
const look = (url: string, fields: TargetFields = {}) =>
  probe(makeTarget({ checkType: 'host', url, ...fields }), { clock, keepsAnswer: true })

t.test('a disk is as full as df says', async (t) => {
  const df = execFileSync('df', ['--output=pcent,ipcent', '/'], { encoding: 'utf8' })
  const [, blocks, inodes] = /(\d+)%\s+(\d+)%/.exec(df) ?? []
  const { result, found } = await look('host://disk?path=/&max=100')
  t.equal(result, 'good')
  const { value, inodesPercent, freeBytes } = found as Record<string, number>
  // df rounds up.
  t.ok(Math.abs((value ?? 0) - Number(blocks)) < 2, `${value} % and ${blocks} %`)
  t.ok(Math.abs((inodesPercent ?? 0) - Number(inodes)) < 2, `${inodesPercent} % and ${inodes} %`)
  t.ok((freeBytes ?? 0) > 0)
  t.match(await look('host://disk?path=/&max=0'), {
    result: 'failed',
    error: { kind: 'assertion', message: /^[\d.]+ % (of the inodes are|is) used, more than 0 %$/ },
    found: { value },
  })
  t.match(await look('host://disk?path=/nowhere'), {
    result: 'unknown',
    error: { message: /there is no such path$/ },
  })
})

t.test('memory, load and cpu are told in percent', async (t) => {
  const free = execFileSync('free', ['-b'], { encoding: 'utf8' })
  const [, total] = /^Mem:\s+(\d+)/m.exec(free) ?? []
  t.match(await look('host://memory?max=100'), {
    result: 'good',
    found: { totalBytes: Number(total), swapPercent: Number, value: Number },
  })
  t.match(await look('host://load?max=9999'), { result: 'good', found: { load5: Number } })
  const busy = await look('host://cpu?max=100', { timeoutMs: 1_000 })
  t.match(busy, { result: 'good', found: { value: Number } })
  const most = { source: 'json', path: '$.value', type: 'lessThan', value: '0' } as const
  t.match(await look('host://memory?max=100', { expect: { assertions: [most] } }), {
    error: { kind: 'assertion' },
  })
})

t.test('only what is listed is looked at', async (t) => {
  const why = async (url: string) => (await look(url)).error?.message
  t.match(
    await why('host://disk?path=/root'),
    /^the URL leads to the state of this machine, which is not/,
  )
  t.match(await why('host://disk?path=/../'), /not allowed/)
  for (const url of ['host://uptime', 'host://memory:80', 'host://memory/a', 'host://disk']) {
    t.match(await why(url), /^the URL must/, url)
  }
  for (const query of ['path=var', 'max=50', 'path=/&max=1.5', 'path=/&path=/', 'path=/&min=1']) {
    t.match(await why(`host://disk?${query}`), /^the URL must/, query)
  }
  t.match(await why('host://memory?path=/'), /and for nothing else$/)
})
