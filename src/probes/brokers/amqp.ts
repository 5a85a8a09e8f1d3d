// The check of a broker that speaks AMQP 0-9-1, such as RabbitMQ: signs in, and looks at a queue.
// https://www.rabbitmq.com/resources/specs/amqp0-9-1.pdf
import type { Socket } from 'node:net'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken, type RefusalKind, refusedBy } from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import { parsePlaceUrl, readOptions, type UrlFault } from '../run/place-url.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import { conversing, framesOn } from './frames.ts'

const usualPorts: Readonly<Record<string, number>> = { amqp: 5_672, amqps: 5_671 }
const protocol = 'AMQP 0-9-1'
/** The longest name of a queue or a virtual host. */
const nameBytesMax = 255

export const amqp = defineKind({
  type: 'amqp',
  fields: ['connection', 'stream', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'answer',
  schemes: Object.keys(usualPorts),
  family: 'queues',
  icon: 'rabbit',
  example: 'amqp://mq.example.com/shop?queue=mails',
  urlForm:
    '`amqp://host[:port][/vhost]` (5672) or `amqps://host[:port][/vhost]` with TLS (5671); absent: the virtual ' +
    'host `/`. `?queue=name` names a queue that must be there: the answer is JSON with `value` and `messages` ' +
    '(how many are ready) and `consumers`. Nothing is declared or consumed. Without a queue, the answer has ' +
    '`product` and `version` of the broker. Absent `username`: guest',
  finds: 'json',
  ownsQuery: true,
  typed: { ports: [5_672] },
  usualPorts: new Set(Object.values(usualPorts)),
  parse: parseAmqpUrl,
  destination: (url) => url,
  open: () => ({
    look: (url, target, run) =>
      conversing(protocol, async () => {
        const { host, port, isTls, vhost, queue } = url
        const isUsualPort = Object.values(usualPorts).includes(port)
        const to = { host, port, isTls }
        const { socket } = await run.connect(to, { isUsualPort, handshake: { alpn: [] } })
        const talk = talkOn(socket, run)
        const product = await signIn(talk, target, vhost)
        const answer = queue === '' ? product : await queueOf(talk, queue)
        // The broker logs a connection that is not closed as a loss.
        talk.say(0, methods.close, [number16(200), shortText(''), number16(0), number16(0)])
        await talk.hear(methods.closeOk)
        return answerOf(answer)
      }),
  }),
})

interface AmqpUrl {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly vhost: string
  /** '' if the URL names none. */
  readonly queue: string
  readonly problem?: never
}

/** Reads `amqp://host[:port][/vhost][?queue=name]` or `amqps://…`. */
export function parseAmqpUrl(text: string): AmqpUrl | UrlFault {
  const url = parsePlaceUrl(text, Object.keys(usualPorts))
  if (url.problem !== undefined) return url
  const options = readOptions(url.query, { queue: null })
  if ('problem' in options) return options as UrlFault
  const { queue = '' } = options
  const vhost = vhostIn(url.path.slice(1))
  if (vhost === undefined) {
    return { problem: 'must end after the name of a virtual host, such as /shop or /%2F' }
  }
  if ([vhost, queue].some((name) => Buffer.byteLength(name) > nameBytesMax)) {
    return { problem: `must have names of at most ${nameBytesMax} bytes` }
  }
  const port = url.port ?? usualPorts[url.scheme] ?? 0
  return { host: url.host, port, isTls: url.scheme === 'amqps', vhost, queue }
}

/** The first virtual host is called `/`. */
function vhostIn(path: string): string | undefined {
  if (path === '') return '/'
  if (path.includes('/')) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** The class and the number of each method that is said or heard. */
const methods = {
  start: [10, 10],
  startOk: [10, 11],
  secure: [10, 20],
  tune: [10, 30],
  tuneOk: [10, 31],
  open: [10, 40],
  openOk: [10, 41],
  close: [10, 50],
  closeOk: [10, 51],
  channelOpen: [20, 10],
  channelOpenOk: [20, 11],
  channelClose: [20, 40],
  declare: [50, 10],
  declareOk: [50, 11],
} as const
type AmqpMethod = readonly [classId: number, methodId: number]

const isMethod = (found: AmqpMethod, wanted: AmqpMethod) =>
  found[0] === wanted[0] && found[1] === wanted[1]

interface AmqpTalk {
  say(channel: number, method: AmqpMethod, args: readonly Buffer[]): void
  /** The arguments of the next method, which must be this one; throws what the broker refuses. */
  hear(wanted: AmqpMethod): Promise<Buffer>
}

const header = Buffer.from('AMQP\0\0\x09\x01', 'latin1')
const frameTypes = { method: 1, heartbeat: 8 }
const frameEnd = 0xce
/** Type, channel and size. */
const frameHeadBytes = 7

/** The size of the frame that these bytes begin with; a broker of another version answers with its header. */
function frameSize(bytes: Buffer): number {
  const [type] = bytes
  if (type === undefined) return 1
  if (type !== frameTypes.method && type !== frameTypes.heartbeat) throw new Error('no such frame')
  if (bytes.length < frameHeadBytes) return frameHeadBytes
  return frameHeadBytes + bytes.readUInt32BE(3) + 1
}

function talkOn(socket: Socket, run: ProbeRun): AmqpTalk {
  const frames = framesOn(socket, run, { protocol, sizeOf: frameSize })
  socket.write(header)
  return {
    say(channel, method, args) {
      const payload = Buffer.concat([...method.map(number16), ...args])
      const head = Buffer.from([frameTypes.method, channel >> 8, channel & 0xff])
      const size = number32(payload.length)
      socket.write(Buffer.concat([head, size, payload, Buffer.from([frameEnd])]))
    },
    async hear(wanted) {
      for (;;) {
        const frame = await frames.next()
        if (frame.at(-1) !== frameEnd) throw new RunError(notSpoken(protocol))
        if (frame[0] === frameTypes.heartbeat) continue
        if (frame.length < frameHeadBytes + 5) throw new RunError(notSpoken(protocol))
        const method: AmqpMethod = [frame.readUInt16BE(7), frame.readUInt16BE(9)]
        const args = frame.subarray(frameHeadBytes + 4, -1)
        if (isMethod(method, wanted)) return args
        if (isMethod(method, methods.close)) throw refusal(args, 'signIn')
        if (isMethod(method, methods.channelClose)) throw refusal(args, 'rights')
        throw new RunError(notSpoken(protocol))
      }
    },
  }
}

function number16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff])
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function shortText(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

function longText(value: Buffer): Buffer {
  return Buffer.concat([number32(value.length), value])
}

function shortTextAt(bytes: Buffer, start: number): string {
  return bytes.toString('utf8', start + 1, start + 1 + bytes.readUInt8(start))
}

/** Only with this a broker says why it refuses a sign-in, instead of closing the connection. */
const capabilities = Buffer.concat([
  ...[shortText('capabilities'), Buffer.from('F')],
  longText(Buffer.concat([shortText('authentication_failure_close'), Buffer.from('t\x01')])),
])

/** Signs in to the virtual host; returns what the broker says of itself. */
async function signIn(
  { say, hear }: AmqpTalk,
  target: EndpointTarget,
  vhost: string,
): Promise<object> {
  const start = await hear(methods.start)
  const properties = start.subarray(6, 6 + start.readUInt32BE(2))
  const username = target.username ?? 'guest'
  const login = Buffer.from(`\0${username}\0${target.password ?? ''}`)
  const language = shortText('en_US')
  say(0, methods.startOk, [longText(capabilities), shortText('PLAIN'), longText(login), language])
  const tune = await hear(methods.tune)
  // Its bounds, and no heartbeats: the check ends before one would be due.
  say(0, methods.tuneOk, [tune.subarray(0, 6), number16(0)])
  say(0, methods.open, [shortText(vhost), shortText(''), Buffer.from([0])])
  await hear(methods.openOk)
  return { product: textIn(properties, 'product'), version: textIn(properties, 'version') }
}

/** A text of a table, which has name, type and size before it. */
function textIn(table: Buffer, name: string): string | null {
  const key = Buffer.concat([shortText(name), Buffer.from('S')])
  const at = table.indexOf(key)
  if (at < 0) return null
  const start = at + key.length + 4
  return table.toString('utf8', start, start + table.readUInt32BE(start - 4))
}

/** The queue as it is: a passive declaration asks, and declares nothing. */
async function queueOf({ say, hear }: AmqpTalk, queue: string): Promise<object> {
  say(1, methods.channelOpen, [shortText('')])
  await hear(methods.channelOpenOk)
  const passive = 1
  say(1, methods.declare, [number16(0), shortText(queue), Buffer.from([passive]), number32(0)])
  const found = await hear(methods.declareOk)
  const start = 1 + found.readUInt8(0)
  const messages = found.readUInt32BE(start)
  return { value: messages, messages, consumers: found.readUInt32BE(start + 4) }
}

/** A virtual host that is missing is not permitted either. */
const meanings: Readonly<Record<number, RefusalKind>> = {
  320: 'notReady',
  404: 'missing',
  530: 'rights',
  541: 'notReady',
}
const accessRefused = 403

/** What the broker closes a channel or the connection with, where it means `refused` by a lack of rights. */
function refusal(args: Buffer, refused: RefusalKind): RunError {
  const code = args.readUInt16BE(0)
  const meaning = code === accessRefused ? refused : (meanings[code] ?? 'error')
  return refusedBy(meaning, String(code), shortTextAt(args, 2))
}
