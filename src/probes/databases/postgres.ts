// The check of a PostgreSQL server: signs in, and asks a query.
// https://www.postgresql.org/docs/current/protocol.html
import { connect, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type * as Library from 'pg'
import { requireLibrary } from '../../base/assets.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { failure } from '../../net/failure.ts'
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

const usualPort = 5_432
const schemes = ['postgres', 'postgresql']
const protocol = 'PostgreSQL'

export const postgres = defineKind({
  type: 'postgres',
  fields: ['connection', 'stream', 'message', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes,
  family: 'data',
  icon: 'database',
  example: 'postgres://db.example.com/shop',
  urlForm:
    '`postgres://host[:port][/database]` (5432); absent: the database named as the user, who is ' +
    `postgres if no \`username\` is given. ${databaseUrlWords}. \`body\` is a query, and the answer JSON ` +
    `with ${rowsWords}; without one, the answer is the \`version\` of the server`,
  finds: 'json',
  ownsQuery: true,
  message: { is: 'query', example: 'SELECT count(*) FROM jobs' },
  typed: { ports: [usualPort] },
  usualPorts: new Set([usualPort]),
  parse: (text) => parseDatabaseUrl(text, { schemes, usualPort }),
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const socket = await opened(url, run)
      lendSocket(run, socket, { protocol })
      const client = clientOn(socket, url, target)
      const isUnproved = url.tls !== 'off' && !(socket instanceof TLSSocket)
      const lost = new Promise<never>((_, reject) => {
        client.on('error', () => reject(brokenOff()))
        // A password in clear text is for a server that TLS has proved, unless the address does without.
        const inside = client as unknown as ClientInside
        if (isUnproved) inside._handleAuthCleartextPassword = () => reject(withoutTls())
      })
      lost.catch(() => {})
      const said = async (): Promise<TargetAnswer> => {
        let version: string | undefined
        connectionOf(client).on('parameterStatus', (found: ParameterStatus) => {
          if (found.parameterName === 'server_version') version = found.parameterValue
        })
        await client.connect()
        if (!target.body) return answerOf({ version: version ?? null })
        return ask(client, target.body, { run, target })
      }
      try {
        return await Promise.race([said(), lost])
      } catch (cause) {
        throw failureOf(cause)
      }
    },
  }),
})

/** The request for TLS before everything else, and the request to cancel a query. */
const sslRequest = Buffer.from('0000000804d2162f', 'hex')
const cancelRequest = 80_877_102

/** A connection, with TLS if the server offers it. */
async function opened({ host, port, tls }: DatabaseUrl, run: ProbeRun): Promise<Socket> {
  const isUsualPort = port === usualPort
  const { socket } = await run.connect({ host, port, isTls: false }, { isUsualPort })
  if (tls === 'off') return socket
  await send(socket, sslRequest)
  const answer = await firstByte(socket)
  if (answer === 'S') return (await run.secure(socket, host, { alpn: [] })).socket
  if (answer !== 'N') throw new RunError(notSpoken(protocol))
  if (tls === 'preferred') return socket
  throw withoutTls()
}

/** The only byte that a server sends before TLS: more of them would be read as if TLS had protected them. */
function firstByte(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      stop()
      resolve(chunk.toString('latin1'))
    }
    const closed = (): void => {
      stop()
      reject(brokenOff())
    }
    const stop = (): void => {
      socket.off('data', read)
      socket.off('close', closed)
      socket.off('end', closed)
    }
    socket.on('data', read)
    socket.on('close', closed)
    socket.on('end', closed)
  })
}

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

/** What the types of the driver leave out. */
interface ClientInside {
  readonly connection: NodeJS.EventEmitter
  _handleAuthCleartextPassword(): void
  readonly processID: number | null
  readonly secretKey: number | null
}

function connectionOf(client: Library.Client) {
  return (client as unknown as ClientInside).connection
}

function clientOn(socket: Socket, { database }: DatabaseUrl, target: EndpointTarget) {
  const { Client } = requireLibrary('pg') as typeof Library
  const user = target.username ?? 'postgres'
  // The driver connects by itself if the stream does not say that it is connected.
  socket.connect = () => {
    process.nextTick(() => socket.emit('connect'))
    return socket
  }
  return new Client({
    stream: () => socket,
    ssl: false,
    user,
    database: database === '' ? user : database,
    // A function, because without a password the driver looks for one in files and in the environment.
    password: () => target.password || Promise.reject(withoutPassword()),
    application_name: 'stillup',
    types: { getTypeParser: () => asText },
  })
}

const asText = (text: string) => text

/** The types of which JSON has its own, by the ids of the catalogue: pg_type.dat. */
const numbers: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1_700])
const documents: ReadonlySet<number> = new Set([114, 3_802])
const bool = 16

function cellOf(text: string | null, type: number): Cell {
  if (text === null) return null
  if (type === bool) return text === 't'
  if (numbers.has(type)) return numberIn(text)
  return documents.has(type) ? (JSON.parse(text) as Cell) : text
}

async function ask(client: Library.Client, text: string, asking: Asking): Promise<TargetAnswer> {
  const stop = cancelInTime(client, asking)
  try {
    const query = { text, rowMode: 'array' as const }
    const found = await client.query<(string | null)[]>(query)
    // Several statements in one text have a result each.
    const results = Array.isArray(found) ? (found as (typeof found)[]) : [found]
    const { fields = [], rows = [], rowCount = null } = results.at(-1) ?? {}
    return answerOfRows({
      columns: fields.map(({ name }) => name),
      rows: rows.map((row) => row.map((cell, i) => cellOf(cell, fields[i]?.dataTypeID ?? 0))),
      rowCount,
    })
  } finally {
    stop()
  }
}

/**
 * A server goes on with a query whose client has left, and checks in a row would pile up there: so the
 * query is cancelled shortly before the deadline. Returns how to leave that.
 */
function cancelInTime(client: Library.Client, { run, target }: Asking): () => void {
  const { clock, record } = run
  const timer = clock.setTimeout(() => {
    const { processID, secretKey } = client as unknown as ClientInside
    if (processID === null || secretKey === null || record.address === undefined) return
    const { port } = parseDatabaseUrl(target.url, { schemes, usualPort }) as DatabaseUrl
    const request = Buffer.alloc(16)
    request.writeInt32BE(request.length, 0)
    request.writeInt32BE(cancelRequest, 4)
    request.writeInt32BE(processID, 8)
    request.writeInt32BE(secretKey, 12)
    // The address that was judged when the check connected to it.
    const way = connect({ host: record.address, port }, () => way.end(request))
    way.on('error', () => {})
    run.track(way)
  }, verdictAtMs(run, target) - clock.monoMs())
  return () => clock.clearTimeout(timer)
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const meanings: Readonly<Record<string, RefusalKind>> = {
  '28000': 'signIn',
  '28P01': 'signIn',
  '3D000': 'missing',
  '42501': 'rights',
  '53300': 'full',
  '57P03': 'notReady',
}
const cancelled = '57014'

/** No server takes an empty password. */
function withoutPassword(): RunError {
  return new RunError(failure('status', 'the server asks for a password'))
}

function failureOf(cause: unknown): unknown {
  if (cause instanceof RunError || !(cause instanceof Error)) return cause
  const { code } = cause as { readonly code?: unknown }
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
    if (code === cancelled) return tookTooLong()
    return refusedBy(meanings[code] ?? 'error', code, cause.message)
  }
  if (/terminated/.test(cause.message)) return brokenOff()
  return new RunError(notSpoken(protocol))
}
