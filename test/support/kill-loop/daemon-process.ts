// The daemon as a process of its own, to be killed: started straight, watched through its log.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { bareNode } from '../bare-node.ts'
import { program } from '../program.ts'
import { fairMs, starvedMs } from '../starvation.ts'
import { type Api, createApi } from './api.ts'

const setupToken = 'a-setup-token-of-the-tests'

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface DaemonProcess {
  readonly pid: number
  /**
   * Milliseconds from the start of the process to its readiness, without those in which the machine
   * ran neither it nor us; rejects where it ended before.
   */
  readonly ready: Promise<number>
  readonly ended: Promise<Ended>
  /** What it wrote to standard error, line by line. */
  readonly lines: readonly string[]
  kill(signal: NodeJS.Signals): Promise<Ended>
}

export interface DaemonProcessOptions {
  readonly dir: string
  readonly port: number
  readonly env?: Readonly<Record<string, string>>
}

/** Starts it; it does not outlive the test. */
export function spawnDaemon(t: Test, options: DaemonProcessOptions): DaemonProcess {
  const { dir, port, env } = options
  const startedMs = fairMs()
  const [command, args] = bareNode([program, 'serve'], {
    STILLUP_DATA_DIR: dir,
    STILLUP_HTTP_LISTEN: `127.0.0.1:${port}`,
    STILLUP_OBSERVER_SENTINELS: 'off',
    STILLUP_LOG_FORMAT: 'json',
    STILLUP_AUTH_SETUP_TOKEN: setupToken,
    STILLUP_CHECKS_PER_HOST: '100',
    // The load comes from one address with one key.
    STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
    STILLUP_HTTP_RATE_AUTH_PER_MINUTE: '0',
    STILLUP_HTTP_RATE_PUSH_PER_MINUTE: '0',
    ...env,
  })
  const child = spawn(command, args, { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] })
  const lines: string[] = []
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  const tookMs = () => fairMs() - startedMs - starvedMs(child.pid)
  const ready = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line)
      if (line.includes('"message":"ready"')) resolve(tookMs())
    })
    void ended.then(({ code, signal }) => {
      reject(new Error(`the daemon ended (${code ?? signal}):\n${lines.join('\n')}`))
    })
  })
  // Whoever does not wait for readiness does not care why there is none.
  ready.catch(() => {})
  t.teardown(() => {
    child.kill('SIGKILL')
    return ended
  })
  return {
    pid: child.pid ?? 0,
    ready,
    ended,
    lines,
    kill(signal) {
      child.kill(signal)
      return ended
    },
  }
}

export interface Household {
  readonly org: string
  readonly key: string
}

/** The first account with its organization and an admin key. */
export async function settleIn(port: number): Promise<Household> {
  const nobody = createApi(port, {})
  const account = { email: 'owner@example.com', password: 'nine lives of a cat', setupToken }
  const { organization, token } = await need(nobody, 'POST', '/auth/register', account)
  await nobody.close()
  const owner = createApi(port, { cookie: `auth-token=${token}` })
  const org = `/orgs/${organization.id}`
  const { key } = await need(owner, 'POST', `${org}/api-keys`, { name: 'load', role: 'admin' })
  await owner.close()
  return { org, key }
}

/** The data of a successful answer. */
// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
export async function need(api: Api, method: string, path: string, json?: unknown): Promise<any> {
  const reply = await api.ask(method, path, json)
  if (reply.status !== 200) {
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  }
  return reply.data
}
