// Throttles: how often a person may fail or request something. Never a lock-out.
import type { Clock } from '../base/clock.ts'
import { Fault, rateLimited } from '../base/fault.ts'
import type { Limiter, RatePolicy } from '../base/limiter.ts'

/** Wrong passwords for one address; a device that signed in before has its own count. */
export const wrongPasswords = { quota: 20, windowSeconds: 86_400 } as const
/** Wrong confirmations by somebody who is already signed in. */
export const wrongProofs = { quota: 10, windowSeconds: 86_400 } as const
/** New accounts from one address while registration is open. */
const registrations = { quota: 5, windowSeconds: 3_600 } as const
/** Letters of one kind to one address, requested by somebody not signed in or not verified. */
const askedLetters = { quota: 5, windowSeconds: 3_600 } as const
/** Sign-in links that one network may request, and that one mailbox may receive. */
const signInAsks = { quota: 20, windowSeconds: 3_600 } as const
const signInLettersHourly = { quota: 5, windowSeconds: 3_600 } as const
const signInLettersDaily = { quota: 20, windowSeconds: 86_400 } as const
/** Invitations by one person, over all organizations: each one is a letter to a stranger. */
const invitesByPerson = { quota: 20, windowSeconds: 86_400 } as const

const policies = {
  wrongPasswords,
  wrongProofs,
  registrations,
  askedLetters,
  invites: invitesByPerson,
  signInAsks,
  signInLettersHourly,
  signInLettersDaily,
} as const satisfies Record<string, RatePolicy>

export type ThrottleName = keyof typeof policies

export interface ThrottlesDeps {
  readonly clock: Clock
  /** A limiter that survives a restart. */
  readonly limiter: (name: string, policy: RatePolicy) => Limiter
  /** False if the operator switched the limits of sign-in off. Failures stay limited. */
  readonly isOn: () => boolean
}

export type Throttles = ReturnType<typeof createThrottles>

export function createThrottles({ clock, limiter, isOn }: ThrottlesDeps) {
  const names = Object.keys(policies) as ThrottleName[]
  const limiters = new Map(names.map((name) => [name, limiter(name, policies[name])]))

  function retryMs(name: ThrottleName, key: string): number {
    return limiters.get(name)?.take(key, clock.nowMs()).retryMs ?? 0
  }

  function count(name: ThrottleName, key: string): void {
    const waitMs = retryMs(name, key)
    if (waitMs <= 0) return
    throw rateLimited(waitMs, (seconds) => `Too many attempts; try again in ${seconds} s.`)
  }

  return {
    /** Counts one. Throws rate_limited with Retry-After beyond the limit. */
    take(name: ThrottleName, key: string): void {
      if (isOn()) count(name, key)
    },
    /** The same as a boolean, if the caller must not learn it. */
    mayTake: (name: ThrottleName, key: string) => !isOn() || retryMs(name, key) === 0,
    /**
     * Takes one before the work, so that many at once cannot all slip through, and gives it back
     * unless `isFailure` says that the error counts.
     */
    async countFailures<T>(
      name: ThrottleName,
      key: string,
      work: () => Promise<T>,
      isFailure: (error: unknown) => boolean,
    ): Promise<T> {
      count(name, key)
      const giveBack = () => limiters.get(name)?.giveBack(key, clock.nowMs())
      try {
        const result = await work()
        giveBack()
        return result
      } catch (error) {
        if (!isFailure(error)) giveBack()
        throw error
      }
    },
  }
}

/** Whether it was a wrong guess, as opposed to a request that could not be judged. */
export function isWrongGuess(error: unknown): boolean {
  return error instanceof Fault && error.code === 'invalid_credentials'
}
