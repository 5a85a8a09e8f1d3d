// Runs the system's ping, because Node has no ICMP sockets. It is the only child process of the
// probes, and gets only addresses that the egress policy has allowed.
import { type ChildProcess, type ExecFileException, execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { assert } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { acquireWithin, createGate } from '../../base/gate.ts'
import { within } from '../../base/timeout.ts'
import { codeOf } from '../../net/failure.ts'

/** The result of one ICMP echo request. */
export type PingResult =
  | { readonly kind: 'answered'; readonly roundTripMs: number }
  /** No answer came in the given time. */
  | { readonly kind: 'silent' }
  /** A router, or the network of the target, reports that it is unreachable. */
  | { readonly kind: 'unreachable' }
  /** This machine has no route to it. */
  | { readonly kind: 'noRoute' }
  /** Too many pings were in progress for this one to start in time. */
  | { readonly kind: 'crowded' }
  /** Ping could not run, or its output was not understood. This says nothing about the target. */
  | { readonly kind: 'unavailable'; readonly trouble: PingProblem }

/** Why ping is unusable; `unstarted`: this machine cannot start it at present. */
export type PingProblem = 'missing' | 'forbidden' | 'slow' | 'broken' | 'unstarted'

export type Pinger = ReturnType<typeof createPinger>

export interface PingerOptions {
  readonly clock: Clock
  /** Possible paths of ping; the first that works is used. */
  readonly paths?: readonly string[]
}

const usualPaths = ['/usr/bin/ping', '/bin/ping']
/** An address of this machine that every permitted ping reaches. */
const ownAddress = '127.0.0.1'
const gateKey = 'ping'

/** The path of the working ping, or why there is none. */
type PingTrial =
  | { readonly path: string }
  | { readonly path?: never; readonly trouble: PingProblem }

export const pingProcessesMax = 50
const pingOutputBytesMax = 16 * 1024
/** How long the trial of ping may take, and when to try again after it failed. */
export const pingTrialMs = 500
export const pingRetryMs = 60_000

/** Tests ping on first use, and again after it failed. */
export function createPinger({ clock, paths = usualPaths }: PingerOptions) {
  const gate = createGate({ total: pingProcessesMax, perKey: pingProcessesMax })
  let trial: Promise<PingTrial> | undefined
  let failedMs: number | undefined

  function find(): Promise<PingTrial> {
    const isOld = failedMs !== undefined && clock.monoMs() - failedMs >= pingRetryMs
    if (trial === undefined || isOld) {
      failedMs = undefined
      trial = tryAll()
    }
    return trial
  }

  async function tryAll(): Promise<PingTrial> {
    let trouble: PingProblem = 'missing'
    for (const path of paths) {
      // The trial does not pass the gate, where pings that wait for an answer would delay it.
      const pinged = await run(path, ownAddress, pingTrialMs)
      if (pinged.kind === 'answered') return { path }
      const found = problemIn(pinged)
      if (found !== 'missing') trouble = found
    }
    // A lack of resources may soon be over, so the next check tries again.
    if (trouble === 'unstarted') trial = undefined
    else failedMs = clock.monoMs()
    return { trouble }
  }

  /** Waits for a free slot; false if there is none in time. */
  async function enters(untilMs: number): Promise<boolean> {
    const request = { key: gateKey, dueAtMs: untilMs }
    return acquireWithin(gate, request, clock, untilMs - clock.monoMs())
  }

  /** Never rejects; resolves when the process has ended. */
  function run(
    path: string,
    address: string,
    leftMs: number,
    signal?: AbortSignal,
  ): Promise<PingResult> {
    return new Promise((resolve) => {
      let isStopped = false
      let timer: unknown
      let child: ChildProcess | undefined
      const stop = (): void => {
        isStopped = true
        child?.kill('SIGKILL')
        // A killed program may have passed its output on to others; that end is not waited for.
        child?.stdout?.destroy()
        child?.stderr?.destroy()
      }
      const args = argumentsFor(address, leftMs)
      try {
        child = execFile(path, args, execOptions, (error, out, err) => {
          clock.clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
          resolve(isStopped ? { kind: 'silent' } : understand(error, `${out}\n${err}`))
        })
      } catch (cause) {
        // Some system errors are thrown, such as a lack of memory for a process.
        resolve(unstarted(cause))
        return
      }
      // If the process could not start, its pipes report errors as well.
      child.stdout?.on('error', ignoreError)
      child.stderr?.on('error', ignoreError)
      timer = clock.setTimeout(stop, leftMs)
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted) stop()
    })
  }

  return {
    /** Why ping does not work on this machine; null if it works. Waits at most `waitMs`. */
    async trouble(waitMs: number): Promise<PingProblem | null> {
      const found = (await within(clock, find(), waitMs)) ?? tooSlow
      return found.path === undefined ? found.trouble : null
    },
    /** Sends one echo request to a literal address; ends within `budgetMs` or by the signal. */
    async ping(address: string, budgetMs: number, signal?: AbortSignal): Promise<PingResult> {
      // The text must not be read as an option, a name or an interface.
      assert(isIP(address) !== 0 && !address.includes('%'), 'only a literal address is pinged')
      const untilMs = clock.monoMs() + budgetMs
      const found = (await within(clock, find(), budgetMs)) ?? tooSlow
      if (found.path === undefined) return { kind: 'unavailable', trouble: found.trouble }
      // If too little time is left for the ping, silence would say nothing about the host.
      if (!(await enters(untilMs - budgetMs / 2))) return { kind: 'crowded' }
      const running = run(found.path, address, untilMs - clock.monoMs(), signal).then((pinged) => {
        gate.leave(gateKey)
        // Ping may have lost its permission, so it is tested on this machine before the next use.
        if (pinged.kind === 'unavailable') trial = undefined
        return pinged
      })
      // A killed process takes a moment to end, and the check does not wait for that.
      return (await within(clock, running, untilMs - clock.monoMs())) ?? { kind: 'silent' }
    },
  }
}

function ignoreError(): void {
  // The result is reported separately; without a listener the error would end the daemon.
}

const tooSlow: PingTrial = { trouble: 'slow' }

/** Why ping does not work if it does not even reach this machine. */
function problemIn(pinged: PingResult): PingProblem {
  if (pinged.kind === 'unavailable') return pinged.trouble
  return pinged.kind === 'silent' ? 'slow' : 'broken'
}

const execOptions = {
  encoding: 'utf8',
  env: { LC_ALL: 'C' },
  cwd: '/',
  killSignal: 'SIGKILL',
  maxBuffer: pingOutputBytesMax,
} as const

/** One request, numeric output only; a signal ends it at its exact time. */
function argumentsFor(address: string, leftMs: number): readonly string[] {
  const waitSeconds = String(Math.max(1, Math.ceil(leftMs / 1_000)))
  return ['-n', '-c', '1', '-W', waitSeconds, isIP(address) === 4 ? '-4' : '-6', address]
}

const notPermitted = /not permitted|permission denied|privilege|are you root/i
const unreachable =
  /unreachable|no route to host|packet filtered|prohibited|time to live exceeded|time exceeded/i
const noRoute = /network is (unreachable|down)|address family|assign requested address/i

/** Interprets the output of ping: iputils, BusyBox and inetutils, in English. */
function understand(error: ExecFileException | null, text: string): PingResult {
  const [, roundTrip] = /\btime[=<]\s?(\d+(?:\.\d+)?)\s?ms/.exec(text) ?? []
  if (error === null) {
    return roundTrip === undefined
      ? { kind: 'unavailable', trouble: 'broken' }
      : { kind: 'answered', roundTripMs: Number(roundTrip) }
  }
  // The exit code is required as well: a killed or broken program may have written the same output.
  if (typeof error.code !== 'number') return unstarted(error)
  if (notPermitted.test(text)) return { kind: 'unavailable', trouble: 'forbidden' }
  if (noRoute.test(text)) return { kind: 'noRoute' }
  if (unreachable.test(text)) return { kind: 'unreachable' }
  const isLost = /\b100(\.0+)?% packet loss/.test(text)
  return isLost ? { kind: 'silent' } : { kind: 'unavailable', trouble: 'broken' }
}

function unstarted(cause: unknown): PingResult {
  return { kind: 'unavailable', trouble: startProblems[codeOf(cause)] ?? 'broken' }
}

/** Why a program does not start. EPERM: its file requires a capability that cannot be granted. */
const startProblems: Readonly<Record<string, PingProblem>> = {
  ENOENT: 'missing',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EAGAIN: 'unstarted',
  ENOMEM: 'unstarted',
  EMFILE: 'unstarted',
  ENFILE: 'unstarted',
}
