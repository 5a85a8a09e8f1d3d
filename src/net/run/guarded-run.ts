// A guarded run: all network work for one purpose, within one deadline. It resolves names, judges
// every address by the egress policy, connects, starts TLS, and closes everything.
import { connect, isIP, type Socket } from 'node:net'
import { clip } from '../../base/clip.ts'
import type { Clock } from '../../base/clock.ts'
import type { PhaseName } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import { readConnectTo } from '../../domain/monitors/connect-to.ts'
import type { Connection } from '../connection/certificate.ts'
import {
  type ClientIdentity,
  clientFailure,
  type IdentityTexts,
  identityOf,
  unusableIdentity,
} from '../connection/client-identity.ts'
import {
  type ConnectDeps,
  Dial,
  type DialRequest,
  type Handshake,
  startTls,
  type TcpConnection,
  type TlsConnection,
} from '../connection/connect.ts'
import { type DatagramSocket, openDatagrams } from '../connection/datagrams.ts'
import { trusting } from '../connection/trust.ts'
import {
  type NamedProxy,
  openTunnel,
  type TunnelEnd,
  TunnelError,
  withoutProxy,
} from '../connection/tunnel.ts'
import { type IpFamily, type Resolver, waitMsMaxFor } from '../dns/resolver.ts'
import { isLocalName } from '../egress-policy.ts'
import {
  brokenFailure,
  type Failure,
  failure,
  socketFailure,
  timeoutFailure,
  unknownFailure,
} from '../failure.ts'
import type { RunRecord } from './run-record.ts'
import { inRun } from './stray-errors.ts'

export interface RunDeps extends ConnectDeps {
  readonly resolver: Resolver
}

/** A step of a run throws it: why the run failed. */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly failure: Failure
  readonly phase: PhaseName | undefined

  constructor(found: Failure, phase?: PhaseName, options?: ErrorOptions) {
    super(found.message, options)
    this.failure = found
    this.phase = phase
  }
}

/** Settings for all connections of a run. */
interface RunScope extends IdentityTexts {
  readonly timeoutMs: number
  /** The organization that look-ups are charged to; absent for the operator's. */
  readonly orgId?: string | undefined
  readonly ipFamily?: IpFamily
  readonly ignoreTlsErrors?: boolean
  /** Authorities in PEM that are trusted besides the others. */
  readonly caCertificates?: string | null | undefined
  /** Where connections to the server of the run lead, in place of its host. */
  readonly connectTo?: string | null | undefined
  /** The proxy of the operator's list through which all connections lead. */
  readonly proxy?: string | null | undefined
}

export interface RunOptions<Record extends RunRecord> {
  readonly deps: RunDeps
  readonly scope: RunScope
  /** Measures the deadline. */
  readonly clock: Clock
  /** Stops the run early. */
  readonly signal?: AbortSignal | undefined
  readonly record: Record
  /** The server that the run is for, if that is known already. */
  readonly own?: ServerOfRun | undefined
}

/** The server that a run is for. */
type ServerOfRun = Pick<Destination, 'host' | 'port'>

export interface Destination {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Uses TLS from the first byte. */
  readonly isTls: boolean
}

/** How messages name a destination that must not be named by its host. */
export interface DestinationNaming {
  readonly subject?: string
  /** The real name, for people who may see the target's output. */
  readonly detail?: () => string
}

export interface ConnectOptions extends DestinationNaming {
  readonly handshake?: Handshake
  /**
   * The port is the standard one of this kind of check, so the policy's rules about ports do not
   * apply.
   */
  readonly isUsualPort?: boolean
  /** Another address of the server that the run is for, such as a broker of its cluster. */
  readonly isOwn?: boolean
}

interface OpenedDatagrams {
  readonly opened: DatagramSocket
  readonly found: Failure
}

interface Closable {
  /** Closes it silently; may be called more than once. */
  destroy(): unknown
}

export const stopped: Failure = {
  result: 'unknown',
  kind: 'timeout',
  message: 'the check was stopped',
}

/**
 * Runs the steps. Rejects with a RunError if a step fails, the deadline passes, or the signal
 * aborts; always closes what is open.
 */
export function runGuarded<Record extends RunRecord, Result>(
  options: RunOptions<Record>,
  steps: (run: GuardedRun<Record>) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const run = new GuardedRun(options, reject)
    if (run.isOver) return
    inRun(run, () => steps(run)).then(
      (result) => {
        run.close()
        resolve(result)
      },
      (cause) => {
        run.close()
        reject(cause)
      },
    )
  })
}

const addressesPerNameMax = 8

/** Where a connection leads: to another place than the URL says, if a monitor names one. */
function connectEnd({ host, port }: Destination, connectTo: string | null | undefined): TunnelEnd {
  if (!connectTo) return { host, port }
  const place = readConnectTo(connectTo)
  if (place !== undefined) return { host: place.host, port: place.port ?? port }
  throw new RunError(failure('blocked', 'the address to connect to cannot be read'))
}

/** A class because it has states: in progress, then over. */
export class GuardedRun<Record extends RunRecord = RunRecord> {
  readonly clock: Clock
  readonly record: Record
  /** Trusts the authorities of the run. */
  readonly deps: RunDeps
  /** The deadline, by the monotonic clock. */
  readonly untilMs: number
  isOver = false
  /** The server that the run is for: only it is offered the client certificate. */
  own: ServerOfRun | undefined
  readonly #options: RunOptions<Record>
  readonly #reject: (error: RunError) => void
  readonly #deadline: unknown
  #controller: AbortController | undefined
  #open: Closable[] = []
  /** What names led to: a name means the same for all of a run. */
  readonly #known = new Map<string, readonly string[]>()
  /** The connections to that server. */
  readonly #ownSockets = new WeakSet<Socket>()

  constructor(options: RunOptions<Record>, reject: (error: RunError) => void) {
    const { clock, deps, record, scope, signal } = options
    this.deps = trusting(deps, scope.caCertificates ?? null)
    this.clock = clock
    this.record = record
    this.#options = options
    this.#reject = reject
    this.own = options.own
    this.untilMs = clock.monoMs() + scope.timeoutMs
    if (signal?.aborted) {
      this.#stop()
      return
    }
    signal?.addEventListener('abort', this.#stop)
    this.#deadline = clock.setTimeout(() => {
      // A step may have found its answer earlier in this turn, if the event loop was late.
      const { proxy } = scope
      setImmediate(() => this.end(timeoutFailure(scope.timeoutMs, record.phase, proxy)))
    }, scope.timeoutMs)
  }

  readonly #stop = (): void => this.end(stopped)

  /** Aborted when the run is over, for resources that `track` does not close. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.isOver) this.#controller.abort()
    return this.#controller.signal
  }

  /** Ends the run in any step. */
  end(found: Failure): void {
    if (this.isOver) return
    this.record.end()
    this.#reject(new RunError(found, this.record.phase))
    this.close()
  }

  close(): void {
    if (this.isOver) return
    this.isOver = true
    this.clock.clearTimeout(this.#deadline)
    this.#options.signal?.removeEventListener('abort', this.#stop)
    this.#controller?.abort()
    for (const one of this.#open) one.destroy()
    this.#open = []
  }

  /** Closes it together with the run. */
  track(opened: Closable): void {
    if (this.isOver) opened.destroy()
    else this.#open.push(opened)
  }

  /** Leaves a connection to the caller, who closes it: the end of the run does not. */
  handOver(opened: Closable): void {
    this.#untrack(opened)
  }

  #untrack(opened: Closable): void {
    this.#open = this.#open.filter((one) => one !== opened)
  }

  /** The addresses of a name, all allowed by the egress policy. */
  async resolve(
    host: string,
    port?: number | undefined,
    naming?: DestinationNaming,
  ): Promise<readonly string[]> {
    const { deps, record } = this
    const { scope } = this.#options
    let addresses = this.#known.get(host) ?? [host]
    if (isIP(host) === 0 && !this.#known.has(host)) {
      record.enter('dns')
      const { ipFamily = 'any', orgId } = scope
      const waitMs = waitMsMaxFor(this.untilMs - this.clock.monoMs())
      const found = await deps.resolver.resolve(host, ipFamily, orgId, waitMs)
      record.end()
      if (found.failure) throw new RunError(found.failure, 'dns')
      addresses = found.addresses
      this.#known.set(host, addresses)
    }
    // The run ended during the look-up, so it must not open a connection.
    if (this.isOver) throw new RunError(stopped, 'dns')
    this.permit(host, addresses, port, naming)
    record.addresses = addresses
    return addresses.slice(0, addressesPerNameMax)
  }

  /**
   * Applies the egress policy. A name is forbidden if one of its addresses is: connections could
   * otherwise reach that address although the check passed for another one.
   */
  permit(
    host: string,
    addresses: readonly string[],
    port?: number,
    { subject, detail }: DestinationNaming = {},
  ): void {
    for (const address of addresses) {
      const judgement = this.deps.guard.judgeAddress(address, port)
      if (judgement.allowed) continue
      const hostText =
        isIP(host) === 0 ? `${clip(host, limits.quotedCharsMax)} leads to` : `${host} is`
      const destinationText = subject === undefined ? hostText : `${subject} leads to`
      const found = this.deps.guard.refusal(destinationText, judgement)
      throw new RunError(detail === undefined ? found : { ...found, detail: detail() })
    }
  }

  /** Opens a fresh connection to the first address that answers. */
  async connect(to: Destination, options: ConnectOptions = {}): Promise<Connection> {
    const { record } = this
    const { host, isTls } = to
    const isOwn = this.#isOwn(to)
    const end = this.endOf(to)
    const isUsualPort = options.isUsualPort === true && end.port === to.port
    const judged = { ...options, isUsualPort }
    const proxy = this.#proxy()
    const socket =
      proxy === undefined
        ? await this.#direct(end, judged)
        : await this.#through(proxy, end, judged)
    if (isOwn || options.isOwn) this.#ownSockets.add(socket)
    record.certificate = undefined
    record.tls = undefined
    return isTls ? this.secure(socket, host, options.handshake) : this.#opened({ socket })
  }

  /** Where a connection leads: elsewhere, if the settings say so of the server that the run is for. */
  endOf(to: Destination): TunnelEnd {
    return this.#isOwn(to) ? connectEnd(to, this.#options.scope.connectTo) : to
  }

  async #direct({ host, port }: TunnelEnd, options: ConnectOptions): Promise<Socket> {
    const { record } = this
    const addresses = await this.resolve(host, options.isUsualPort ? undefined : port, options)
    record.enter('connect')
    const { socket, address, connectMs } = await this.#dial({ addresses, port })
    record.reached(address)
    record.add('connect', connectMs)
    return socket
  }

  #dial(to: DialRequest): Promise<TcpConnection> {
    return new Promise((resolve, reject) => {
      const dial = new Dial(to, this.deps, {
        connected: (connection) => {
          this.#untrack(dial)
          this.track(connection.socket)
          resolve(connection)
        },
        failed: (found) => reject(new RunError(found, 'connect')),
      })
      this.track(dial)
    })
  }

  /** The proxy of the run; throws a RunError if the operator lists none of that name for its organization. */
  #proxy(): NamedProxy | undefined {
    const { proxy: name, orgId } = this.#options.scope
    if (!name) return undefined
    const found = this.deps.guard.proxyNamed(name, orgId)
    if (found !== undefined) return { name, ...found }
    throw new RunError(unknownFailure('blocked', `there is no proxy ${name} here for this monitor`))
  }

  /** Opens a connection through a proxy: the address that it gets was judged as any other, or it resolves names. */
  async #through(proxy: NamedProxy, end: TunnelEnd, options: ConnectOptions): Promise<Socket> {
    const { record, deps } = this
    const { host, port } = end
    const isNamed = proxy.resolves && isIP(host) === 0 && !isLocalName(host)
    const judgedHost = isLocalName(host) ? '127.0.0.1' : host
    const ends = isNamed
      ? [host]
      : await this.resolve(judgedHost, options.isUsualPort ? undefined : port, options)
    if (isNamed) {
      const judgement = options.isUsualPort ? undefined : deps.guard.judgePort(port)
      if (judgement?.allowed === false)
        throw new RunError(deps.guard.refusal('the URL leads to', judgement))
    }
    // The operator listed the proxy itself, wherever it is.
    const addresses = await this.#addressesOf(proxy)
    record.enter('connect')
    const startedMs = this.clock.monoMs()
    // A name stands for addresses that nobody here has seen, so what is there counts as private.
    record.addresses = ends
    let last: RunError | undefined
    for (const address of ends) {
      const { socket } = await this.#dial({ addresses, port: proxy.port }).catch(
        (cause: unknown) => {
          throw cause instanceof RunError
            ? new RunError(withoutProxy(proxy), 'connect', { cause })
            : cause
        },
      )
      try {
        await openTunnel(socket, proxy, { host: address, port })
        if (this.isOver) throw new RunError(stopped, 'connect')
        if (!isNamed) record.reached(address)
        record.add('connect', this.clock.monoMs() - startedMs)
        return socket
      } catch (cause) {
        this.#untrack(socket)
        socket.destroy()
        if (!(cause instanceof TunnelError)) throw cause
        last = new RunError(cause.failure, 'connect')
        if (!cause.mayTryOther || this.isOver) break
      }
    }
    throw last ?? new RunError(stopped, 'connect')
  }

  async #addressesOf({ host, ...proxy }: NamedProxy): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host]
    this.record.enter('dns')
    const waitMs = waitMsMaxFor(this.untilMs - this.clock.monoMs())
    const found = await this.deps.resolver.resolve(host, 'any', undefined, waitMs)
    this.record.end()
    if (found.failure) throw new RunError(withoutProxy({ host, ...proxy }), 'connect')
    return found.addresses.slice(0, addressesPerNameMax)
  }

  #isOwn({ host, port }: Destination): boolean {
    return this.own?.host === host && this.own.port === port
  }

  /**
   * Opens a UDP socket to the first address that there is a way to: only that one is heard. What the network
   * reports about it ends the run.
   */
  async datagrams(
    { host, port }: Omit<Destination, 'isTls'>,
    options: Omit<ConnectOptions, 'handshake'> = {},
  ): Promise<DatagramSocket['socket']> {
    const { deps, record } = this
    const addresses = await this.resolve(host, options.isUsualPort ? undefined : port, options)
    record.enter('connect')
    let refused: Failure | undefined
    for (const address of addresses) {
      const { found, opened } = await new Promise<Partial<OpenedDatagrams>>((resolve) => {
        const opened = openDatagrams({ address, port }, deps.guard, {
          opened: () => resolve({ opened }),
          failed: (found) => resolve({ found }),
        })
        this.track(opened)
      })
      if (opened !== undefined) {
        opened.socket.on('error', (cause) => this.end(opened.failureOf(cause)))
        record.reached(address)
        record.enter('firstByte')
        return opened.socket
      }
      refused ??= found
    }
    throw new RunError(refused ?? stopped, 'connect')
  }

  /** Opens a connection to a socket of this machine that the operator listed under the name. */
  async connectLocal(path: string, name: string): Promise<Connection> {
    const { record } = this
    record.enter('connect')
    const socket = await new Promise<Socket>((resolve, reject) => {
      const opening = connect({ path }, () => resolve(opening))
      this.track(opening)
      opening.on('error', (cause) => reject(new RunError(socketFailure(cause, name), 'connect')))
    })
    record.end()
    return this.#opened({ socket })
  }

  /** Starts TLS on a plain connection. */
  async secure(plain: Socket, host: string, handshake?: Handshake): Promise<Connection> {
    const { deps, record } = this
    const { scope } = this.#options
    record.enter('tls')
    const identity = this.#identityFor(plain)
    const secured = await new Promise<TlsConnection>((resolve, reject) => {
      const { ignoreTlsErrors = false } = scope
      const request = { host, handshake, ignoreTlsErrors, identity }
      try {
        const socket = startTls(plain, request, deps, {
          secured: resolve,
          failed(found, certificate) {
            record.certificate = certificate
            reject(new RunError(found, 'tls'))
          },
        })
        // Node crashes if the plain socket below a TLS socket is destroyed.
        this.#untrack(plain)
        this.track(socket)
      } catch (cause) {
        if (identity === undefined) throw cause
        reject(new RunError(unusableIdentity, 'tls', { cause }))
      }
    })
    record.add('tls', secured.tlsMs)
    record.certificate = secured.certificate
    record.tls = secured.choice
    return this.#opened(secured, identity)
  }

  /** Undefined for a server that the run is not for. */
  #identityFor(socket: Socket): ClientIdentity | undefined {
    if (!this.#ownSockets.has(socket)) return undefined
    const identity = identityOf(this.#options.scope, this.clock)
    if (identity === undefined) return undefined
    if ('kind' in identity) throw new RunError(identity, 'tls')
    this.record.isIdentityExpired = identity.isExpired
    return identity
  }

  #opened(opened: Connection, identity?: ClientIdentity): Connection {
    // Registered before the steps can see the error, which they would blame on the target.
    opened.socket.once('error', (cause) => {
      const broken = clientFailure(cause, identity) ?? brokenFailure(cause)
      if (broken !== undefined) this.end(broken)
    })
    this.record.enter('firstByte')
    return opened
  }
}
