// Content that never changes while the daemon runs: made and compressed once, then sent from memory.
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { codingsOf } from '../output/codings.ts'
import { isUnchanged } from '../output/etag.ts'
import { type RawReply, type RawRequest, rawHead } from '../routing/raw-route.ts'

/** A content, plain and compressed. */
export interface Kept {
  readonly plain: Buffer
  readonly zipped: Buffer
  readonly etag: string
}

type HeadLines = Parameters<typeof rawHead>[0]

/** For content whose address changes with it. */
export const immutable = ['Cache-Control', 'public, max-age=31536000, immutable'] as const

const zip = promisify(gzip)

export async function kept(plain: Buffer): Promise<Kept> {
  return { plain, zipped: await zip(plain), etag: `"${hash('sha1', plain, 'base64url')}"` }
}

/** Makes the content when it is first asked for. */
export function keptOnce(make: () => string): () => Promise<Kept> {
  let loading: Promise<Kept> | undefined
  return () => {
    loading ??= kept(Buffer.from(make()))
    return loading
  }
}

/** The route must name `accept-encoding` and `if-none-match` among its headers. */
export async function replyWithKept(
  request: RawRequest,
  content: Promise<Kept>,
  usual: HeadLines,
): Promise<RawReply> {
  const { plain, zipped, etag } = await content
  const headers: HeadLines = [...usual, ['ETag', etag]]
  if (isUnchanged(request.header('if-none-match'), etag)) {
    return { status: 304, head: rawHead(headers) }
  }
  if (!codingsOf(request.header('accept-encoding')).gzip) {
    return { status: 200, head: rawHead(headers), body: plain }
  }
  return { status: 200, head: rawHead([...headers, ['Content-Encoding', 'gzip']]), body: zipped }
}
