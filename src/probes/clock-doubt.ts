// Doubt in our own clock: certificates that are "not valid yet" wherever we look say so.
import type { Clock } from '../base/clock.ts'
import { limits } from '../domain/limits.ts'
import type { Failure } from './failure.ts'

export interface ClockDoubt {
  /** A certificate was valid by our clock: whatever is not, is its server's own mistake. */
  noteValid(): void
  /** A host's certificate is not valid yet; tells whether by now the cause has to be our clock. */
  isOurs(host: string): boolean
}

/** Remembers the hosts of a few minutes; it has one memory for all checks. */
export function createClockDoubt({ monoMs }: Pick<Clock, 'monoMs'>): ClockDoubt {
  // The longest ago first.
  const hosts = new Map<string, number>()

  return {
    noteValid: () => hosts.clear(),
    isOurs(host) {
      const nowMs = monoMs()
      hosts.delete(host)
      hosts.set(host, nowMs)
      for (const [other, atMs] of hosts) {
        const isKept =
          nowMs - atMs <= limits.clockDoubtMs && hosts.size <= limits.clockDoubtHostsMax
        if (isKept) break
        hosts.delete(other)
      }
      return hosts.size >= limits.clockDoubtHostsMin
    },
  }
}

/** The check could not be made: nothing is said of the target. */
export const clockIsWrong: Failure = {
  outcome: 'unknown',
  kind: 'tls',
  message: 'certificates are "not valid yet" everywhere: the clock of this machine is wrong',
}
