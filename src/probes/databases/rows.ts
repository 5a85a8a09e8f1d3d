// What a query found, as the answer of a check.

import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { beyond } from '../run/driver-socket.ts'
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

/** In characters of JSON, without the values: names are sent once, and are in every row. */
const weightMax = 2 * 1024 * 1024
/** The weight of a value besides the name of its column. */
const cellWeight = 8

/**
 * `{"value": 3, "rowCount": 1, "rows": [{"count": 3}]}`. Of columns with the same name the last one counts; those
 * without one are numbered but for the first. Throws a RunError if that is more than a check reads.
 */
export function answerOfRows({ columns, rows, rowCount }: FoundRows): TargetAnswer {
  const shown = rows.slice(0, rowsInAnswerMax)
  let weight = 0
  let nameless = 0
  const places = new Map<string, number>()
  for (const [i, name] of columns.entries()) {
    weight += (name.length + cellWeight) * shown.length
    if (weight > weightMax) throw beyond('2 MiB of JSON')
    if (name === '') nameless += 1
    places.set(name === '' && nameless > 1 ? `column${i + 1}` : name, i)
  }
  const named = [...places].map(([name, i]) => ({ key: `${JSON.stringify(name)}:`, i }))
  // Written here, because objects with many names take long to make.
  const objects = shown.map(
    (row) => `{${named.map(({ key, i }) => key + JSON.stringify(row[i] ?? null)).join(',')}}`,
  )
  const value = JSON.stringify(rows[0]?.[0] ?? null)
  const text = `{"value":${value},"rowCount":${rowCount ?? rows.length},"rows":[${objects.join(',')}]}`
  return { text, contentType: 'application/json' }
}

/** A number that a server wrote as text: as text if it has more digits than a number keeps. */
export function numberIn(text: string): Cell {
  const value = Number(text)
  if (!Number.isFinite(value)) return text
  const isExact = Number.isSafeInteger(value) || (!Number.isInteger(value) && text.length <= 15)
  return isExact ? value : text
}
