// The rows of a text with separated values, as RFC 4180 describes it; also with semicolons or tabs, as spreadsheets
// write it.
import { ForeignFileRefused } from '../foreign.ts'

/**
 * The rows of a text, each with the values of its fields. The separator is the one that the first line has. Throws
 * ForeignFileRefused for a quoted field without an end, and for more than `rowsMax` rows or `fieldsMax` fields.
 */
export function csvRows(
  text: string,
  { rowsMax, fieldsMax }: { readonly rowsMax: number; readonly fieldsMax: number },
): readonly (readonly string[])[] {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const separator = separatorOf(body)
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < body.length) {
    const field = body[at] === '"' ? quoted(body, at) : plain(body, at, separator)
    row.push(field.value)
    if (row.length > fieldsMax)
      throw new ForeignFileRefused(`must have at most ${fieldsMax} columns`)
    at = field.endAt
    if (body[at] === separator) {
      at += 1
      // What follows the last separator is a field, too, also where nothing does.
      if (at < body.length) continue
      row.push('')
    }
    rows.push(row)
    if (rows.length > rowsMax) throw new ForeignFileRefused(`must have at most ${rowsMax} rows`)
    row = []
    at += body.startsWith('\r\n', at) ? 2 : 1
  }
  return rows.filter((one) => one.some((value) => value !== ''))
}

interface FoundField {
  readonly value: string
  /** Where the separator or the line break is that ends it. */
  readonly endAt: number
}

function separatorOf(body: string): string {
  const [line = ''] = body.split(/[\r\n]/, 1)
  const counted = [',', ';', '\t'].map((one) => ({ one, count: line.split(one).length }))
  return counted.reduce((best, other) => (other.count > best.count ? other : best)).one
}

function plain(body: string, from: number, separator: string): FoundField {
  let endAt = from
  while (endAt < body.length && ![separator, '\r', '\n'].includes(body[endAt] ?? '')) {
    endAt += 1
  }
  return { value: body.slice(from, endAt).trim(), endAt }
}

/** Two quotes within stand for one. */
function quoted(body: string, from: number): FoundField {
  const parts: string[] = []
  let at = from + 1
  for (;;) {
    const quoteAt = body.indexOf('"', at)
    if (quoteAt === -1) throw new ForeignFileRefused('has a quoted field without an end')
    parts.push(body.slice(at, quoteAt))
    if (body[quoteAt + 1] !== '"') return { value: parts.join('"').trim(), endAt: quoteAt + 1 }
    at = quoteAt + 2
  }
}
