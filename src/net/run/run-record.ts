// Records a guarded run: the time of each phase, and the connected address.
import type { Clock } from '../../base/clock.ts'
import type { Certificate, PhaseName, Phases, TlsChoice } from '../../domain/checks/reading.ts'
import { roundMs } from '../connection/connect.ts'

/** A class because it collects data during the run. */
export class RunRecord {
  /** The current phase, for the message of a timeout. */
  phase: PhaseName = 'dns'
  /** The addresses to try; after one answered, only that one. */
  addresses: readonly string[] = []
  /** The last connected address. */
  address: string | undefined
  /** The certificate of the last target, whatever the result. */
  certificate: Certificate | undefined
  /** What was agreed on in the last handshake. */
  tls: TlsChoice | undefined
  /** The client certificate that was offered has expired. */
  isIdentityExpired = false
  protected readonly clock: Clock
  readonly #taken: { -readonly [Phase in PhaseName]?: number } = {}
  /** When the phase began; undefined before that, and after its time was noted. */
  #sinceMs: number | undefined

  constructor(clock: Clock) {
    this.clock = clock
  }

  enter(phase: PhaseName): void {
    this.phase = phase
    this.#sinceMs = this.clock.monoMs()
  }

  /** Sets the time of a phase, replacing an earlier value. */
  set(phase: PhaseName, ms: number): void {
    this.#taken[phase] = roundMs(ms)
    if (phase === this.phase) this.#sinceMs = undefined
  }

  /** Adds to the time of a phase: a redirected check goes through each phase again. */
  add(phase: PhaseName, ms: number): void {
    this.set(phase, (this.#taken[phase] ?? 0) + ms)
  }

  /** Ends the current phase; `as` records its time under another phase. */
  end(as: PhaseName = this.phase): void {
    const sinceMs = this.#sinceMs
    this.#sinceMs = undefined
    if (sinceMs !== undefined) this.add(as, this.clock.monoMs() - sinceMs)
  }

  reached(address: string): void {
    this.address = address
    this.addresses = [address]
  }

  /** A copy, because a step that ends after the run still adds its time. */
  taken(): Phases {
    return { ...this.#taken }
  }
}
