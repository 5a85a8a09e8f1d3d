// Decodes the body of a response: undoes one content encoding, within bounds.
import zlib from 'node:zlib'
import { sizeText } from '../../base/sizes.ts'
import { limits } from '../../domain/limits/limits.ts'
import { codeOf, type Failure, failure } from '../failure.ts'

export type DecodedBody =
  | { readonly bytes: Buffer; readonly failure?: never }
  | { readonly failure: Failure; readonly bytes?: never }

/** For the beginning of a body: decode what is there, and do not fail because the end is missing. */
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants

export function bodyTooLarge(bytesMax: number): Failure {
  return failure('body_too_large', `the response body is larger than ${sizeText(bytesMax)}`)
}

export interface DecodingOptions {
  /** The bytes are only the beginning of a body. */
  readonly isPartial?: boolean
  /** How many bytes the decoded body may have. */
  readonly bytesMax?: number
}

type Done = (error: Error | null, bytes: Buffer) => void
type Decoder = (bytes: Buffer, options: Required<DecodingOptions>, done: Done) => void

/** The options of zlib, with what flushes the beginning of a body. */
function bounded({ isPartial, bytesMax }: Required<DecodingOptions>, finishFlush: number) {
  return { maxOutputLength: bytesMax, ...(isPartial ? { finishFlush } : {}) }
}

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: (bytes, options, done) => zlib.gunzip(bytes, bounded(options, Z_SYNC_FLUSH), done),
  deflate: (bytes, options, done) => {
    // "deflate" means the zlib format (RFC 9110 §8.4.1.2), but many servers send deflate data
    // without its header.
    const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8
    const decode = isZlib ? zlib.inflate : zlib.inflateRaw
    decode(bytes, bounded(options, Z_SYNC_FLUSH), done)
  },
  br: (bytes, options, done) =>
    zlib.brotliDecompress(bytes, bounded(options, BROTLI_OPERATION_FLUSH), done),
  zstd: (bytes, options, done) => zlib.zstdDecompress(bytes, bounded(options, ZSTD_e_flush), done),
}

/** The encodings in a `content-encoding` header that change the body. */
export function codingsOf(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return []
  const names = String(header).toLowerCase().split(',', 3)
  return names
    .map((name) => name.trim().replace(/^x-gzip$/, 'gzip'))
    .filter((name) => name !== '' && name !== 'identity')
}

/** Undoes the encoding, if any. */
export async function decodeBody(
  bytes: Buffer,
  codings: readonly string[],
  { isPartial = false, bytesMax = limits.responseBodyBytesMax }: DecodingOptions = {},
): Promise<DecodedBody> {
  const [coding] = codings
  if (coding === undefined || bytes.length === 0) return { bytes }
  // The target chose the name, and it could be `constructor`, which every object inherits.
  const isKnown = codings.length === 1 && Object.hasOwn(decoders, coding)
  const decode = isKnown ? decoders[coding] : undefined
  if (decode === undefined) {
    const what = codings.length === 1 ? 'an unknown encoding' : 'more than one encoding'
    return { failure: failure('invalid_response', `the response body is in ${what}`) }
  }
  return new Promise((resolve) => {
    decode(bytes, { isPartial, bytesMax }, (error, decoded) => {
      if (error === null) resolve({ bytes: decoded })
      else if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE')
        resolve({ failure: bodyTooLarge(bytesMax) })
      else
        resolve({
          failure: failure('invalid_response', `the response body is not valid ${coding}`),
        })
    })
  })
}
