// Lists for people: columns as wide as what is in them.
import type { DaemonAnswer } from './asking.ts'

/** The heading of a column, and what it shows of a record. */
export type Columns = Readonly<Record<string, (item: DaemonAnswer) => unknown>>

export function columnLines(items: readonly DaemonAnswer[], columns: Columns): string[] {
  const rows = [
    Object.keys(columns),
    ...items.map((item) => Object.values(columns).map((show) => shown(show(item)))),
  ]
  const widths = Object.keys(columns).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** People choose names: nothing in them may control the terminal. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  return String(value).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?')
}

/** A time as a day. */
export const dayOf = (time: unknown): string => (time ? String(time).slice(0, 10) : 'never')

/** The cell says yes or nothing. */
export const mark = (value: unknown): string => (value === true ? 'yes' : '')

/** `1 monitor`, `2 monitors`. */
export const counted = (count: unknown, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
