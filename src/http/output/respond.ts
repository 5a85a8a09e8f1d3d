// Successful responses: the envelope, pages of lists, entity tags.
import type { TSchema } from 'typebox'
import { required } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { perObject } from '../../base/per-object.ts'
import { Parts, writerOf } from '../../base/schema/write.ts'
import type { PageOf } from '../../services/context.ts'
import { headerLines, type WireReply } from '../edge/reply.ts'
import type { DataAnswer, PlainAnswer, PouredAnswer, StreamAnswer } from '../routing/route.ts'
import { etagOf, isUnchanged } from './etag.ts'
import { pour } from './pour.ts'
import { apiHead, apiHeadWith } from './problems.ts'

/** The head of every successful API response. */
export const jsonHead = `application/json${apiHead}`

/** What the response depends on besides the handler's result. */
export interface ReplyContext {
  /** X-Request-Id and rate limit lines. */
  readonly lines: string
  /** '' if the request had none. */
  readonly ifNoneMatch: string
}

/** How a file is sent after its answer began. */
export interface LateWork {
  /** Whether the caller still has a right to the rest. */
  readonly mayGoOn: () => boolean
  /** Runs what sends it, and hears of its failure. */
  readonly run: (work: () => Promise<void>) => void
  readonly clock: Pick<Clock, 'monoMs'>
}

/** The next page of a list: its signed cursor and its URL. */
export interface NextPage {
  readonly cursor: string
  readonly url: string
}

interface TaggedBody {
  readonly body: string
  /** Absent where the data has no revision. */
  readonly etag?: string
}

/** Builds the responses of one route: picks the fields of `out`, and adds the envelope. */
export function createResponder(out: TSchema | undefined, usualMessage?: string) {
  const write = out && writerOf(out)
  const usualTail = tailOf(usualMessage)

  function bodyOf(data: unknown, tail: string): TaggedBody {
    const body = `{"success":true,"data":${write?.(data) ?? '{}'}${tail}`
    const revision = revisionOf(data)
    return revision === undefined ? { body } : { body, etag: etagOf(revision, body) }
  }

  /** What the same parts say is the same, and is often asked for again. */
  const keptBodyOf = perObject((parts: Parts<unknown>) => bodyOf(parts, usualTail))

  return {
    /** `late` is for routes with `pours`. */
    one(result: unknown, { lines, ifNoneMatch }: ReplyContext, late?: LateWork): WireReply {
      if (isPoured(result)) return pouredReply(result, lines, required(late, 'work after the head'))
      if (isPlain(result)) return plainReply(result, lines)
      if (isStream(result)) return { status: 200, head: streamHead + lines, open: result.open }
      const { data, message, headers } = unwrap(result)
      const { body, etag } =
        message === undefined && data instanceof Parts
          ? keptBodyOf(data)
          : bodyOf(data, message === undefined ? usualTail : tailOf(message))
      let head = jsonHead + lines
      if (headers) head += headerLines(headers)
      if (etag === undefined) return { status: 200, head, body }
      head += `\r\nETag: ${etag}`
      if (isUnchanged(ifNoneMatch, etag)) return { status: 304, head }
      return { status: 200, head, body, etag }
    },

    many(
      result: unknown,
      limit: number,
      { lines }: ReplyContext,
      next: (after: string) => NextPage,
    ): WireReply {
      const { data, message, headers } = unwrap(result)
      const { items, nextAfter } = data as PageOf<unknown>
      const tail = message === undefined ? usualTail : tailOf(message)
      const texts = items.map((item, at) => (at === 0 ? '' : ',') + (write?.(item) ?? '{}'))
      let head = jsonHead + lines
      if (headers) head += headerLines(headers)
      let cursor: string | null = null
      if (nextAfter !== undefined) {
        const page = next(nextAfter)
        cursor = page.cursor
        head += headerLines([['Link', `<${page.url}>; rel="next"`]])
      }
      const meta = `],"meta":${JSON.stringify({ limit, nextCursor: cursor })}`
      // Joined once, because appending to a large text step by step copies it each time.
      const body = ['{"success":true,"data":[', ...texts, meta, tail].join('')
      return { status: 200, head, body }
    },
  }
}

function tailOf(message: string | undefined): string {
  return message === undefined ? '}' : `,"message":${JSON.stringify(message)}}`
}

function isMarked(result: unknown, mark: string): boolean {
  return typeof result === 'object' && result !== null && Reflect.get(result, mark) === true
}

function isPlain(result: unknown): result is PlainAnswer {
  return isMarked(result, 'plain')
}

function isStream(result: unknown): result is StreamAnswer {
  return isMarked(result, 'stream')
}

function isPoured(result: unknown): result is PouredAnswer {
  return isMarked(result, 'poured')
}

function isDataAnswer(result: unknown): result is DataAnswer<unknown> {
  return isMarked(result, 'answer')
}

// A proxy that buffers responses would delay the events.
const streamHead = `text/event-stream; charset=utf-8${apiHead}\r\nX-Accel-Buffering: no`

function plainReply({ status, contentType, headers = [], body }: PlainAnswer, lines: string) {
  return { status, head: contentType + apiHeadWith(headers) + lines, body }
}

function pouredReply(
  { contentType, headers = [], parts, close }: PouredAnswer,
  lines: string,
  { mayGoOn, run, clock }: LateWork,
): WireReply {
  return {
    status: 200,
    head: contentType + apiHeadWith(headers) + lines,
    open: (line) => run(() => pour(line, { parts, close, mayGoOn }, clock)),
  }
}

/** The result without its cookies, for a request that another site caused. */
export function withoutCookies(result: unknown): unknown {
  if (!isDataAnswer(result) || !result.headers) return result
  return { ...result, headers: result.headers.filter(([name]) => name !== 'Set-Cookie') }
}

function unwrap(result: unknown): DataAnswer<unknown> {
  return isDataAnswer(result) ? result : { answer: true, data: result }
}

function revisionOf(answered: unknown): number | undefined {
  const data = answered instanceof Parts ? answered.changing : answered
  if (typeof data !== 'object' || data === null || !('revision' in data)) return undefined
  return typeof data.revision === 'number' ? data.revision : undefined
}
