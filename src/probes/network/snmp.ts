// The check of a device by SNMP: asks for one value.
// https://www.rfc-editor.org/rfc/rfc3416, https://www.rfc-editor.org/rfc/rfc3414
import type { Socket } from 'node:dgram'
import { EventEmitter } from 'node:events'
import { requireLibrary } from '../../base/assets.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken, type RefusalKind, refusedBy } from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { parseServerUrl, type ServerUrl } from './server-url.ts'
import { textIn } from './shown-text.ts'

const usualPort = 161
const protocol = 'SNMP'
const options = {
  version: ['1', '2c', '3'],
  auth: ['md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512'],
  priv: ['des', 'aes', 'aes256b', 'aes256r'],
} as const
type SnmpUrl = ServerUrl<typeof options>

/** SNMPv2-MIB::sysUpTime.0, which every agent has. */
const upTime = '1.3.6.1.2.1.1.3.0'

export const snmp = defineKind({
  type: 'snmp',
  family: 'network',
  fields: ['connection', 'login', 'secret'],
  sources: ['ip'],
  textName: 'answer',
  schemes: ['snmp'],
  icon: 'router',
  example: 'snmp://switch.example.com/1.3.6.1.2.1.1.3.0',
  urlForm:
    '`snmp://host[:port]` (161) for the time since the agent started, or with the OID of another value ' +
    '`snmp://host[:port]/1.3.6.1.2.1.1.6.0`. `?version=2c` by the ' +
    'community in `password` (absent: public), also `1`; `?version=3` as `username`, with `&auth=` one of ' +
    `${options.auth.join(', ')} by \`password\`, and \`&priv=\` one of ${options.priv.join(', ')} by ` +
    '`secret` (absent: by `password`). The answer is JSON with `value`, `oid` and `type`',
  finds: 'json',
  ownsQuery: true,
  typed: { ports: [usualPort] },
  usualPorts: new Set([usualPort]),
  parse: parseSnmpUrl,
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const { host, port } = url
      const socket = await run.datagrams({ host, port }, { isUsualPort: port === usualPort })
      const library = requireLibrary('net-snmp') as unknown as SnmpLibrary
      const found = await ask(library, { socket, url, target, run })
      const type = library.ObjectType[found.type] ?? ''
      if (/^(NoSuch|EndOf)/.test(type)) throw refusedBy('missing', type, '')
      const value = shown(found.value, type)
      return answerOf({ value, oid: found.oid, type })
    },
  }),
})

function parseSnmpUrl(text: string): SnmpUrl | UrlFault {
  const url = parseServerUrl(text, { ports: { snmp: usualPort }, options, hasPath: true })
  if (url.problem !== undefined) return url
  if (!/^(\d{1,10}(\.\d{1,10}){1,127})?$/.test(url.path)) {
    return { problem: 'must end after an OID in numbers, such as /1.3.6.1.2.1.1.3.0' }
  }
  const { version, auth, priv } = url.options
  if (version !== '3' && (auth ?? priv) !== undefined) {
    return { problem: 'must have auth and priv only with version=3' }
  }
  if (priv !== undefined && auth === undefined) return { problem: 'must have priv only with auth' }
  return url
}

/** What is used of the library. */
interface SnmpLibrary {
  readonly createSession: (host: string, community: string, options: object) => SnmpSession
  readonly createV3Session: (host: string, user: object, options: object) => SnmpSession
  readonly Version: Readonly<Record<string, number>>
  readonly ObjectType: Readonly<Record<number, string>>
  readonly SecurityLevel: Readonly<Record<string, number>>
  readonly AuthProtocols: Readonly<Record<string, number>>
  readonly PrivProtocols: Readonly<Record<string, number>>
}

interface SnmpSession extends NodeJS.EventEmitter {
  get(
    oids: readonly string[],
    done: (error: Error | null, found?: readonly Varbind[]) => void,
  ): void
}

interface Varbind {
  readonly oid: string
  readonly type: number
  readonly value: unknown
}

interface SnmpQuestion {
  readonly socket: Socket
  readonly url: SnmpUrl
  readonly target: EndpointTarget
  readonly run: ProbeRun
}

const times = 3

function ask(library: SnmpLibrary, { socket, url, target, run }: SnmpQuestion): Promise<Varbind> {
  const lent = lentTo(socket, run)
  const sessionOptions = {
    version: library.Version[url.options.version ?? '2c'],
    dgramModule: { createSocket: () => lent },
    // The deadline is the end, and not the last of these.
    timeout: Math.max(1_000, (run.untilMs - run.clock.monoMs()) / times),
    retries: times,
    reportOidMismatchErrors: true,
  }
  const session =
    url.options.version === '3'
      ? library.createV3Session(url.host, userOf(library, url, target), sessionOptions)
      : library.createSession(url.host, target.password ?? 'public', sessionOptions)
  return new Promise((resolve, reject) => {
    session.on('error', () => reject(new RunError(notSpoken(protocol))))
    session.get([url.path || upTime], (error, found = []) => {
      const [first] = found
      if (error === null && first !== undefined) resolve(first)
      else reject(error === null ? new RunError(notSpoken(protocol)) : failureOf(error))
    })
  })
}

/** The socket of the run as the library uses one: it neither opens nor closes it, and throws nowhere. */
function lentTo(socket: Socket, run: ProbeRun): EventEmitter {
  const lent = new EventEmitter()
  socket.on('message', (bytes) => {
    if (run.isOver) return
    try {
      lent.emit('message', bytes)
    } catch {
      run.end(notSpoken(protocol))
    }
  })
  // Ends the timers of the library.
  run.track({ destroy: () => lent.emit('close') })
  const nothing = (): void => {}
  return Object.assign(lent, {
    ref: nothing,
    unref: nothing,
    close: nothing,
    send(
      bytes: Buffer,
      _from: number,
      _count: number,
      _port: number,
      _host: string,
      done: () => void,
    ) {
      socket.send(bytes)
      done()
    },
  })
}

function userOf(
  { SecurityLevel, AuthProtocols, PrivProtocols }: SnmpLibrary,
  { options: { auth, priv } }: SnmpUrl,
  { username, password, secret }: EndpointTarget,
) {
  const level = auth === undefined ? 'noAuthNoPriv' : priv === undefined ? 'authNoPriv' : 'authPriv'
  return {
    name: username ?? '',
    level: SecurityLevel[level],
    ...(auth && { authProtocol: AuthProtocols[auth], authKey: password ?? '' }),
    ...(priv && { privProtocol: PrivProtocols[priv], privKey: secret ?? password ?? '' }),
  }
}

/** Bytes that are no text are shown in hex. */
function shown(value: unknown, type: string): unknown {
  if (!Buffer.isBuffer(value)) return value
  if (type === 'Counter64') {
    const count = BigInt(`0x0${value.toString('hex')}`)
    return count <= Number.MAX_SAFE_INTEGER ? Number(count) : count.toString()
  }
  return textIn(value) ?? value.toString('hex')
}

/** What a device says of a sign-in that it refuses, and of what it does not have. */
const meanings: readonly (readonly [RegExp, RefusalKind])[] = [
  [/Unknown User Name|Wrong Digest|Decryption Error|Unsupported Security Level/, 'signIn'],
  [/authorizationError|noAccess/i, 'rights'],
  [/noSuchName/i, 'missing'],
]

function failureOf(error: Error): RunError {
  const { name } = error
  const message = String(error.message)
  if (name !== 'RequestFailedError' && name !== 'ResponseInvalidError') {
    return new RunError(notSpoken(protocol))
  }
  const found = meanings.find(([pattern]) => pattern.test(message))
  if (found === undefined && name === 'ResponseInvalidError')
    return new RunError(notSpoken(protocol))
  return refusedBy(found?.[1] ?? 'error', '', message)
}
