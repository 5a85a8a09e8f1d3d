// CSV (RFC 4180) that a spreadsheet may open: no cell of it is taken for a formula.

/** What a spreadsheet would run rather than show, where it is a cell's first character. */
const formulaStart = /^[=+\-@\t\r\n]/
/** SHA-256 in base64url may begin with a minus, and must stay as it is. */
const isHash = /^[\w-]{43}$/

/** One line with its line break. null is an empty cell. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | null): string {
  if (typeof cell === 'number') return String(cell)
  if (cell === null) return ''
  const text = formulaStart.test(cell) && !isHash.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
