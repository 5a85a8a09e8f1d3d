// The check of a MongoDB server, or of one that speaks as it does: signs in, and runs a command that reads.
// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import type * as Library from 'bson'
import { requireLibrary } from '../../base/assets.ts'
import { isRecord } from '../../base/schema/pick.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import {
  brokenOff,
  driverBytesMax,
  lendSocket,
  notSpoken,
  type RefusalKind,
  refusedBy,
  tookTooLong,
} from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import { parsePlaceUrl, readOptions, type UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import { type ProbeRun, verdictAtMs } from '../run/probe-run.ts'
import { signInByScram } from '../run/scram.ts'
import { databaseIn } from './database-url.ts'
import { numberIn } from './rows.ts'

const usualPort = 27_017
const protocol = 'the protocol of MongoDB'

/** What such a check may ask: nothing that changes the data or the server. */
const commands: ReadonlySet<string> = new Set(
  (
    'ping hello count distinct find aggregate dbStats collStats listCollections serverStatus buildInfo ' +
    'replSetGetStatus'
  ).split(' '),
)

export const mongodb = defineKind({
  type: 'mongodb',
  fields: ['connection', 'stream', 'message', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes: ['mongodb'],
  family: 'data',
  icon: 'database',
  example: 'mongodb://db.example.com/shop',
  urlForm:
    '`mongodb://host[:port][/database]` (27017), one server: its other members are not asked for. With ' +
    '`?tls=true` TLS is used; `?authSource=admin` names the database of the user, else it is that of the URL. ' +
    '`body` is a command that reads, in JSON; absent: `{"ping": 1}`. The answer is JSON with its `value` (of ' +
    'documents, the first field of the first one besides `_id`), and with `rows` and `rowCount` of at most 100 ' +
    'documents, or the `reply`',
  finds: 'json',
  ownsQuery: true,
  message: { is: 'command', example: '{"count": "jobs", "query": {"state": "failed"}}' },
  bodyProblem: commandProblem,
  typed: { ports: [usualPort] },
  usualPorts: new Set([usualPort]),
  parse: parseMongoUrl,
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const { host, port, isTls, database } = url
      const handshake = { alpn: [] }
      const isUsualPort = port === usualPort
      const { socket } = await run.connect({ host, port, isTls }, { isUsualPort, handshake })
      const talk = talkOn(socket, run)
      await signIn(talk, url, target)
      const { EJSON } = bson()
      const command = EJSON.parse(target.body || '{"ping": 1}') as MongoDocument
      const [name = ''] = Object.keys(command)
      const maxTimeMS = Math.max(1, Math.floor(verdictAtMs(run, target) - run.clock.monoMs()))
      // A member that is no primary may answer, too.
      const $readPreference = { mode: 'primaryPreferred' }
      const options = { ...optionsOf(name, command), maxTimeMS, $readPreference }
      const place = name === 'replSetGetStatus' ? 'admin' : database || 'test'
      const reply = await talk(place, { ...command, ...options })
      return found(reply, (id, collection) =>
        talk(place, { killCursors: collection, cursors: [id] }),
      )
    },
  }),
})

type MongoDocument = Readonly<Record<string, unknown>>

function bson() {
  return requireLibrary('bson') as typeof Library
}

interface MongoUrl {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  /** '' if the URL names none. */
  readonly database: string
  /** The database that has the user. */
  readonly authSource: string
  readonly problem?: never
}

/** Reads `mongodb://host[:port][/database][?tls=true&authSource=admin]`. */
function parseMongoUrl(text: string): MongoUrl | UrlFault {
  const url = parsePlaceUrl(text, ['mongodb'])
  if (url.problem !== undefined) return url
  const options = readOptions(url.query, { tls: ['true', 'false'], authSource: null })
  if ('problem' in options) return options as UrlFault
  const database = databaseIn(url.path)
  if (database === undefined) {
    return { problem: 'must end after the name of one database, such as /shop' }
  }
  const { host, port } = url
  const authSource = options.authSource || database || 'admin'
  return { host, port: port ?? usualPort, isTls: options.tls === 'true', database, authSource }
}

function commandProblem(body: string): string | null {
  if (body.trim() === '') return null
  let command: unknown
  try {
    command = JSON.parse(body)
  } catch {
    command = undefined
  }
  const [name = ''] = isRecord(command) ? Object.keys(command) : []
  if (name === '') return 'must be a command in JSON, such as {"ping": 1}'
  if (!commands.has(name)) {
    return `must be a command that only reads: one of ${[...commands].join(', ')}`
  }
  const [forbidden] = /"\$(out|merge|db|readPreference)"/.exec(JSON.stringify(command)) ?? []
  return forbidden === undefined ? null : `must leave out ${forbidden.slice(1, -1)}`
}

/** Documents that a server sends at once, which are all that are looked at. */
const documentsMax = 100

function optionsOf(name: string, { limit }: MongoDocument): MongoDocument {
  if (name === 'aggregate') return { cursor: { batchSize: documentsMax } }
  if (name !== 'find') return {}
  return { batchSize: documentsMax, singleBatch: true, ...(limit === undefined ? {} : { limit }) }
}

async function found(
  reply: MongoDocument,
  forget: (id: unknown, collection: string) => Promise<unknown>,
): Promise<TargetAnswer> {
  const { cursor, n, values, ok } = reply
  if (!isRecord(cursor) || !Array.isArray(cursor.firstBatch)) {
    return answerOf(plainOf({ value: n ?? values ?? ok, reply }))
  }
  const { firstBatch: rows, id, ns } = cursor
  // The server would keep what is left for ten minutes.
  if (id) await forget(id, String(ns).replace(/^[^.]*\./, ''))
  const [, value = null] =
    Object.entries((rows[0] ?? {}) as object).find(([name]) => name !== '_id') ?? []
  return answerOf(plainOf({ value, rowCount: rows.length, rows }))
}

/** What is in an answer, in the types of JSON. */
function plainOf(answer: object): object {
  return JSON.parse(
    JSON.stringify(answer, function (this: MongoDocument, name, value: unknown) {
      const { [name]: raw } = this
      const isDecimal = isRecord(raw) && raw._bsontype === 'Decimal128'
      return typeof raw === 'bigint' || isDecimal ? numberIn(String(raw)) : value
    }),
  ) as object
}

/** Runs a command in a database; resolves with the reply of one that succeeded. */
type TalkMongo = (database: string, command: MongoDocument) => Promise<MongoDocument>

interface AwaitedReply {
  readonly resolve: (reply: MongoDocument) => void
  readonly reject: (cause: unknown) => void
}

/** `OP_MSG`, with a header of four numbers, flags, and one document. */
const operation = 2_013
const headerBytes = 16
const documentAt = headerBytes + 5

function talkOn(socket: Socket, run: ProbeRun): TalkMongo {
  const { serialize, deserialize } = bson()
  let received: Buffer = Buffer.alloc(0)
  let asked = 0
  let waiting: AwaitedReply | undefined
  let broken: RunError | undefined
  const closed = (): void => {
    broken ??= brokenOff()
    waiting?.reject(broken)
  }
  lendSocket(run, socket, { protocol })
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    if (received.length < documentAt) return
    const length = received.readInt32LE(0)
    const isReply = received.readInt32LE(8) === asked && received.readInt32LE(12) === operation
    if (!isReply || length > driverBytesMax || received.length > length) {
      return run.end(notSpoken(protocol))
    }
    if (received.length < length) return
    // What cannot be read is thrown here, and ends the check.
    const reply = deserialize(received.subarray(documentAt), { useBigInt64: true })
    received = Buffer.alloc(0)
    if (reply.ok === 1) waiting?.resolve(reply)
    else waiting?.reject(refusalOf(reply))
  })
  socket.on('end', closed)
  socket.on('close', closed)
  return (database, command) =>
    new Promise((resolve, reject) => {
      if (broken) return reject(broken)
      waiting = { resolve, reject }
      asked += 1
      const body = serialize({ ...command, $db: database })
      const head = Buffer.alloc(documentAt)
      head.writeInt32LE(documentAt + body.length, 0)
      head.writeInt32LE(asked, 4)
      head.writeInt32LE(operation, 12)
      socket.write(Buffer.concat([head, body]))
    })
}

/** https://www.mongodb.com/docs/manual/reference/error-codes/ */
const meanings: Readonly<Record<number, RefusalKind>> = {
  13: 'rights',
  18: 'signIn',
  26: 'missing',
  91: 'notReady',
  189: 'notReady',
  334: 'signIn',
  11600: 'notReady',
  13435: 'notReady',
  13436: 'notReady',
}
const timeExceeded = 50

function refusalOf({ code, errmsg }: MongoDocument): RunError {
  if (code === timeExceeded) return tookTooLong()
  if (typeof code !== 'number') return refusedBy('error', '', String(errmsg))
  return refusedBy(meanings[code] ?? 'error', String(code), String(errmsg))
}

async function signIn(
  talk: TalkMongo,
  { authSource }: MongoUrl,
  { username, password }: EndpointTarget,
): Promise<void> {
  const client = { application: { name: 'stillup' }, driver: { name: 'stillup', version: '1' } }
  const os = { type: process.platform }
  const asks = username ? { saslSupportedMechs: `${authSource}.${username}` } : {}
  const hello = await talk('admin', { hello: 1, client: { ...client, os }, ...asks })
  if (!username) return
  const { saslSupportedMechs: offered } = hello
  const isOld = Array.isArray(offered) && !offered.includes('SCRAM-SHA-256')
  const login = isOld
    ? ({ hash: 'sha1', username, password: digested(username, password ?? '') } as const)
    : ({ hash: 'sha256', username, password: password ?? '' } as const)
  const mechanism = isOld ? 'SCRAM-SHA-1' : 'SCRAM-SHA-256'
  let last: MongoDocument | undefined
  const exchange = async (message: string): Promise<string> => {
    const payload = new (bson().Binary)(Buffer.from(message))
    const step =
      last === undefined
        ? { saslStart: 1, mechanism, payload, options: { skipEmptyExchange: true } }
        : { saslContinue: 1, conversationId: last.conversationId, payload }
    last = await talk(authSource, step)
    return payloadOf(last)
  }
  try {
    await signInByScram(login, exchange)
  } catch (cause) {
    throw cause instanceof RangeError ? new RunError(notSpoken(protocol)) : cause
  }
  if (last?.done !== true) await exchange('')
}

/** What SCRAM-SHA-1 of MongoDB takes for the password. */
function digested(username: string, password: string): string {
  return createHash('md5').update(`${username}:mongo:${password}`).digest('hex')
}

function payloadOf({ payload }: MongoDocument): string {
  return isRecord(payload) && payload.buffer instanceof Uint8Array
    ? Buffer.from(payload.buffer).toString()
    : ''
}
