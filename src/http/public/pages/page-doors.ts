// Where a request finds its page, and whether its reader may see it.
import { Fault } from '../../../base/fault.ts'
import type { Principal } from '../../../domain/access.ts'
import { defaultLocale } from '../../../domain/language.ts'
import type { StatusPage } from '../../../domain/pages/page.ts'
import type { Services } from '../../../services/assembly/services.ts'
import type { PageAddress } from '../../../services/pages/public-pages.ts'
import { oneCookie, sessionCookieName } from '../../pipeline/auth.ts'
import type { RawReply, RawRequest } from '../../routing/raw-route.ts'
import { notFoundFor } from './not-found.ts'
import { leadTo } from './page-form.ts'
import { pageKeysIn, safePath, unlockPath } from './unlock.ts'

/** Where a page is served: its address, and the path that its links begin with. */
interface PagePlace {
  readonly address: PageAddress
  readonly root: string
}

/** Shared by the documents, the forms and the streams of pages. */
export interface PageDoors {
  /** Undefined at a host that is neither the service's nor a page's. */
  readonly placeOf: (request: RawRequest) => PagePlace | undefined
  /**
   * Whether this reader may read the page: anybody may, the reader entered its password before, or is
   * signed in as a member of its organization.
   */
  readonly isOpenTo: (page: StatusPage, request: RawRequest, services: Services) => boolean
  /** What a reader is told who may not read the page: where the way in is, if there is one. */
  readonly wayIn: (page: StatusPage, request: RawRequest, services: Services) => RawReply
}

/** Where people sign in, at the service's own host. */
const signInPath = '/sign-in'

/** The person who is signed in; undefined for anybody else, also where the session has ended. */
function signedIn(request: RawRequest, { identity }: Services): Principal | undefined {
  try {
    const sessionToken = oneCookie(request.header('cookie'), sessionCookieName)
    return sessionToken === '' ? undefined : identity.authenticate({ sessionToken }, request.nowMs)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

export function createPageDoors(isOwnHost: (host: string) => boolean, baseUrl: string): PageDoors {
  function isMember({ orgId }: StatusPage, request: RawRequest, services: Services): boolean {
    // The hosts of pages have no session.
    const principal = request.params.slug === undefined ? undefined : signedIn(request, services)
    if (!principal) return false
    const { address, requestId, nowMs } = request
    const caller = {
      principal,
      address,
      requestId,
      userAgent: '',
      language: defaultLocale.language,
    }
    return services.identity.holds({ caller, orgId, role: 'viewer' }, 'viewer', nowMs)
  }

  function toSignIn({ slug }: StatusPage, request: RawRequest, services: Services): RawReply {
    const { params } = request
    const home = `/status/${slug}`
    // There a person is signed in, or is led on.
    if (params.slug === undefined) return leadTo(`${baseUrl}${home}${safePath(request.path)}`)
    // Somebody else, whom a sign-in would lead here again.
    if (signedIn(request, services)) return notFoundFor(request)
    const below = safePath(request.path.slice(`/status/${encodeURIComponent(params.slug)}`.length))
    return leadTo(`${signInPath}?redirectUri=${encodeURIComponent(home + below)}`)
  }

  return {
    placeOf({ host, params }) {
      if (params.slug === undefined) return { address: { host }, root: '' }
      if (!isOwnHost(host)) return undefined
      return {
        address: { slug: params.slug },
        root: `/status/${encodeURIComponent(params.slug)}`,
      }
    },
    isOpenTo(page, request, services) {
      if (page.visibility === 'members') return isMember(page, request, services)
      if (page.passwordHash === null) return true
      return services.pageLocks.isOpenTo(page, pageKeysIn(request.header('cookie')))
    },
    wayIn(page, request, services) {
      if (page.visibility === 'members') return toSignIn(page, request, services)
      const { slug } = request.params
      const root = slug === undefined ? '' : `/status/${encodeURIComponent(slug)}`
      const below = safePath(request.path.slice(root.length))
      const query = below === '' ? '' : `?to=${encodeURIComponent(below)}`
      return leadTo(`${root}${unlockPath}${query}`)
    },
  }
}
