// Whose turn it is to ask the name servers: few at once, and fair between organizations.
import type { Clock } from '../../base/clock.ts'
import { comesInTime, createGate, type Gate, type GateBounds } from '../../base/gate.ts'
import { limits } from '../../domain/limits/limits.ts'
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
  const windows: Readonly<Record<Prospect, Window>> = {
    known: createWindow(limits.dnsKnownAsksMin, limits.dnsKnownAsksMax),
    likely: createWindow(limits.dnsLikelyAsksMin, limits.dnsLikelyAsksMax),
    new: createWindow(limits.dnsNewAsksMax),
    doubtful: createWindow(limits.dnsDoubtfulAsksMax),
  }

  function turnOf({ gate, heard }: Window, orgId: string): Turn {
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
    window: Window,
    orgId: string,
    turn: Promise<void>,
    patienceMs: number,
  ): Promise<Turn | undefined> {
    const waitMs = Math.min(patienceMs, limits.dnsWaitMsMax)
    const patience = { clock, waitMs, key: orgId, party: orgId }
    return (await comesInTime(window.gate, turn, patience)) ? turnOf(window, orgId) : undefined
  }

  return {
    take(orgId, prospect, patienceMs) {
      const window = windows[prospect]
      const turn = window.gate.enter(orgId, clock.monoMs(), orgId)
      return turn === undefined ? turnOf(window, orgId) : waitFor(window, orgId, turn, patienceMs)
    },
  }
}

/** How many may be asked at once. */
interface Window {
  readonly gate: Gate
  heard(outcome: Outcome): void
}

/**
 * `least` at once. While some wait and all are answered it becomes one more for each round of
 * answers, up to `most`; half as many with each look-up that is not answered (AIMD, as TCP does).
 * So a name server that bears more is asked more, and a weak one is soon left alone.
 */
function createWindow(least: number, most = least): Window {
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
