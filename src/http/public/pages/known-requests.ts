// Requests for documents of pages that were answered before, so that the next requests like them are
// answered without resolving page and document again.
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../../base/memory/bounds.ts'
import { perObject } from '../../../base/per-object.ts'
import type { RenderedDocument } from '../../../services/pages/public-pages.ts'
import type { QuickLook } from '../../edge/quick.ts'
import { type DocumentTraits, quickReplyWith, type ReplySource } from './document-reply.ts'

/** What tells requests apart: all that the choice of a document may depend on. */
interface KnownSource extends ReplySource {
  readonly path: string
  readonly queryText: string
}

/** What is served is kept elsewhere: a request must not keep a document that nothing else keeps. */
const weakly = perObject((document: RenderedDocument) => new WeakRef(document))

/** Requests whose answers are found at once, and the characters of what tells them apart. */
const pageRequestsKnown = 5_000
const pageRequestCharsMax = 400

export function createKnownRequests() {
  const known = new LRUCache<string, WeakRef<RenderedDocument>>(atMostEntries(pageRequestsKnown))

  function keyOf(request: KnownSource, { isLocal, ignoresQuery }: DocumentTraits): string {
    const language = isLocal ? request.header('accept-language') : ''
    // None of them contains a line break.
    return `${request.header('host')}\n${language}\n${request.path}?${ignoresQuery ? '' : request.queryText}`
  }

  return {
    note(request: KnownSource, traits: DocumentTraits, document: RenderedDocument): void {
      const key = keyOf(request, traits)
      if (key.length <= pageRequestCharsMax) known.set(key, weakly(document))
    },
    lookFor:
      (traits: DocumentTraits): QuickLook =>
      (request, nowMs) => {
        const document = known.get(keyOf(request, traits))?.deref()
        if (!document?.isFresh(nowMs)) return undefined
        return quickReplyWith(document, request, traits, nowMs)
      },
  }
}
