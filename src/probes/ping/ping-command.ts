// Runs the system's ping, because Node has no ICMP sockets. It is the only child process of the
// probes, and gets only addresses that the egress policy has allowed.
import { type ChildProcess, execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { assert } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { acquireWithin, createGate } from '../../base/gate.ts'
import { within } from '../../base/timeout.ts'
import type { HopOutcome } from '../../domain/checks/reading.ts'
import { roundMs } from '../../net/connection/connect.ts'
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

/** The router, or the target, that answered a packet which may pass only so many routers. */
interface HopAnswer {
  readonly outcome: Exclude<HopOutcome, 'silent'>
  readonly address: string
  /** From sending to the answer; null if the program did not tell. */
  readonly roundTripMs: number | null
}

/** `silent`: nothing came back. `unable`: this ping cannot tell who answers. */
export type HopResult = HopAnswer | 'silent' | 'unable'

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
      const pinged = understand(
        await run(path, echoArguments(ownAddress, pingTrialMs), pingTrialMs),
      )
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
    args: readonly string[],
    leftMs: number,
    signal?: AbortSignal,
  ): Promise<PingEnd> {
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
      try {
        child = execFile(path, args, execOptions, (cause, out, err) => {
          clock.clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
          resolve(isStopped ? 'stopped' : { cause, text: `${out}\n${err}` })
        })
      } catch (cause) {
        // Some system errors are thrown, such as a lack of memory for a process.
        resolve({ cause, text: '' })
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
      assertLiteral(address)
      const untilMs = clock.monoMs() + budgetMs
      const found = (await within(clock, find(), budgetMs)) ?? tooSlow
      if (found.path === undefined) return { kind: 'unavailable', trouble: found.trouble }
      // If too little time is left for the ping, silence would say nothing about the host.
      if (!(await enters(untilMs - budgetMs / 2))) return { kind: 'crowded' }
      const leftMs = untilMs - clock.monoMs()
      const args = echoArguments(address, leftMs)
      const running = run(found.path, args, leftMs, signal).then((end) => {
        gate.leave(gateKey)
        const pinged = understand(end)
        // Ping may have lost its permission, so it is tested on this machine before the next use.
        if (pinged.kind === 'unavailable') trial = undefined
        return pinged
      })
      // A killed process takes a moment to end, and the check does not wait for that.
      return (await within(clock, running, untilMs - clock.monoMs())) ?? { kind: 'silent' }
    },
    /**
     * Sends packets to a literal address that may pass `ttl` - 1 routers, and tells who answers; ends within
     * `budgetMs` or by the signal. The caller bounds how many run at once.
     */
    async hop(
      address: string,
      ttl: number,
      budgetMs: number,
      signal?: AbortSignal,
    ): Promise<HopResult> {
      assertLiteral(address)
      const untilMs = clock.monoMs() + budgetMs
      const found = (await within(clock, find(), budgetMs)) ?? tooSlow
      if (found.path === undefined) return 'unable'
      const leftMs = untilMs - clock.monoMs()
      const running = run(found.path, hopArguments(address, ttl), leftMs, signal).then(hopIn)
      return (await within(clock, running, leftMs)) ?? 'silent'
    },
  }
}

/** The text must not be read as an option, a name or an interface. */
function assertLiteral(address: string): void {
  assert(isIP(address) !== 0 && !address.includes('%'), 'only a literal address is pinged')
}

/** How a process ended: `cause` is null if it succeeded. */
type PingEnd = 'stopped' | { readonly cause: unknown; readonly text: string }

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
function echoArguments(address: string, leftMs: number): readonly string[] {
  const waitSeconds = String(Math.max(1, Math.ceil(leftMs / 1_000)))
  return ['-n', '-c', '1', '-W', waitSeconds, familyOption(address), address]
}

/**
 * Two requests, because iputils tells no time of a router's answer: with `-D` and `-O` it notes when it sends
 * the second one, and when the answer to that comes.
 */
function hopArguments(address: string, ttl: number): readonly string[] {
  const twoRequests = ['-n', '-D', '-O', '-c', '2', '-i', '0.2', '-W', '1']
  return [...twoRequests, '-t', String(ttl), familyOption(address), address]
}

function familyOption(address: string): string {
  return isIP(address) === 4 ? '-4' : '-6'
}

const notPermitted = /not permitted|permission denied|privilege|are you root/i
const unreachable =
  /unreachable|no route to host|packet filtered|prohibited|time to live exceeded|time exceeded/i
const noRoute = /network is (unreachable|down)|address family|assign requested address/i

/** Interprets the output of ping: iputils, BusyBox and inetutils, in English. */
function understand(end: PingEnd): PingResult {
  if (end === 'stopped') return { kind: 'silent' }
  const { cause, text } = end
  const [, roundTrip] = /\btime[=<]\s?(\d+(?:\.\d+)?)\s?ms/.exec(text) ?? []
  if (cause === null) {
    return roundTrip === undefined
      ? { kind: 'unavailable', trouble: 'broken' }
      : { kind: 'answered', roundTripMs: Number(roundTrip) }
  }
  // The exit code is required as well: a killed or broken program may have written the same output.
  if (!hasExitCode(cause)) return unstarted(cause)
  if (notPermitted.test(text)) return { kind: 'unavailable', trouble: 'forbidden' }
  if (noRoute.test(text)) return { kind: 'noRoute' }
  if (unreachable.test(text)) return { kind: 'unreachable' }
  const isLost = /\b100(\.0+)?% packet loss/.test(text)
  return isLost ? { kind: 'silent' } : { kind: 'unavailable', trouble: 'broken' }
}

function hasExitCode(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'number'
}

const timeExceeded = /time to live exceeded|time exceeded/i
const refusedByRouter = /unreachable|packet filtered|prohibited/i

/** Interprets the output of iputils for `hopArguments`: `[seconds] From address icmp_seq=2 Time to live exceeded`. */
function hopIn(end: PingEnd): HopResult {
  if (end === 'stopped') return 'silent'
  let sentAtMs: number | undefined
  let answer: HopAnswer | undefined
  for (const line of end.text.split('\n')) {
    const [, seconds, words] = /^\[(\d+\.\d+)\] (\S.*)$/.exec(line) ?? []
    if (seconds === undefined || words === undefined) continue
    const atMs = 1_000 * Number(seconds)
    if (words.startsWith('no answer yet')) sentAtMs = atMs
    else answer = answerIn(words, atMs, sentAtMs) ?? answer
  }
  if (answer !== undefined) return answer
  return sentAtMs === undefined ? 'unable' : 'silent'
}

/** An answer in words that came at `atMs`; undefined if it is none, such as advice of another route. */
function answerIn(
  words: string,
  atMs: number,
  sentAtMs: number | undefined,
): HopAnswer | undefined {
  const [, echoed, roundTrip] =
    /^\d+ bytes from (\S+): icmp_seq=\d.* time=([\d.]+) ms/.exec(words) ?? []
  if (echoed !== undefined) {
    const address = literalOf(echoed)
    if (address === undefined) return undefined
    return { outcome: 'reached', address, roundTripMs: roundMs(Number(roundTrip)) }
  }
  const [, from = '', sequence, says = ''] = /^From (\S+) icmp_seq=(\d+) (\S.*)$/.exec(words) ?? []
  const address = literalOf(from)
  const outcome = timeExceeded.test(says) ? 'passed' : refusedByRouter.test(says) ? 'refused' : null
  if (address === undefined || outcome === null) return undefined
  // Only the second packet was noted when it was sent.
  const isTimed = sequence === '2' && sentAtMs !== undefined
  return { outcome, address, roundTripMs: isTimed ? roundMs(atMs - sentAtMs) : null }
}

/** The address without its interface, if it is one. */
function literalOf(text: string): string | undefined {
  const [address = ''] = text.split('%')
  return isIP(address) === 0 ? undefined : address
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
