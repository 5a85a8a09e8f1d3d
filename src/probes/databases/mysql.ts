// The check of a MySQL or MariaDB server: signs in, and asks a query.
// https://mariadb.com/kb/en/clientserver-protocol/
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type * as Library from 'mysql2'
import { requireLibrary } from '../../base/assets.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import {
  brokenOff,
  lendSocket,
  notSpoken,
  type RefusalKind,
  refusedBy,
  tookTooLong,
  withoutTls,
} from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import { type ProbeRun, send, verdictAtMs } from '../run/probe-run.ts'
import { type DatabaseUrl, databaseUrlWords, parseDatabaseUrl } from './database-url.ts'
import { type Asking, answerOfRows, type Cell, numberIn, rowsWords } from './rows.ts'

const usualPort = 3_306
const schemes = ['mysql', 'mariadb']
const protocol = 'the protocol of MySQL'

export const mysql = defineKind({
  type: 'mysql',
  fields: ['connection', 'stream', 'message', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes,
  family: 'data',
  icon: 'database',
  example: 'mysql://db.example.com/shop',
  urlForm:
    '`mysql://host[:port][/database]` or `mariadb://host[:port][/database]`, which means the same (3306). ' +
    `${databaseUrlWords}. \`body\` is one query, and the answer JSON with ${rowsWords}; without one, the ` +
    'answer is the `version` of the server',
  finds: 'json',
  ownsQuery: true,
  message: { is: 'query', example: 'SELECT count(*) FROM jobs' },
  typed: { ports: [usualPort] },
  usualPorts: new Set([usualPort]),
  parse: (text) => parseDatabaseUrl(text, { schemes, usualPort }),
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const { host, port } = url
      const isUsualPort = port === usualPort
      const { socket } = await run.connect({ host, port, isTls: false }, { isUsualPort })
      const client = clientOn(socket, { url, target, run })
      const lost = new Promise<never>((_, reject) => {
        client.on('error', reject)
        client.startTLS = (done) => secure(client, url, run).then(done).catch(reject)
      })
      lost.catch(() => {})
      const said = async (): Promise<TargetAnswer> => {
        await once(client, 'connect')
        const answer = target.body ? await ask(client, target.body, { run, target }) : about(client)
        // A server notes in its log each client that leaves without a word.
        await send(client.stream, goodbye).catch(() => {})
        return answer
      }
      try {
        return await Promise.race([said(), lost])
      } catch (cause) {
        throw failureOf(cause)
      }
    },
  }),
})

const goodbye = Buffer.from('0100000001', 'hex')
/** The bit of the greeting that offers TLS. */
const offersTls = 0x800

interface MysqlPlugins {
  readonly authPlugins: Readonly<Record<string, (options: object) => unknown>>
}

/** How the two methods sign in that ask the server for a key where TLS does not protect the password. */
function withoutForeignKeys({
  caching_sha2_password,
  sha256_password,
}: MysqlPlugins['authPlugins']) {
  const onServerPublicKey = (): never => {
    throw withoutTls()
  }
  return {
    caching_sha2_password: caching_sha2_password?.({ onServerPublicKey }),
    sha256_password: sha256_password?.({ onServerPublicKey }),
  } as NonNullable<Library.ConnectionOptions['authPlugins']>
}

/** What the types of the driver leave out. */
interface MysqlInside {
  stream: Socket
  packetParser: { execute(chunk: Buffer): void }
  readonly config: object
  readonly serverCapabilityFlags: number
  readonly sequenceId: number
  readonly _handshakePacket: { readonly serverVersion: string } | null
  handlePacket(packet?: { readonly sequenceId: number }): void
  startTLS(done: () => void): void
}
type MysqlClient = Library.Connection & MysqlInside

function clientOn(stream: Socket, { url, run, target }: Asking & { readonly url: DatabaseUrl }) {
  const { createConnection, authPlugins } = requireLibrary('mysql2') as typeof Library &
    MysqlPlugins
  lendSocket(run, stream, { protocol })
  const client = createConnection({
    stream,
    user: target.username ?? 'root',
    password: target.password ?? '',
    database: url.database,
    connectTimeout: 0,
    // The server may not ask for files.
    flags: ['-LOCAL_FILES', '-SESSION_TRACK'],
    connectAttributes: { program_name: 'stillup' },
    disableEval: true,
    rowsAsArray: true,
    typeCast: cellOf,
    // Without TLS anybody on the way could send a key of their own, and read the password.
    ...(url.tls === 'off' ? {} : { authPlugins: withoutForeignKeys(authPlugins) }),
  }) as MysqlClient
  const take = client.handlePacket
  // The driver would only warn of it, on the console.
  client.handlePacket = (packet) => {
    if (packet && packet.sequenceId !== client.sequenceId) run.end(notSpoken(protocol))
    else take.call(client, packet)
  }
  const isTls = () =>
    url.tls === 'required' ||
    (url.tls === 'preferred' && (client.serverCapabilityFlags & offersTls) !== 0)
  // The driver looks there once it has read the greeting.
  Object.defineProperty(client.config, 'ssl', { get: () => isTls() && {} })
  return client
}

async function secure(client: MysqlClient, { host }: DatabaseUrl, run: ProbeRun): Promise<void> {
  const { stream: plain, handlePacket } = client
  plain.removeAllListeners('data')
  // What comes before TLS would be read as if TLS had protected it.
  client.handlePacket = () => run.end(notSpoken(protocol))
  const { socket } = await run.secure(plain, host, { alpn: [] })
  client.handlePacket = handlePacket
  client.stream = socket
  lendSocket(run, socket, { protocol })
  socket.on('data', (chunk) => client.packetParser.execute(chunk))
  socket.on('close', () => client.emit('error', brokenOff()))
}

function about({ _handshakePacket: greeting }: MysqlClient): TargetAnswer {
  // MariaDB begins with a version for old replicas.
  return answerOf({ version: greeting?.serverVersion.replace(/^5\.5\.5-(?=\d)/, '') ?? null })
}

/** The types of which JSON has its own. */
const numbers = /^(TINY|SHORT|LONG|INT24|LONGLONG|FLOAT|DOUBLE|DECIMAL|NEWDECIMAL|YEAR)$/

interface MysqlField {
  readonly type: string
  /** MariaDB says so what else is a text. */
  readonly extendedFormat?: string | undefined
  string(encoding: 'utf8'): string | null
}

function cellOf(field: MysqlField): Cell {
  const text = field.string('utf8')
  if (text === null) return null
  if (numbers.test(field.type)) return numberIn(text)
  const isDocument = field.type === 'JSON' || field.extendedFormat === 'json'
  return isDocument ? (JSON.parse(text) as Cell) : text
}

async function ask(client: MysqlClient, sql: string, { run, target }: Asking) {
  // A server goes on with a query whose client has left, so its bound is set before.
  const leftMs = Math.max(1, Math.floor(verdictAtMs(run, target) - run.clock.monoMs()))
  const isMariaDb = /mariadb/i.test(client._handshakePacket?.serverVersion ?? '')
  const bound = isMariaDb
    ? `max_statement_time = ${leftMs / 1_000}`
    : `max_execution_time = ${leftMs}`
  // Old servers, and proxies, know no such bound.
  await resultOf(client, `SET SESSION ${bound}`).catch((cause) => {
    if (typeof cause.errno !== 'number') throw cause
  })
  const { columns, found } = await resultOf(client, sql)
  const { affectedRows: rowCount = null } = found
  const rows = columns === undefined ? [] : found
  return answerOfRows({ columns: columns?.map(({ name }) => name) ?? [], rows, rowCount })
}

interface MysqlResult {
  readonly columns: readonly { readonly name: string }[] | undefined
  /** With columns, the rows; else how many were changed. */
  readonly found: readonly (readonly Cell[])[] & { readonly affectedRows?: number }
}

/** The result of a query; the last one with rows where a procedure has several. */
function resultOf(client: MysqlClient, sql: string): Promise<MysqlResult> {
  return new Promise((resolve, reject) => {
    client.query(sql, (cause: unknown, found: unknown, columns: unknown) => {
      if (cause) return reject(cause)
      const isOne = !Array.isArray(columns) || columns.every((one) => one && !Array.isArray(one))
      if (isOne) return resolve({ columns, found } as MysqlResult)
      const at = columns.findLastIndex(Array.isArray)
      resolve({ columns: columns[at], found: (found as unknown[])[at] } as MysqlResult)
    })
  })
}

/** https://mariadb.com/docs/server/reference/error-codes */
const meanings: Readonly<Record<number, RefusalKind>> = {
  1040: 'full',
  1044: 'rights',
  1045: 'signIn',
  1049: 'missing',
  1053: 'notReady',
  1129: 'signIn',
  1130: 'signIn',
  1142: 'rights',
  1143: 'rights',
  1203: 'full',
  1226: 'full',
  1227: 'rights',
  1370: 'rights',
  1698: 'signIn',
  1862: 'signIn',
  3118: 'signIn',
  4151: 'signIn',
}
/** How the two servers say that a query met its bound. */
const exceeded: ReadonlySet<unknown> = new Set([1_969, 3_024])

function failureOf(cause: unknown): unknown {
  if (cause instanceof RunError || !(cause instanceof Error)) return cause
  const { code, errno } = cause as { readonly code?: unknown; readonly errno?: unknown }
  if (exceeded.has(errno)) return tookTooLong()
  if (typeof errno === 'number' && errno > 0) {
    return refusedBy(meanings[errno] ?? 'error', String(errno), cause.message)
  }
  if (code === 'PROTOCOL_CONNECTION_LOST') return brokenOff()
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return withoutTls()
  const [, method] = /plugin (\w+)\.|using (mysql_clear_password)/.exec(cause.message) ?? []
  if (method !== undefined) return refusedBy('signIn', '', `It asks for ${method}.`)
  return new RunError(notSpoken(protocol))
}
