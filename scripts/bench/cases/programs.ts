// What the program itself costs: its start and its memory with few monitors, run from its sources, from
// the bundle and as the binary. Beside them the least that Node needs to answer at all.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTarget } from '../load/target-process.ts'
import { binary, type Daemon, startDaemon, startFlags } from '../world/daemon.ts'
import { atMost, type CaseResult, type Figure, toFloor } from '../world/figure.ts'
import { checkedMonitor, prepare } from '../world/prepare.ts'
import { cpuSecondsOf, type Memory, memoryOf } from '../world/procfs.ts'
import type { Workplace } from '../world/workplace.ts'

export interface ProgramsOptions {
  readonly monitors: number
  /** How long each is left alone before its memory is read. */
  readonly idleSeconds: number
}

interface Start {
  readonly answersMs: number
  readonly cpuMs: number
  readonly memory: Memory
}

const startsOfEach = 5
const answersMsGoal = 300
const residentMbGoal = 80
const intervalSeconds = 60

const root = join(import.meta.dirname, '../../..')

const bareServer = `require('node:http')
  .createServer((request, response) => response.end('ok'))
  .listen(Number(process.env.STILLUP_HTTP_LISTEN.split(':').at(-1)), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))`

function programs(): Record<'bare Node' | 'sources' | 'bundle' | 'binary', readonly string[]> {
  const node = (...args: string[]) => [process.execPath, ...args]
  return {
    'bare Node': node('-e', bareServer),
    sources: node(...startFlags(), join(root, 'src/main.ts'), 'serve'),
    // As `npm start` runs it.
    bundle: node(...startFlags(), join(root, 'bin/start.cjs'), 'serve'),
    binary: [binary, 'serve'],
  }
}

export async function measurePrograms(
  work: Workplace,
  options: ProgramsOptions,
): Promise<CaseResult> {
  const { monitors, idleSeconds } = options
  execFileSync(process.execPath, ['scripts/build/main.ts'], { cwd: root, stdio: 'pipe' })
  const target = await startTarget(work)
  const { urlPrefix } = target
  const monitor = checkedMonitor(urlPrefix, intervalSeconds)
  const { dataDir } = await prepare(work, { name: 'programs', count: monitors, monitor, urlPrefix })
  const figures: Figure[] = []
  const details: Record<string, readonly Start[]> = {}
  let bare: Start | undefined
  for (const [name, program] of Object.entries(programs())) {
    const starts = await startOften(work, dataDir, { program, idleSeconds })
    details[name] = starts
    const usual = medians(starts)
    bare ??= usual
    figures.push(...figuresOf(name, usual, bare))
  }
  await target.stop()
  return {
    title: `programs: ${monitors} monitors; medians of ${startsOfEach} starts, beside bare Node`,
    figures,
    details: { options, starts: details },
  }
}

async function startOften(
  work: Workplace,
  dataDir: string,
  { program, idleSeconds }: { program: readonly string[]; idleSeconds: number },
): Promise<Start[]> {
  const starts: Start[] = []
  // The first fills the caches of the machine, and the binary writes its addons.
  await (await startDaemon(work, { dataDir, program })).stop()
  for (let done = 0; done < startsOfEach; done++) {
    const daemon: Daemon = await startDaemon(work, { dataDir, program })
    const cpuMs = cpuSecondsOf(daemon.pid) * 1_000
    await sleep(idleSeconds * 1_000)
    const memory = memoryOf(daemon.pid)
    await daemon.stop()
    starts.push({ answersMs: daemon.answersMs, cpuMs, memory })
  }
  return starts
}

function medians(starts: readonly Start[]): Start {
  const median = (of: (start: Start) => number) =>
    starts.map(of).sort((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0
  const rssKb = median(({ memory }) => memory.rssKb)
  const anonKb = median(({ memory }) => memory.anonKb)
  return {
    answersMs: median(({ answersMs }) => answersMs),
    cpuMs: median(({ cpuMs }) => cpuMs),
    memory: { rssKb, anonKb },
  }
}

/** The goals are of the binary: it is what people install. */
function figuresOf(name: string, own: Start, bare: Start): Figure[] {
  const one = (what: string, unit: string, of: (start: Start) => number, most?: number) => {
    const figure = { name: `${name}: ${what}`, value: of(own), unit }
    if (most !== undefined && name === 'binary')
      return atMost(figure.name, figure.value, unit, most)
    return toFloor(figure, of(bare))
  }
  return [
    one('process start to first answer', 'ms', ({ answersMs }) => answersMs, answersMsGoal),
    one('processor time until ready', 'ms', ({ cpuMs }) => cpuMs),
    one('resident when idle', 'MB', ({ memory }) => memory.rssKb / 1_024, residentMbGoal),
    one('of this, not pages of files', 'MB', ({ memory }) => memory.anonKb / 1_024),
  ]
}
