// The check of a Microsoft SQL Server: signs in, and asks a query.
// https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-tds/
import type { Socket } from 'node:net'
import type LoginMessage from 'tedious/lib/login7-payload.js'
import type PreloginMessage from 'tedious/lib/prelogin-payload.js'
import type TokenParser from 'tedious/lib/token/stream-parser.js'
import type * as Tokens from 'tedious/lib/token/token.js'
import { requireLibrary } from '../../base/assets.ts'
import { createYielder } from '../../base/yielding.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import {
  beyond,
  brokenOff,
  inOneLine,
  notSpoken,
  type RefusalKind,
  refusedBy,
  tookTooLong,
  withoutTls,
} from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import { type ProbeRun, verdictAtMs } from '../run/probe-run.ts'
import { type DatabaseUrl, parseDatabaseUrl } from './database-url.ts'
import {
  type Asking,
  answerOfRows,
  type Cell,
  type FoundRows,
  numberIn,
  rowsInAnswerMax,
  rowsWords,
} from './rows.ts'
import { messages, packetBytes, protocol, TdsTalk, TlsInPackets } from './tds-talk.ts'

const usualPort = 1_433
const schemes = ['sqlserver', 'mssql']

export const sqlserver = defineKind({
  type: 'sqlserver',
  fields: ['connection', 'stream', 'message', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes,
  family: 'data',
  icon: 'database',
  example: 'sqlserver://db.example.com/shop',
  urlForm:
    '`sqlserver://host[:port][/database]` or `mssql://host[:port][/database]`, which means the same (1433); an ' +
    'instance with a name is given by its port. TLS is required, because the password is sent, and the ' +
    'certificate is judged; `?tls=strict` begins with it (TDS 8), `?tls=off` does without. `body` is one ' +
    `query, and the answer JSON with ${rowsWords}; without one, the answer is the \`version\` of the server`,
  finds: 'json',
  ownsQuery: true,
  message: { is: 'query', example: 'SELECT count(*) FROM jobs' },
  typed: { ports: [usualPort] },
  usualPorts: new Set([usualPort]),
  parse,
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      let { talk, login } = await signedIn(url, url, { target, run })
      for (let hops = 0; login.elsewhere !== undefined; hops += 1) {
        // The password goes along, so only a server that TLS has proved may say where.
        const place = url.tls === 'off' || hops === hopsMax ? undefined : parse(login.elsewhere)
        if (place === undefined || place.problem !== undefined) throw sentOn(login.elsewhere)
        ;({ talk, login } = await signedIn(place, url, { target, run }))
      }
      if (target.body) return ask(talk, target.body, { run, target })
      return answerOf({ version: login.version })
    },
  }),
})

function parse(text: string) {
  return parseDatabaseUrl(text, { schemes, usualPort, ways: ['strict'] })
}

/** How often a server may send the client to another one: Azure and availability groups do so once. */
const hopsMax = 3

interface TdsPlace {
  readonly host: string
  readonly port: number
}

function sentOn(url: string): RunError {
  const found = failure('status', 'the server sends clients to another one')
  return new RunError({ ...found, detail: inOneLine(url) })
}

/** The options of an encryption, 2.2.6.5. */
const encryption = { on: 1, required: 3 } as const
const strictAlpn = 'tds/8.0'

/** A connection over which the sign-in may be sent. */
async function opened({ host, port }: TdsPlace, tls: DatabaseUrl['tls'], run: ProbeRun) {
  const isUsualPort = port === usualPort
  const { socket } = await run.connect({ host, port, isTls: false }, { isUsualPort })
  if (tls === 'strict') {
    const secured = await run.secure(socket, host, { alpn: [strictAlpn] })
    const talk = new TdsTalk(run, secured.socket)
    await offered(talk, false)
    return talk
  }
  const talk = new TdsTalk(run, socket)
  const found = await offered(talk, tls !== 'off')
  const isOffered = found === encryption.on || found === encryption.required
  if (tls === 'off') {
    if (isOffered) throw new RunError(failure('tls', 'the server requires TLS'), 'tls')
    return talk
  }
  if (!isOffered) throw withoutTls()
  const way = new TlsInPackets(talk.release())
  const secured = await run.secure(way as unknown as Socket, host, { alpn: [] })
  way.isOpen = true
  return new TdsTalk(run, secured.socket)
}

/** What the server says about encryption. */
async function offered(talk: TdsTalk, encrypt: boolean): Promise<number | undefined> {
  const Prelogin = requireLibrary(
    'tedious/lib/prelogin-payload.js',
  ) as typeof PreloginMessage.default
  const version = { major: 0, minor: 0, build: 0, subbuild: 0 }
  const { data } = new Prelogin({ encrypt, version })
  const answer = await talk.ask(messages.prelogin, data)
  return understood(() => new Prelogin(answer).encryption)
}

/** What the library reads; it throws errors of its own at what is none of TDS. */
function understood<Found>(read: () => Found): Found {
  try {
    return read()
  } catch {
    throw new RunError(notSpoken(protocol))
  }
}

type Token =
  | Tokens.ColMetadataToken
  | Tokens.DoneInProcToken
  | Tokens.DoneProcToken
  | Tokens.DoneToken
  | Tokens.EnvChangeToken
  | Tokens.ErrorMessageToken
  | Tokens.FeatureExtAckToken
  | Tokens.InfoMessageToken
  | Tokens.LoginAckToken
  | Tokens.NBCRowToken
  | Tokens.RowToken

const versions = {
  usual: { name: '7_4', code: 0x7400_0004 },
  strict: { name: '8_0', code: 0x0800_0000 },
}

/** What a check reads of an answer: a row of many columns may have one byte. SELECT has 4,096 columns at most. */
const columnsMax = 4_096
const valuesMax = 250_000

/** How an answer is read: in pieces, and so long at once. */
const pieceBytes = 16 * 1024
const sliceMs = 5

/** The changes of settings that are read, 2.2.7.9; the library would write of some others on the console. */
const envChange = 0xe3
const changes: ReadonlySet<unknown> = new Set([4, 20])

/** Reads tokens; of changes that nobody asks about it says only that there was one. */
function createParser(): TokenParser.default {
  const Parser = requireLibrary('tedious/lib/token/stream-parser.js') as typeof TokenParser.default
  const parser = new Parser({ tdsVersion: versions.usual.name, useUTC: true } as never)
  const read = parser.readToken
  parser.readToken = () => {
    const { buffer, position } = parser
    const left = buffer.length - position
    const isChange = buffer[position] === envChange && left > 3
    const bytes = isChange ? buffer.readUInt16LE(position + 1) : 0
    if (isChange && bytes === 0) throw new Error('no change')
    const isWhole = isChange && left >= 3 + bytes
    if (!isWhole || changes.has(buffer[position + 3])) return read.call(parser)
    parser.position += 3 + bytes
    return { name: 'ENVCHANGE', type: 'OTHER' } as unknown as Tokens.Token
  }
  return parser
}

/**
 * The tokens of an answer; throws a RunError if it is more than a check reads, and at its end if one of them was
 * an error of the server.
 */
async function* tokensOf(answer: Buffer, run: ProbeRun): AsyncGenerator<Token> {
  const parser = createParser()
  const yielder = createYielder(run.clock, sliceMs)
  let last: Token | undefined
  // Of several the first says why: the others that something failed.
  let refused: Tokens.ErrorMessageToken | undefined
  let values = 0
  for (let at = 0; at < answer.length; at += pieceBytes) {
    parser.write(answer.subarray(at, at + pieceBytes))
    for (;;) {
      if (yielder.isDue()) await yielder.pause()
      if (run.isOver) throw brokenOff()
      const token = understood(() => parser.read()) as Token | undefined
      const unread = parser.tokenReader as { readonly columns?: readonly unknown[] } | undefined
      const columns = (token && 'columns' in token ? token : unread)?.columns
      const count = Array.isArray(columns) ? columns.length : 0
      if (count > columnsMax) throw beyond('4,096 columns')
      if (token === undefined) break
      values += Math.max(1, count)
      if (values > valuesMax) throw beyond('250,000 values')
      if (token.name === 'ERROR') refused ??= token
      last = token
      yield token
    }
  }
  understood(() => parser.end())
  // An answer ends with how it went.
  if (!last?.name.startsWith('DONE')) throw new RunError(notSpoken(protocol))
  if (refused) {
    const { number, message } = refused
    throw refusedBy(meanings[number] ?? 'error', String(number), message)
  }
}

interface Login {
  readonly version: string
  /** The URL to which the server sends the client. */
  readonly elsewhere: string | undefined
}

async function signedIn(place: TdsPlace, { tls, database }: DatabaseUrl, asking: Asking) {
  const talk = await opened(place, tls, asking.run)
  const message = loginOf(place, database, tls === 'strict', asking.target)
  const tokens = tokensOf(await talk.ask(messages.login, message), asking.run)
  let elsewhere: string | undefined
  let version: string | undefined
  for await (const token of tokens) {
    if (token.name === 'COLMETADATA') throw new RunError(notSpoken(protocol))
    if (token.name === 'LOGINACK') {
      const { major, minor, buildNumHi, buildNumLow } = token.progVersion
      version = `${major}.${minor}.${buildNumHi * 256 + buildNumLow}`
    } else if (token.name === 'ENVCHANGE' && token.type === 'PACKET_SIZE') {
      const { newValue } = token
      if (newValue >= 512 && newValue <= 32_767) talk.packetBytesMax = newValue
    } else if (token.name === 'ENVCHANGE' && token.type === 'ROUTING_CHANGE') {
      elsewhere = `sqlserver://${token.newValue.server}:${token.newValue.port}`
    }
  }
  if (version === undefined) throw new RunError(notSpoken(protocol))
  const login: Login = { version, elsewhere }
  return { talk, login }
}

/** The settings of ODBC, which queries expect: those of ANSI. */
const odbc = 2

function loginOf({ host }: TdsPlace, database: string, isStrict: boolean, target: EndpointTarget) {
  const Login = requireLibrary('tedious/lib/login7-payload.js') as typeof LoginMessage.default
  const tdsVersion = versions[isStrict ? 'strict' : 'usual'].code
  const nobody = { clientProgVer: 0, clientPid: 0, connectionId: 0, clientTimeZone: 0 }
  const login = new Login({ tdsVersion, packetSize: packetBytes, clientLcid: 0x409, ...nobody })
  Object.assign(login, {
    ...{ hostname: 'stillup', appName: 'stillup', libraryName: 'stillup' },
    ...{ serverName: host, database, initDbFatal: true },
    userName: target.username ?? 'sa',
    password: target.password ?? '',
    buildOptionFlags2: () => odbc,
  } satisfies Partial<LoginMessage.default>)
  return login.toBuffer()
}

/** The headers of a request that is in no transaction, 2.2.5.3. */
const requestHeaders = Buffer.from('16000000120000000200000000000000000001000000', 'hex')

async function ask(talk: TdsTalk, sql: string, { run, target }: Asking): Promise<TargetAnswer> {
  const { clock } = run
  let isCancelled = false
  // A server that is told so stops the query.
  const timer = clock.setTimeout(() => {
    isCancelled = true
    talk.tell(messages.attention)
  }, verdictAtMs(run, target) - clock.monoMs())
  const request = Buffer.concat([requestHeaders, Buffer.from(sql, 'utf16le')])
  const answer = await talk.ask(messages.batch, request).finally(() => clock.clearTimeout(timer))
  if (isCancelled) throw tookTooLong()
  return answerOfRows(await foundIn(tokensOf(answer, run)))
}

/** The last result with rows; of a query that has none, how many it changed. */
async function foundIn(tokens: AsyncIterable<Token>): Promise<FoundRows> {
  let found: { columns: string[]; rows: Cell[][]; rowCount: number } | undefined
  let changed: number | null = null
  for await (const token of tokens) {
    if (token.name === 'COLMETADATA') {
      found = { columns: token.columns.map(({ colName }) => colName), rows: [], rowCount: 0 }
    } else if ((token.name === 'ROW' || token.name === 'NBCROW') && found) {
      found.rowCount += 1
      const columns = token.columns as Column[]
      if (found.rowCount <= rowsInAnswerMax) found.rows.push(understood(() => columns.map(cellOf)))
    } else if (token.name.startsWith('DONE') && 'rowCount' in token) {
      changed = token.rowCount ?? changed
    }
  }
  return found ?? { columns: [], rows: [], rowCount: changed }
}

interface Column {
  readonly value: Cell | Buffer | Date
  readonly metadata: { readonly type: { readonly name: string } }
}

function cellOf({ value, metadata: { type } }: Column): Cell {
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex').toUpperCase()}`
  if (value instanceof Date) return timeOf(value, type.name)
  // The library reads long integers as texts.
  const isLong = typeof value === 'string' && /^(BigInt|IntN)$/.test(type.name)
  return isLong ? numberIn(value) : value
}

/** As ISO 8601 has it; without a zone where the type has none. */
function timeOf(value: Date, type: string): string {
  const text = value.toISOString()
  switch (type) {
    case 'Date':
      return text.slice(0, 10)
    case 'Time':
      return text.slice(11, -1)
    case 'DateTimeOffset':
      return text
    default:
      return text.slice(0, -1)
  }
}

/** https://learn.microsoft.com/en-us/sql/relational-databases/errors-events/database-engine-events-and-errors */
const meanings: Readonly<Record<number, RefusalKind>> = {
  229: 'rights',
  230: 'rights',
  262: 'rights',
  297: 'rights',
  300: 'rights',
  911: 'missing',
  916: 'rights',
  922: 'notReady',
  927: 'notReady',
  983: 'notReady',
  4060: 'missing',
  6005: 'notReady',
  10928: 'full',
  10929: 'full',
  17142: 'notReady',
  17809: 'full',
  18401: 'notReady',
  18450: 'signIn',
  18452: 'signIn',
  18456: 'signIn',
  18470: 'signIn',
  18486: 'signIn',
  18487: 'signIn',
  18488: 'signIn',
  40501: 'full',
  40532: 'signIn',
  40613: 'notReady',
  40615: 'signIn',
}
