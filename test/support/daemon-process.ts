// The daemon as its own process, as people start it: what it prints, its signals, its exit code.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { type ApiClient, createClient, NoAnswer } from './api-client.ts'
import { bareNode } from './bare-node.ts'
import { program as ownProgram } from './program.ts'
import { until } from './until.ts'

const lastSaidChars = 2_000

/** How a process ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly tookMs: number
}

export interface DaemonProcess extends ApiClient {
  readonly child: ChildProcess
  /** Empty until it listens. */
  readonly url: string
  /** Everything on standard output so far. */
  readonly out: string
  /** Everything on standard error so far: complaints, and the log. */
  readonly err: string
  readonly ended: Promise<Ended>
  /** What a first start prints for whoever registers; it may arrive after the log said that it serves. */
  setupToken(): Promise<string>
  /** Resolves once it serves; rejects where it ends before. */
  ready(): Promise<void>
  /** Sends a signal and waits for the end. */
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<Ended>
}

// Rates are off; targets and receivers are on loopback.
const usual = {
  STILLUP_HTTP_LISTEN: '127.0.0.1:0',
  STILLUP_HTTP_RATE_AUTH_PER_MINUTE: '0',
  STILLUP_OBSERVER_SENTINELS: 'off',
  STILLUP_LOG_FORMAT: 'json',
}

/**
 * Starts `stillup serve` in a directory; its data lies in `data` below. Killed with the test.
 * `within`: a command that runs it, such as `ip netns exec`. `program`: instead of the one that people start.
 */
export function startProcess(
  t: Test,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  filesMax = 'unlimited' as number | 'unlimited',
  within: readonly string[] = [],
  program = ownProgram,
  /** Instead of `serve`. */
  asked: readonly string[] = ['serve'],
): DaemonProcess {
  const limit = filesMax === 'unlimited' ? '' : `ulimit -n ${filesMax} && `
  const [command, args] = bareNode([program, ...asked], { ...usual, ...env })
  const words = [...within, command, ...args]
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, ...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const heard = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    heard.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard.err += text
  })
  let signalledMs = Date.now()
  // 'close' and not 'exit': what it said last has arrived by then.
  const ended = once(child, 'close').then(
    ([code, signal]): Ended => ({ code, signal, tookMs: Date.now() - signalledMs }),
  )
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  t.teardown(async () => {
    if (!isOver()) child.kill('SIGKILL')
    await ended
  })
  const urlOf = () => /"address":"([^"]+)"/.exec(heard.err)?.[1] ?? ''
  const client = createClient(urlOf)
  /** A request without an answer, with what the process last said: it may be gone. */
  const told =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await call(...args)
      } catch (cause) {
        if (!(cause instanceof NoAnswer)) throw cause
        const how = isOver() ? `ended with ${child.exitCode ?? child.signalCode}` : 'is there'
        const last = heard.err.slice(-lastSaidChars)
        throw new Error(`${args[0]} ${args[1]}: no answer; the process ${how}: ${last}`, { cause })
      }
    }
  return {
    child,
    ended,
    ask: told(client.ask),
    need: told(client.need),
    get checked() {
      return client.checked
    },
    get url() {
      return urlOf()
    },
    get out() {
      return heard.out
    },
    get err() {
      return heard.err
    },
    setupToken: () => until(() => /"setupToken":"([0-9a-f]+)"/.exec(heard.out)?.[1]),
    async ready() {
      await until(() => {
        if (isOver()) throw new Error(`it ended with ${child.exitCode}: ${heard.err}`)
        return heard.err.includes('"message":"ready"')
      })
    },
    stop(signal = 'SIGTERM') {
      signalledMs = Date.now()
      child.kill(signal)
      return ended
    },
  }
}
