// Starvation: what the machine takes from a process is told, what the process takes itself is not.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { bareNode } from './bare-node.ts'
import { skipWithout } from './programs.ts'
import { fairMs, leastMs, startTicks, starvedMs } from './starvation.ts'

function computedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

t.test('time that a process computes or waits itself is not excused', async (t) => {
  // Linux from 6.12 on leaves a process that falls asleep on a busy queue for a moment, and counts
  // that as starved. It does not do so every time.
  const slept = Array.from({ length: 5 }, () => {
    const fromMs = fairMs()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    return fairMs() - fromMs
  })
  t.ok(Math.max(...slept) >= 49, `sleeping: ${slept} of 50 ms`)
  const tickedMs = startTicks()
  const before = {
    fair: fairMs(),
    ticked: tickedMs(),
    computed: computedMs(),
    ms: performance.now(),
  }
  while (performance.now() - before.ms < 100);
  const ownMs = computedMs() - before.computed
  t.ok(fairMs() - before.fair >= ownMs - 5, 'computing')
  const othersMs = performance.now() - before.ms - ownMs
  t.ok(tickedMs() - before.ticked <= othersMs + 1, 'also where only ticks tell')
  t.equal(starvedMs(2 ** 30), 0, 'nothing is known of a process that is not there')
})

t.test('work is timed at its quickest, and again only while it takes too long', async (t) => {
  let tries = 0
  const slowAtFirst = () => {
    tries += 1
    const endMs = computedMs() + (tries === 1 ? 60 : 0)
    while (computedMs() < endMs);
  }
  const ms = leastMs(30, slowAtFirst)
  t.ok(ms < 30, `${ms} ms`)
  t.equal(tries, 2)
  leastMs(0, slowAtFirst, 5)
  t.equal(tries, 7)
})

/** Computes for a while, beside somebody else on the same processor. */
const program = `
  const { fairMs, starvedMs, startTicks } = await import('${import.meta.dirname}/starvation.ts')
  const tickedMs = startTicks()
  const now = () => {
    const { user, system } = process.threadCpuUsage()
    const seen = { fair: fairMs(), starved: starvedMs(process.pid), ticked: tickedMs() }
    return { wall: performance.now(), own: (user + system) / 1_000, ...seen }
  }
  const before = now()
  while (performance.now() - before.wall < 400);
  const took = Object.entries(now()).map(([name, ms]) => [name, ms - before[name]])
  console.log(JSON.stringify(Object.fromEntries(took)))
`

const skip = process.platform === 'linux' ? skipWithout('taskset') : 'no way to pin'
t.test('time that others compute is excused', { skip }, async (t) => {
  const status = readFileSync('/proc/self/status', 'latin1')
  const [, processor = '0'] = /Cpus_allowed_list:\s*(\d+)/.exec(status) ?? []
  const shell = 'while :; do :; done & "$@"; code=$?; kill $!; exit $code'
  const [command, args] = bareNode(['--input-type=module', '--eval', program])
  const pinned = ['-c', processor, 'sh', '-c', shell, 'sh', command, ...args]
  const { stdout } = await promisify(execFile)('taskset', pinned)
  const { wall, own, fair, starved, ticked } = JSON.parse(stdout)
  t.comment(stdout)
  t.ok(starved > 100, `${starved} ms`)
  t.ok(Math.abs(wall - starved - fair) < 75, 'fair is what is left')
  t.ok(Math.abs(fair - own) < 75, 'which is what it computed itself')
  t.ok(Math.abs(ticked - starved) < 75, 'ticks tell nearly the same')
})
