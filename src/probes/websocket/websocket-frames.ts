// WebSocket frames (RFC 6455 §5): writes and reads the frames of a client, within bounds.

export const opcodes = {
  continuation: 0x0,
  text: 0x1,
  binary: 0x2,
  close: 0x8,
  ping: 0x9,
  pong: 0xa,
} as const
export type Opcode = (typeof opcodes)[keyof typeof opcodes]

/** A received message or event. */
export type FrameEvent =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'ping'; readonly payload: Buffer }
  /** `code` is null if the server sent none. */
  | { readonly kind: 'close'; readonly code: number | null; readonly reason: string }
  /** The server violated the protocol; everything after that is ignored. */
  | { readonly kind: 'broken'; readonly problem: string }
  /** The server sent more than a check reads. */
  | { readonly kind: 'full' }

interface WebsocketFrame {
  readonly isFinal: boolean
  readonly opcode: number
  readonly payload: Buffer
}

const finalBit = 0x80
const reservedBits = 0x70
const opcodeBits = 0x0f
const maskBit = 0x80
const lengthBits = 0x7f
/** A length of 126 or 127 means that the real one follows in two or eight bytes. */
const lengthInTwo = 126
const lengthInEight = 127
const controlBytesMax = 125
const closeCodeBytes = 2

/** One whole message or control frame; clients mask theirs (§5.3), with four random bytes. */
export function frameOf(opcode: Opcode, payload: Buffer, mask: Buffer): Buffer {
  const masked = Buffer.from(payload)
  for (let i = 0; i < masked.length; i++) masked[i] = (masked[i] ?? 0) ^ (mask[i % 4] ?? 0)
  return Buffer.concat([headOf(opcode, payload.length), mask, masked])
}

function headOf(opcode: Opcode, length: number): Buffer {
  if (length < lengthInTwo) return Buffer.from([finalBit | opcode, maskBit | length])
  if (length <= 0xffff) {
    const head = Buffer.from([finalBit | opcode, maskBit | lengthInTwo, 0, 0])
    head.writeUInt16BE(length, 2)
    return head
  }
  const head = Buffer.alloc(10)
  head[0] = finalBit | opcode
  head[1] = maskBit | lengthInEight
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

/** The payload of a close frame (§5.5.1). */
export function closePayload(code: number): Buffer {
  const payload = Buffer.alloc(closeCodeBytes)
  payload.writeUInt16BE(code)
  return payload
}

/** All messages that one check reads from a WebSocket. */
export const websocketBytesMax = 64 * 1024
export const websocketFramesMax = 1_000

/** Reads the frames of a server. */
export function createFrameReader() {
  let rest: Buffer = Buffer.alloc(0)
  let frames = 0
  let payloadBytes = 0
  let isOver = false
  /** The beginning of a fragmented message. */
  let begun: { readonly opcode: number; readonly pieces: Buffer[] } | undefined

  /** The next frame, or what is wrong with it; undefined until it is complete. */
  function nextFrame(): WebsocketFrame | FrameEvent | undefined {
    const [first, second] = rest
    if (first === undefined || second === undefined) return undefined
    const problem = headProblem(first, second)
    if (problem !== null) return { kind: 'broken', problem }
    const short = second & lengthBits
    const start = 2 + (short === lengthInEight ? 8 : short === lengthInTwo ? 2 : 0)
    if (rest.length < start) return undefined
    const length = lengthAt(rest, short)
    // Checked before the payload arrives, so that one that is too long is never buffered.
    if (payloadBytes + length > websocketBytesMax) return { kind: 'full' }
    if (rest.length < start + length) return undefined
    const payload = rest.subarray(start, start + length)
    rest = rest.subarray(start + length)
    frames += 1
    payloadBytes += length
    if (frames > websocketFramesMax) return { kind: 'full' }
    return { isFinal: (first & finalBit) !== 0, opcode: first & opcodeBits, payload }
  }

  /** The event of a frame; undefined for frames that the check ignores. */
  function eventOf({ isFinal, opcode, payload }: WebsocketFrame): FrameEvent | undefined {
    switch (opcode) {
      case opcodes.ping:
        return { kind: 'ping', payload }
      case opcodes.pong:
        return undefined
      case opcodes.close:
        return closeOf(payload)
      case opcodes.continuation:
        if (begun === undefined)
          return broken('a continuation frame came without a message to continue')
        break
      default:
        if (begun !== undefined) return broken('a new message began before the previous one ended')
        begun = { opcode, pieces: [] }
    }
    begun.pieces.push(payload)
    if (!isFinal) return undefined
    const message = messageOf(begun.opcode, Buffer.concat(begun.pieces))
    begun = undefined
    return message
  }

  return {
    /** Returns what these bytes complete. After `close`, `broken` or `full` nothing follows. */
    take(chunk: Buffer): readonly FrameEvent[] {
      if (isOver) return []
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const all: FrameEvent[] = []
      while (!isOver) {
        const next = nextFrame()
        if (next === undefined) break
        const frameEvent = 'kind' in next ? next : eventOf(next)
        if (frameEvent === undefined) continue
        all.push(frameEvent)
        isOver =
          frameEvent.kind === 'close' || frameEvent.kind === 'broken' || frameEvent.kind === 'full'
      }
      return all
    },
  }
}

function broken(problem: string): FrameEvent {
  return { kind: 'broken', problem }
}

/** What is wrong with the first two bytes of a server's frame, or null. */
function headProblem(first: number, second: number): string | null {
  const opcode = first & opcodeBits
  if ((first & reservedBits) !== 0) return 'a frame uses an extension that was not negotiated'
  if ((second & maskBit) !== 0) return 'a frame is masked, which is reserved for clients'
  const isControl = opcode >= opcodes.close
  if (opcode > opcodes.pong || (!isControl && opcode > opcodes.binary)) {
    return 'a frame has an unknown opcode'
  }
  if (!isControl) return null
  if ((first & finalBit) === 0) return 'a control frame is fragmented'
  return (second & lengthBits) > controlBytesMax ? 'a control frame is too long' : null
}

function lengthAt(bytes: Buffer, short: number): number {
  if (short === lengthInTwo) return bytes.readUInt16BE(2)
  // A number beyond 2^53 is inexact, but such a length is refused anyway.
  return short === lengthInEight ? Number(bytes.readBigUInt64BE(2)) : short
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })
const laxUtf8 = new TextDecoder()

/** A binary message is decoded to text, because assertions read text. */
function messageOf(opcode: number, payload: Buffer): FrameEvent {
  if (opcode === opcodes.binary) return { kind: 'message', text: laxUtf8.decode(payload) }
  try {
    return { kind: 'message', text: strictUtf8.decode(payload) }
  } catch {
    return broken('a text message is not valid UTF-8')
  }
}

function closeOf(payload: Buffer): FrameEvent {
  if (payload.length === 0) return { kind: 'close', code: null, reason: '' }
  if (payload.length < closeCodeBytes) return broken('a close frame is truncated')
  const reason = laxUtf8.decode(payload.subarray(closeCodeBytes))
  return { kind: 'close', code: payload.readUInt16BE(0), reason }
}
