// Decodes the body of a response: undoes one content encoding, within bounds.
import zlib from 'node:zlib'
import { limits } from '../../domain/limits/limits.ts'
import { codeOf, type Failure, failure } from '../failure.ts'

export type DecodedBody =
  | { readonly bytes: Buffer; readonly failure?: never }
  | { readonly failure: Failure; readonly bytes?: never }

const options = { maxOutputLength: limits.responseBodyBytesMax }
/**
 * Options for the beginning of a body: decode what is there, and do not fail because the end is
 * missing.
 */
const partial = { ...options, finishFlush: zlib.constants.Z_SYNC_FLUSH }
const partialBrotli = { ...options, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }
const partialZstd = { ...options, finishFlush: zlib.constants.ZSTD_e_flush }

export const bodyTooLarge = failure('body_too_large', 'the response body is larger than 1 MiB')

type Done = (error: Error | null, bytes: Buffer) => void
type Decoder = (bytes: Buffer, isPartial: boolean, done: Done) => void

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: (bytes, isPartial, done) => zlib.gunzip(bytes, isPartial ? partial : options, done),
  deflate: (bytes, isPartial, done) => {
    // "deflate" means the zlib format (RFC 9110 §8.4.1.2), but many servers send deflate data
    // without its header.
    const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8
    const decode = isZlib ? zlib.inflate : zlib.inflateRaw
    decode(bytes, isPartial ? partial : options, done)
  },
  br: (bytes, isPartial, done) =>
    zlib.brotliDecompress(bytes, isPartial ? partialBrotli : options, done),
  zstd: (bytes, isPartial, done) =>
    zlib.zstdDecompress(bytes, isPartial ? partialZstd : options, done),
}

/** The encodings in a `content-encoding` header that change the body. */
export function codingsOf(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return []
  const names = String(header).toLowerCase().split(',', 3)
  return names
    .map((name) => name.trim().replace(/^x-gzip$/, 'gzip'))
    .filter((name) => name !== '' && name !== 'identity')
}

/** Undoes the encoding, if any. `isPartial`: the bytes are only the beginning of a body. */
export async function decodeBody(
  bytes: Buffer,
  codings: readonly string[],
  isPartial = false,
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
    decode(bytes, isPartial, (error, decoded) => {
      if (error === null) resolve({ bytes: decoded })
      else if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') resolve({ failure: bodyTooLarge })
      else
        resolve({
          failure: failure('invalid_response', `the response body is not valid ${coding}`),
        })
    })
  })
}
