// Status changes of Healthchecks as history: GET /api/v3/checks/<id>/flips/.
import {
  type ForeignHistory,
  type ForeignPeriod,
  fieldsOf,
  listOf,
  numberOf,
  textOf,
} from '../foreign.ts'

const dayMs = 86_400_000

/** Days of history, of one check and of all together. */
const historyDaysMax = 366
const historyPeriodsMax = 40_000
/** The newest outages of one check. */
const historyOutagesMax = 1_000

export interface FlipsOf {
  /** The origin of the check. */
  readonly origin: string
  /** The answer of the API. */
  readonly flips: unknown
  /** The present status. */
  readonly status: string
}

/** `readAtMs`: when the changes were read. Checks without changes have no history. */
export function historiesOf(checks: readonly FlipsOf[], readAtMs: number): ForeignHistory[] {
  const daysMax = Math.min(historyDaysMax, Math.floor(historyPeriodsMax / (checks.length || 1)))
  const fromMs = Math.floor(readAtMs / dayMs + 1 - daysMax) * dayMs
  return checks.flatMap(({ origin, flips, status }) => {
    const spells = spellsOf(flips, status, readAtMs)
    if (spells.length === 0) return []
    const outages = spells
      .filter(({ isUp }) => !isUp)
      .map((spell) => ({ fromMs: spell.fromMs, toMs: spell.toMs, text: 'down in Healthchecks' }))
      .slice(-historyOutagesMax)
    return { origin, days: daysOf(spells, fromMs, readAtMs), hours: [], outages }
  })
}

interface Spell {
  readonly fromMs: number
  /** Null: it goes on. */
  readonly toMs: number | null
  readonly isUp: boolean
}

/**
 * The times between two changes, oldest first. A pause and its end are told as changes to "not up", as an
 * outage is: what follows a change to "not up", or what the present status shows, is taken for one.
 */
function spellsOf(answer: unknown, status: string, readAtMs: number): readonly Spell[] {
  const isAwake = status !== 'paused' && status !== 'new'
  const changes = listOf(fieldsOf(answer).flips ?? answer)
    .map(fieldsOf)
    .map(({ timestamp, up }) => ({ atMs: Date.parse(textOf(timestamp)), isUp: numberOf(up) === 1 }))
    .filter(({ atMs }) => atMs > 0 && atMs <= readAtMs)
    .sort((a, b) => a.atMs - b.atMs)
  return changes.flatMap(({ atMs, isUp }, index) => {
    const next = changes[index + 1]
    const isPause = !isUp && (changes[index - 1]?.isUp === false || (!next && !isAwake))
    return isPause ? [] : { fromMs: atMs, toMs: next?.atMs ?? null, isUp }
  })
}

function daysOf(spells: readonly Spell[], fromMs: number, readAtMs: number): ForeignPeriod[] {
  const days = new Map<number, { upMs: number; downMs: number }>()
  for (const spell of spells) {
    const endMs = spell.toMs ?? readAtMs
    let atMs = Math.max(spell.fromMs, fromMs)
    while (atMs < endMs) {
      const startMs = Math.floor(atMs / dayMs) * dayMs
      const toMs = Math.min(startMs + dayMs, endMs)
      const day = days.get(startMs) ?? { upMs: 0, downMs: 0 }
      if (spell.isUp) day.upMs += toMs - atMs
      else day.downMs += toMs - atMs
      days.set(startMs, day)
      atMs = toMs
    }
  }
  // How many reports came is not told.
  const untold = { maintenanceMs: 0, checks: 0, failures: 0, latencyMs: null }
  return [...days].map(([startMs, { upMs, downMs }]) => ({ startMs, upMs, downMs, ...untold }))
}
