// The WebSocket probe: the handshake, one message to send, and the messages that come back.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { unreachable } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { bodyHolds, needsBody } from '../../domain/assertions/assertion.ts'
import type { Expectation } from '../../domain/assertions/expectation.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { failure } from '../../net/failure.ts'
import { urlShapeProblem } from '../../net/guard.ts'
import { type Hop, planFor } from '../../net/http/plan.ts'
import { createLook, type LookDeps, LookFailed, send } from '../run/look.ts'
import type { Probe } from '../run/probe.ts'
import {
  closePayload,
  createFrameReader,
  frameOf,
  type Heard,
  type Opcode,
  opcodes,
} from './websocket-frames.ts'
import { shakeHands } from './websocket-handshake.ts'

export type WebsocketUrl =
  /** The same address in the scheme of the handshake, http or https. */
  | { readonly url: string; readonly problem?: never }
  /** A sentence without its subject, such as `must start with ws:// or wss://`. */
  | { readonly problem: string; readonly url?: never }

/** Reads the URL of a monitor. */
export function parseWebsocketUrl(text: string): WebsocketUrl {
  if (!/^wss?:\/\//i.test(text)) return { problem: 'must start with ws:// or wss://' }
  const url = `http${text.slice('ws'.length)}`
  const problem = urlShapeProblem(url)
  return problem === null ? { url } : { problem }
}

/**
 * Makes the probe of WebSockets. The handshake is enough where nothing is said about the body; else
 * messages are read until one is as expected, or until the time is over.
 *
 * The framing is ours, in some hundred lines, although undici has a WebSocket: that one offers
 * compression whatever one says, adds headers of a browser, and tells of a refused handshake
 * neither the status nor the reason. Its HTTP client, which tells all that, makes the handshake.
 */
export function createWebsocketProbe(deps: LookDeps): Probe {
  return createLook(deps, async (target, look) => {
    const { clock } = look
    const spareMs = Math.min(limits.checkVerdictMs, target.timeoutMs / 10)
    const untilMs = clock.monoMs() + target.timeoutMs - spareMs
    const hop = hopOf(target)
    const { socket } = await look.connect(hop)
    const askedMs = clock.monoMs()
    const began = (): void => look.took('firstByte', clock.monoMs() - askedMs)
    await shakeHands(hop, socket, { clock, untilMs, began })
    if (target.body !== null && target.body !== '') await say(socket, target.body)
    if (!needsBody(target.expect)) {
      await sayGoodbye(socket, clock, untilMs)
      return {}
    }
    look.enter('download')
    const listenedMs = clock.monoMs()
    const text = await listen(socket, { expect: target.expect, clock, untilMs })
    look.took('download', clock.monoMs() - listenedMs)
    await sayGoodbye(socket, clock, untilMs)
    return { text }
  })
}

function hopOf(target: EndpointTarget): Hop {
  const { url, problem } = parseWebsocketUrl(target.url)
  if (problem !== undefined) throw new LookFailed(failure('blocked', `the URL ${problem}`))
  const plan = planFor({ ...target, url, method: 'GET', body: null })
  if (plan.problem !== undefined) throw new LookFailed(failure('blocked', plan.problem))
  return plan.hop
}

function frame(opcode: Opcode, payload: Buffer): Buffer {
  return frameOf(opcode, payload, randomBytes(4))
}

/** Sends a text message. */
function say(socket: Socket, text: string): Promise<void> {
  return send(socket, frame(opcodes.text, Buffer.from(text)))
}

interface Listening {
  readonly expect: Expectation
  readonly clock: Clock
  /** Monotonic: when the last message that came is the verdict. */
  readonly untilMs: number
}

/**
 * The first message that is as expected. Where none is, the last one that came, for the frame of
 * the check to say what is wrong with it; throws LookFailed where none came at all.
 */
function listen(socket: Socket, { expect, clock, untilMs }: Listening): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = createFrameReader()
    let last: string | undefined
    let isOver = false
    const end = (settle: () => void): void => {
      if (isOver) return
      isOver = true
      clock.clearTimeout(timer)
      settle()
    }
    const conclude = (otherwise: () => LookFailed): void => {
      end(() => (last === undefined ? reject(otherwise()) : resolve(last)))
    }
    // Without any message the deadline itself says so, a moment later.
    const timer = clock.setTimeout(() => {
      const found = last
      if (found !== undefined) end(() => resolve(found))
    }, untilMs - clock.monoMs())

    const hear = (heard: Heard): void => {
      switch (heard.kind) {
        case 'message':
          last = heard.text
          if (holds(expect, heard.text)) end(() => resolve(heard.text))
          break
        case 'ping':
          socket.write(frame(opcodes.pong, heard.payload))
          break
        case 'close':
          conclude(() => closedMute(heard))
          break
        case 'full':
          conclude(saidTooMuch)
          break
        case 'broken':
          end(() => reject(brokeRules(heard.problem, last)))
          break
        default:
          unreachable(heard)
      }
    }
    socket.on('data', (chunk: Buffer) => {
      for (const heard of isOver ? [] : reader.take(chunk)) if (!isOver) hear(heard)
    })
    socket.once('close', () => conclude(hungUp))
    if (socket.destroyed) conclude(hungUp)
  })
}

function holds(expect: Expectation, text: string): boolean {
  return bodyHolds(expect, { contentType: 'text/plain', text: () => text })
}

function closedMute({ code, reason }: Heard & { readonly kind: 'close' }): LookFailed {
  const how = code === null ? 'without a code' : `with code ${code}`
  const message = `expected a message, but the server closed the WebSocket ${how}`
  const found = failure('assertion', message)
  return new LookFailed(found, 'download', reason === '' ? undefined : reason)
}

function hungUp(): LookFailed {
  const message = 'the connection was closed before a message came'
  return new LookFailed(failure('reset', message), 'download')
}

function saidTooMuch(): LookFailed {
  const { websocketFramesMax, websocketBytesMax } = limits
  const most = `${websocketBytesMax / 1024} KiB or ${websocketFramesMax} frames`
  const found = failure('body_too_large', `the server sent more than a check reads (${most})`)
  return new LookFailed(found, 'download')
}

function brokeRules(problem: string, last: string | undefined): LookFailed {
  const found = failure('invalid_response', `the server broke the WebSocket protocol: ${problem}`)
  return new LookFailed(found, 'download', last)
}

const normalClosure = 1_000

/** The verdict is found, so this waits only as long as there is time, and never fails. */
function sayGoodbye(socket: Socket, clock: Clock, untilMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(resolve, untilMs - clock.monoMs())
    const done = (): void => {
      clock.clearTimeout(timer)
      resolve()
    }
    socket.once('close', done)
    socket.end(frame(opcodes.close, closePayload(normalClosure)), done)
  })
}
