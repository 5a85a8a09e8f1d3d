// Copies what is read of Uptime Kuma from the MariaDB or MySQL server that has its data into a database of SQLite.
import { once } from 'node:events'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type * as Library from 'mysql2'
import { requireLibrary } from '../../../base/assets.ts'
import { startClock } from '../../../base/clock.ts'
import { ForeignFileRefused } from '../../../domain/imports/foreign.ts'
import { type KumaTableName, kumaTables } from '../../../domain/imports/kuma/kuma-columns.ts'
import { createResolver } from '../../../net/dns/resolver.ts'
import { createGuard } from '../../../net/egress-policy.ts'
import { RunError, runGuarded } from '../../../net/run/guarded-run.ts'
import { RunRecord } from '../../../net/run/run-record.ts'
import { type DumpedCell, fillDatabase, type KumaTablesMade } from './kuma-dump.ts'
import { createRoom } from './room.ts'

export interface KumaDataServer {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  /** With TLS, whose certificate is judged; else the server is asked without. */
  readonly isTls: boolean
}

/** The rows of all tables; Kuma keeps a row for each day and hour of a monitor, and its changes of state. */
const rowsMax = 10_000_000
const timeoutMs = 10 * 60_000

/** Writes the database at `to`. Whoever runs the command names the server, so no rule forbids it. Throws ForeignFileRefused. */
export async function copyServer(server: KumaDataServer, to: string): Promise<void> {
  const clock = startClock()
  const database = new DatabaseSync(to)
  try {
    const deps = {
      clock,
      resolver: createResolver({ clock }),
      guard: createGuard({ targets: 'any' }),
    }
    const { host, port } = server
    await runGuarded(
      { deps, scope: { timeoutMs }, clock, record: new RunRecord(clock) },
      async (run) => {
        const { socket } = await run.connect({ host, port, isTls: false }, { isUsualPort: true })
        const room = createRoom(dirname(to))
        await fillDatabase(database, room, (tables) => copyTables(clientOn(socket, server), tables))
      },
    )
  } catch (error) {
    throw refusal(error)
  } finally {
    database.close()
    clock.stop()
  }
}

function clientOn(stream: object, { host, database, user, password, isTls }: KumaDataServer) {
  const { createConnection } = requireLibrary('mysql2') as typeof Library
  return createConnection({
    stream,
    user,
    password,
    database,
    connectTimeout: 0,
    // The server may not ask for files.
    flags: ['-LOCAL_FILES', '-SESSION_TRACK'],
    disableEval: true,
    rowsAsArray: true,
    typeCast: (field: ReceivedField) => cellOf(field),
    // The name is for the certificate: the connection is there.
    host,
    ...(isTls ? { ssl: { verifyIdentity: true } } : {}),
  } as Library.ConnectionOptions)
}

interface ReceivedField {
  readonly type: string
  string(encoding: 'utf8'): string | null
}

const numbers = /^(TINY|SHORT|LONG|INT24|LONGLONG|FLOAT|DOUBLE|DECIMAL|NEWDECIMAL|YEAR)$/

function cellOf(field: ReceivedField): DumpedCell {
  const text = field.string('utf8')
  if (text === null || !numbers.test(field.type)) return text
  const number = Number(text)
  return Number.isSafeInteger(number) || !Number.isInteger(number) ? number : text
}

async function copyTables(client: Library.Connection, tables: KumaTablesMade): Promise<void> {
  const lost = new Promise<never>((_, reject) => client.on('error', reject))
  lost.catch(() => {})
  let left = rowsMax
  const copy = async () => {
    await once(client, 'connect')
    const columns = new Map<KumaTableName, string[]>()
    await eachRow(client, columnsQuery, ([table, column]) => {
      // The query asks for these alone.
      const name = String(table).toLowerCase() as KumaTableName
      columns.set(name, [...(columns.get(name) ?? []), String(column)])
    })
    for (const [table, all] of columns) {
      const wanted: readonly string[] = [...kumaTables[table].read, madeAt]
      const read = all.filter((one) => wanted.includes(one))
      tables.create(table, all)
      const list = read.map((one) => `\`${one}\``).join()
      const some = table === 'heartbeat' ? newest(list) : `SELECT ${list} FROM \`${table}\``
      if (read.length === 0) continue
      await eachRow(client, some, (row) => {
        left -= 1
        if (left < 0) throw new ForeignFileRefused(`has more than ${rowsMax} rows`)
        tables.insert(table, read, row)
      })
    }
    client.end()
  }
  await Promise.race([copy(), lost])
}

/** By this an installation is known, too. */
const madeAt = 'created_date'

const columnsQuery = `SELECT table_name, column_name FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name IN (${Object.keys(kumaTables)
    .map((name) => `'${name}'`)
    .join()}) ORDER BY table_name, ordinal_position`

/** The beats at which a state changed, and the last one of each monitor. */
function newest(list: string): string {
  return `SELECT ${list} FROM heartbeat WHERE important = 1 OR id IN
    (SELECT max(id) FROM heartbeat GROUP BY monitor_id)`
}

function eachRow(
  client: Library.Connection,
  sql: string,
  take: (row: readonly DumpedCell[]) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    client
      .query(sql)
      .on('result', (row: unknown) => {
        try {
          // `rowsAsArray` and `cellOf` make it so.
          take(row as readonly DumpedCell[])
        } catch (error) {
          reject(error)
          client.destroy()
        }
      })
      .on('error', reject)
      .on('end', () => resolve())
  })
}

/** What the server says names the user and the database, and no password. */
function refusal(error: unknown): unknown {
  if (error instanceof ForeignFileRefused) return error
  if (error instanceof RunError) {
    return new ForeignFileRefused(`cannot be read: ${error.failure.message}`, { cause: error })
  }
  const { errno, code, message } = error as { errno?: unknown; code?: unknown; message?: unknown }
  if (typeof errno !== 'number' && typeof code !== 'string') return error
  return new ForeignFileRefused(`cannot be read: ${message}`, { cause: error })
}
