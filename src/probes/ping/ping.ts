// The ping check: a round trip by ICMP, or by a TCP connection where ICMP is not permitted.
import { isIP, connect as openSocket } from 'node:net'
import { unreachable } from '../../base/assert.ts'
import type { Traceroute } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import { placeOf, roundMs } from '../../net/connection/connect.ts'
import { hostOf, urlShapeProblem } from '../../net/egress-policy.ts'
import {
  codeOf,
  connectFailure,
  type Failure,
  failure,
  silence,
  unknownFailure,
} from '../../net/failure.ts'
import { watchStart } from '../../net/local-errors.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { defineKind, type KindDeps } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import { type ProbeRun, verdictAtMs } from '../run/probe-run.ts'
import { createPinger, type Pinger, type PingProblem, type PingResult } from './ping-command.ts'
import { createTracer, type Tracer, traceMsMax } from './traceroute.ts'

export interface PingUrl {
  /** An address has no brackets. */
  readonly host: string
  /** With a port, the check uses TCP. */
  readonly port: number | null
  readonly problem?: never
}

interface PingDeps extends KindDeps {
  /** Default: the system's ping. */
  readonly pinger?: Pinger
}

/** The phase `connect` has the time of the round trip. */
export const ping = defineKind({
  type: 'ping',
  fields: ['connection'],
  sources: ['ip'],
  textName: 'answer',
  schemes: ['ping'],
  family: 'network',
  icon: 'radio-tower',
  example: 'ping://192.0.2.1',
  urlForm: '`ping://host` or `host`: ICMP, or TCP if ICMP is not permitted; with `:port` TCP',
  finds: 'json',
  typed: { keeps: 'host' },
  parse: parsePingUrl,
  destination: (url) => url,
  open(deps: PingDeps) {
    const pinger = deps.pinger ?? createPinger({ clock: deps.clock })
    const tracer = createTracer({ pinger, clock: deps.clock })
    return {
      async look({ host, port }, target, run) {
        const untilMs = verdictAtMs(run, target)
        const leftMs = (): number => untilMs - run.clock.monoMs()
        const addresses = oneOfEachFamily(await run.resolve(host, port ?? undefined))
        run.record.enter('connect')

        const icmp: readonly PingAttempt[] = addresses.map((address) => {
          return (ms) => echo({ pinger, tracer }, run, address, ms)
        })
        const tcp = (ports: readonly number[], how: KnockOptions): readonly PingAttempt[] => {
          const places = ports.flatMap((one) =>
            addresses.map((address) => ({ address, port: one })),
          )
          // The policy also judges ports, and which ones are tried was not known when the name was
          // resolved.
          for (const one of ports) run.permit(host, addresses, one)
          return places.map((place) => (ms) => tryConnect(run, place, ms, how))
        }
        if (port !== null) {
          const thatPort = { refusalCounts: false }
          return answerOf(run, await firstAnswer(tcp([port], thatPort), leftMs))
        }
        let reason = await pinger.trouble(leftMs() / 2)
        if (reason === null) {
          const found = await firstAnswer(icmp, leftMs)
          if (!('noPing' in found)) return answerOf(run, found)
          reason = found.noPing
        }
        // If ping is missing only for the moment, trying TCP instead would report a host without open
        // ports as down.
        if (reason === 'unstarted') throw new RunError(notStarted, 'connect')
        const note = `${whyNoPing[reason]}, so TCP on ports 443 and 80 was used`
        const anyPort = { refusalCounts: true, note }
        return answerOf(run, await firstAnswer(tcp(usualPorts, anyPort), leftMs))
      },
    }
  },
})

const portMax = 65_535
/** The ports to try, in this order, if ICMP is not permitted and no port is given. */
const usualPorts: readonly number[] = [443, 80]

/** Reads the URL of a monitor: `ping://host`, `ping://host:port`, or the same without `ping://`. */
export function parsePingUrl(text: string): PingUrl | UrlFault {
  if (text.length > limits.urlCharsMax) {
    return { problem: `must be at most ${limits.urlCharsMax} characters` }
  }
  const bare = text.replace(/^ping:\/\//i, '')
  const [, name = '', digits] = isIP(bare) === 6 ? ['', `[${bare}]`] : (splitBare(bare) ?? [])
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port === 0 || port > portMax)) {
    return { problem: `must name a port from 1 to ${portMax}` }
  }
  // Normalizes a name like the host of an http URL, as resolver and guard expect.
  const url = `http://${name}/`
  if (name === '' || urlShapeProblem(url) !== null) {
    return { problem: 'must be a host or ping://host, with :port for TCP' }
  }
  return { host: hostOf(new URL(url)), port }
}

/** Splits into host and port; matches no path, query, user name or other scheme. */
function splitBare(text: string): RegExpExecArray | null {
  return /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?\/?$/i.exec(text)
}

/** How the host answered; as JSON, the text for assertions. */
interface PingAnswer {
  readonly method: 'icmp' | 'tcp'
  readonly address: string
  readonly port?: number
  readonly roundTripMs: number
  readonly note?: string
}

/** Ping could not be used, which says nothing about the host. */
interface NoPing {
  readonly noPing: PingProblem
}

/** One way to reach the host, in the given time. */
type PingAttempt = (budgetMs: number) => Promise<PingAnswer | Failure | NoPing>

const notStarted = unknownFailure('connect', 'this machine cannot start ping at the moment')

/** Why ICMP was not used, for the owners of the monitor and of this machine. */
const whyNoPing: Readonly<Record<Exclude<PingProblem, 'unstarted'>, string>> = {
  missing: 'there is no ping on this machine',
  forbidden: 'ping is not permitted on this machine',
  slow: 'ping is too slow on this machine',
  broken: 'ping does not work on this machine',
}

/**
 * The first address of each family. A name may have many addresses, and the host is up if one of
 * either family answers.
 */
function oneOfEachFamily(addresses: readonly string[]): readonly string[] {
  return [6, 4].flatMap((family) => addresses.find((one) => isIP(one) === family) ?? [])
}

/**
 * Tries one way after the other, each with an equal share of the remaining time. If none succeeds,
 * returns the worst failure.
 */
async function firstAnswer(
  attempts: readonly PingAttempt[],
  leftMs: () => number,
): Promise<PingAnswer | Failure | NoPing> {
  let worst: Failure = failure('connect', 'there is no address to ping')
  for (const [at, attempt] of attempts.entries()) {
    const found = await attempt(leftMs() / (attempts.length - at))
    if ('noPing' in found || 'method' in found) return found
    // A failure of the host is reported rather than an address that could not be tried.
    if (at === 0 || worst.result === 'unknown') worst = found
  }
  return worst
}

function answerOf(run: ProbeRun, found: PingAnswer | Failure | NoPing): TargetAnswer {
  if ('noPing' in found)
    throw new RunError(unknownFailure('connect', 'ping could not be run'), 'connect')
  if ('result' in found) throw new RunError(found, 'connect')
  run.record.reached(found.address)
  run.record.set('connect', found.roundTripMs)
  // The time of the whole attempt includes the start of the program, which says nothing about the
  // host.
  const { roundTripMs: responseTimeMs } = found
  return { text: JSON.stringify(found), contentType: 'application/json', responseTimeMs }
}

interface EchoDeps {
  readonly pinger: Pinger
  readonly tracer: Tracer
}

/** Pings once. The way to a target that stays silent is looked at while its answer is still waited for. */
async function echo(
  { pinger, tracer }: EchoDeps,
  run: ProbeRun,
  address: string,
  budgetMs: number,
): Promise<PingAnswer | Failure | NoPing> {
  const { clock, record } = run
  const traceMs = Math.min(traceMsMax, budgetMs / 2)
  const answered = new AbortController()
  let tracing: Promise<Traceroute | undefined> | undefined
  const trace = (ms: number): typeof tracing => {
    // The verdict must not wait for a process that ends late.
    tracing ??= tracer.trace(address, 0.9 * ms, AbortSignal.any([run.signal, answered.signal]))
    return tracing
  }
  const startedMs = clock.monoMs()
  const timer = clock.setTimeout(() => void trace(traceMs), budgetMs - traceMs)
  const pinged: PingResult = await pinger.ping(address, budgetMs, run.signal)
  clock.clearTimeout(timer)
  if (pinged.kind === 'silent' || pinged.kind === 'unreachable') {
    const leftMs = startedMs + budgetMs - clock.monoMs()
    record.traceroute ??= await trace(Math.min(traceMs, leftMs))
  } else answered.abort()
  switch (pinged.kind) {
    case 'answered':
      tracer.forget(address)
      record.traceroute = undefined
      return { method: 'icmp', address, roundTripMs: roundMs(pinged.roundTripMs) }
    case 'silent':
      return silence('timeout', `no answer to the ping from ${address}`)
    case 'unreachable':
      return silence('connect', `no way to reach ${address}`)
    case 'noRoute':
      return unknownFailure('connect', 'this machine has no route to the target')
    case 'crowded':
      return unknownFailure('connect', 'too many pings are in progress')
    case 'unavailable':
      return { noPing: pinged.trouble }
    default:
      return unreachable(pinged)
  }
}

interface TcpAddress {
  readonly address: string
  readonly port: number
}

const refusedNote = 'the connection was refused, which shows that the host is there'
/** A host that refuses a connection is up. */
const refusals: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET'])

interface KnockOptions {
  /**
   * Whether a refused connection means that the host is up. True in place of a ping; with a port in
   * the URL, a refusal means that nothing listens there.
   */
  readonly refusalCounts: boolean
  /** The note is added to every result. */
  readonly note?: string
}

/** Opens a TCP connection and closes it without sending. */
function tryConnect(
  run: ProbeRun,
  { address, port }: TcpAddress,
  budgetMs: number,
  { refusalCounts, note }: KnockOptions,
): Promise<PingAnswer | Failure> {
  const { clock } = run
  return new Promise((resolve) => {
    const startedMs = clock.monoMs()
    const socket = openSocket({ host: address, port, autoSelectFamily: false })
    const isAtOnce = watchStart(socket)
    const end = (found: PingAnswer | Failure): void => {
      clock.clearTimeout(timer)
      socket.destroy()
      resolve(found)
    }
    const answer = (more?: string): void => {
      const roundTripMs = roundMs(clock.monoMs() - startedMs)
      const notes = [note, more].filter((one) => one !== undefined).join('; ')
      end({ method: 'tcp', address, port, roundTripMs, ...(notes === '' ? {} : { note: notes }) })
    }
    const fail = (found: Failure): void => {
      const isTold = note === undefined || found.result === 'unknown'
      end(isTold ? found : { ...found, message: `${found.message} (${note})` })
    }
    const giveUp = (): void => {
      fail(silence('timeout', `no answer from ${placeOf(address, port)}`))
    }
    const timer = clock.setTimeout(giveUp, budgetMs)
    run.track({ destroy: giveUp })
    socket.once('connect', () => answer())
    socket.on('error', (cause) => {
      if (refusalCounts && refusals.has(codeOf(cause))) answer(refusedNote)
      else fail(connectFailure(cause, placeOf(address, port), { isAtOnce: isAtOnce() }))
    })
  })
}
