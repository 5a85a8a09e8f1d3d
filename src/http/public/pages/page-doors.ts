// Where a request finds its page, and whether its reader may see it.
import type { StatusPage } from '../../../domain/pages/page.ts'
import type { Services } from '../../../services/assembly/services.ts'
import type { PageAddress } from '../../../services/pages/public-pages.ts'
import type { RawRequest } from '../../routing/raw-route.ts'
import { pageKeysIn } from './unlock.ts'

/** Where a page is served: its address, and the path that its links begin with. */
export interface PagePlace {
  readonly address: PageAddress
  readonly root: string
}

/** Shared by the documents, the forms and the streams of pages. */
export interface PageDoors {
  /** Undefined at a host that is neither the service's nor a page's. */
  readonly placeOf: (request: RawRequest) => PagePlace | undefined
  /** Whether this reader may read the page: it has no password, or the reader entered it before. */
  readonly isOpenTo: (page: StatusPage, request: RawRequest, services: Services) => boolean
}

export function createPageDoors(isOwnHost: (host: string) => boolean): PageDoors {
  return {
    placeOf({ host, params }) {
      if (params.slug === undefined) return { address: { host }, root: '' }
      if (!isOwnHost(host)) return undefined
      return {
        address: { slug: params.slug },
        root: `/status/${encodeURIComponent(params.slug)}`,
      }
    },
    isOpenTo(page, request, { pageLocks }) {
      if (page.passwordHash === null) return true
      return pageLocks.isOpenTo(page, pageKeysIn(request.header('cookie')))
    },
  }
}
