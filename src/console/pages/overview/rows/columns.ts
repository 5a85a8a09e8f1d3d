// Which columns the list of monitors has, as the person chose in this browser.
import { signal } from '@preact/signals'

/** Beside the name. */
export const columns = ['since', 'hours', 'uptime', 'response'] as const
export type Column = (typeof columns)[number]

const hiddenKey = 'stillup.hiddenColumns'

const widths: Readonly<Record<Column, string>> = {
  since: '7rem',
  hours: '10rem',
  uptime: '5.5rem',
  response: '7rem',
}

const hiddenColumns = signal<readonly Column[]>(
  columns.filter((one) => localStorage.getItem(hiddenKey)?.split(' ').includes(one)),
)

export function showColumn(column: Column, isShown: boolean): void {
  const others = hiddenColumns.value.filter((one) => one !== column)
  hiddenColumns.value = isShown ? others : [...others, column]
  localStorage.setItem(hiddenKey, hiddenColumns.value.join(' '))
}

export const isShown = (column: Column) => !hiddenColumns.value.includes(column)

/** The columns of the grid that a row is. */
export const columnsTemplate = () =>
  ['1rem', 'minmax(0, 1fr)', ...columns.filter(isShown).map((one) => widths[one])].join(' ')
