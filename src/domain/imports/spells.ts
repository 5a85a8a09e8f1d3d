// Times up and down as history: what products tell that keep changes of a state.
import type { ForeignHistory, ForeignOutage, ForeignPeriod } from './foreign.ts'

/** A time in one state. */
export interface Spell {
  readonly fromMs: number
  /** Null: it goes on. */
  readonly toMs: number | null
  readonly isUp: boolean
  /** What was said of an outage. */
  readonly text: string
}

export interface SpellsOf {
  /** The origin of the monitor. */
  readonly origin: string
  /** Oldest first. */
  readonly spells: readonly Spell[]
}

const dayMs = 86_400_000
/** Days of history, of one monitor and of all together. */
const historyDaysMax = 366
const historyPeriodsMax = 40_000
/** The newest outages of one monitor. */
const historyOutagesMax = 1_000

/** `readAtMs`: when they were read, up to which they are known. Monitors without any have no history. */
export function historiesOfSpells(all: readonly SpellsOf[], readAtMs: number): ForeignHistory[] {
  const daysMax = Math.min(historyDaysMax, Math.floor(historyPeriodsMax / (all.length || 1)))
  const fromMs = Math.floor(readAtMs / dayMs + 1 - daysMax) * dayMs
  return all.flatMap(({ origin, spells }) => {
    if (spells.length === 0) return []
    const outages = spells
      .filter(({ isUp }) => !isUp)
      .map((spell) => ({ fromMs: spell.fromMs, toMs: spell.toMs, text: spell.text }))
      .slice(-historyOutagesMax)
    return { origin, days: daysOf(spells, fromMs, readAtMs), hours: [], outages }
  })
}

function daysOf(spells: readonly Spell[], fromMs: number, readAtMs: number): ForeignPeriod[] {
  const days = new Map<number, { upMs: number; downMs: number }>()
  for (const spell of spells) {
    const endMs = Math.min(spell.toMs ?? readAtMs, readAtMs)
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
  // How many checks there were is not told.
  const untold = { maintenanceMs: 0, checks: 0, failures: 0, latencyMs: null }
  return [...days].map(([startMs, { upMs, downMs }]) => ({ startMs, upMs, downMs, ...untold }))
}

/** Outages from `sinceMs` on as spells, with the times up between them. Those that overlap are one. */
export function spellsOfOutages(
  outages: readonly ForeignOutage[],
  sinceMs: number,
  readAtMs: number,
): readonly Spell[] {
  const spells: Spell[] = []
  let atMs = sinceMs
  const sorted = outages.filter(({ fromMs }) => fromMs > 0).toSorted((a, b) => a.fromMs - b.fromMs)
  for (const { fromMs, toMs, text } of sorted) {
    const endMs = toMs ?? readAtMs
    if (endMs <= atMs) continue
    if (fromMs > atMs) spells.push({ fromMs: atMs, toMs: fromMs, isUp: true, text: '' })
    spells.push({ fromMs: Math.max(fromMs, atMs), toMs, isUp: false, text })
    atMs = endMs
  }
  if (atMs < readAtMs) spells.push({ fromMs: atMs, toMs: readAtMs, isUp: true, text: '' })
  return spells
}
