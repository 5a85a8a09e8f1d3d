// Status changes of Healthchecks as history: GET /api/v3/checks/<id>/flips/.
import { type ForeignHistory, fieldsOf, listOf, numberOf, textOf } from '../foreign.ts'
import { historiesOfSpells, type Spell } from '../spells.ts'

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
  const all = checks.map(({ origin, flips, status }) => ({
    origin,
    spells: spellsOf(flips, status, readAtMs),
  }))
  return historiesOfSpells(all, readAtMs)
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
    return isPause
      ? []
      : { fromMs: atMs, toMs: next?.atMs ?? null, isUp, text: 'down in Healthchecks' }
  })
}
