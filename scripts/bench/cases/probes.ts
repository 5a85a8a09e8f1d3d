// Case (f): what a check costs beyond its HTTP request: the probe beside undici alone, by turns.
import type { ChildProcess } from 'node:child_process'
import type { ProbeLoadAsk, ProbeLoadInput, ProbeRest, ProbeRound } from '../load/probe-load.ts'
import { startTarget } from '../load/target-process.ts'
import { startFlags } from '../world/daemon.ts'
import { atMost, type CaseResult, type Figure, info } from '../world/figure.ts'
import { ended, nextMessage, type Workplace } from '../world/workplace.ts'

export interface ProbesOptions {
  /** Checks at once. */
  readonly connections: number
  readonly warmupSeconds: number
  /** The length of each round. */
  readonly seconds: number
  readonly nodeArgs: readonly string[]
}

const rounds = 5
const ratioMost = 1.6
const heapGrowthKbMost = 1_024
const spareMs = 15_000

export async function measureProbes(work: Workplace, options: ProbesOptions): Promise<CaseResult> {
  const plain = await measureOne(work, options, false)
  const secure = await measureOne(work, options, true)
  const { connections, seconds } = options
  return {
    title: `probes: fresh connections, ${connections} at once, ${rounds} rounds of ${seconds} s`,
    figures: [...figuresOf('plain', plain), ...figuresOf('TLS', secure)],
    details: { options, plain, secure },
  }
}

type Measured = Awaited<ReturnType<typeof measureOne>>

async function measureOne(work: Workplace, options: ProbesOptions, isTls: boolean) {
  const { warmupSeconds, seconds } = options
  const target = await startTarget(work, { isTls })
  await target.reset([0], 1_000)
  const url = `${target.urlPrefix}0`
  const probe = startLoad(work, options, { how: 'probe', url })
  const undici = startLoad(work, options, { how: 'undici', url })
  for (const one of [probe, undici]) await one.run(Math.max(warmupSeconds, 1))
  const before = await probe.rest()
  const probed: ProbeRound[] = []
  const bare: ProbeRound[] = []
  // By turns, so that what else this machine does falls on both.
  for (let round = 0; round < rounds; round += 1) {
    probed.push(await probe.run(seconds))
    bare.push(await undici.run(seconds))
  }
  const after = await probe.rest()
  const { open } = await target.report()
  for (const one of [probe, undici, target]) await one.stop()
  return { probed, bare, before, after, open }
}

function startLoad(
  work: Workplace,
  { connections, nodeArgs }: ProbesOptions,
  input: Omit<ProbeLoadInput, 'connections'>,
) {
  const args = [...startFlags(), '--expose-gc', ...(input.how === 'probe' ? nodeArgs : [])]
  const child: ChildProcess = work.fork('load/probe-load.ts', { ...input, connections }, args)
  function ask<T>(message: ProbeLoadAsk, timeoutMs: number): Promise<T> {
    const answer = nextMessage<T>(child, timeoutMs)
    child.send(message)
    return answer
  }
  return {
    run: (seconds: number) => ask<ProbeRound>({ kind: 'run', seconds }, seconds * 1_000 + spareMs),
    rest: () => ask<ProbeRest>({ kind: 'rest' }, spareMs),
    async stop() {
      child.disconnect()
      await ended(child, spareMs)
    },
  }
}

function figuresOf(label: string, { probed, bare, before, after, open }: Measured): Figure[] {
  const ratios = probed.map((round, index) => eachMicroseconds(round) / each(bare[index]))
  const failures = [...probed, ...bare].reduce((sum, round) => sum + round.failures, 0)
  return [
    info(`${label}: checks`, median(probed.map(perSecond)), '/s'),
    info(`${label}: requests by undici alone`, median(bare.map(perSecond)), '/s'),
    info(`${label}: CPU of a check`, median(probed.map(eachMicroseconds)), 'µs'),
    info(`${label}: CPU of a request by undici alone`, median(bare.map(eachMicroseconds)), 'µs'),
    atMost(`${label}: CPU of a check to undici alone`, median(ratios), '×', ratioMost),
    atMost(`${label}: failed`, failures, '', 0),
    atMost(`${label}: connections left, here and there`, after.sockets + open, '', 0),
    atMost(`${label}: timers left`, Math.max(0, after.timers - before.timers), '', 0),
    atMost(`${label}: heap left`, after.heapKb - before.heapKb, 'KB', heapGrowthKbMost),
    info(`${label}: resident memory, growth`, (after.rssKb - before.rssKb) / 1_024, 'MB'),
  ]
}

const perSecond = ({ checks, seconds }: ProbeRound) => checks / seconds
const eachMicroseconds = ({ cpuSeconds, checks }: ProbeRound) => (1e6 * cpuSeconds) / checks
const each = (round: ProbeRound | undefined) => (round ? eachMicroseconds(round) : Number.NaN)

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
