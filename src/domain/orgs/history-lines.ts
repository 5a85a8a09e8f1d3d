// Rows of the history as lines of text: of JSON, or of CSV (RFC 4180).
import { csvLine } from '../../base/formats/csv.ts'
import { toIso } from '../../base/schema/schema.ts'
import type { HistoryColumn, HistoryRow, HistoryValues } from './history-tables.ts'

/** Makes one line of JSON for each row: every column is in it, and times are texts of ISO 8601. */
export function jsonLines(columns: readonly HistoryColumn[]): (row: HistoryRow) => string {
  const parts = columns.map(({ name, type }, at) => {
    return {
      name,
      type,
      before: `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`,
      last: '',
      json: '',
    }
  })
  return (row) => {
    const values: HistoryValues = row
    let line = ''
    for (const part of parts) {
      const value = values[part.name] ?? null
      line += part.before
      if (value === null) line += 'null'
      else if (typeof value === 'string') {
        // Most texts are those of the row before.
        if (value !== part.last) {
          part.last = value
          part.json = JSON.stringify(value)
        }
        line += part.json === '' ? '""' : part.json
      } else if (typeof value === 'object') line += JSON.stringify(value)
      else if (part.type === 'time') line += `"${toIso(Number(value))}"`
      else line += String(value)
    }
    return `${line}}\n`
  }
}

/** The names of the columns as a line. */
export function csvHead(columns: readonly HistoryColumn[]): string {
  return csvLine(columns.map(({ name }) => name))
}

/** Makes one line of CSV for each row: null is an empty cell, flags are `true` and `false`. */
export function csvLines(columns: readonly HistoryColumn[]): (row: HistoryRow) => string {
  return (row) => {
    const values: HistoryValues = row
    return csvLine(columns.map(({ name, type }) => cellOf(values[name] ?? null, type)))
  }
}

function cellOf(value: HistoryValues[string], type: HistoryColumn['type']): string | number | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return type === 'time' ? toIso(value) : value
  return JSON.stringify(value)
}
