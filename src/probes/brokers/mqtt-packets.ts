// The packets of MQTT that a check needs, of the versions 5.0 and 3.1.1.
// https://docs.oasis-open.org/mqtt/mqtt/v5.0/mqtt-v5.0.html

export const packetTypes = {
  connect: 1,
  connack: 2,
  publish: 3,
  puback: 4,
  subscribe: 8,
  suback: 9,
  pingreq: 12,
  pingresp: 13,
  disconnect: 14,
} as const

/** The level of the protocol in CONNECT: 5.0, or 3.1.1. */
export type MqttLevel = 5 | 4

export interface MqttPacket {
  readonly type: number
  readonly flags: number
  /** What follows the length. */
  readonly body: Buffer
}

export interface MqttMessage {
  readonly topic: string
  readonly payload: string
  /** It was there before anybody listened. */
  readonly isRetained: boolean
  readonly qos: number
  /** Zero if nobody waits for its receipt. */
  readonly id: number
}

/** A number in groups of seven bits, the lowest first, and where it ends; undefined if bytes are missing. */
function lengthAt(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0
  for (let i = 0; i < 4; i += 1) {
    const byte = bytes[start + i]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * 128 ** i
    if (byte < 0x80) return { value, end: start + i + 1 }
  }
  throw new RangeError('a length of more than four bytes')
}

/** The size of the packet that these bytes begin with; more than there are if they do not tell. */
export function packetSize(bytes: Buffer): number {
  const found = lengthAt(bytes, 1)
  return found === undefined ? bytes.length + 1 : found.end + found.value
}

export function packetIn(frame: Buffer): MqttPacket {
  const [first = 0] = frame
  const end = lengthAt(frame, 1)?.end ?? frame.length
  return { type: first >> 4, flags: first & 15, body: frame.subarray(end) }
}

/** The reason that a packet ends with or has after its identifier; 0 is success, from 128 on it is refused. */
export function reasonIn({ type, body }: MqttPacket): number {
  if (type === packetTypes.suback) return body.at(-1) ?? 0
  return body[type === packetTypes.connack ? 1 : type === packetTypes.puback ? 2 : 0] ?? 0
}

export function messageIn({ flags, body }: MqttPacket, level: MqttLevel): MqttMessage {
  const qos = (flags >> 1) & 3
  const topicEnd = 2 + body.readUInt16BE(0)
  const id = qos === 0 ? 0 : body.readUInt16BE(topicEnd)
  let start = qos === 0 ? topicEnd : topicEnd + 2
  if (level === 5) {
    const properties = lengthAt(body, start)
    if (properties === undefined) throw new RangeError('a message without its properties')
    start = properties.end + properties.value
  }
  return {
    topic: body.toString('utf8', 2, topicEnd),
    payload: body.toString('utf8', start),
    isRetained: (flags & 1) === 1,
    qos,
    id,
  }
}

function packet(type: keyof typeof packetTypes, flags: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const head = [(packetTypes[type] << 4) | flags]
  let left = body.length
  do {
    head.push(left >= 128 ? (left % 128) | 0x80 : left)
    left = Math.floor(left / 128)
  } while (left > 0)
  return Buffer.concat([Buffer.from(head), body])
}

function number16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([number16(bytes.length), bytes])
}

/** Version 5.0 has properties in each packet; ours have none. */
function noProperties(level: MqttLevel): Buffer {
  return Buffer.alloc(level === 5 ? 1 : 0)
}

export interface MqttLogin {
  readonly clientId: string
  readonly username: string | null
  readonly password: string | null
}

/** After this time without a packet a server takes the client for lost. */
const keepAliveSeconds = 60

export function connectPacket(level: MqttLevel, { clientId, username, password }: MqttLogin) {
  // Version 3.1.1 has no password without a name.
  const name = password === null ? username : (username ?? '')
  const flags = 2 | (name === null ? 0 : 0x80) | (password === null ? 0 : 0x40)
  const head = Buffer.concat([text('MQTT'), Buffer.from([level, flags])])
  const login = [name, password].filter((one) => one !== null).map(text)
  const parts = [head, number16(keepAliveSeconds), noProperties(level), text(clientId), ...login]
  return packet('connect', 0, parts)
}

/** Asks for what is published, and for what the server kept before unless `wantsRetained` is false. */
export function subscribePacket(level: MqttLevel, topic: string, wantsRetained: boolean): Buffer {
  // Version 3.1.1 has only the quality of service there.
  const options = 1 | (wantsRetained || level === 4 ? 0 : 0x20)
  const parts = [number16(1), noProperties(level), text(topic), Buffer.from([options])]
  return packet('subscribe', 2, parts)
}

/** A message whose receipt the server acknowledges. */
export function publishPacket(level: MqttLevel, topic: string, payload: string): Buffer {
  const parts = [text(topic), number16(1), noProperties(level), Buffer.from(payload)]
  return packet('publish', 2, parts)
}

export function pubackPacket(id: number): Buffer {
  return packet('puback', 0, [number16(id)])
}

export const pingPacket = packet('pingreq', 0, [])
export const disconnectPacket = packet('disconnect', 0, [])
