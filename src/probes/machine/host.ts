// The check of the machine on which it runs: how full disks and memory are, and how busy it is.
import { readFile, statfs } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import type { Clock } from '../../base/clock.ts'
import { codeOf, failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { defineKind } from '../run/kind.ts'
import { parsePlaceUrl, readOptions, type UrlFault } from '../run/place-url.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { cannotLook, createTurns, percent, shownAnswer } from './found.ts'

/** What is looked at, each with the percentage above which it is down unless its URL has another one. */
const usualMax = { disk: 90, memory: 90, cpu: 95, load: 200 } as const
type HostPart = keyof typeof usualMax

export const host = defineKind({
  type: 'host',
  family: 'machine',
  fields: ['machine'],
  sources: [],
  textName: 'answer',
  schemes: ['host'],
  icon: 'hard-drive',
  example: 'host://disk?path=/var',
  urlForm:
    '`host://disk?path=/var`, `host://memory`, `host://cpu` or `host://load`: the machine of the daemon or the ' +
    'probe, whose operator lists what may be looked at (`checks.host`). The answer is JSON with `value`, the ' +
    'percentage that is used (of `load`: the load of 5 minutes in percent of the cores), and more. It is down above ' +
    '`?max=`; absent: 90 for disk and memory, 95 for cpu, 200 for load',
  finds: 'json',
  ownsQuery: true,
  parse: parseHostUrl,
  machine: ({ part, path }) => ({
    what: 'the state of this machine',
    settings: 'checks.host',
    isListed: ({ host }) => host.includes(part === 'disk' ? path : part),
  }),
  open() {
    const turns = createTurns()
    return {
      async look({ part, path, max }, _target, run) {
        const found = await turns.take(run, `${part} ${path}`, () => look[part](path, run))
        const answer = shownAnswer(run, found)
        const { value, inodesPercent = 0 } = found
        if (value > max) throw tooMuch(`${value} % is used, more than ${max} %`)
        if (inodesPercent > max) {
          throw tooMuch(`${inodesPercent} % of the inodes are used, more than ${max} %`)
        }
        return answer
      },
    }
  },
})

function tooMuch(message: string): RunError {
  return new RunError(failure('assertion', message))
}

interface HostUrl {
  readonly part: HostPart
  /** '' unless it is a disk. */
  readonly path: string
  readonly max: number
  readonly problem?: never
}

function parseHostUrl(text: string): HostUrl | UrlFault {
  const url = parsePlaceUrl(text, ['host'])
  if (url.problem !== undefined) return url
  const part = url.port === null && url.path.length <= 1 ? url.host : ''
  if (!isHostPart(part)) return { problem: `must name one of ${Object.keys(usualMax).join(', ')}` }
  const options = readOptions(url.query, { path: null, max: null })
  if ('problem' in options && typeof options.problem === 'string')
    return { problem: options.problem }
  const { path = '', max = String(usualMax[part]) } = options as { path?: string; max?: string }
  if ((part === 'disk') !== path.startsWith('/')) {
    return { problem: 'must have a path for a disk, such as ?path=/var, and for nothing else' }
  }
  if (!/^\d{1,4}$/.test(max)) return { problem: 'must have as max a whole number of percent' }
  return { part, path, max: Number(max) }
}

function isHostPart(text: string): text is HostPart {
  return Object.hasOwn(usualMax, text)
}

interface FoundUse {
  readonly value: number
  readonly inodesPercent?: number
}

const look: Readonly<Record<HostPart, (path: string, run: ProbeRun) => Promise<FoundUse>>> = {
  async disk(path) {
    const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path).catch((cause) => {
      throw cannotLook(
        codeOf(cause) === 'ENOENT' ? 'there is no such path' : 'the disk cannot be read',
      )
    })
    const used = blocks - bfree
    return {
      // As df shows it: of what is there for everybody.
      value: percent(used, used + bavail),
      usedBytes: used * bsize,
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      inodesPercent: percent(files - ffree, files),
    } as FoundUse
  },
  async memory() {
    const text = await readFile('/proc/meminfo', 'utf8').catch(() => '')
    const bytesOf = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024
    const [totalBytes, availableBytes] = [bytesOf('MemTotal'), bytesOf('MemAvailable')] as const
    if (totalBytes === 0) throw cannotLook('this machine does not tell')
    const swap = bytesOf('SwapTotal')
    return {
      value: percent(totalBytes - availableBytes, totalBytes),
      ...{ totalBytes, availableBytes },
      swapPercent: percent(swap - bytesOf('SwapFree'), swap),
    } as FoundUse
  },
  async load() {
    const [load1 = 0, load5 = 0, load15 = 0] = loadavg()
    const cores = availableParallelism()
    return { value: percent(load5, cores), load1, load5, load15, cores } as FoundUse
  },
  async cpu(_path, { clock, untilMs }) {
    const before = times()
    await pause(clock, Math.min(1_000, (untilMs - clock.monoMs()) / 2))
    const after = times()
    const all = after.all - before.all
    return {
      value: percent(all - (after.idle - before.idle), all),
      cores: cpus().length,
    } as FoundUse
  },
}

function times() {
  const cores = cpus().map(({ times }) => times)
  const idle = cores.reduce((sum, core) => sum + core.idle, 0)
  const all = cores.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle)
  return { idle, all }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimeout(resolve, ms))
}
