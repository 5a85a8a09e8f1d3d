// The addresses of status pages: which page a host is for, and where a page is.
import type { OrgId, PageId } from '../../base/ids.ts'
import type { CustomDomain } from '../../domain/pages/custom-domain.ts'
import { hostnameFrom, type OwnHosts } from '../../domain/pages/custom-hostname.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import type { WantedHost } from '../../domain/system/certificate-plan.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'

export interface PageUrlsDeps {
  readonly store: Store
  /** The service's own origin, without a trailing slash. */
  readonly baseUrl: string
  /** The domain below which pages have subdomains; null if they have none. */
  readonly statusDomain: string | null
}

export type PageUrls = ReturnType<typeof createPageUrls>

export function createPageUrls({ store, baseUrl, statusDomain }: PageUrlsDeps) {
  const base = new URL(baseUrl)
  const baseHost = base.hostname.replace(/^\[(.*)\]$/, '$1')
  const suffix = statusDomain === null ? null : `.${statusDomain.toLowerCase()}`
  const port = base.port && `:${base.port}`
  const ownHosts: OwnHosts = { baseHost, statusDomain: suffix?.slice(1) ?? null }
  const custom = createCustomHosts(store, ownHosts)

  const slugUrl = ({ slug }: StatusPage) => `${baseUrl}/status/${slug}`

  /** Null also where it would be the service's own host: a page may have its label from before. */
  function subdomainHost({ subdomain }: StatusPage): string | null {
    const host = subdomain && suffix !== null ? `${subdomain}${suffix}` : null
    return host === baseHost ? null : host
  }

  /** The label of a host below the status domain. */
  function labelOf(host: string): string | undefined {
    if (suffix === null || !host.endsWith(suffix) || host === baseHost) return undefined
    return host.slice(0, -suffix.length)
  }

  /**
   * The address of the subdomain, with a slash at its end; null without a subdomain, or if the service
   * has no status domain.
   */
  function subdomainUrl(page: StatusPage): string | null {
    const host = subdomainHost(page)
    return host === null ? null : `${base.protocol}//${host}${port}/`
  }

  const isShown = (page: StatusPage | undefined): page is StatusPage =>
    page?.isEnabled === true && !isOrgOff(store, page.orgId)

  /** The page of a host; undefined if it has none. */
  function pageAt(host: string): StatusPage | undefined {
    const place = custom.at(host)
    if (place) return store.pages.get(place.orgId, place.pageId)
    const label = labelOf(host)
    return label === undefined ? undefined : store.pages.findBySubdomain(label)
  }

  return {
    ownHosts,
    /** The address of the service itself, without a slash at its end. */
    serviceUrl: baseUrl,
    slugUrl,
    subdomainUrl,
    /** The address that readers should use, without a slash at its end. */
    of(page: StatusPage): string {
      // Members are signed in at the service, and nowhere else.
      if (page.visibility === 'members') return slugUrl(page)
      const domain = custom.activeOf(page)
      if (domain !== undefined) return `${base.protocol}//${domain}${port}`
      return subdomainUrl(page)?.replace(/\/$/, '') ?? slugUrl(page)
    },
    /** The host to which a custom domain of the page should lead; an address has no brackets. */
    targetOf: (page: StatusPage | undefined): string => (page && subdomainHost(page)) ?? baseHost,
    /** Whether a host, in lower case and without its port, belongs to pages alone. */
    isPageHost: (host: string): boolean =>
      custom.at(host) !== undefined || labelOf(host) !== undefined,
    /** Whether a host is a custom domain that is served. */
    isCustomHost: (host: string): boolean => custom.at(host) !== undefined,
    pageAt,
    /**
     * Whether a host may have a certificate: that of the service, a proven custom domain, and the
     * subdomain of a page. As it was written: upper case, a dot at its end, or not encoded.
     */
    mayHaveCertificate(text: string): boolean {
      const asWritten = text.toLowerCase().replace(/\.$/, '')
      if (asWritten === baseHost) return true
      const { hostname } = hostnameFrom(text, { baseHost, statusDomain: null })
      return hostname !== undefined && isShown(pageAt(hostname))
    },
    /**
     * The hosts beside that of the service that need certificates: active custom domains and the
     * subdomains of pages. `store.signals.pageHostsChanged` tells when they change.
     */
    hosts(): readonly WantedHost[] {
      const domains = custom.active().flatMap((host) => {
        const page = pageAt(host)
        return isShown(page) ? [wanted(host, page, false)] : []
      })
      const pages = suffix === null ? [] : store.pages.withSubdomain().filter(isShown)
      const subdomains = pages.flatMap((page) => {
        const host = subdomainHost(page)
        return host === null ? [] : [wanted(host, page, true)]
      })
      return [...domains, ...subdomains]
    },
  }
}

function wanted(host: string, page: StatusPage, isShared: boolean): WantedHost {
  return { host, orgId: page.orgId, isShared, sinceMs: page.createdAtMs }
}

interface CustomHost {
  readonly orgId: OrgId
  readonly pageId: PageId
  readonly isActive: boolean
}

/** The custom domains that are served, in memory: every request asks for its host. */
function createCustomHosts(store: Store, own: OwnHosts) {
  const hosts = new Map<string, CustomHost>()
  const ofOrgs = new Map<OrgId, readonly string[]>()

  function note({ hostname, orgId, pageId, state }: CustomDomain): void {
    // The settings may have changed since: a name of the service itself is never a custom domain.
    if (hostnameFrom(hostname, own).problem !== undefined) return
    hosts.set(hostname, { orgId, pageId, isActive: state === 'active' })
    ofOrgs.set(orgId, [...(ofOrgs.get(orgId) ?? []), hostname])
  }

  for (const domain of store.customDomains.allServed()) note(domain)
  store.signals.pagesChanged.listen((orgId) => {
    for (const hostname of ofOrgs.get(orgId) ?? []) hosts.delete(hostname)
    ofOrgs.delete(orgId)
    for (const domain of store.customDomains.servedOf(orgId)) note(domain)
  })

  return {
    at: (host: string): CustomHost | undefined => hosts.get(host),
    active: (): string[] => [...hosts].flatMap(([host, { isActive }]) => (isActive ? [host] : [])),
    /** The oldest active one of a page. */
    activeOf: ({ orgId, id }: StatusPage): string | undefined =>
      ofOrgs.get(orgId)?.find((host) => {
        const place = hosts.get(host)
        return place?.isActive === true && place.pageId === id
      }),
  }
}
