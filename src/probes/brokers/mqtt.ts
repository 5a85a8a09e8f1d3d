// The check of an MQTT broker: signs in, publishes a message, and waits for one.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { bodyHolds, needsBody } from '../../domain/assertions/assertion.ts'
import { freshBudget } from '../../domain/assertions/budget.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { notSpoken, type RefusalKind, refusedBy } from '../run/driver-socket.ts'
import { answerOf } from '../run/json-answer.ts'
import { defineKind } from '../run/kind.ts'
import { parsePlaceUrl, readOptions, type UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import { type ProbeRun, verdictAtMs } from '../run/probe-run.ts'
import { conversing, type Frames, framesOn } from './frames.ts'
import {
  connectPacket,
  disconnectPacket,
  type MqttLevel,
  type MqttMessage,
  type MqttPacket,
  messageIn,
  packetIn,
  packetSize,
  packetTypes,
  pingPacket,
  pubackPacket,
  publishPacket,
  reasonIn,
  subscribePacket,
} from './mqtt-packets.ts'

const usualPorts: Readonly<Record<string, number>> = { mqtt: 1_883, mqtts: 8_883 }
const protocol = 'MQTT'

export const mqtt = defineKind({
  type: 'mqtt',
  fields: ['connection', 'stream', 'message', 'login', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'message',
  schemes: Object.keys(usualPorts),
  family: 'queues',
  icon: 'radio-tower',
  example: 'mqtt://broker.example.com/sensors/boiler',
  urlForm:
    '`mqtt://host[:port][/topic]` (1883) or `mqtts://host[:port][/topic]` with TLS (8883). It waits until a ' +
    'message of the topic meets the expectations; `#` is written `%23`. `body` is published first, to the topic ' +
    'or to that of `?publish=`. With `?retained=ignore` only messages count that are sent while it waits. The ' +
    'answer is JSON with the `value` of the message (parsed if it is JSON), `topic`, `retained` and `qos`; ' +
    'without a topic it is the `version` of the protocol',
  finds: 'json',
  ownsQuery: true,
  message: { is: 'message', example: 'ping' },
  typed: { ports: [1_883] },
  usualPorts: new Set(Object.values(usualPorts)),
  parse: parseMqttUrl,
  destination: (url) => url,
  problems({ url, body }) {
    const parsed = parseMqttUrl(url ?? '')
    if (!body || parsed.problem !== undefined || parsed.publish !== '') return []
    const message =
      'must name the topic that the message is published to, such as ?publish=jobs/ping'
    return [{ pointer: '/url', keyword: 'format', message }]
  },
  open: () => ({
    look: (url, target, run) =>
      conversing(protocol, async () => {
        const check = { url, target, run }
        const broker = (await signedIn(5, check)) ?? (await signedIn(4, check))
        if (broker === undefined) throw new RunError(notSpoken(protocol))
        const answer = await hear(broker, check)
        broker.socket.write(disconnectPacket)
        return answer
      }),
  }),
})

interface MqttUrl {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  /** The topic that it listens to; '' if there is none. */
  readonly topic: string
  /** Where it publishes a message; '' if the URL names no such topic. */
  readonly publish: string
  readonly takesRetained: boolean
  readonly problem?: never
}

/** Reads `mqtt://host[:port][/topic][?publish=topic][&retained=ignore]` or `mqtts://…`. */
export function parseMqttUrl(text: string): MqttUrl | UrlFault {
  const url = parsePlaceUrl(text, Object.keys(usualPorts))
  if (url.problem !== undefined) return url
  const options = readOptions(url.query, { publish: null, retained: ['ignore'] })
  if ('problem' in options) return options as UrlFault
  const topic = plainTopic(url.path.slice(1))
  if (topic === undefined || !isFilter(topic)) {
    return { problem: 'must name a topic in which + and %23 are a level each, and %23 is the last' }
  }
  if (/^\$(share|queue)\//.test(topic)) {
    return { problem: 'must not share a subscription: others would miss what the check receives' }
  }
  const publish = options.publish ?? (hasWildcard(topic) ? '' : topic)
  if (hasWildcard(publish)) return { problem: 'must have as publish a topic without + and #' }
  return {
    host: url.host,
    port: url.port ?? usualPorts[url.scheme] ?? 0,
    isTls: url.scheme === 'mqtts',
    topic,
    publish,
    takesRetained: options.retained !== 'ignore',
  }
}

function plainTopic(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function isFilter(topic: string): boolean {
  const levels = topic.split('/')
  return levels.every(
    (level, i) =>
      !hasWildcard(level) || level === '+' || (level === '#' && i === levels.length - 1),
  )
}

function hasWildcard(topic: string): boolean {
  return /[+#]/.test(topic)
}

interface MqttCheck {
  readonly url: MqttUrl
  readonly target: EndpointTarget
  readonly run: ProbeRun
}

interface Broker {
  readonly socket: Socket
  readonly level: MqttLevel
  next(): Promise<MqttPacket>
}

/** A connection that the broker has accepted; undefined if it does not know that version of the protocol. */
async function signedIn(level: MqttLevel, check: MqttCheck): Promise<Broker | undefined> {
  const { host, port, isTls } = check.url
  const isUsualPort = Object.values(usualPorts).includes(port)
  const to = { host, port, isTls }
  const { socket } = await check.run.connect(to, { isUsualPort, handshake: { alpn: [] } })
  const frames = framesOn(socket, check.run, { protocol, sizeOf: packetSize })
  const { username = null, password = null } = check.target
  const clientId = `stillup-${randomBytes(6).toString('hex')}`
  socket.write(connectPacket(level, { clientId, username, password }))
  const answer = await firstPacket(frames, level)
  const reason = answer && reasonIn(answer)
  if (level === 5 && (reason === undefined || versionReasons.includes(reason))) {
    socket.destroy()
    return undefined
  }
  if (answer?.type !== packetTypes.connack) throw new RunError(notSpoken(protocol))
  if (reason) throw refusal(reason, signInMeanings)
  return { socket, level, next: async () => packetIn(await frames.next()) }
}

/** What brokers say that do not know the version: as version 5.0 has it, and as those before it. */
const versionReasons: readonly number[] = [0x84, 1]

/** The first answer; undefined if a broker closes at once, as some do that know only version 3.1.1. */
async function firstPacket(frames: Frames, level: MqttLevel): Promise<MqttPacket | undefined> {
  try {
    return packetIn(await frames.next())
  } catch (cause) {
    if (level === 5 && cause instanceof RunError && cause.failure.kind === 'reset') return undefined
    throw cause
  }
}

/** Packets that are looked at in one check. */
const packetsMax = 1_000

/** Talks until the answer is there: a message, or that the broker does what it was asked to. */
async function hear(broker: Broker, { url, target, run }: MqttCheck): Promise<TargetAnswer> {
  const { socket, level } = broker
  const { topic, publish, takesRetained } = url
  const { expect, body } = target
  const { record } = run
  const version = answerOf({ version: level === 5 ? '5.0' : '3.1.1' })
  const wantsRetained = takesRetained && !body
  const say = () => body && socket.write(publishPacket(level, publish, body))
  if (topic !== '') socket.write(subscribePacket(level, topic, wantsRetained))
  else if (body) say()
  else socket.write(pingPacket)

  const isAwaited = ({ isRetained, payload }: MqttMessage): boolean => {
    // What was there before cannot answer what the check said.
    if (isRetained && !wantsRetained) return false
    return !body || publish !== topic || needsBody(expect) || payload === body
  }
  const budget = freshBudget()
  const isMet = ({ text = '', contentType = '' }: TargetAnswer): boolean =>
    !needsBody(expect) ||
    record.examinedNow(() => bodyHolds(expect, { contentType, text: () => text }, budget))

  let last: TargetAnswer | undefined
  let late: Promise<undefined> | undefined
  for (let left = packetsMax; left > 0; left -= 1) {
    const packet = await Promise.race([broker.next(), ...(late === undefined ? [] : [late])])
    if (packet === undefined) break
    const { type } = packet
    if (type === packetTypes.pingresp) return version
    if (type === packetTypes.publish) {
      const message = messageIn(packet, level)
      if (message.id !== 0) socket.write(pubackPacket(message.id))
      if (!isAwaited(message)) continue
      last = answerWith(message)
      if (isMet(last)) return last
      continue
    }
    const reason = reasonIn(packet)
    if (reason >= 0x80 || type === packetTypes.disconnect) throw refusal(reason, meanings)
    if (type === packetTypes.puback && topic === '') return version
    if (type === packetTypes.suback) {
      late = verdictTime(run, target)
      say()
    }
  }
  if (last === undefined) throw noMessage()
  return last
}

/** Resolves when what came until then is judged. */
function verdictTime(run: ProbeRun, target: EndpointTarget): Promise<undefined> {
  const { clock } = run
  return new Promise((resolve) => {
    const waitMs = verdictAtMs(run, target) - clock.monoMs()
    const timer = clock.setTimeout(() => resolve(undefined), waitMs)
    run.track({ destroy: () => clock.clearTimeout(timer) })
  })
}

function noMessage(): RunError {
  return new RunError(failure('timeout', 'no message came in time'))
}

function answerWith({ payload, topic, isRetained, qos }: MqttMessage): TargetAnswer {
  const value = isJson(payload) ? payload : JSON.stringify(payload)
  const more = JSON.stringify({ topic, retained: isRetained, qos }).slice(1)
  return { text: `{"value":${value},${more}`, contentType: 'application/json' }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** https://docs.oasis-open.org/mqtt/mqtt/v5.0/mqtt-v5.0.html#_Toc3901031 */
const meanings: Readonly<Record<number, RefusalKind>> = {
  128: 'rights',
  135: 'rights',
  136: 'notReady',
  137: 'full',
  151: 'full',
}
/** What they mean in the answer to the sign-in, with those of version 3.1.1. */
const signInMeanings: typeof meanings = {
  ...meanings,
  3: 'notReady',
  4: 'signIn',
  5: 'signIn',
  128: 'error',
  134: 'signIn',
  135: 'signIn',
  138: 'signIn',
  159: 'full',
}

function refusal(reason: number, meant: typeof meanings): RunError {
  const code = `0x${reason.toString(16).padStart(2, '0').toUpperCase()}`
  return refusedBy(meant[reason] ?? 'error', code, '')
}
