// The daemon as a user starts it: its own process, its own data directory, limits out of the way.
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import packageFile from '../../../package.json' with { type: 'json' }
import { ended, type Workplace } from './workplace.ts'

export const setupToken = 'bench-setup-token'

const pollMs = 5
const readyTimeoutMs = 60_000
// Longer than the daemon's own bound.
const stopTimeoutMs = 35_000

const main = join(import.meta.dirname, '../../../src/main.ts')
export const binary = join(import.meta.dirname, '../../../dist/stillup')

export interface Daemon {
  readonly pid: number
  readonly port: number
  readonly baseUrl: string
  /** From the start of the process to the first answer of any kind. */
  readonly answersMs: number
  /** From the start of the process to the first 200 of /readyz: every monitor runs. */
  readonly readyMs: number
  stop(): Promise<void>
}

export interface DaemonOptions {
  readonly dataDir: string
  /** For Node itself, such as --cpu-prof. */
  readonly nodeArgs?: readonly string[]
  /** How many files it may have open. */
  readonly filesMax?: number
  /** The binary of `npm run build`, if there is one, and not the sources. */
  readonly isBinary?: boolean
  /** The words that run instead of either. */
  readonly program?: readonly string[]
  /** Settings besides those of all cases. */
  readonly settings?: NodeJS.ProcessEnv
}

interface ProbeProgramOptions extends Pick<DaemonOptions, 'nodeArgs' | 'isBinary' | 'settings'> {
  readonly name: string
  readonly token: string
}

/** What runs stillup: the binary, if it is wanted and was built, else Node with the sources. */
export function commandOf(isBinary: boolean, nodeArgs: readonly string[] = []): readonly string[] {
  if (isBinary && existsSync(binary)) return [binary]
  return [process.execPath, ...startFlags(), ...nodeArgs, main]
}

export async function startDaemon(work: Workplace, options: DaemonOptions): Promise<Daemon> {
  const port = await freePort()
  const { filesMax, isBinary = false, nodeArgs } = options
  const words = options.program ?? [...commandOf(isBinary, nodeArgs), 'serve']
  const [command = '', ...args] =
    filesMax === undefined
      ? words
      : ['/bin/sh', '-c', `ulimit -n ${filesMax} && exec "$0" "$@"`, ...words]
  const startedMs = performance.now()
  const child = work.run(command, args, {
    env: { ...environment(options.dataDir, port), ...options.settings },
    cwd: work.root,
    logFile: `${options.dataDir}.log`,
  })
  const baseUrl = `http://127.0.0.1:${port}`
  const answeredAtMs = await untilReady(child, baseUrl, startedMs + readyTimeoutMs)
  const readyMs = performance.now() - startedMs
  return {
    pid: child.pid ?? 0,
    port,
    baseUrl,
    answersMs: answeredAtMs - startedMs,
    readyMs,
    async stop() {
      child.kill('SIGTERM')
      const code = await ended(child, stopTimeoutMs)
      if (code !== 0) throw new Error(`the daemon ended with ${code}`)
    },
  }
}

/** A standby, or a member that does not lead yet: it is running, and answers when it leads. */
export async function startStandby(
  work: Workplace,
  options: Pick<DaemonOptions, 'dataDir' | 'settings'> & { readonly words: readonly string[] },
) {
  const port = await freePort()
  const [command = '', ...args] = [...commandOf(false), ...options.words]
  const child = work.run(command, args, {
    env: { ...environment(options.dataDir, port), ...options.settings },
    cwd: work.root,
    logFile: `${options.dataDir}.log`,
  })
  return {
    pid: child.pid ?? 0,
    baseUrl: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await ended(child, stopTimeoutMs)
    },
  }
}

export interface RemoteProgram {
  readonly pid: number
  stop(): Promise<void>
}

/** A `stillup probe` of the daemon. It makes checks in no threads, and of this machine. */
export function startProbeProgram(
  work: Workplace,
  { baseUrl }: Daemon,
  { name, token, nodeArgs, isBinary = false, settings }: ProbeProgramOptions,
): RemoteProgram {
  const [command = '', ...args] = [...commandOf(isBinary, nodeArgs), 'probe', '--server', baseUrl]
  const child = work.run(command, args, {
    env: {
      ...inherited(),
      ...sharedSettings,
      STILLUP_CHECKS_ALLOW: '127.0.0.0/8',
      STILLUP_CHECKS_WORKERS: '0',
      STILLUP_PROBE_TOKEN: token,
      NO_PROXY: '*',
      ...settings,
    },
    cwd: work.root,
    logFile: join(work.root, `${name}.log`),
  })
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      const code = await ended(child, stopTimeoutMs)
      if (code !== 0) throw new Error(`a probe ended with ${code}`)
    },
  }
}

/** What `npm start` tells Node, so that the measured daemon is the one people run. */
export function startFlags(): readonly string[] {
  return packageFile.scripts.start.split(' ').filter((word) => word.startsWith('--'))
}

/** Settings of daemons and probes. */
const sharedSettings = {
  STILLUP_CHECKS_PER_HOST: '1000',
  STILLUP_OBSERVER_SENTINELS: 'off',
  STILLUP_LOG_LEVEL: 'warn',
}

/** The environment of this process, without settings. */
function inherited(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('STILLUP_'))
  return Object.fromEntries(own)
}

function environment(dataDir: string, port: number): NodeJS.ProcessEnv {
  return {
    ...inherited(),
    ...sharedSettings,
    STILLUP_DATA_DIR: dataDir,
    STILLUP_HTTP_LISTEN: `127.0.0.1:${port}`,
    STILLUP_AUTH_SETUP_TOKEN: setupToken,
    STILLUP_QUOTAS_CHANNELS: '1000',
    STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
    STILLUP_HTTP_RATE_AUTH_PER_MINUTE: '0',
    STILLUP_HTTP_RATE_PUSH_PER_MINUTE: '0',
    STILLUP_HTTP_RATE_PAGE_PER_MINUTE: '0',
  }
}

/** Resolves when it is ready, with the time of the first answer. */
async function untilReady(child: ChildProcess, baseUrl: string, untilMs: number): Promise<number> {
  let answeredAtMs: number | undefined
  while (performance.now() < untilMs) {
    if (child.exitCode !== null) {
      throw new Error(`the daemon ended with ${child.exitCode}`)
    }
    const status = await statusOf(`${baseUrl}/readyz`)
    if (status !== null) answeredAtMs ??= performance.now()
    if (status === 200 && answeredAtMs !== undefined) return answeredAtMs
    await sleep(pollMs)
  }
  throw new Error(`the daemon was not ready in time`)
}

/** Null where nobody answers. */
async function statusOf(url: string): Promise<number | null> {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.status
  } catch {
    return null
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
