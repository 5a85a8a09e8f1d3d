// Whose turn it is to ask the name servers: few at once, and fair between organizations.
import type { Clock } from '../base/clock.ts'
import { createGate, type Gate, type GateBounds } from '../base/gate.ts'
import { settlesInTime } from '../base/patience.ts'
import { limits } from '../domain/limits.ts'
import type { Prospect } from './dns-cache.ts'

/** What the name servers made of a look-up; `refused`: they could not, or would not. */
export type Outcome = 'answered' | 'refused' | 'silent'

/** The right to ask what a look-up asks: at most two questions. */
export interface Turn {
  /**
   * Whoever has it must end it. Where the name servers kept silent they are still busy with it: a
   * forwarder waits longer than we do, and refuses everybody once it waits for too many. Without an
   * outcome: nothing was asked.
   */
  end(outcome?: Outcome): void
}

export interface NameTurns {
  /**
   * At once where there is room; else a promise, of undefined where it does not come in time. Names
   * wait for others of the same prospect only: no number of silent ones holds up those that answer.
   */
  take(orgId: string, prospect: Prospect, patienceMs: number): Turn | Promise<Turn | undefined>
}

export function createNameTurns(clock: Clock): NameTurns {
  const lanes: { readonly [P in Prospect]: Lane } = {
    known: createLane(limits.dnsKnownAsksMax, limits.dnsKnownAsksMost),
    likely: createLane(limits.dnsLikelyAsksMax, limits.dnsLikelyAsksMost),
    new: createLane(limits.dnsNewAsksMax),
    doubtful: createLane(limits.dnsDoubtfulAsksMax),
  }

  function turnOf({ gate, heard }: Lane, orgId: string): Turn {
    const leave = () => gate.leave(orgId, orgId)
    return {
      end(outcome) {
        if (outcome !== undefined) heard(outcome)
        if (outcome === 'silent') clock.setTimeout(leave, limits.dnsForwarderMs)
        else leave()
      },
    }
  }

  async function waitFor(
    lane: Lane,
    orgId: string,
    turn: Promise<void>,
    patienceMs: number,
  ): Promise<Turn | undefined> {
    const isInTime = await settlesInTime(clock, turn, Math.min(patienceMs, limits.dnsWaitMsMax))
    if (isInTime) return turnOf(lane, orgId)
    // It still comes, and is given back.
    void turn.then(() => lane.gate.leave(orgId, orgId))
    return undefined
  }

  return {
    take(orgId, prospect, patienceMs) {
      const lane = lanes[prospect]
      const turn = lane.gate.enter(orgId, clock.monoMs(), orgId)
      return turn === undefined ? turnOf(lane, orgId) : waitFor(lane, orgId, turn, patienceMs)
    },
  }
}

interface Lane {
  readonly gate: Gate
  heard(outcome: Outcome): void
}

/**
 * `least` at once. While some wait and all are answered it becomes one more for each round of
 * answers, up to `most`; half as many with each look-up that is not answered. So a name server
 * that bears more is asked more, and a weak one is soon left alone.
 */
function createLane(least: number, most = least): Lane {
  let width = least
  let answersInRow = 0
  const gate = createGate(boundsOf(width))

  function widenTo(next: number): void {
    answersInRow = 0
    if (next === width) return
    width = next
    gate.resize(boundsOf(width))
  }

  return {
    gate,
    heard(outcome) {
      if (outcome !== 'answered') {
        widenTo(Math.max(least, Math.floor(width / 2)))
      } else if (gate.load().waiting > 0) {
        answersInRow += 1
        if (answersInRow >= width) widenTo(Math.min(most, width + 1))
      }
    },
  }
}

function boundsOf(total: number): GateBounds {
  const places = Math.floor(total * limits.dnsAsksKeptRatio)
  return { total, perKey: total, kept: { places, share: limits.dnsAsksKeptShare } }
}
