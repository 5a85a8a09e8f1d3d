// Reads what mysqldump or mariadb-dump wrote of Uptime Kuma's database into one of SQLite. No SQL of it runs: its
// CREATE TABLE and INSERT statements are taken apart, those of the tables that are known, and all else is passed over.
import { readFileSync, statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { sizeText } from '../../../base/sizes.ts'
import { ForeignFileRefused } from '../../../domain/imports/foreign.ts'
import { type KumaTableName, kumaTables } from '../../../domain/imports/kuma/kuma-columns.ts'
import type { ScratchRoom } from './room.ts'

/** The dump is in memory as a whole; the columns of a table. */
const dumpBytesMax = 256 * 1024 * 1024
const columnsMax = 400

/** Whether the first bytes of a file are those of a dump. */
export function isDump(head: string): boolean {
  return /^(?:\/\*M?!\d+[^\n]*\n\s*)?-- (?:MySQL|MariaDB) dump /.test(head)
}

/** A row of one digit takes four bytes there, and about ten here; an index has it again, and so has its sorting. */
const copiedRatioMax = 9
/** The share of it that is not for that sorting, which SQLite does in a file without a name. */
const databaseShare = 2 / 3
const copiedBytesLeast = 1024 ** 2

export function copiedBytesOf(dumpBytes: number): number {
  return Math.min(dumpBytes, dumpBytesMax) * copiedRatioMax + copiedBytesLeast
}

/** Writes the database at `to`, in the folder of the room. Throws ForeignFileRefused. */
export function readDump(path: string, to: string, room: ScratchRoom): void {
  const { size } = statSync(path)
  if (size > dumpBytesMax) {
    const rule = `is larger than ${sizeText(dumpBytesMax)}: leave out stat_minutely and heartbeat`
    throw new ForeignFileRefused(`${rule} with --ignore-table`)
  }
  room.mustHave(size)
  const database = new DatabaseSync(to)
  try {
    begin(database, room)
    const tables = createTables(database)
    readStatements(createScanner(readFileSync(path)), tables)
    end(database, tables)
  } catch (error) {
    throw isFull(error) ? room.without(copiedBytesOf(size), error) : error
  } finally {
    database.close()
  }
}

/** Makes tables of Kuma in a new database, and their indices. */
export async function fillDatabase(
  database: DatabaseSync,
  room: ScratchRoom,
  fill: (tables: KumaTablesMade) => Promise<void>,
): Promise<void> {
  begin(database, room)
  const tables = createTables(database)
  try {
    await fill(tables)
    end(database, tables)
  } catch (error) {
    throw isFull(error) ? room.without(room.leftBytes(), error) : error
  }
}

const pageBytes = 4_096

function begin(database: DatabaseSync, room: ScratchRoom): void {
  const pagesMax = Math.max(1, Math.floor((room.leftBytes() * databaseShare) / pageBytes))
  database.exec(
    `PRAGMA page_size = ${pageBytes}; PRAGMA max_page_count = ${pagesMax};
     PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN`,
  )
}

/** SQLITE_FULL (https://sqlite.org/rescode.html): the pages, or the disk. */
function isFull(error: unknown): boolean {
  return (error as { readonly errcode?: unknown }).errcode === 13
}

function end(database: DatabaseSync, tables: KumaTablesMade): void {
  tables.index()
  database.exec('COMMIT')
}

export type DumpedCell = string | number | null
export type KumaTablesMade = ReturnType<typeof createTables>

/** The tables that are made; their names and columns are known ones, or plain words. */
function createTables(database: DatabaseSync) {
  const columnsOf = new Map<KumaTableName, readonly string[]>()
  const insertions = new Map<string, StatementSync>()

  return {
    create(table: KumaTableName, columns: readonly string[]): void {
      if (columnsOf.has(table)) return
      const list = columns.filter((name) => /^\w{1,64}$/.test(name)).slice(0, columnsMax)
      columnsOf.set(table, columns)
      database.exec(`CREATE TABLE "${table}" (${list.map((name) => `"${name}"`).join()})`)
    },
    insert(
      table: KumaTableName,
      named: readonly string[] | undefined,
      row: readonly DumpedCell[],
    ): void {
      if (named !== undefined) this.create(table, named)
      const columns = named ?? columnsOf.get(table)
      if (columns === undefined || row.length !== columns.length) {
        throw new ForeignFileRefused(
          `has rows of ${table} without columns: dump it with --complete-insert`,
        )
      }
      const there = columnsOf.get(table) ?? []
      const known = columns.flatMap((name, at) => {
        return there.includes(name) && /^\w{1,64}$/.test(name)
          ? [{ name, cell: row[at] ?? null }]
          : []
      })
      const names = known.map(({ name }) => `"${name}"`).join()
      const sql = `INSERT INTO "${table}" (${names}) VALUES (${known.map(() => '?').join()})`
      const insertion = insertions.get(sql) ?? database.prepare(sql)
      insertions.set(sql, insertion)
      insertion.run(...known.map(({ cell }) => cell))
    },
    /** By what the past is read with. */
    index(): void {
      for (const [table, columns] of columnsOf) {
        const by = ['monitor_id', 'important', 'time', 'timestamp'].filter((one) =>
          columns.includes(one),
        )
        if (by.length > 1) database.exec(`CREATE INDEX "by_${table}" ON "${table}" (${by.join()})`)
      }
    },
  }
}

function readStatements(scanner: Scanner, tables: KumaTablesMade): void {
  while (!scanner.isAtEnd()) {
    const word = scanner.word()
    if (word === 'CREATE' && scanner.word() === 'TABLE') {
      if (scanner.word() === 'IF') scanner.words(2)
      const table = knownTable(scanner.name())
      const columns = scanner.columns()
      if (table !== undefined) tables.create(table, columns)
    } else if (word === 'INSERT' && scanner.word() === 'INTO') {
      const table = knownTable(scanner.name())
      if (table !== undefined) readRows(scanner, table, tables)
    }
    scanner.skipStatement()
  }
}

function readRows(scanner: Scanner, table: KumaTableName, tables: KumaTablesMade): void {
  const named = scanner.isNext('(') ? scanner.columns() : undefined
  if (scanner.word() !== 'VALUES') return
  do tables.insert(table, named, scanner.row())
  while (scanner.takes(','))
}

function knownTable(name: string): KumaTableName | undefined {
  // Object.keys loses the type of the names.
  return (Object.keys(kumaTables) as KumaTableName[]).find((one) => one === name)
}

type Scanner = ReturnType<typeof createScanner>

const code = (letter: string) => letter.charCodeAt(0)
const quotes = new Set([code("'"), code('"'), code('`')])
const [backslash, newline, open, close, comma, semicolon] = [...'\\\n(),;'].map(code)

/** What a letter after a backslash stands for, where it is another one. */
const escapes: Readonly<Record<string, string>> = {
  0: '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\x1a',
}

/** Goes once over the bytes: what has a meaning is ASCII, which is no part of another letter in UTF-8. */
function createScanner(bytes: Buffer) {
  let at = 0

  function skipBlank(): void {
    for (;;) {
      while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at += 1
      const two = bytes.toString('latin1', at, at + 2)
      if (two === '--' || two.startsWith('#')) at = after(bytes.indexOf('\n', at), 1)
      else if (two === '/*') at = after(bytes.indexOf('*/', at + 2), 2)
      else return
    }
  }

  function after(found: number, length: number): number {
    return found < 0 ? bytes.length : found + length
  }

  function cut(): ForeignFileRefused {
    return new ForeignFileRefused('was cut off, or is no dump of a database')
  }

  /** Where the quoted text that begins here ends, and whether it has something to be replaced. */
  function quotedEnd(): { readonly end: number; readonly isPlain: boolean } {
    const quote = bytes[at]
    let isPlain = true
    for (let end = at + 1; end < bytes.length; end += 1) {
      if (bytes[end] === backslash && quote !== code('`')) {
        isPlain = false
        end += 1
      } else if (bytes[end] === quote) {
        if (bytes[end + 1] !== quote) return { end, isPlain }
        isPlain = false
        end += 1
      }
    }
    throw cut()
  }

  function quotedText(): string {
    const quote = String.fromCharCode(bytes[at] ?? 0)
    const { end, isPlain } = quotedEnd()
    const text = bytes.toString('utf8', at + 1, end)
    at = end + 1
    if (isPlain) return text
    return text.replace(/\\([\s\S])|(['"`])\2/g, (both, letter?: string) => {
      if (letter !== undefined) return escapes[letter] ?? letter
      return both.startsWith(quote) ? quote : both
    })
  }

  function word(): string {
    skipBlank()
    const start = at
    while (/[\w.+-]/.test(String.fromCharCode(bytes[at] ?? 0))) at += 1
    return bytes.toString('latin1', start, at)
  }

  function cell(): DumpedCell {
    skipBlank()
    if (bytes[at] === code("'") || bytes[at] === code('"')) return quotedText()
    const text = word()
    if (text.startsWith('_') || /^[xXbB]$/.test(text)) return cell()
    if (text === '') throw cut()
    const number = Number(text)
    if (text.toUpperCase() === 'NULL') return null
    return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text
  }

  function isNext(letter: string): boolean {
    skipBlank()
    return bytes[at] === code(letter)
  }

  function takes(letter: string): boolean {
    const is = isNext(letter)
    if (is) at += 1
    return is
  }

  /** Passes over what is up to one of these bytes, outside of quotes and brackets. */
  function skipTo(...ends: readonly (number | undefined)[]): void {
    for (let depth = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]
      if (depth === 0 && ends.includes(byte)) return
      if (byte === open) depth += 1
      else if (byte === close) depth -= 1
      else if (byte !== undefined && quotes.has(byte)) at = quotedEnd().end
    }
  }

  return {
    isAtEnd(): boolean {
      skipBlank()
      return at >= bytes.length
    },
    isNext,
    takes,
    word: () => word().toUpperCase(),
    words(count: number): void {
      for (let index = 0; index < count; index += 1) word()
    },
    /** The name of a table or column, in quotes or plain. */
    name(): string {
      skipBlank()
      return bytes[at] !== undefined && quotes.has(bytes[at] ?? 0) ? quotedText() : word()
    },
    /** The names that begin the parts of a list in brackets: keys and constraints begin with plain words. */
    columns(): readonly string[] {
      const names: string[] = []
      if (!takes('(')) throw cut()
      do {
        skipBlank()
        if (bytes[at] === code('`') || bytes[at] === code('"')) names.push(quotedText())
        skipTo(comma, close)
      } while (takes(','))
      if (!takes(')')) throw cut()
      return names
    },
    row(): readonly DumpedCell[] {
      const cells: DumpedCell[] = []
      if (!takes('(')) throw cut()
      do cells.push(cell())
      while (takes(','))
      if (!takes(')')) throw cut()
      return cells
    },
    skipStatement(): void {
      skipTo(semicolon)
      at += 1
      if (bytes[at] === newline) at += 1
    },
  }
}
