// The check of a Redis server, or of one that speaks as it does: Valkey, KeyDB, Dragonfly.
// https://redis.io/docs/latest/develop/reference/protocol-spec/
import type { Socket } from 'node:net'
import type Parser from 'redis-parser'
import { requireLibrary } from '../../base/assets.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import type { RunError } from '../../net/run/guarded-run.ts'
import {
  brokenOff,
  lendSocket,
  notSpoken,
  type RefusalKind,
  refusedBy,
} from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import { parsePlaceUrl, type UrlFault } from '../run/place-url.ts'
import type { ProbeRun } from '../run/probe-run.ts'

const usualPort = 6_379
const protocol = 'the protocol of Redis'

/** What such a check may ask: nothing that changes the data or the server, and nothing that waits. */
const commands: ReadonlySet<string> = new Set(
  (
    'PING ECHO TIME INFO ROLE DBSIZE LASTSAVE EXISTS TYPE TTL PTTL EXPIRETIME GET MGET GETRANGE STRLEN ' +
    'GETBIT BITCOUNT HGET HMGET HGETALL HKEYS HVALS HLEN HEXISTS HSTRLEN LLEN LINDEX LRANGE LPOS SCARD ' +
    'SISMEMBER SMISMEMBER SMEMBERS ZCARD ZCOUNT ZLEXCOUNT ZSCORE ZMSCORE ZRANK ZREVRANK ZRANGE XLEN XRANGE ' +
    'XREVRANGE PFCOUNT'
  ).split(' '),
)
/** The same, with a second word. */
const longCommands: ReadonlySet<string> = new Set([
  'CLUSTER INFO',
  'CLUSTER NODES',
  'MEMORY USAGE',
  'OBJECT ENCODING',
  'OBJECT IDLETIME',
  'XINFO STREAM',
  'XINFO GROUPS',
  'XINFO CONSUMERS',
  'SENTINEL MASTERS',
  'SENTINEL MASTER',
  'SENTINEL CKQUORUM',
])

export const redis = defineKind({
  type: 'redis',
  fields: ['connection', 'stream', 'message', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes: ['redis', 'rediss'],
  family: 'data',
  icon: 'database-zap',
  example: 'redis://cache.example.com',
  urlForm:
    '`redis://host[:port][/database]` or `rediss://host[:port][/database]` with TLS (6379). `body` is a ' +
    'command that reads, with its words apart and quoted where they have spaces; absent: PING. The answer is ' +
    'JSON with its `value`; of INFO, `info` has each line by its name',
  finds: 'json',
  ownsQuery: true,
  message: { is: 'command', example: 'LLEN jobs:waiting' },
  bodyProblem: commandProblem,
  typed: { ports: [usualPort] },
  usualPorts: new Set([usualPort]),
  parse: parseRedisUrl,
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const { host, port, isTls, database } = url
      const isUsualPort = port === usualPort
      const handshake = { alpn: [] }
      const { socket } = await run.connect({ host, port, isTls }, { isUsualPort, handshake })
      const ask = talkOn(socket, run)
      await signIn(ask, target)
      if (database !== 0) await ask(['SELECT', String(database)])
      const words = wordsOf(target.body ?? '') ?? []
      const value = await ask(words.length === 0 ? ['PING'] : words)
      const isInfo = words.length > 0 && /^(INFO|CLUSTER)$/i.test(words[0] ?? '')
      return answerOf(isInfo && typeof value === 'string' ? { info: linesOf(value) } : { value })
    },
  }),
})

interface RedisUrl {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly database: number
  readonly problem?: never
}

/** Reads `redis://host[:port][/database]` or `rediss://…`. */
function parseRedisUrl(text: string): RedisUrl | UrlFault {
  const url = parsePlaceUrl(text, ['redis', 'rediss'])
  if (url.problem !== undefined) return url
  const [, digits] = /^\/?(\d{1,5})?$/.exec(url.path) ?? ['', 'x']
  if (digits === 'x') return { problem: 'must end after the number of a database, such as /0' }
  if (url.query !== '') return { problem: 'must not have a query' }
  const { host, port, scheme } = url
  return {
    host,
    port: port ?? usualPort,
    isTls: scheme === 'rediss',
    database: Number(digits ?? 0),
  }
}

/** The words of a command; a quoted one may have spaces. Undefined if a quote is not closed. */
function wordsOf(command: string): string[] | undefined {
  const word = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+))(?=\s|$)/gsuy
  const text = command.trim()
  const words: string[] = []
  for (let at = 0; at < text.length; at = word.lastIndex) {
    word.lastIndex = at
    const found = word.exec(text)
    if (found === null) return undefined
    const [, double, single, bare = ''] = found
    words.push(double?.replaceAll(/\\(.)/gsu, '$1') ?? single ?? bare)
  }
  return words
}

function commandProblem(body: string): string | null {
  const words = wordsOf(body)
  if (words === undefined) return 'must have words apart, each quoted as a whole or not at all'
  const [first = '', second = ''] = words.map((word) => word.toUpperCase())
  if (first === '' || commands.has(first) || longCommands.has(`${first} ${second}`)) return null
  return `must be a command that only reads: one of ${[...commands, ...longCommands].join(', ')}`
}

type AskRedis = (words: readonly string[]) => Promise<unknown>

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (cause: unknown) => void
}

/** Asks one command after another. */
function talkOn(socket: Socket, run: ProbeRun): AskRedis {
  const RedisParser = requireLibrary('redis-parser') as typeof Parser
  let waiting: Waiting | undefined
  let broken: RunError | undefined
  const settle = (how: (one: Waiting) => void): void => {
    const one = waiting
    waiting = undefined
    if (one) how(one)
  }
  const closed = (): void => {
    broken ??= brokenOff()
    settle(({ reject }) => reject(broken))
  }
  const parser = new RedisParser({
    returnReply: (value: unknown) => settle(({ resolve }) => resolve(value)),
    returnError: ({ message }: Error) => settle(({ reject }) => reject(errorOf(message))),
    returnFatalError: () => run.end(notSpoken(protocol)),
  })
  const isTooLong = countItems()
  lendSocket(run, socket, { protocol })
  socket.on('data', (chunk: Buffer) => {
    if (isTooLong(chunk)) run.end(notSpoken(protocol))
    else parser.execute(chunk)
  })
  socket.on('end', closed)
  socket.on('close', closed)
  return (words) =>
    new Promise((resolve, reject) => {
      if (broken) return reject(broken)
      waiting = { resolve, reject }
      const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
      socket.write(`*${words.length}\r\n${parts.join('')}`)
    })
}

/** Items of lists that a server may announce in one check. */
const itemsMax = 100_000

/**
 * Whether the lists of the answers so far are too long. The parser makes room for a list when it is announced,
 * also for lists within lists, which take a few bytes each.
 */
function countItems(): (chunk: Buffer) => boolean {
  let announced = 0
  let rest = ''
  return (chunk) => {
    const text = rest + chunk.toString('latin1')
    const end = text.lastIndexOf('\n') + 1
    for (const [, count] of text.slice(0, end).matchAll(/\*(\d{1,15})\r\n/g)) {
      announced += Number(count)
    }
    // Of a line that has not ended, no more than the announcement of a list may have.
    rest = text.slice(end).slice(-20)
    return announced > itemsMax
  }
}

async function signIn(ask: AskRedis, { username, password }: EndpointTarget): Promise<void> {
  if (!password) return
  await ask(['AUTH', ...(username ? [username] : []), password])
}

const meanings: Readonly<Record<string, RefusalKind>> = {
  NOAUTH: 'signIn',
  WRONGPASS: 'signIn',
  NOPERM: 'rights',
  LOADING: 'notReady',
  MASTERDOWN: 'notReady',
}

/** The first word of an error is its code. */
function errorOf(text: string): RunError {
  const [code = ''] = /^[A-Z]+/.exec(text) ?? []
  return refusedBy(meanings[code] ?? 'error', code, text)
}

/** `name:value` in each line; sections and empty lines are left out. */
function linesOf(text: string): Record<string, string | number> {
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const [, name = '', value = ''] = /^([\w.-]+):(.*)$/.exec(line) ?? []
    if (name === '') return []
    const isNumber = /^-?\d{1,15}(\.\d{1,6})?$/.test(value)
    return [[name, isNumber ? Number(value) : value] as const]
  })
  return Object.fromEntries(lines)
}
