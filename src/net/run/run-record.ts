// What a guarded run notes on its way: how long each phase took, and whom it talked to.
import type { Clock } from '../../base/clock.ts'
import type { Certificate, PhaseName, Phases } from '../../domain/checks/reading.ts'
import { roundMs } from '../connection/connect.ts'

/** A class because it fills up while the run goes on. */
export class RunRecord {
  /** What is being done, for the message of a timeout. */
  phase: PhaseName = 'dns'
  /** The addresses to try; only the one that answered, once one did. */
  addresses: readonly string[] = []
  /** The address that was talked to last. */
  address: string | undefined
  /** The certificate that the last target showed, whatever comes of it. */
  certificate: Certificate | undefined
  protected readonly clock: Clock
  readonly #taken: { -readonly [Phase in PhaseName]?: number } = {}
  /** When the phase began; undefined where it has not, or its time is noted already. */
  #sinceMs: number | undefined

  constructor(clock: Clock) {
    this.clock = clock
  }

  enter(phase: PhaseName): void {
    this.phase = phase
    this.#sinceMs = this.clock.monoMs()
  }

  /** Notes how long a phase took, in place of what was noted before. */
  set(phase: PhaseName, ms: number): void {
    this.#taken[phase] = roundMs(ms)
    if (phase === this.phase) this.#sinceMs = undefined
  }

  /** Adds to what was noted before: a check that is redirected goes through each phase again. */
  add(phase: PhaseName, ms: number): void {
    this.set(phase, (this.#taken[phase] ?? 0) + ms)
  }

  /** The current phase is over, or was another one than it seemed. */
  end(as: PhaseName = this.phase): void {
    const sinceMs = this.#sinceMs
    this.#sinceMs = undefined
    if (sinceMs !== undefined) this.add(as, this.clock.monoMs() - sinceMs)
  }

  reached(address: string): void {
    this.address = address
    this.addresses = [address]
  }

  /** A copy, since a step that ends late still notes how long it took. */
  taken(): Phases {
    return { ...this.#taken }
  }
}
