// A daemon as a process that checks many monitors, while the command line imports a kuma.db: how long that takes, how
// late checks begin meanwhile, and what memory the processes take.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { bareNode } from './bare-node.ts'
import { register } from './cast.ts'
import { type DaemonProcess, startProcess } from './daemon-process.ts'
import { program } from './program.ts'
import { until } from './until.ts'

export interface MeasuredImport {
  readonly tookMs: number
  readonly code: number | null
  readonly said: string
  /** How many checks began before the import and during it, and the bound under which 99 of 100 of them lay. */
  readonly before: Lateness
  readonly during: Lateness
  /** The most that each process took besides the files that it maps, in MB. */
  readonly memoryMb: { readonly daemon: number; readonly command: number; readonly apart: number }
}

export interface Lateness {
  readonly checks: number
  readonly p99Ms: number
}

export interface ImportMeasure {
  readonly folder: string
  /** The monitors that are there before, each checked every 10 s. */
  readonly monitors: number
  /** Gets the address of a target on loopback; returns the kuma.db. */
  readonly file: (url: string) => string
}

export async function measuredImport(
  t: Test,
  { folder: dir, monitors, file }: ImportMeasure,
): Promise<MeasuredImport> {
  const target = createServer((_request, response) => response.end('well'))
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  t.teardown(() => target.close())
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
  const path = file(url)
  const daemon = startProcess(t, dir, {
    STILLUP_AUTH_REGISTRATION: 'open',
    STILLUP_CHECKS_TARGETS: 'any',
    STILLUP_CHECKS_PER_HOST: '100',
    STILLUP_QUOTAS_MONITORS: '10000',
    STILLUP_QUOTAS_CHANNELS: '1000',
    STILLUP_QUOTAS_PAGES: '500',
    STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
  })
  await daemon.ready()
  const { org, orgId, cookie } = await register(daemon, 'alice')
  for (let at = 0; at < monitors; at += 100) {
    const some = Array.from({ length: Math.min(100, monitors - at) }, (_, more) => at + more)
    const json = {
      monitors: some.map((number) => ({ name: `Here ${number}`, url, intervalSeconds: 10 })),
    }
    await daemon.need('POST', `${org}/monitors/bulk`, { cookie, json })
  }
  await until(async () => (await countsOf(daemon)).at(-1)?.count ?? 0 >= monitors)
  const start = await countsOf(daemon)
  // Each of them once more.
  const steady = await until(async () => {
    const now = await countsOf(daemon)
    return latenessOf(start, now).checks >= monitors && now
  })

  const memory = { daemon: 0, command: 0, apart: 0 }
  const [command, args] = bareNode([program, 'import', path, '--org', orgId], {
    STILLUP_DATA_DIR: join(dir, 'data'),
  })
  const sinceMs = performance.now()
  const child = spawn(command, args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  const look = () => {
    memory.daemon = Math.max(memory.daemon, residentMb(daemon.child.pid))
    memory.command = Math.max(memory.command, residentMb(child.pid))
    for (const pid of childrenOf(child.pid)) memory.apart = Math.max(memory.apart, residentMb(pid))
  }
  const timer = setInterval(look, 100)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  const tookMs = performance.now() - sinceMs
  const end = await countsOf(daemon)
  const before = latenessOf(start, steady)
  const during = latenessOf(steady, end)
  await daemon.stop()
  return { tookMs: Math.round(tookMs), code, said, before, during, memoryMb: memory }
}

interface Bucket {
  readonly ms: number
  readonly count: number
}

export async function countsOf(daemon: DaemonProcess): Promise<readonly Bucket[]> {
  const text = await (await fetch(`${daemon.url}/metrics`)).text()
  const found = text.matchAll(/check_lateness_seconds_bucket\{le="([^"]+)"\} (\d+)/g)
  return [...found].map(([, le, count]) => {
    return {
      ms: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le) * 1_000,
      count: Number(count),
    }
  })
}

export function latenessOf(before: readonly Bucket[], after: readonly Bucket[]): Lateness {
  const more = after.map(({ ms, count }, at) => ({ ms, count: count - (before[at]?.count ?? 0) }))
  const checks = more.at(-1)?.count ?? 0
  return { checks, p99Ms: more.find(({ count }) => count >= 0.99 * checks)?.ms ?? 0 }
}

export function residentMb(pid: number | undefined): number {
  const path = `/proc/${pid}/status`
  const status = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return Math.round(Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}

function childrenOf(pid: number | undefined): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8')
        return Number(/PPid:\s+(\d+)/.exec(status)?.[1]) === pid ? [Number(name)] : []
      } catch {
        return []
      }
    })
}
