// The WebSocket check: the handshake, one message to send, and the received messages.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { unreachable } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { bodyHolds, needsBody } from '../../domain/assertions/assertion.ts'
import { type Budget, freshBudget } from '../../domain/assertions/budget.ts'
import type { Expectation } from '../../domain/assertions/expectation.ts'
import { didYouMean, hostOf, portOf, urlShapeProblem } from '../../net/egress-policy.ts'
import { failure } from '../../net/failure.ts'
import { hopFor } from '../../net/http-client/plan.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { defineKind } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import { type ProbeRun, send, verdictAtMs } from '../run/probe-run.ts'
import { signedIn, signInsOf } from '../run/sign-in.ts'
import {
  closePayload,
  createFrameReader,
  type FrameEvent,
  frameOf,
  type Opcode,
  opcodes,
  websocketBytesMax,
  websocketFramesMax,
} from './websocket-frames.ts'
import { shakeHands } from './websocket-handshake.ts'

/**
 * The check ends with the handshake where nothing is expected of the body; else messages are read
 * until one meets the expectations, or the time is over.
 *
 * The framing is our own, in about a hundred lines, although undici has a WebSocket: that one
 * always offers compression, adds headers of a browser, and reports neither status nor reason of a
 * refused handshake. Its HTTP client, which reports all that, makes the handshake.
 */
export const websocket = defineKind({
  type: 'websocket',
  fields: ['connection', 'stream', 'handshake', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'message',
  schemes: ['wss', 'ws'],
  family: 'web',
  icon: 'arrow-left-right',
  example: 'wss://example.com/live',
  urlForm: '`ws://host/path` or `wss://host/path`',
  finds: 'text',
  parse: parseWebsocketUrl,
  destination: (url) => ({ host: hostOf(url), port: portOf(url) }),
  open: (deps) => ({
    async look(url, target, run) {
      const { clock, record } = run
      const { expect, body } = target
      const untilMs = verdictAtMs(run, target)
      const socket = await signedIn(run, target, {
        signIns: signInsOf(deps),
        isRefused: () => record.response?.status === 401,
        look: (signed) =>
          shakeHands(run, hopFor({ ...signed, method: 'GET', body: null }, url), untilMs),
      })
      if (body !== null && body !== '') await say(socket, body)
      if (!needsBody(expect)) {
        await sendClose(socket, clock, untilMs)
        return {}
      }
      record.enter('download')
      const text = await listen(socket, { expect, run, untilMs })
      record.end()
      await sendClose(socket, clock, untilMs)
      return { text }
    },
  }),
})

/** The same URL with the scheme of the handshake, http or https. */
export function parseWebsocketUrl(text: string): URL | UrlFault {
  if (!/^wss?:\/\//i.test(text)) {
    return { problem: `must start with ws:// or wss://${didYouMean(text, 'wss')}` }
  }
  const url = `http${text.slice('ws'.length)}`
  const problem = urlShapeProblem(url)
  return problem === null ? new URL(url) : { problem }
}

function frame(opcode: Opcode, payload: Buffer): Buffer {
  return frameOf(opcode, payload, randomBytes(4))
}

/** Sends a text message. */
function say(socket: Socket, text: string): Promise<void> {
  return send(socket, frame(opcodes.text, Buffer.from(text)))
}

interface MessageWait {
  readonly expect: Expectation
  readonly run: ProbeRun
  /** The time, by the monotonic clock, when the last received message is judged. */
  readonly untilMs: number
}

/** The first message that meets the expectations, else the last. Throws RunError if none came. */
function listen(socket: Socket, { expect, run, untilMs }: MessageWait): Promise<string> {
  const { clock, record } = run
  return new Promise((resolve, reject) => {
    const reader = createFrameReader()
    // One for all messages: with one for each, a thousand of them would take seconds.
    const budget = freshBudget()
    let last: string | undefined
    let isOver = false
    const end = (settle: () => void): void => {
      if (isOver) return
      isOver = true
      clock.clearTimeout(timer)
      settle()
    }
    const conclude = (otherwise: () => RunError): void => {
      end(() => (last === undefined ? reject(otherwise()) : resolve(last)))
    }
    // If no message came, the deadline reports the failure a moment later.
    const timer = clock.setTimeout(() => {
      const found = last
      if (found !== undefined) end(() => resolve(found))
    }, untilMs - clock.monoMs())

    const handleEvent = (frameEvent: FrameEvent): void => {
      switch (frameEvent.kind) {
        case 'message':
          last = frameEvent.text
          if (record.examinedNow(() => holds(expect, frameEvent.text, budget))) {
            end(() => resolve(frameEvent.text))
          }
          break
        case 'ping':
          socket.write(frame(opcodes.pong, frameEvent.payload))
          break
        case 'close':
          conclude(() => {
            if (frameEvent.reason !== '') record.text = frameEvent.reason
            return closedMute(frameEvent)
          })
          break
        case 'full':
          conclude(saidTooMuch)
          break
        case 'broken':
          record.text = last
          end(() => reject(brokeRules(frameEvent.problem)))
          break
        default:
          unreachable(frameEvent)
      }
    }
    socket.on('data', (chunk: Buffer) => {
      for (const frameEvent of isOver ? [] : reader.take(chunk))
        if (!isOver) handleEvent(frameEvent)
    })
    socket.once('close', () => conclude(hungUp))
    if (socket.destroyed) conclude(hungUp)
  })
}

function holds(expect: Expectation, text: string, budget: Budget): boolean {
  return bodyHolds(expect, { contentType: 'text/plain', text: () => text }, budget)
}

function closedMute({ code }: FrameEvent & { readonly kind: 'close' }): RunError {
  const how = code === null ? 'without a code' : `with code ${code}`
  const message = `expected a message, but the server closed the WebSocket ${how}`
  const found = failure('assertion', message)
  return new RunError(found, 'download')
}

function hungUp(): RunError {
  const message = 'the connection was closed before a message came'
  return new RunError(failure('reset', message), 'download')
}

function saidTooMuch(): RunError {
  const most = `${websocketBytesMax / 1024} KiB or ${websocketFramesMax} frames`
  const found = failure('body_too_large', `the server sent more than a check reads (${most})`)
  return new RunError(found, 'download')
}

function brokeRules(problem: string): RunError {
  const found = failure('invalid_response', `the server broke the WebSocket protocol: ${problem}`)
  return new RunError(found, 'download')
}

const normalClosure = 1_000

/**
 * Sends a close frame and resolves when it is sent, at the latest at `untilMs`. Never fails, because
 * the verdict is already decided.
 */
function sendClose(socket: Socket, clock: Clock, untilMs: number): Promise<void> {
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
