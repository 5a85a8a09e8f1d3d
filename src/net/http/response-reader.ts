// What comes of a request, read within bounds: the same for HTTP/1.1 and HTTP/2.
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'

/** Told of an exchange. Exactly one of `ended` and `broke`, unless it is destroyed. */
export interface ExchangeListener {
  /** The first byte of the response is here. */
  began(): void
  /** The status and headers are here. A listener that wants no more destroys the reader. */
  headed(response: ResponseReader): void
  /** The response is complete, or read as far as its bound. */
  ended(response: ResponseReader): void
  broke(response: ResponseReader, cause: unknown): void
}

export interface ReaderOptions {
  readonly clock: Clock
  readonly listener: ExchangeListener
  /** Whether the whole body is kept; else only its beginning. */
  readonly wantsBody: boolean
  /** More of the body is not read; limits.responseBodyBytesMax where absent. */
  readonly bodyBytesMax?: number | undefined
}

/** A class because it has a life: under way, then over; nothing is told after that. */
export abstract class ResponseReader {
  status = 0
  headers: IncomingHttpHeaders = {}
  /** The beginning of the body as it was sent; all of it where the whole body was asked for. */
  readonly chunks: Buffer[] = []
  bodyBytes = 0
  /** Whether the body was longer than the bound and the rest was left unread. */
  isCut = false
  readonly #listener: ExchangeListener
  readonly #bodyBytesMax: number
  readonly #keepBytes: number
  #keptBytes = 0
  #isOver = false

  constructor({ listener, wantsBody, bodyBytesMax }: ReaderOptions) {
    this.#listener = listener
    this.#bodyBytesMax = bodyBytesMax ?? limits.responseBodyBytesMax
    this.#keepBytes = wantsBody ? this.#bodyBytesMax : limits.evidenceKeptBytes
  }

  /** Closes the connection and tells nobody. */
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
    if (this.bodyBytes <= this.#bodyBytesMax) return
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

/**
 * Adds a chunk. Short ones are joined as soon as the one before is no longer: a target that sends
 * its body byte by byte would otherwise leave a million of them, at a hundred times its size.
 */
export function gather(chunks: Buffer[], chunk: Buffer): void {
  let joined = chunk
  for (let last = chunks.at(-1); last !== undefined; last = chunks.at(-1)) {
    if (last.length > joined.length || last.length + joined.length > limits.joinedBytesMax) break
    chunks.pop()
    joined = Buffer.concat([last, joined])
  }
  chunks.push(joined)
}
