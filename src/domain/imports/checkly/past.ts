// Results of checks of Checkly that failed, as their past.
//
// The results: GET /v2/check-results/{checkId} of https://www.checklyhq.com/docs/api-reference/ ; 30 days are kept.
import type { ForeignFields, ForeignHistory, ForeignOutage, Note } from '../foreign.ts'
import { fieldsOf, listOf, textOf } from '../foreign.ts'
import { historiesOfSpells, spellsOfOutages } from '../spells.ts'

/** As far back as results are kept. */
export const historyMs = 30 * 86_400_000

export interface ChecklyWatched {
  readonly there: string
  readonly origin: string
  readonly fields: ForeignFields
  readonly intervalSeconds: number
}

/** A result that failed is a time down until the next one was due. All else is a time up, or nobody looked. */
export function pastOf(
  results: ForeignFields,
  watched: readonly ChecklyWatched[],
  readAtMs: number,
  note: Note,
): readonly ForeignHistory[] {
  const told = watched.filter(
    ({ there, fields }) => Array.isArray(results[there]) && fields.activated !== false,
  )
  if (readAtMs === 0 || told.length === 0) return []
  note(
    'the history of 30 days: a check was down from a result that failed until the next one was due',
  )
  const past = told.map(({ there, origin, fields, intervalSeconds }) => {
    const sinceMs = Math.max(readAtMs - historyMs, Date.parse(textOf(fields.created_at)) || 0)
    const outages = outagesOf(listOf(results[there]), intervalSeconds * 1_000, readAtMs)
    return { origin, spells: spellsOfOutages(outages, sinceMs, readAtMs) }
  })
  return historiesOfSpells(past, readAtMs)
}

/** Failures that follow each other are one outage, also if one of several places was good between them. */
function outagesOf(
  results: readonly unknown[],
  intervalMs: number,
  readAtMs: number,
): readonly ForeignOutage[] {
  const failedAt = results
    .map(fieldsOf)
    .filter(({ hasFailures, isCancelled }) => hasFailures === true && isCancelled !== true)
    .map(({ startedAt }) => Date.parse(textOf(startedAt)))
    .filter((atMs) => atMs > 0 && atMs <= readAtMs)
    .sort((a, b) => a - b)
  const outages: { fromMs: number; toMs: number; text: string }[] = []
  for (const atMs of failedAt) {
    const toMs = Math.min(atMs + intervalMs, readAtMs)
    const last = outages.at(-1)
    // Checks come some seconds late.
    if (last && atMs <= last.toMs + intervalMs / 2) last.toMs = toMs
    else outages.push({ fromMs: atMs, toMs, text: 'failed in Checkly' })
  }
  return outages
}
