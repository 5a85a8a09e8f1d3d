// Reads a response within bounds: the same for HTTP/1.1 and HTTP/2.
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'

/** Gets exactly one of `ended` and `broke`, unless the reader is destroyed. */
export interface ExchangeListener {
  /** The first byte of the response arrived. */
  began(): void
  /** The status and headers arrived. A listener that needs no more destroys the reader. */
  headed(response: ResponseReader): void
  /** The response is complete, or read as far as its bound. */
  ended(response: ResponseReader): void
  broke(response: ResponseReader, cause: unknown): void
}

export interface ResponseReaderOptions {
  readonly clock: Clock
  readonly listener: ExchangeListener
  /** Whether the whole body is kept; else only its beginning. */
  readonly wantsBody: boolean
  /** The body is not read beyond this; default: limits.responseBodyBytesMax. */
  readonly bodyBytesMax?: number | undefined
  /** How much of a body that is not wanted is kept; default: limits.evidenceKeptBytes. */
  readonly bodyBytesKept?: number | undefined
}

/** A class because it has states: in progress, then over; no events follow after that. */
export abstract class ResponseReader {
  status = 0
  headers: IncomingHttpHeaders = {}
  /** The body as sent: its beginning, or all of it if the whole body was requested. */
  readonly chunks: Buffer[] = []
  bodyBytes = 0
  /** Whether the body exceeded the bound and the rest was not read. */
  isCut = false
  /** The body, and what it decodes to, is not read beyond this. */
  readonly bodyBytesMax: number
  readonly #listener: ExchangeListener
  readonly #keepBytes: number
  #keptBytes = 0
  #isOver = false

  constructor({ listener, wantsBody, bodyBytesMax, bodyBytesKept }: ResponseReaderOptions) {
    this.#listener = listener
    this.bodyBytesMax = bodyBytesMax ?? limits.responseBodyBytesMax
    this.#keepBytes = wantsBody ? this.bodyBytesMax : (bodyBytesKept ?? limits.evidenceKeptBytes)
  }

  /** Closes the connection without notifying the listener. */
  destroy(): void {
    this.#isOver = true
    this.close()
  }

  /** Closes the connection; may be called more than once. */
  protected abstract close(): void

  protected began(): void {
    if (!this.#isOver) this.#listener.began()
  }

  protected headed(status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver) return
    this.status = status
    this.headers = headers
    this.#listener.headed(this)
  }

  protected took(chunk: Buffer): void {
    if (this.#isOver) return
    this.bodyBytes += chunk.length
    if (this.#keptBytes < this.#keepBytes) {
      this.#keptBytes += chunk.length
      gather(this.chunks, chunk)
    }
    if (this.bodyBytes <= this.bodyBytesMax) return
    this.isCut = true
    this.ended()
  }

  protected ended(): void {
    if (this.#isOver) return
    this.destroy()
    this.#listener.ended(this)
  }

  protected broke(cause: unknown): void {
    if (this.#isOver) return
    this.destroy()
    this.#listener.broke(this, cause)
  }
}

/** Small chunks of a body are joined up to this size: a million bytes, not a million chunks. */
const joinedBytesMax = 16 * 1024

/**
 * Adds a chunk. Short chunks are joined: a target that sends its body byte by byte would otherwise
 * create a million objects that take a hundred times the memory.
 */
function gather(chunks: Buffer[], chunk: Buffer): void {
  let joined = chunk
  for (let last = chunks.at(-1); last !== undefined; last = chunks.at(-1)) {
    if (last.length > joined.length || last.length + joined.length > joinedBytesMax) break
    chunks.pop()
    joined = Buffer.concat([last, joined])
  }
  chunks.push(joined)
}
