// The replies of a document: in the coding that the reader takes, or unchanged.

import { ownBytes } from '../../../base/memory/own-bytes.ts'
import { perObject } from '../../../base/per-object.ts'
import type { RenderedDocument } from '../../../services/pages/public-pages.ts'
import type { Coding } from '../../../services/pages/serving/document-bytes.ts'
import type { QuickReply } from '../../edge/quick.ts'
import { headerLines } from '../../edge/reply.ts'
import { codingsOf } from '../../output/codings.ts'
import { isUnchanged } from '../../output/etag.ts'
import { type RawReply, rawHead } from '../../routing/raw-route.ts'
import type { PageResource } from './page-resource.ts'

export type DocumentTraits = Pick<
  PageResource,
  'isLocal' | 'isShared' | 'isLasting' | 'ignoresQuery'
>

/** The parts of a request that the reply depends on. */
export interface ReplySource {
  header(name: string): string
}

type Head = Pick<QuickReply, 'firstName' | 'rest'> & { readonly text: string }

/** Built once per document, and used for tens of thousands of requests. */
interface Heads {
  readonly coded: (coding: Coding) => Head
  readonly unchanged: Head
}

/** The traits follow from the document: each is of one kind. */
const headsFor = perObject(headsOf)

function headsOf(
  document: RenderedDocument,
  { isLocal, isShared, isLasting }: DocumentTraits,
): Heads {
  const { isPrivate } = document
  const lifetime = isLasting ? 'max-age=31536000, immutable' : 'max-age=10'
  const varies = [
    'Accept-Encoding',
    ...(isLocal ? ['Accept-Language'] : []),
    ...(isPrivate ? ['Cookie'] : []),
  ]
  const cache = [
    ['Cache-Control', isPrivate ? 'private, no-store' : `public, ${lifetime}`],
    ['Vary', varies.join(', ')],
    ...(isShared && !isPrivate ? [['Access-Control-Allow-Origin', '*'] as const] : []),
    ['ETag', document.etag],
  ] as const
  const whole = [['Content-Type', document.contentType], ...document.headers, ...cache] as const
  const heads: Partial<Record<Coding, Head>> = {}
  function coded(coding: Coding): Head {
    const own = coding === 'identity' ? [] : [['Content-Encoding', coding] as const]
    const text = rawHead([...whole, ...own])
    const head = { text, firstName: 'Content-Type', rest: bytesOf(text) }
    heads[coding] = head
    return head
  }
  const [[firstName, value], ...others] = cache
  const unchanged = {
    text: rawHead(cache),
    firstName,
    // A 304 has no content, so it has no type.
    rest: bytesOf(`${value}${headerLines(others)}\r\nX-Content-Type-Options: nosniff`),
  }
  return { coded: (coding) => heads[coding] ?? coded(coding), unchanged }
}

const bytesOf = (head: string) => ownBytes(Buffer.from(head, 'latin1'))

export function replyWith(
  document: RenderedDocument,
  request: ReplySource & { readonly nowMs: number },
  traits: DocumentTraits,
): RawReply {
  const { coded, unchanged } = headsFor(document, traits)
  if (isUnchanged(request.header('if-none-match'), document.etag)) {
    return { status: 304, head: unchanged.text }
  }
  const codings = codingsOf(request.header('accept-encoding'))
  const { coding, bytes } = document.take(codings, request.nowMs - document.madeAtMs)
  return { status: 200, head: coded(coding).text, body: bytes }
}

/** The same reply, ready to be written. */
export function quickReplyWith(
  document: RenderedDocument,
  request: ReplySource,
  traits: DocumentTraits,
  nowMs: number,
): QuickReply | undefined {
  const { coded, unchanged } = headsFor(document, traits)
  if (isUnchanged(request.header('if-none-match'), document.etag))
    return { status: 304, ...unchanged }
  const codings = codingsOf(request.header('accept-encoding'))
  const { coding, bytes } = document.take(codings, nowMs - document.madeAtMs)
  if (bytes.length === 0) return undefined
  const { firstName, rest } = coded(coding)
  return { status: 200, firstName, rest, body: bytes }
}
