// A connection to one broker of a Kafka cluster: requests one after another, and the sign-in.
// https://kafka.apache.org/protocol
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import type { ConnectOptions } from '../../net/run/guarded-run.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken, type RefusalKind, refusedBy } from '../run/driver-socket.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { signInByScram } from '../run/scram.ts'
import { framesOn } from './frames.ts'
import { bytes, int16, int32, KafkaFields, text } from './kafka-fields.ts'

export const protocol = 'the protocol of Kafka'

/** The answer about a cluster with many topics. */
const answerBytesMax = 4 * 1024 * 1024
/** What a frame may claim to be: the beginning of another protocol claims more. */
const frameBytesMax = 128 * 1024 * 1024

/** The requests, each in a version that all brokers since 2.1 know, 4.x among them: its key and version. */
const requests = {
  listOffsets: [2, 1],
  metadata: [3, 4],
  offsetFetch: [9, 2],
  findCoordinator: [10, 0],
  saslHandshake: [17, 1],
  saslAuthenticate: [36, 0],
} as const

export interface KafkaTalk {
  readonly host: string
  readonly port: number
  ask(request: keyof typeof requests, fields: readonly Buffer[]): Promise<KafkaFields>
}

export interface KafkaPlace {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  /** A key of `saslMechanisms`; null: the best one that the broker has. */
  readonly sasl: string | null
}

export interface KafkaCheck {
  readonly target: EndpointTarget
  readonly run: ProbeRun
}

/** By their names in URLs, the best first. */
export const saslMechanisms: Readonly<Record<string, string>> = {
  'scram-sha-512': 'SCRAM-SHA-512',
  'scram-sha-256': 'SCRAM-SHA-256',
  plain: 'PLAIN',
}

/** A connection that the broker has accepted. */
export async function signedIn(
  place: KafkaPlace,
  check: KafkaCheck,
  options: ConnectOptions,
): Promise<KafkaTalk> {
  const { username = null } = check.target
  const talk = await connected(place, check, options)
  if (username === null) return talk
  const { sasl } = place
  const wanted = Object.values(saslMechanisms)
  const [first = ''] = sasl === null ? wanted : [saslMechanisms[sasl]]
  const offered = await handshake(talk, first)
  if (offered === null) return authenticated(talk, first, check)
  const next = sasl === null ? wanted.find((one) => offered.includes(one)) : undefined
  if (next === undefined) throw refusal(unsupportedMechanism, offered.join(', '))
  // A broker ends the connection after a mechanism that it does not have.
  const again = await connected(place, check, options)
  if ((await handshake(again, next)) !== null) throw refusal(unsupportedMechanism, '')
  return authenticated(again, next, check)
}

async function connected(
  { host, port, isTls }: KafkaPlace,
  { run }: KafkaCheck,
  options: ConnectOptions,
): Promise<KafkaTalk> {
  const handshake = { alpn: [] }
  const { socket } = await run.connect({ host, port, isTls }, { ...options, handshake })
  const frames = framesOn(socket, run, {
    protocol,
    bytesMax: answerBytesMax,
    sizeOf(found) {
      if (found.length < 4) return 4
      const size = found.readInt32BE(0)
      if (size < 4 || size > frameBytesMax) throw new RangeError('no frame of Kafka')
      return 4 + size
    },
  })
  let count = 0
  return {
    host,
    port,
    async ask(request, fields) {
      count += 1
      const [key, version] = requests[request]
      const head = [int16(key), int16(version), int32(count), text('stillup')]
      const body = Buffer.concat([...head, ...fields])
      socket.write(Buffer.concat([int32(body.length), body]))
      const answer = new KafkaFields((await frames.next()).subarray(4))
      if (answer.int32() !== count) throw new RunError(notSpoken(protocol))
      return answer
    },
  }
}

/** Null if the broker has the mechanism, else those that it has. */
async function handshake(talk: KafkaTalk, mechanism: string): Promise<string[] | null> {
  const answer = await talk.ask('saslHandshake', [text(mechanism)])
  const code = answer.int16()
  if (code === unsupportedMechanism) return answer.list(() => answer.text())
  throwRefusal(code)
  return null
}

async function authenticated(
  talk: KafkaTalk,
  mechanism: string,
  { target }: KafkaCheck,
): Promise<KafkaTalk> {
  const { username, password } = {
    username: target.username ?? '',
    password: target.password ?? '',
  }
  const exchange = async (message: string): Promise<string> => {
    const answer = await talk.ask('saslAuthenticate', [bytes(message)])
    const code = answer.int16()
    const said = answer.text()
    if (code !== 0) throw refusal(code, said)
    return answer.bytes()
  }
  if (mechanism === 'PLAIN') {
    await exchange(`\0${username}\0${password}`)
  } else {
    const hash = mechanism === 'SCRAM-SHA-512' ? 'sha512' : 'sha256'
    await signInByScram({ hash, username, password }, exchange)
  }
  return talk
}

const unsupportedMechanism = 33
/** https://kafka.apache.org/protocol#protocol_error_codes */
const errors: Readonly<Record<number, readonly [name: string, meaning: RefusalKind]>> = {
  3: ['UNKNOWN_TOPIC_OR_PARTITION', 'missing'],
  5: ['LEADER_NOT_AVAILABLE', 'notReady'],
  6: ['NOT_LEADER_OR_FOLLOWER', 'notReady'],
  14: ['COORDINATOR_LOAD_IN_PROGRESS', 'notReady'],
  15: ['COORDINATOR_NOT_AVAILABLE', 'notReady'],
  16: ['NOT_COORDINATOR', 'notReady'],
  17: ['INVALID_TOPIC_EXCEPTION', 'missing'],
  29: ['TOPIC_AUTHORIZATION_FAILED', 'rights'],
  30: ['GROUP_AUTHORIZATION_FAILED', 'rights'],
  31: ['CLUSTER_AUTHORIZATION_FAILED', 'rights'],
  [unsupportedMechanism]: ['UNSUPPORTED_SASL_MECHANISM', 'signIn'],
  34: ['ILLEGAL_SASL_STATE', 'signIn'],
  35: ['UNSUPPORTED_VERSION', 'error'],
  58: ['SASL_AUTHENTICATION_FAILED', 'signIn'],
  69: ['GROUP_ID_NOT_FOUND', 'missing'],
}

function refusal(code: number, said: string): RunError {
  const [name, meaning] = errors[code] ?? [String(code), 'error']
  return refusedBy(meaning, name, said)
}

export function throwRefusal(code: number): void {
  if (code !== 0) throw refusal(code, '')
}
