// The system's ping: Node has no ICMP sockets, so a round trip is measured by that program, if it
// may. The only child process of the probes; all it is told is an address that was judged.
import { type ChildProcess, type ExecFileException, execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { assert } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { acquireWithin, createGate } from '../../base/gate.ts'
import { within } from '../../base/timeout.ts'
import { limits } from '../../domain/limits/limits.ts'
import { codeOf } from '../../net/failure.ts'

/** What came of one ICMP echo request. */
export type Pinged =
  | { readonly kind: 'answered'; readonly roundTripMs: number }
  /** No answer in the time given. */
  | { readonly kind: 'silent' }
  /** A router, or the network of the target, says that there is no way to it. */
  | { readonly kind: 'unreachable' }
  /** This machine has no route there. */
  | { readonly kind: 'noRoute' }
  /** So many pings are under way that this one had no turn in its time. */
  | { readonly kind: 'crowded' }
  /** Ping could not be run or not be understood; it says nothing about the target. */
  | { readonly kind: 'unavailable'; readonly trouble: PingTrouble }

/**
 * Why ping is of no use here: there is none, it may not ask, it is too slow, it is odd, or this
 * machine cannot start it at present.
 */
export type PingTrouble = 'missing' | 'forbidden' | 'slow' | 'broken' | 'unstarted'

export interface Pinger {
  /** What keeps ping from working on this machine; null where it was seen to. Waits `waitMs`. */
  trouble(waitMs: number): Promise<PingTrouble | null>
  /** One echo request to a literal address, ended within `budgetMs` or by the signal. */
  ping(address: string, budgetMs: number, signal?: AbortSignal): Promise<Pinged>
}

export interface PingerOptions {
  readonly clock: Clock
  /** Where ping may be; the first that works is used. */
  readonly paths?: readonly string[]
}

const usualPaths = ['/usr/bin/ping', '/bin/ping']
/** The address of this machine that every ping that may run at all reaches. */
const ownAddress = '127.0.0.1'
const gateKey = 'ping'

/** The path of the ping that works, or why there is none. */
type Trial = { readonly path: string } | { readonly path?: never; readonly trouble: PingTrouble }

/** Finds out whether ping works when it is first asked for, and again where it did not. */
export function createPinger({ clock, paths = usualPaths }: PingerOptions): Pinger {
  const gate = createGate({ total: limits.pingProcessesMax, perKey: limits.pingProcessesMax })
  let trial: Promise<Trial> | undefined
  let failedMs: number | undefined

  function find(): Promise<Trial> {
    const isOld = failedMs !== undefined && clock.monoMs() - failedMs >= limits.pingRetryMs
    if (trial === undefined || isOld) {
      failedMs = undefined
      trial = tryAll()
    }
    return trial
  }

  async function tryAll(): Promise<Trial> {
    let trouble: PingTrouble = 'missing'
    for (const path of paths) {
      // Not through the gate: pings that get no answer must not hold it up.
      const pinged = await run(path, ownAddress, limits.pingTrialMs)
      if (pinged.kind === 'answered') return { path }
      const found = troubleIn(pinged)
      if (found !== 'missing') trouble = found
    }
    // What this machine is short of it may have again in a moment.
    if (trouble === 'unstarted') trial = undefined
    else failedMs = clock.monoMs()
    return { trouble }
  }

  /** Whether there is room for one more process in time. */
  async function enters(untilMs: number): Promise<boolean> {
    const request = { key: gateKey, dueAtMs: untilMs }
    return acquireWithin(gate, request, clock, untilMs - clock.monoMs())
  }

  /** Never rejects; resolves when the process is gone. */
  function run(
    path: string,
    address: string,
    leftMs: number,
    signal?: AbortSignal,
  ): Promise<Pinged> {
    return new Promise((resolve) => {
      let isStopped = false
      let timer: unknown
      let child: ChildProcess | undefined
      const stop = (): void => {
        isStopped = true
        child?.kill('SIGKILL')
        // What a killed program handed on of its output is not waited for.
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
        // Some errors of the system are thrown, such as that there is no memory for a process.
        resolve(unstarted(cause))
        return
      }
      // Where there is no process to spare its pipes were never connected, and each says so.
      child.stdout?.on('error', ignoreError)
      child.stderr?.on('error', ignoreError)
      timer = clock.setTimeout(stop, leftMs)
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted) stop()
    })
  }

  return {
    trouble: async (waitMs) => {
      const found = (await within(clock, find(), waitMs)) ?? tooSlow
      return found.path === undefined ? found.trouble : null
    },
    ping: async (address, budgetMs, signal) => {
      // Whatever could be read as an option, a name or an interface never gets here.
      assert(isIP(address) !== 0 && !address.includes('%'), 'only a literal address is pinged')
      const untilMs = clock.monoMs() + budgetMs
      const found = (await within(clock, find(), budgetMs)) ?? tooSlow
      if (found.path === undefined) return { kind: 'unavailable', trouble: found.trouble }
      // Who began too late would take its own hurry for the silence of the host.
      if (!(await enters(untilMs - budgetMs / 2))) return { kind: 'crowded' }
      const running = run(found.path, address, untilMs - clock.monoMs(), signal).then((pinged) => {
        gate.leave(gateKey)
        // It may have lost its permission: the next one tries it on this machine first.
        if (pinged.kind === 'unavailable') trial = undefined
        return pinged
      })
      // A process takes a moment to die, which is not for the check to wait for.
      return (await within(clock, running, untilMs - clock.monoMs())) ?? { kind: 'silent' }
    },
  }
}

function ignoreError(): void {
  // What became of the program is told by itself; without a listener this process would end.
}

const tooSlow: Trial = { trouble: 'slow' }

/** What keeps ping from working where it does not even reach this machine. */
function troubleIn(pinged: Pinged): PingTrouble {
  if (pinged.kind === 'unavailable') return pinged.trouble
  return pinged.kind === 'silent' ? 'slow' : 'broken'
}

const execOptions = {
  encoding: 'utf8',
  env: { LC_ALL: 'C' },
  cwd: '/',
  killSignal: 'SIGKILL',
  maxBuffer: limits.pingOutputBytesMax,
} as const

/** One request, numbers only; the time it is given is ended to the millisecond by a signal. */
function argumentsFor(address: string, leftMs: number): readonly string[] {
  const waitSeconds = String(Math.max(1, Math.ceil(leftMs / 1_000)))
  return ['-n', '-c', '1', '-W', waitSeconds, isIP(address) === 4 ? '-4' : '-6', address]
}

const notPermitted = /not permitted|permission denied|privilege|are you root/i
const unreachable =
  /unreachable|no route to host|packet filtered|prohibited|time to live exceeded|time exceeded/i
const noRoute = /network is (unreachable|down)|address family|assign requested address/i

/** What the words of ping mean: those of iputils, BusyBox and inetutils, in English. */
function understand(error: ExecFileException | null, text: string): Pinged {
  const [, roundTrip] = /\btime[=<]\s?(\d+(?:\.\d+)?)\s?ms/.exec(text) ?? []
  if (error === null) {
    return roundTrip === undefined
      ? { kind: 'unavailable', trouble: 'broken' }
      : { kind: 'answered', roundTripMs: Number(roundTrip) }
  }
  // Words alone would also be found in what a killed or broken program left behind.
  if (typeof error.code !== 'number') return unstarted(error)
  if (notPermitted.test(text)) return { kind: 'unavailable', trouble: 'forbidden' }
  if (noRoute.test(text)) return { kind: 'noRoute' }
  if (unreachable.test(text)) return { kind: 'unreachable' }
  const isLost = /\b100(\.0+)?% packet loss/.test(text)
  return isLost ? { kind: 'silent' } : { kind: 'unavailable', trouble: 'broken' }
}

function unstarted(cause: unknown): Pinged {
  return { kind: 'unavailable', trouble: startTroubles[codeOf(cause)] ?? 'broken' }
}

/** Why a program does not start. EPERM: its file asks for a capability that it cannot be given. */
const startTroubles: Readonly<Record<string, PingTrouble>> = {
  ENOENT: 'missing',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EAGAIN: 'unstarted',
  ENOMEM: 'unstarted',
  EMFILE: 'unstarted',
  ENFILE: 'unstarted',
}
