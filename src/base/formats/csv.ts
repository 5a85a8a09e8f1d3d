// Writes CSV (RFC 4180) that is safe in spreadsheets: no cell is taken for a formula.

/** First characters that make a spreadsheet run a cell instead of showing it. */
const formulaStart = /^[=+\-@\t\r\n]/
/** A SHA-256 hash in base64url may begin with a minus, and must stay as it is. */
const isHash = /^[\w-]{43}$/

/** Returns one line with its line break. null is an empty cell. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | null): string {
  if (typeof cell === 'number') return String(cell)
  if (cell === null) return ''
  const text = formulaStart.test(cell) && !isHash.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
