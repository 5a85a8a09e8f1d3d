// The frame of a probe that is no HTTP exchange: one deadline, phases, and a reading at its end.
import { isIP, type Socket } from 'node:net'
import { clip } from '../../base/clip.ts'
import type { Clock } from '../../base/clock.ts'
import type { Certificate, PhaseName, Reading } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import {
  type ConnectDeps,
  type Connection,
  Dial,
  type Handshake,
  type Secured,
  startTls,
} from '../../net/connection/connect.ts'
import { patienceOf, type Resolver } from '../../net/dns/resolver.ts'
import {
  brokenFailure,
  type Failure,
  failure,
  ourFault,
  timeoutFailure,
} from '../../net/failure.ts'
import type { Answered, Discretion } from './evidence.ts'
import { Notes, type Seen } from './look-notes.ts'
import type { Probe } from './probe.ts'

export type { Seen }

export interface LookDeps extends ConnectDeps, Discretion {
  readonly resolver: Resolver
  /** Told of an error in a probe itself, which its reading only hints at. */
  readonly onBug?: (error: unknown) => void
}

/** Thrown by a look whose target failed, or that could not be made. */
export class LookFailed extends Error {
  override readonly name = 'LookFailed'
  readonly failure: Failure
  readonly phase: PhaseName | undefined
  /** What the target said before it failed. */
  readonly text: string | undefined
  /** The whole response with which it refused. */
  readonly answered: Answered | undefined

  constructor(found: Failure, phase?: PhaseName, text?: string, answered?: Answered) {
    super(found.message)
    this.failure = found
    this.phase = phase
    this.text = text
    this.answered = answered
  }
}

/** Where to connect to. */
export interface Place {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Speaks TLS from the first byte. */
  readonly isTls: boolean
  readonly handshake?: Handshake
  /** It is what this kind of check is for, so that the rules about ports do not apply. */
  readonly isUsualPort?: boolean
}

/** One look under way: what its steps share. */
export interface Look {
  readonly clock: Clock
  /** Aborted at the deadline and when the check is stopped: closes whatever is open. */
  readonly signal: AbortSignal
  /** What is being done, for the message of a timeout. */
  enter(phase: PhaseName): void
  /** Notes how long a phase took, in milliseconds. */
  took(phase: PhaseName, ms: number): void
  /** The certificate that the target showed, whatever comes of it. */
  showed(certificate: Certificate): void
  /** The address that was talked to. */
  reached(address: string): void
  /** The addresses of a name, each allowed by the egress policy. Throws LookFailed. */
  resolve(host: string, port?: number): Promise<readonly string[]>
  /** A fresh connection, closed with the look. Throws LookFailed. */
  connect(place: Place): Promise<Connection>
  /** Begins TLS on a connection that was plain so far. Throws LookFailed. */
  secure(plain: Socket, host: string, handshake: Handshake): Promise<Secured>
  /** Notes what was sent to the target, to blot it out of what is shown like the monitor's body. */
  sent(text: string): void
}

/** A probe of `run`: it throws LookFailed or says what it saw, and the assertions are checked. */
export function createLook(
  deps: LookDeps,
  run: (target: EndpointTarget, look: Look) => Promise<Seen>,
): Probe {
  return async (target, { clock, signal }) => {
    const frame = new Frame(target, deps, clock)
    const onAbort = () => frame.end(stopped)
    if (signal?.aborted) return frame.failed(new LookFailed(stopped))
    signal?.addEventListener('abort', onAbort, { once: true })
    const deadline = clock.setTimeout(() => frame.end('deadline'), target.timeoutMs)
    try {
      const seen = await Promise.race([
        frame.ended,
        Promise.resolve().then(() => run(target, frame)),
      ])
      return frame.notes.judged(seen)
    } catch (error) {
      return await frame.failed(error)
    } finally {
      clock.clearTimeout(deadline)
      signal?.removeEventListener('abort', onAbort)
      frame.close()
    }
  }
}

const stopped: Failure = { outcome: 'unknown', kind: 'timeout', message: 'the check was stopped' }

/** Sends bytes; they are sent when the target's side has taken them, or this machine's. */
export function send(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (cause) => {
      if (!cause) resolve()
      else reject(new LookFailed(brokenFailure(cause) ?? brokeWhileSending))
    })
  })
}

const brokeWhileSending = failure('reset', 'the connection broke while sending')

/** A class because it has a life: under way, then ended. */
class Frame implements Look {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly notes: Notes
  /** Rejects when the deadline passes or the check is stopped. */
  readonly ended: Promise<never>
  readonly #controller = new AbortController()
  readonly #target: EndpointTarget
  readonly #deps: LookDeps
  readonly #untilMs: number
  /** How to close what is open, by what it is. */
  readonly #closers = new Map<object, () => void>()
  readonly #reject: (error: LookFailed) => void

  constructor(target: EndpointTarget, deps: LookDeps, clock: Clock) {
    this.#target = target
    this.#deps = deps
    this.clock = clock
    this.#untilMs = clock.monoMs() + target.timeoutMs
    this.signal = this.#controller.signal
    this.notes = new Notes(target, clock, deps)
    const { promise, reject } = Promise.withResolvers<never>()
    this.ended = promise
    this.#reject = reject
    // Nobody may be listening any more.
    promise.catch(() => {})
  }

  enter(phase: PhaseName): void {
    this.notes.times.enter(phase)
  }

  took(phase: PhaseName, ms: number): void {
    this.notes.took(phase, ms)
  }

  showed(certificate: Certificate): void {
    this.notes.certificate = certificate
  }

  reached(address: string): void {
    this.notes.address = address
  }

  sent(text: string): void {
    this.notes.sent.push(text)
  }

  end(why: Failure | 'deadline'): void {
    const { times } = this.notes
    times.end()
    const found = why === 'deadline' ? timeoutFailure(this.#target.timeoutMs, times.phase) : why
    this.#reject(new LookFailed(found, times.phase))
    this.close()
  }

  close(): void {
    this.#controller.abort()
    for (const close of this.#closers.values()) close()
  }

  async resolve(host: string, port?: number): Promise<readonly string[]> {
    this.enter('dns')
    const startedMs = this.clock.monoMs()
    const { resolver, guard } = this.#deps
    const { ipFamily, orgId } = this.#target
    const patienceMs = patienceOf(this.#untilMs - startedMs)
    const isName = isIP(host) === 0
    const found = isName
      ? await resolver.resolve(host, ipFamily, orgId, patienceMs)
      : { addresses: [host] }
    if (isName) this.took('dns', this.clock.monoMs() - startedMs)
    this.notes.addresses = found.addresses ?? []
    // Ended meanwhile: nobody waits for this any more, and nothing may be opened.
    if (this.signal.aborted) throw new LookFailed(stopped, 'dns')
    if (found.failure) throw new LookFailed(found.failure, 'dns')
    // If any answer is forbidden the whole name is: a mixed answer is how a guard is led astray.
    for (const address of found.addresses) {
      const judgement = guard.judgeAddress(address, port)
      if (judgement.allowed) continue
      const who = isName ? `${clip(host, limits.quotedCharsMax)} leads to` : `${host} is`
      const message = `${who} ${judgement.reason}, which is not allowed`
      throw new LookFailed(failure('blocked', message), 'dns')
    }
    return found.addresses.slice(0, limits.addressesPerNameMax)
  }

  async connect(place: Place): Promise<Connection> {
    const { host, port, isTls, isUsualPort = false, handshake = {} } = place
    const addresses = await this.resolve(host, isUsualPort ? undefined : port)
    this.enter('connect')
    const { ignoreTlsErrors, orgId } = this.#target
    const trust = { ignoreTlsErrors, handshake, orgId }
    const request = { addresses, port, tlsHost: isTls ? host : null, ...trust }
    const connection = await new Promise<Connection>((resolve, reject) => {
      const dial = new Dial(request, this.#deps, {
        entered: (phase, address, connectMs) => {
          this.enter(phase)
          this.reached(address)
          this.took('connect', connectMs)
        },
        connected: (connection) => {
          this.#closers.delete(dial)
          resolve(connection)
        },
        failed: (...why) => reject(this.#failure(...why)),
      })
      this.#closers.set(dial, () => dial.cancel())
    })
    this.reached(connection.address)
    this.took('connect', connection.connectMs)
    return this.#opened(connection)
  }

  async secure(plain: Socket, host: string, handshake: Handshake): Promise<Secured> {
    this.enter('tls')
    const secured = await new Promise<Secured>((resolve, reject) => {
      const { ignoreTlsErrors, orgId } = this.#target
      const socket = startTls(plain, { host, handshake, ignoreTlsErrors, orgId }, this.#deps, {
        secured: resolve,
        failed: (found, certificate) => reject(this.#failure(found, 'tls', certificate)),
      })
      // Whoever destroys the plain socket below TLS has Node crash with both, so it is let go.
      this.#closers.delete(plain)
      this.#closers.set(socket, () => socket.destroy())
    })
    return this.#opened(secured)
  }

  #failure(found: Failure, phase: PhaseName, certificate?: Certificate): LookFailed {
    // Of a handshake that comes to nothing: how long it has been going on.
    if (phase === 'tls') this.notes.times.end()
    if (certificate) this.showed(certificate)
    return new LookFailed(found, phase)
  }

  #opened<T extends Pick<Connection, 'socket' | 'tlsMs' | 'certificate'>>(opened: T): T {
    const { socket, tlsMs, certificate } = opened
    this.#closers.set(socket, () => socket.destroy())
    // Before the steps hear that it is closed, which would be the target's doing.
    socket.once('error', (cause) => {
      const broken = brokenFailure(cause)
      if (broken !== undefined) this.end(broken)
    })
    // The look may have ended just now.
    if (this.signal.aborted) socket.destroy()
    if (tlsMs !== undefined) this.took('tls', tlsMs)
    if (certificate) this.showed(certificate)
    this.enter('firstByte')
    return opened
  }

  /** A look that threw. What is no LookFailed is a bug of ours, and no fault of the target. */
  failed(error: unknown): Reading | Promise<Reading> {
    if (!(error instanceof LookFailed)) {
      this.#deps.onBug?.(error)
      return this.notes.failed(ourFault)
    }
    const { failure, phase, text, answered } = error
    if (failure.kind === 'timeout') this.notes.times.end()
    if (answered !== undefined) return this.notes.refused(failure, phase, answered)
    return this.notes.failed(failure, phase, text)
  }
}
