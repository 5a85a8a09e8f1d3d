// A resource of a status page: a path below the page, and the document that is there.
import type { DocumentContext, PageDocument } from '../../../pages/view/public-page.ts'
import type { WantedDocument } from '../../../services/pages/public-pages.ts'
import type { RawRequest } from '../../routing/raw-route.ts'

export interface PageResource {
  /** `pages.` and a word. */
  readonly name: string
  /** Below the page, with a slash at its start; '' for the page itself. May contain `:name` parts. */
  readonly path: string
  /** Whether it is written in the language of the reader. */
  readonly isLocal: boolean
  /** Whether pages of other origins may read it (CORS). */
  readonly isShared: boolean
  /** Whether it is the same document whatever the query. */
  readonly ignoresQuery?: boolean
  /** Whether its address changes with its bytes, so that copies may be kept for ever. */
  readonly isLasting?: boolean
  /** Undefined if no page can have what is asked for. */
  readonly wanted: (
    request: RawRequest,
  ) => Pick<WantedDocument, 'key' | 'make' | 'isPage'> | undefined
}

interface SimpleResource {
  readonly name: string
  readonly path: string
  readonly isLocal?: boolean
  readonly isShared?: boolean
  /** Whether it is the page itself. */
  readonly isPage?: boolean
  readonly make: (context: DocumentContext) => PageDocument | undefined
}

/** A resource that each page has once. */
export function oneOfEachPage(resource: SimpleResource): PageResource {
  const { name, path, isLocal = false, isShared = false, isPage = false, make } = resource
  const wanted = { key: name, isPage, make }
  return { name, path, isLocal, isShared, ignoresQuery: true, wanted: () => wanted }
}
