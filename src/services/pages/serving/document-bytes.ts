// The bytes of a document in the codings that readers take. Each coding is made when it is first
// asked for. Only compressed bytes are kept for long: the plain ones are unpacked from them.
import { brotliCompress, constants, gunzipSync, gzip, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { atMostBytes } from '../../../base/memory/bounds.ts'
import { ownBytes } from '../../../base/memory/own-bytes.ts'
import { limits } from '../../../domain/limits/limits.ts'

export type Coding = 'identity' | 'gzip' | 'br'

/** The codings that a reader takes besides none. */
export interface TakenCodings {
  readonly gzip: boolean
  readonly br: boolean
}

interface CodedBytes {
  readonly coding: Coding
  readonly bytes: Uint8Array
}

export interface DocumentBytes {
  /** The best that there is by now for a reader. `ageMs`: of the document. */
  take(codings: TakenCodings, ageMs: number): CodedBytes
  /** The bytes without any coding. */
  readonly plain: Uint8Array
  /** What is kept of it for long. */
  readonly keptBytes: number
}

const compressible = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.+-]*json|[\w.+-]*xml))/

export const pagePlainBytesKept = 4 * 1024 * 1024
/** A smaller document is not compressed. */
export const pagePackedBytesMin = 512
/** A larger one is compressed on another thread. */
export const pageGzipAtOnceBytesMax = 128 * 1024
/** A document that changes more often is not worth compressing with Brotli. */
export const pageBrotliAgeMs = 1_000
const pageBrotliQuality = 5
const pageBrotlisTogether = 2

export function createBytePacker() {
  /** Plain bytes that were asked for lately. */
  const plains = new LRUCache<object, Buffer>(
    atMostBytes({
      entriesMax: limits.pagesCachedMax,
      bytesMax: pagePlainBytesKept,
      bytesOf: (bytes) => bytes.length,
    }),
  )
  /** Brotli takes longest, and a document that changes all the time is not worth it. */
  let brotlis = 0

  return {
    /** `onKept`: what is kept of it has changed. */
    pack(contentType: string, body: Buffer, onKept: () => void): DocumentBytes {
      const isPacked = body.length < pagePackedBytesMin || !compressible.test(contentType)
      if (isPacked) return asItIs(ownBytes(body))
      const owner = {}
      // Only the length, because the functions below would keep the body for ever.
      const { length } = body
      let first: Buffer | undefined = ownBytes(body)
      let gzipped: Buffer | undefined
      let brotlied: Buffer | undefined
      let isPacking = false

      function plain(): Buffer {
        const known = first ?? plains.get(owner)
        if (known) return known
        const bytes = ownBytes(gunzipSync(gzipped ?? Buffer.alloc(0)))
        plains.set(owner, bytes)
        return bytes
      }

      function keepGzip(bytes: Buffer): void {
        gzipped = ownBytes(bytes)
        if (first) plains.set(owner, first)
        first = undefined
        onKept()
      }

      function pack(
        work: (input: Buffer, whenDone: (error: Error | null, bytes: Buffer) => void) => void,
        keep: (bytes: Buffer) => void,
      ): void {
        isPacking = true
        work(plain(), (error, bytes) => {
          isPacking = false
          // Without the coding, readers get what there is.
          if (!error) keep(bytes)
        })
      }

      function startBrotli(): void {
        if (isPacking || brotlis >= pageBrotlisTogether) return
        brotlis += 1
        pack(
          (input, whenDone) =>
            brotliCompress(input, brotliOptions(input.length), (error, bytes) => {
              brotlis -= 1
              whenDone(error, bytes)
            }),
          (bytes) => {
            brotlied = ownBytes(bytes)
            onKept()
          },
        )
      }

      function startGzip(): void {
        if (length <= pageGzipAtOnceBytesMax) keepGzip(gzipSync(plain(), gzipOptions))
        else if (!isPacking) pack((input, done) => gzip(input, gzipOptions, done), keepGzip)
      }

      return {
        take(codings, ageMs) {
          if (codings.br) {
            if (brotlied) return { coding: 'br', bytes: brotlied }
            if (ageMs >= pageBrotliAgeMs) startBrotli()
          }
          if (codings.gzip) {
            if (!gzipped) startGzip()
            if (gzipped) return { coding: 'gzip', bytes: gzipped }
          }
          return { coding: 'identity', bytes: plain() }
        },
        get plain() {
          return plain()
        },
        get keptBytes() {
          return (first?.length ?? 0) + (gzipped?.length ?? 0) + (brotlied?.length ?? 0)
        },
      }
    },
  }
}

const gzipOptions = { level: constants.Z_BEST_SPEED } as const

function brotliOptions(bytes: number) {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: pageBrotliQuality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
    },
  }
}

/** What is small, or compressed already. */
function asItIs(bytes: Buffer): DocumentBytes {
  const coded = { coding: 'identity', bytes } as const
  return { take: () => coded, plain: bytes, keptBytes: bytes.length }
}
