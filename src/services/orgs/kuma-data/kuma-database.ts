// Reads the SQLite database of Uptime Kuma: one that a stranger may have made. Nothing of it runs: no views,
// virtual tables, triggers, generated columns, functions of its own.
import { constants, DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { errorText } from '../../../base/log/error-text.ts'
import { type ForeignFields, ForeignFileRefused } from '../../../domain/imports/foreign.ts'
import {
  type KumaTableName,
  kumaHistoryTables,
  kumaTables,
  kumaTablesUnread,
} from '../../../domain/imports/kuma/kuma-columns.ts'
import type { KumaTables } from '../../../domain/imports/kuma/kuma-rows.ts'
import type { KumaFile } from './kuma-files.ts'

/** The memory that SQLite may take, and the rows of a table that is read whole. */
const sqliteBytesMax = 48 * 1024 * 1024
const rowsMax = 100_000

/** The parts of the schema that are looked at; Kuma has about 30 tables. */
const schemaRowsMax = 1_000

/** Knex, which makes the tables of version 2, notes when; SQLite has the time in ms. */
const migrationsTable = 'knex_migrations'

export type KumaReader = ReturnType<typeof openKumaDatabase>

/** Throws ForeignFileRefused, as every method of it does. */
export function openKumaDatabase({ path, isAlone }: KumaFile) {
  const database = refusing(() => opened(path, isAlone))
  const columns = refusing(() => knownColumns(database))

  function rows(query: string, ...values: (string | number)[]): readonly ForeignFields[] {
    return refusing(() => database.prepare(query).all(...values))
  }

  /** The wanted columns that are there. */
  function has(table: KumaTableName, ...wanted: readonly string[]): boolean {
    return wanted.every((one) => columns.get(table)?.includes(one) === true)
  }

  return {
    has,
    rows,
    /** All rows of the tables that are not a history. */
    tables(): KumaTables {
      const read: Partial<Record<KumaTableName, readonly ForeignFields[]>> = {}
      for (const [table, known] of columns) {
        if (kumaHistoryTables.some((one) => one === table)) continue
        const list = known.filter((one) => isAmong(kumaTables[table].read, one))
        const found = rows(
          `SELECT ${list.map(quoted).join()} FROM ${quoted(table)} LIMIT ?`,
          rowsMax + 1,
        )
        if (found.length > rowsMax) {
          throw new ForeignFileRefused(`must have at most ${rowsMax} rows in its table ${table}`)
        }
        read[table] = found
      }
      return read
    },
    /** When version 2 made its first table; undefined of version 1. */
    tablesMadeMs(): number | undefined {
      const isThere = refusing(() =>
        schemaOf(database).some(({ name, isTable }) => isTable && name === migrationsTable),
      )
      if (!isThere) return undefined
      const names = refusing(() => columnsOf(database, migrationsTable))
      if (!['id', 'migration_time'].every((one) => names.includes(one))) return undefined
      const [first] = rows(`SELECT migration_time FROM ${migrationsTable} ORDER BY id LIMIT 1`)
      return typeof first?.migration_time === 'number' ? first.migration_time : undefined
    },
    /** Tables and columns that Kuma had not when this was written, such as `monitor.colour`. */
    unknown(): readonly string[] {
      const names = [...columns].flatMap(([table, known]) =>
        known
          .filter((one) => !isAmong(kumaTables[table].read, one))
          .filter((one) => !isAmong(kumaTables[table].unread, one))
          .map((one) => `${table}.${one}`),
      )
      return [...tablesIn(database).filter((one) => !isKnownTable(one)), ...names]
    },
    close: () => database.close(),
  }
}

function opened(path: string, isAlone: boolean): DatabaseSync {
  const url = pathToFileURL(path)
  if (isAlone) url.searchParams.set('immutable', '1')
  const database = new DatabaseSync(url, {
    readOnly: true,
    allowExtension: false,
    enableForeignKeyConstraints: false,
    enableDoubleQuotedStringLiterals: false,
  })
  database.enableDefensive(true)
  database.exec(
    `PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA query_only = ON;
     PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = ${sqliteBytesMax};`,
  )
  database.setAuthorizer(allowed)
  return database
}

/** Only these functions are called, in queries of this project. */
const functions = new Set(['sum', 'avg', 'min', 'max', 'substr', 'count'])
const pragmas = new Set(['table_xinfo'])

/**
 * What SQLite asks of each query before it runs one. A read that comes from a view or a trigger is named with it
 * (https://sqlite.org/c3ref/set_authorizer.html).
 */
function allowed(
  action: number,
  first: string | null,
  second: string | null,
  _database: string | null,
  within: string | null,
): number {
  const isFine =
    action === constants.SQLITE_SELECT ||
    (action === constants.SQLITE_READ && within === null) ||
    (action === constants.SQLITE_PRAGMA && pragmas.has(first ?? '')) ||
    (action === constants.SQLITE_FUNCTION && functions.has((second ?? '').toLowerCase()))
  return isFine ? constants.SQLITE_OK : constants.SQLITE_DENY
}

interface SchemaRow {
  readonly name: string
  readonly isTable: boolean
}

function schemaOf(database: DatabaseSync): readonly SchemaRow[] {
  const query = `SELECT type, name, rootpage, substr(sql, 1, 13) AS sql FROM sqlite_schema
    WHERE type IN ('table', 'view') LIMIT ?`
  const rows = database.prepare(query).all(schemaRowsMax + 1)
  if (rows.length > schemaRowsMax) {
    throw new ForeignFileRefused(`must have at most ${schemaRowsMax} tables`)
  }
  // SQLite goes by the text, whatever the type says.
  return rows.map(({ type, name, rootpage, sql }) => ({
    name: String(name),
    isTable: type === 'table' && Number(rootpage) > 0 && /^CREATE TABLE /i.test(`${sql} `),
  }))
}

function tablesIn(database: DatabaseSync): readonly string[] {
  return schemaOf(database).map(({ name }) => name)
}

/** The columns of each table that is read. */
function knownColumns(database: DatabaseSync): ReadonlyMap<KumaTableName, readonly string[]> {
  const found = new Map<KumaTableName, readonly string[]>()
  for (const { name, isTable } of schemaOf(database)) {
    const known = tableNamed(name)
    if (known === undefined) continue
    if (!isTable || found.has(known)) {
      throw new ForeignFileRefused(`has something in place of the table ${known}, and was not read`)
    }
    found.set(known, columnsOf(database, known))
  }
  if (!found.has('monitor') || !found.has('setting')) {
    throw new ForeignFileRefused(
      'is a database, but not of Uptime Kuma: it has no tables monitor and setting',
    )
  }
  return found
}

/** Throws ForeignFileRefused for one that is computed. */
function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  const columns = database.prepare(`PRAGMA table_xinfo(${quoted(table)})`).all()
  const hidden = columns.find((one) => one.hidden !== 0)
  if (hidden !== undefined) {
    throw new ForeignFileRefused(`computes the column ${table}.${hidden.name}, and was not read`)
  }
  return columns.map(nameIn)
}

function nameIn({ name }: Record<string, SQLOutputValue>): string {
  return String(name)
}

/** SQLite compares names without regard to case. */
function tableNamed(name: string): KumaTableName | undefined {
  const wanted = name.toLowerCase()
  // Object.keys loses the type of the names.
  return (Object.keys(kumaTables) as KumaTableName[]).find((one) => one === wanted)
}

function isKnownTable(name: string): boolean {
  return tableNamed(name) !== undefined || kumaTablesUnread.includes(name.toLowerCase())
}

const isAmong = (names: readonly string[], name: string) => names.includes(name)

/** Only names that this project knows come here. */
const quoted = (name: string) => `"${name}"`

/** SQLite's own codes (https://sqlite.org/rescode.html). */
const reasons: Readonly<Record<number, string>> = {
  7: 'takes more memory to read than it may',
  11: 'is damaged, or was cut off: copy it again, with Kuma stopped',
  26: 'is not a database of SQLite, or is encrypted',
}

function refusing<Value>(run: () => Value): Value {
  try {
    return run()
  } catch (error) {
    if (error instanceof ForeignFileRefused) throw error
    const code = (error as { readonly errcode?: unknown }).errcode
    const known = typeof code === 'number' ? reasons[code & 0xff] : undefined
    throw new ForeignFileRefused(known ?? `cannot be read as a database: ${errorText(error)}`, {
      cause: error,
    })
  }
}
