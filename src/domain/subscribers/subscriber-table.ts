// A table of subscribers in CSV: those of an export, or of anything that has an address and a time in a row.
import { csvRows } from '../imports/csv/csv-rows.ts'
import { ForeignFileRefused } from '../imports/foreign.ts'

export interface SubscriberRow {
  /** The number of the row; the first one has the names of the columns. */
  readonly no: number
  /** The id, slug or name of a status page; empty if the row names none. */
  readonly page: string
  /** In the form of a document. */
  readonly given: object
}

export interface SubscriberTable {
  readonly rows: readonly SubscriberRow[]
  /** Rows of an export that had not confirmed, or are gone. */
  readonly unconfirmed: number
}

const rowsMax = 20_000
const columnsMax = 50

/** The columns by what they may be called; case, spaces, hyphens and underscores mean nothing. */
const columns = {
  address: ['email', 'address', 'emailaddress', 'mail'],
  confirmedAt: ['confirmedat', 'confirmed', 'consentedat'],
  source: ['source', 'consent', 'consentsource'],
  page: ['page', 'statuspage', 'statuspageid'],
  kind: ['kind', 'type'],
  state: ['state', 'status'],
  language: ['language'],
  sections: ['sections', 'sectionnames'],
} as const
type ColumnName = keyof typeof columns

/** `source`: where those confirmed whose row does not say it. Throws ForeignFileRefused. */
export function readSubscriberTable(text: string, source: string | undefined): SubscriberTable {
  const [heads = [], ...rows] = csvRows(text, { rowsMax: rowsMax + 1, fieldsMax: columnsMax })
  const names = heads.map((head) => head.toLowerCase().replace(/[\s_-]/g, ''))
  const at = (name: ColumnName) => names.findIndex((one) => isOneOf(columns[name], one))
  const places = new Map(columnNames.map((name) => [name, at(name)]))
  if (places.get('address') === -1) {
    throw new ForeignFileRefused('must begin with a row of column names, among them email')
  }
  const value = (row: readonly string[], name: ColumnName) => row[places.get(name) ?? -1] ?? ''
  const all = rows.map((row, index): SubscriberRow & { readonly state: string } => {
    const of = (name: ColumnName) => value(row, name)
    const sections = of('sections')
      .split(';')
      .map((one) => one.trim())
    const chosen = sections.filter((one) => one !== '')
    return {
      no: index + 2,
      page: of('page'),
      state: of('state').toLowerCase(),
      given: {
        ...(of('kind') === '' ? {} : { kind: of('kind').toLowerCase() }),
        address: of('address'),
        ...(chosen.length === 0 ? {} : { sectionNames: chosen }),
        ...(of('language') === '' ? {} : { language: of('language') }),
        consent: { source: of('source') || (source ?? ''), confirmedAt: of('confirmedAt') },
      },
    }
  })
  const confirmed = all.filter(({ state }) => state === '' || state === 'active')
  return { rows: confirmed, unconfirmed: all.length - confirmed.length }
}

// Object.keys loses the type of the names.
const columnNames = Object.keys(columns) as readonly ColumnName[]

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}

/** What a row calls the fields of a document. */
export function columnOf(pointer: string): string {
  const [, first = '', second] = pointer.split('/')
  if (first === 'consent') return second ?? 'confirmedAt'
  if (first === 'sectionNames') return 'sections'
  return first === 'address' ? 'email' : first
}
