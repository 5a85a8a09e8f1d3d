// The check of a TCP port: connects, sends the body, and reads the answer.
import type { Socket } from 'node:net'
import { bodyHolds, needsBody, readsBody } from '../domain/assertions/assertion.ts'
import type { Expectation } from '../domain/assertions/expectation.ts'
import { codeOf, failure } from '../net/failure.ts'
import { RunError } from '../net/run/guarded-run.ts'
import { escapeProblem, sentBytes } from './run/escapes.ts'
import { defineKind } from './run/kind.ts'
import { parsePlaceUrl, type UrlFault } from './run/place-url.ts'
import { type ProbeRun, send, verdictAtMs } from './run/probe-run.ts'

/** Servers that have no kind of their own. */
const portsOfServers = {
  sqlserver: 1_433,
  memcached: 11_211,
  nats: 4_222,
}

/**
 * The check ends with the connection where nothing is expected of the body; else it reads until the
 * expectations are met, the target closes, or the time is over.
 */
export const tcp = defineKind({
  type: 'tcp',
  fields: ['connection', 'stream', 'message'],
  sources: ['ip'],
  textName: 'answer',
  schemes: ['tcp'],
  family: 'network',
  icon: 'plug',
  example: 'tcp://db.example.com:5432',
  urlForm: '`tcp://host:port`',
  finds: 'text',
  typed: { keeps: 'port', servers: portsOfServers },
  message: { is: 'message', example: 'PING\\r\\n' },
  bodyProblem: escapeProblem,
  parse: parseTcpUrl,
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const untilMs = verdictAtMs(run, target)
      const { socket } = await run.connect({ ...url, isTls: false })
      const bytes = sentBytes(target.body ?? '', run.record)
      const sending = bytes.length === 0 ? Promise.resolve() : send(socket, bytes)
      if (!needsBody(target.expect)) {
        await sending
        return {}
      }
      // A target may answer and close before it receives anything; then a failed send does not
      // matter.
      sending.catch(() => {})
      return { text: await listen(socket, { expect: target.expect, run, untilMs }) }
    },
  }),
})

export interface TcpUrl {
  readonly host: string
  readonly port: number
  readonly problem?: never
}

/** Reads `tcp://host:port`. */
export function parseTcpUrl(text: string): TcpUrl | UrlFault {
  const url = parsePlaceUrl(text, ['tcp'])
  if (url.problem !== undefined) return url
  const { host, port, path, query } = url
  if (port === null) return { problem: 'must name a port, such as tcp://host:5432' }
  if (path.length > 1 || query !== '') return { problem: 'must end after the port' }
  return { host, port }
}

interface AnswerWait {
  readonly expect: Expectation
  readonly run: ProbeRun
  /** The time, by the monotonic clock, when the data received until then is judged. */
  readonly untilMs: number
}

/** Bytes that are read and searched from a TCP target. */
const tcpBytesMax = 64 * 1024
/** A TCP target that is silent for this long has finished. */
const tcpQuietMs = 200
/** Searching the output of a TCP target takes at most 1/n of the time. */
const tcpExamineShare = 20

/**
 * The target's output. Resolves as soon as the output meets the expectations, else when no more can
 * come. Throws RunError if the target closed without sending.
 */
function listen(socket: Socket, { expect, run, untilMs }: AnswerWait): Promise<string> {
  const { clock, record } = run
  const startedMs = clock.monoMs()
  const waitsForSilence = onlyHoldsAtTheEnd(expect)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let firstMs: number | undefined
    let isOver = false
    let nextExamineMs = 0
    let looking: unknown
    let cause: unknown

    const textNow = (): string => Buffer.concat(chunks).toString()
    const end = (settle: () => void): void => {
      if (isOver) return
      isOver = true
      clock.clearTimeout(looking)
      clock.clearTimeout(finalExamine)
      socket.pause()
      if (firstMs !== undefined) record.set('download', clock.monoMs() - firstMs)
      settle()
    }
    const conclude = (): void => {
      end(() => (size === 0 ? reject(mute(cause)) : resolve(textNow())))
    }
    const examine = (): void => {
      looking = undefined
      const beganMs = clock.monoMs()
      const text = textNow()
      const isEnough = record.examinedNow(() => holds(expect, text) || saysForbidden(expect, text))
      if (isEnough) end(() => resolve(text))
      // Evaluating an expensive pattern for every small piece of a slow target would block the
      // daemon, so the pauses grow with the duration.
      const endedMs = clock.monoMs()
      nextExamineMs = endedMs + (endedMs - beganMs) * tcpExamineShare
    }
    const examineSoon = (): void => {
      if (waitsForSilence) clock.clearTimeout(looking)
      else if (looking !== undefined) return
      const waitMs = waitsForSilence ? tcpQuietMs : nextExamineMs - clock.monoMs()
      if (waitMs <= 0) examine()
      else looking = clock.setTimeout(examine, waitMs)
    }
    // If no output came, the deadline reports the failure a moment later.
    const finalExamine = clock.setTimeout(() => size > 0 && conclude(), untilMs - clock.monoMs())

    socket.on('data', (chunk: Buffer) => {
      if (isOver) return
      if (firstMs === undefined) {
        firstMs = clock.monoMs()
        record.set('firstByte', firstMs - startedMs)
        record.enter('download')
      }
      chunks.push(chunk.subarray(0, tcpBytesMax - size))
      size = Math.min(size + chunk.length, tcpBytesMax)
      if (size === tcpBytesMax) conclude()
      else examineSoon()
    })
    socket.once('error', (error) => (cause = error))
    socket.once('end', conclude)
    socket.once('close', conclude)
    if (socket.destroyed) conclude()
  })
}

/**
 * If these assertions hold for the beginning of the output, they hold for all of it; others need
 * the end.
 */
const lasting: ReadonlySet<string> = new Set(['contains', 'regex', 'exists', 'jsonPath'])

function onlyHoldsAtTheEnd(expect: Expectation): boolean {
  const { bodyNotContains, responseAssertionType, assertions } = expect
  const types = assertions.filter(readsBody).map(({ type }) => type)
  if (responseAssertionType !== null) types.push(responseAssertionType)
  return Boolean(bodyNotContains) || types.some((type) => !lasting.has(type))
}

function holds(expect: Expectation, text: string): boolean {
  return bodyHolds(expect, { contentType: 'text/plain', text: () => text })
}

/** Whether the output contains forbidden text; more output cannot change that, so the wait can end. */
function saysForbidden({ bodyNotContains }: Expectation, text: string): boolean {
  return Boolean(bodyNotContains) && text.includes(bodyNotContains ?? '')
}

function mute(cause: unknown): RunError {
  const how = codeOf(cause) === 'ECONNRESET' ? 'reset' : 'closed'
  return new RunError(failure('reset', `the connection was ${how} without a word`), 'firstByte')
}
