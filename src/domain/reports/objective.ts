// Objectives (SLO): the time of a month that may be down, how much of it is used, and whether it lasts.
import { limits } from '../limits/limits.ts'

export const burnWindows = ['1h', '6h', '24h', '3d'] as const
type BurnWindow = (typeof burnWindows)[number]

export const sloStates = ['ok', 'at_risk', 'exhausted', 'no_data'] as const
export type SloState = (typeof sloStates)[number]

/** The time that counts, and the part of it that was down. */
export interface CountedTime {
  readonly countedMs: number
  readonly downMs: number
}

export interface SloFacts {
  readonly objectivePercent: number
  readonly nowMs: number
  /** The first moment after the month. */
  readonly monthEndMs: number
  /** The month so far. */
  readonly month: CountedTime
  readonly windows: Readonly<Record<BurnWindow, CountedTime>>
}

export interface SloStatus {
  readonly state: SloState
  /** All that may be down: of the time that counted so far, and of the rest of the month. */
  readonly budgetMs: number
  readonly usedMs: number
  /** Negative once more is used than there is. */
  readonly leftMs: number
  /**
   * How fast the budget is used: 1 uses exactly the budget of that time. Null where too little of the
   * window counts.
   */
  readonly burnRates: Readonly<Record<BurnWindow, number | null>>
  /** When the budget is used up at the rate of the last 24 hours; null: not in this month. */
  readonly exhaustedAtMs: number | null
}

/** The share of a month's budget that must be used before it can be at risk. */
const sloUsedShareMin = 0.1

export function sloStatus(facts: SloFacts): SloStatus {
  const { nowMs, monthEndMs, month, windows } = facts
  const allowed = (100 - facts.objectivePercent) / 100
  const restMs = Math.max(0, monthEndMs - nowMs)
  const budgetMs = allowed * (month.countedMs + restMs)
  const usedMs = month.downMs
  const leftMs = budgetMs - usedMs
  const burnRates = {
    '1h': burnRate(windows['1h'], allowed),
    '6h': burnRate(windows['6h'], allowed),
    '24h': burnRate(windows['24h'], allowed),
    '3d': burnRate(windows['3d'], allowed),
  }
  const lastsUntilMs = (rate: number | null) =>
    rate === null || rate === 0 ? Number.POSITIVE_INFINITY : nowMs + leftMs / (rate * allowed)
  const isShort = (window: BurnWindow) => lastsUntilMs(burnRates[window]) < monthEndMs
  const exhaustedAtMs = Math.min(lastsUntilMs(burnRates['24h']), lastsUntilMs(burnRates['3d']))
  const base = { budgetMs, usedMs, leftMs, burnRates }
  if (month.countedMs < limits.uptimeCountedMsMin) {
    return { ...base, state: 'no_data', exhaustedAtMs: null }
  }
  if (leftMs <= 0) return { ...base, state: 'exhausted', exhaustedAtMs: null }
  // As in the SRE workbook of Google: a tenth is gone, and both the long and the short window burn
  // faster than what is left allows. A single short outage, or one that is over, warns nobody.
  const isAtRisk = usedMs >= sloUsedShareMin * budgetMs && isShort('3d') && isShort('6h')
  return {
    ...base,
    state: isAtRisk ? 'at_risk' : 'ok',
    exhaustedAtMs: exhaustedAtMs < monthEndMs ? Math.round(exhaustedAtMs) : null,
  }
}

/** The time of a window that must count before its burn rate says anything. */
const sloWindowMsMin = 30 * 60_000

function burnRate({ countedMs, downMs }: CountedTime, allowed: number): number | null {
  return countedMs < sloWindowMsMin ? null : downMs / countedMs / allowed
}

/** What was announced to channels about an objective in a month. */
export interface ToldObjective {
  readonly month: string
  readonly objectivePercent: number
  readonly state: SloAlert
}

export type SloAlert = Extract<SloState, 'at_risk' | 'exhausted'>

/** The alert that is due: each state once a month, and nothing milder after something worse. */
export function dueSloAlert(
  state: SloState,
  now: Pick<ToldObjective, 'month' | 'objectivePercent'>,
  told: ToldObjective | undefined,
): SloAlert | null {
  if (state !== 'at_risk' && state !== 'exhausted') return null
  const isSame = told?.month === now.month && told.objectivePercent === now.objectivePercent
  if (!isSame) return state
  return told.state === 'at_risk' && state === 'exhausted' ? state : null
}
