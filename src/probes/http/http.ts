// The endpoint probe: an HTTP request on a fresh connection, with redirects, within a deadline.
import type { Clock } from '../../base/clock.ts'
import { type FailedAssertion, namesStatus } from '../../domain/assertions/assertion.ts'
import type { Certificate, PhaseName, Reading } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { type Connection, Dial, type DialListener, roundMs } from '../../net/connection/connect.ts'
import { PhaseTimes } from '../../net/connection/phase-times.ts'
import { patienceOf } from '../../net/dns/resolver.ts'
import {
  exchangeFailure,
  type Failure,
  failure,
  ourFault,
  timeoutFailure,
} from '../../net/failure.ts'
import { codingsOf, decodeBody, tooLarge } from '../../net/http/body.ts'
import { Exchange } from '../../net/http/exchange.ts'
import { Http2Exchange, offersHttp2, speaksHttp2 } from '../../net/http/exchange-h2.ts'
import { forbiddenBy, type Hop, isRedirect, planFor } from '../../net/http/plan.ts'
import type { ExchangeListener, Intake } from '../../net/http/response-reader.ts'
import { type Redact, redactorFor } from '../../redaction/redaction.ts'
import { gatherEvidence, isHidden } from '../run/evidence.ts'
import { judgeResponse, unmetFailure } from '../run/judge.ts'
import type { LookDeps } from '../run/look.ts'
import { failedReading, readingOf } from '../run/make-reading.ts'
import type { Probe } from '../run/probe.ts'
import { Trail } from './redirect-chain.ts'

/** Makes the probe of endpoints. `deps.clock` times connections, a check's own its deadline. */
export function createHttpProbe(deps: LookDeps): Probe {
  return (target, { clock, signal }) =>
    new Promise((resolve) => {
      new Check(target, deps, clock, resolve).start(signal)
    })
}

/** One check from its start to its reading. Every path leads to `#finish`, which works once. */
class Check implements DialListener, ExchangeListener {
  readonly #target: EndpointTarget
  readonly #deps: LookDeps
  readonly #clock: Clock
  readonly #settle: (reading: Reading) => void
  readonly #atMs: number
  readonly #startedMs: number
  #deadline: unknown
  #signal: AbortSignal | undefined
  #isOver = false
  #hop: Hop | undefined
  #needsBody = false
  #trail: Trail | undefined
  readonly #times: PhaseTimes
  readonly #redact: Redact
  #running: Dial | Intake | undefined
  #exchange: Intake | undefined
  #addresses: readonly string[] = []
  #address: string | undefined
  #certificate: Certificate | undefined

  constructor(
    target: EndpointTarget,
    deps: LookDeps,
    clock: Clock,
    settle: (reading: Reading) => void,
  ) {
    this.#target = target
    this.#deps = deps
    this.#clock = clock
    this.#settle = settle
    this.#atMs = clock.nowMs()
    this.#startedMs = clock.monoMs()
    this.#times = new PhaseTimes(clock)
    this.#redact = redactorFor(target)
  }

  start(signal: AbortSignal | undefined): void {
    const plan = planFor(this.#target)
    if (plan.problem !== undefined) {
      this.#finish(failure('blocked', plan.problem))
      return
    }
    if (signal !== undefined) {
      this.#signal = signal
      signal.addEventListener('abort', this.#abort)
      if (signal.aborted) {
        this.#abort()
        return
      }
    }
    const { timeoutMs } = this.#target
    this.#deadline = this.#clock.setTimeout(() => {
      this.#finish(timeoutFailure(timeoutMs, this.#times.phase))
    }, timeoutMs)
    this.#needsBody = plan.needsBody
    this.#go(plan.hop)
  }

  readonly #abort = (): void => {
    this.#finish({ outcome: 'unknown', kind: 'timeout', message: 'the check was stopped' })
  }

  #go(hop: Hop): void {
    this.#hop = hop
    this.#exchange = undefined
    if (hop.literal !== null) {
      this.#dial(hop, hop.literal)
      return
    }
    this.#times.enter('dns')
    const startedMs = this.#clock.monoMs()
    const { ipFamily, orgId, timeoutMs } = this.#target
    const patienceMs = patienceOf(this.#startedMs + timeoutMs - startedMs)
    this.#deps.resolver.resolve(hop.host, ipFamily, orgId, patienceMs).then((resolution) => {
      if (this.#isOver) return
      this.#times.end()
      if (resolution.failure !== undefined) this.#finish(resolution.failure, 'dns')
      else this.#dial(hop, resolution.addresses)
    }, this.#broken)
  }

  /** A resolver that rejects is a bug, but not one that may leave a check without an end. */
  readonly #broken = (): void => {
    this.#finish(
      { outcome: 'unknown', kind: 'dns', message: 'the name look-up failed because of a bug' },
      'dns',
    )
  }

  #dial(hop: Hop, addresses: readonly string[]): void {
    const forbidden = forbiddenBy(this.#deps.guard, hop, addresses, this.#trail !== undefined)
    if (forbidden !== undefined) {
      this.#finish(this.#trail?.named(forbidden) ?? forbidden)
      return
    }
    this.#addresses = addresses
    this.#times.enter('connect')
    const request = {
      addresses: addresses.slice(0, limits.addressesPerNameMax),
      port: hop.port,
      tlsHost: hop.isTls ? hop.host : null,
      ignoreTlsErrors: this.#target.ignoreTlsErrors,
      handshake: offersHttp2,
      orgId: this.#target.orgId,
    }
    this.#running = new Dial(request, this.#deps, this)
  }

  entered(phase: PhaseName, address: string, connectMs: number): void {
    this.#times.enter(phase)
    this.#reached(address, connectMs)
  }

  #reached(address: string, connectMs: number): void {
    this.#times.add('connect', connectMs)
    this.#address = address
    this.#addresses = [address]
  }

  failed(found: Failure, phase: PhaseName, certificate?: Certificate): void {
    this.#certificate = certificate
    this.#finish(found, phase)
  }

  connected(connection: Connection): void {
    const hop = this.#hop
    if (this.#isOver || hop === undefined) {
      connection.socket.destroy()
      return
    }
    const { address, connectMs, tlsMs } = connection
    // Where TLS was begun, the address was told then.
    if (tlsMs === undefined) this.#reached(address, connectMs)
    else this.#times.add('tls', tlsMs)
    this.#certificate = connection.certificate
    this.#times.enter('firstByte')
    const options = { clock: this.#clock, listener: this, wantsBody: this.#needsBody }
    const { socket } = connection
    this.#running = speaksHttp2(socket)
      ? new Http2Exchange(hop, socket, options)
      : new Exchange(hop, socket, options)
  }

  began(): void {
    // Of what came after an interim response, too.
    this.#times.end('firstByte')
    this.#times.enter('download')
  }

  headed(exchange: Intake): void {
    this.#exchange = exchange
    const { status, headers } = exchange
    if (!this.#target.followRedirects || !isRedirect(status)) return
    const { location } = headers
    if (typeof location !== 'string' || namesStatus(this.#target.expect, status)) return
    exchange.cancel()
    this.#redirect(status, location)
  }

  #redirect(status: number, location: string): void {
    const from = this.#hop
    if (from === undefined) return
    this.#trail ??= new Trail(this.#target, this.#deps, this.#redact)
    const next = this.#trail.follow(from, status, location, this.#addresses)
    if (next.hop === undefined) this.#finish(next.failure)
    else this.#go(next.hop)
  }

  broke(exchange: Intake, cause: unknown): void {
    const { bodyBytes, status } = exchange
    const progress = { hasStatus: status !== 0, bodyBytes }
    this.#finish(exchangeFailure(cause, progress), this.#times.phase)
  }

  ended(exchange: Intake): void {
    this.#times.end()
    if (!this.#needsBody) {
      this.#conclude(exchange, noBody)
    } else if (exchange.isCut) {
      this.#finish(tooLarge, 'download')
    } else {
      const codings = codingsOf(exchange.headers['content-encoding'])
      decodeBody(Buffer.concat(exchange.chunks), codings, false, (decoded) => {
        if (decoded.failure !== undefined) this.#finish(decoded.failure, 'download')
        else this.#conclude(exchange, decoded.bytes)
      })
    }
  }

  /** The whole response is here: does it hold what is expected of it? */
  #conclude(exchange: Intake, bytes: Buffer): void {
    let failed: readonly FailedAssertion[]
    try {
      failed = judgeResponse(this.#target, exchange, bytes, {
        nowMs: this.#atMs,
        responseTimeMs: roundMs(this.#clock.monoMs() - this.#startedMs),
        address: this.#address,
        certificate: this.#certificate,
        redact: this.#redact,
      })
    } catch (error) {
      this.#deps.onBug?.(error)
      this.#finish(ourFault)
      return
    }
    const [first] = failed
    if (first === undefined) this.#finish(undefined)
    else this.#finish(unmetFailure(first), undefined, failed)
  }

  /** Ends the check: stops what runs, then tells the reading, with evidence where it failed. */
  #finish(
    found: Failure | undefined,
    phase?: PhaseName,
    failedAssertions: readonly FailedAssertion[] = [],
  ): void {
    if (this.#isOver) return
    this.#isOver = true
    const nowMs = this.#clock.monoMs()
    // The phase in which it hung, and how long a handshake that came to nothing had been going on.
    const { phase: lastPhase } = this.#times
    if (found?.kind === 'timeout' || lastPhase === 'tls') this.#times.end()
    const measured = {
      atMs: this.#atMs,
      durationMs: roundMs(nowMs - this.#startedMs),
      phases: this.#times.taken(),
      status: this.#exchange?.status,
      address: this.#address,
      certificate: this.#certificate,
    }
    this.#running?.cancel()
    if (this.#deadline !== undefined) this.#clock.clearTimeout(this.#deadline)
    this.#signal?.removeEventListener('abort', this.#abort)
    const addresses = this.#addresses
    const trail = this.#trail
    if (found === undefined) {
      const reading = readingOf(measured, 'good', this.#deps)
      this.#settle(trail ? trail.finding(reading, addresses) : reading)
      return
    }
    const isPrivate = isHidden(addresses, this.#deps)
    const placed = failedAssertions.length > 0 ? trail?.placed(found, isPrivate) : undefined
    const reading = failedReading(measured, placed ?? found, {
      phase: found.kind === 'timeout' ? lastPhase : phase,
      addresses,
      isHidden: trail?.hides(isPrivate) ?? isPrivate,
      discretion: this.#deps,
    })
    const shown = found.outcome === 'failed' ? this.#exchange : undefined
    const findings = { failedAssertions, isHidden: isPrivate, redirected: trail?.told(isPrivate) }
    gatherEvidence(shown, this.#redact, findings, (evidence) => {
      const whole = evidence === undefined ? reading : { ...reading, evidence }
      this.#settle(trail ? trail.finding(whole, addresses) : whole)
    })
  }
}

const noBody = Buffer.alloc(0)
