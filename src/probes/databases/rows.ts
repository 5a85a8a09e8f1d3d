// What a query found, as the answer of a check.

import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { answerOf } from '../run/json-answer.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import type { ProbeRun } from '../run/probe-run.ts'

/** The check that asks a query. */
export interface Asking {
  readonly run: ProbeRun
  readonly target: EndpointTarget
}

/** A value as it is in JSON. */
export type Cell = string | number | boolean | null | object

export interface FoundRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** How many rows were found or changed, if the server says so. */
  readonly rowCount?: number | null
}

/** Rows that are in the answer; all of them are counted. */
export const rowsInAnswerMax = 100

/** The words of the API reference about such an answer. */
export const rowsWords = `\`value\` (the first column of the first row), \`rowCount\` and \`rows\` (the first ${rowsInAnswerMax})`

/** `{"value": 3, "rowCount": 1, "rows": [{"count": 3}]}`. */
export function answerOfRows({ columns, rows, rowCount }: FoundRows): TargetAnswer {
  const shown = rows
    .slice(0, rowsInAnswerMax)
    .map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null])))
  return answerOf({
    value: rows[0]?.[0] ?? null,
    rowCount: rowCount ?? rows.length,
    rows: shown,
  })
}

/** A number that a server wrote as text: as text if it has more digits than a number keeps. */
export function numberIn(text: string): Cell {
  const value = Number(text)
  if (!Number.isFinite(value)) return text
  const isExact = Number.isSafeInteger(value) || (!Number.isInteger(value) && text.length <= 15)
  return isExact ? value : text
}
