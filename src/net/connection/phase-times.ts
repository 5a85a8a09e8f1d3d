// How long each phase of a check took, and which one is going on.
import type { Clock } from '../../base/clock.ts'
import type { PhaseName, Phases } from '../../domain/checks/reading.ts'
import { roundMs } from './connect.ts'

/** A class because it fills up while the check goes on. */
export class PhaseTimes {
  /** What is being done, for the message of a time-out. */
  phase: PhaseName = 'dns'
  readonly #clock: Clock
  readonly #taken: { -readonly [Phase in PhaseName]?: number } = {}
  /** When the phase began; undefined where it has not, or its time is noted already. */
  #sinceMs: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  enter(phase: PhaseName): void {
    this.phase = phase
    this.#sinceMs = this.#clock.monoMs()
  }

  /** Notes how long a phase took, in place of what was noted before. */
  set(phase: PhaseName, ms: number): void {
    this.#taken[phase] = roundMs(ms)
    if (phase === this.phase) this.#sinceMs = undefined
  }

  /** The same beside what was noted before: a check that is redirected has each phase again. */
  add(phase: PhaseName, ms: number): void {
    this.set(phase, (this.#taken[phase] ?? 0) + ms)
  }

  /** The phase that goes on is over, or was another one than it seemed. */
  end(as: PhaseName = this.phase): void {
    const sinceMs = this.#sinceMs
    this.#sinceMs = undefined
    if (sinceMs !== undefined) this.add(as, this.#clock.monoMs() - sinceMs)
  }

  /** A copy, since a step that ends late still notes how long it took. */
  taken(): Phases {
    return { ...this.#taken }
  }
}
