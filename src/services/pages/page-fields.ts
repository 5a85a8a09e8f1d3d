// The fields of a status page: defaults, merge patches, and what must hold when it is written.
import { Fault, type FieldProblem, refuseInvalid } from '../../base/fault.ts'
import type { MonitorId, OrgId, PageId } from '../../base/ids.ts'
import { isTimezone, timezoneRule } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Changes, type Clearable, patched } from '../../domain/merge-patch.ts'
import type { OwnHosts } from '../../domain/pages/custom-hostname.ts'
import {
  defaultTheme,
  noPictures,
  type PageTheme,
  type StatusPage,
} from '../../domain/pages/page.ts'
import { slugFrom, slugWithId, subdomainProblem } from '../../domain/pages/page-address.ts'
import { pageCssProblem } from '../../domain/pages/page-css.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { AddressChanges } from './address-changes.ts'

/** Each has a default, and is set like all others. */
type PageFields = Omit<
  StatusPage,
  | ('id' | 'orgId' | 'createdAtMs' | 'updatedAtMs' | 'revision')
  | ('name' | 'slug' | 'subdomain' | 'theme' | 'passwordHash' | 'pictures')
>

const defaults: PageFields = {
  isEnabled: true,
  isDefault: false,
  isListed: false,
  title: '',
  description: '',
  logoUrl: null,
  headLinks: [],
  announcement: '',
  footer: '',
  layout: 'rows',
  look: 'plain',
  css: '',
  showHistory: true,
  showUptime: true,
  showIncidents: true,
  showMonitors: true,
  showResponseTimes: true,
  showLocations: false,
  showMonitoredBy: true,
  publicMonitorIds: null,
  sections: [],
  language: null,
  timezone: null,
  visibility: 'everyone',
  noindex: false,
  allowsSubscribers: true,
}

/** The fields that callers set. Undefined keeps a field, null or '' restores its default. */
export interface PageChanges extends Changes<PageFields> {
  readonly name?: string | undefined
  /** The default is derived from the name. */
  readonly slug?: Clearable<string>
  /** Merged with the page's own. */
  readonly theme?: Clearable<Changes<PageTheme>>
  /** The hash of the password; see PageLocks. */
  readonly passwordHash?: string | null | undefined
}

interface PageCreation {
  readonly id: PageId
  readonly orgId: OrgId
  readonly name: string
  readonly nowMs: number
}

/** A page with every default; its slug is decided when it is written. */
export function newPage({ id, orgId, name, nowMs }: PageCreation): StatusPage {
  return {
    id,
    orgId,
    name,
    slug: '',
    subdomain: null,
    ...defaults,
    theme: defaultTheme,
    pictures: noPictures,
    passwordHash: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
  }
}

/** The page with the changes applied, except the slug. */
export function mergedPage(page: StatusPage, changes: PageChanges): StatusPage {
  const fields = patched(defaults, page, changes)
  const { logoUrl, publicMonitorIds } = fields
  return {
    ...page,
    ...fields,
    name: changes.name ?? page.name,
    logoUrl: changes.logoUrl ? (URL.parse(changes.logoUrl)?.href ?? null) : logoUrl,
    // A monitor that is listed twice is shown once.
    publicMonitorIds: publicMonitorIds && [...new Set(publicMonitorIds)],
    theme: mergedTheme(page.theme, changes.theme),
    passwordHash: changes.passwordHash === undefined ? page.passwordHash : changes.passwordHash,
  }
}

function mergedTheme(before: PageTheme, changes: PageChanges['theme']): PageTheme {
  if (changes === undefined) return before
  if (changes === null) return defaultTheme
  const { accent, mode } = patched(defaultTheme, before, changes)
  return { accent: accent?.toLowerCase() ?? null, mode }
}

/** A monitor stands in one place of a page. */
function sectionProblems(
  { sections, publicMonitorIds }: PageChanges,
  isPublic: (monitorId: MonitorId) => boolean,
): FieldProblem[] {
  const listed = publicMonitorIds && new Set(publicMonitorIds)
  const seen = new Set<MonitorId>()
  return (sections ?? []).flatMap(({ monitorIds }, at) =>
    monitorIds.flatMap((monitorId, index) => {
      const pointer = `/sections/${at}/monitorIds/${index}`
      const problem = (message: string) => [{ pointer, keyword: 'reference', message }]
      if (seen.has(monitorId)) return problem(`${monitorId} must be in one section only`)
      seen.add(monitorId)
      if (!isPublic(monitorId)) {
        return problem(`${monitorId} must be a public monitor of this organization`)
      }
      if (listed && !listed.has(monitorId)) {
        return problem(`${monitorId} must be in publicMonitorIds too`)
      }
      return []
    }),
  )
}

function cssProblems(css: Clearable<string>): FieldProblem[] {
  const message = css ? pageCssProblem(css) : null
  return message === null ? [] : [{ pointer: '/css', keyword: 'css', message }]
}

function timezoneProblems(timezone: Clearable<string>): FieldProblem[] {
  if (!timezone || isTimezone(timezone)) return []
  return [{ pointer: '/timezone', keyword: 'format', message: timezoneRule }]
}

/** Visitors' browsers load logos; the service never does. */
function logoProblems(text: Clearable<string>): FieldProblem[] {
  const url = text ? URL.parse(text) : undefined
  if (url === undefined) return []
  const isPlain = url !== null && url.hostname !== '' && url.username === '' && url.password === ''
  if (isPlain && url.protocol === 'https:') return []
  const message = 'must be an https URL without a user name or password'
  return [{ pointer: '/logoUrl', keyword: 'format', message }]
}

/** Readers open them, so they lead to the web or to a mailbox, and nowhere else. */
function linkProblems(links: PageChanges['headLinks']): FieldProblem[] {
  return (links ?? []).flatMap(({ url }, at) => {
    const { protocol } = URL.parse(url) ?? {}
    if (protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:') return []
    const message = 'must be an http, https or mailto URL'
    return [{ pointer: `/headLinks/${at}/url`, keyword: 'format', message }]
  })
}

/** Members sign in: a password besides would be asked of nobody. */
function protectionProblems({ visibility, passwordHash }: StatusPage): FieldProblem[] {
  if (visibility === 'everyone' || passwordHash === null) return []
  const message = 'must be everyone while the page has a password; remove one of them'
  return [{ pointer: '/visibility', keyword: 'conflict', message }]
}

/** Judges addresses in the writing transaction: if two requests want one address, the second fails. */
export function createPagePlaces(store: Store, own: OwnHosts, addresses: AddressChanges) {
  /** Why no page can have this subdomain. */
  function labelProblems(label: string): FieldProblem[] {
    const problem = subdomainProblem(label, own)
    return problem ? [{ pointer: '/subdomain', ...problem }] : []
  }

  function freeSlug(page: StatusPage, wanted: string | null): string {
    const isFree = (slug: string) => {
      const holder = store.pages.slugHolder(slug)
      return !holder || holder.pageId === page.id
    }
    if (wanted === null) {
      const slug = slugFrom(page.name)
      return isFree(slug) ? slug : slugWithId(slug, page.id)
    }
    if (!isFree(wanted)) throw new Fault('slug_taken', `The slug ${wanted} is taken.`)
    return wanted
  }

  /** What is wrong with the fields, besides their shape and a taken slug. */
  function problems(orgId: OrgId, changes: PageChanges, isPublic = isPublicIn(orgId)) {
    const { logoUrl, publicMonitorIds } = changes
    const monitorProblems = (publicMonitorIds ?? []).flatMap((monitorId, index) => {
      if (isPublic(monitorId)) return []
      const message = `${monitorId} must be a public monitor of this organization`
      return [{ pointer: `/publicMonitorIds/${index}`, keyword: 'reference', message }]
    })
    return [
      ...logoProblems(logoUrl),
      ...linkProblems(changes.headLinks),
      ...monitorProblems,
      ...sectionProblems(changes, isPublic),
      ...timezoneProblems(changes.timezone),
      ...cssProblems(changes.css),
    ]
  }

  /** The same for unknown, foreign and private ones: existence must not leak. */
  function isPublicIn(orgId: OrgId): (monitorId: MonitorId) => boolean {
    return (monitorId) => store.monitors.readable(orgId, monitorId)?.isPublic === true
  }

  function unsetOtherDefaults(tx: Tx, page: StatusPage, nowMs: number): void {
    for (const other of store.pages.list(page.orgId, limits.quotaMax)) {
      if (!other.isDefault || other.id === page.id) continue
      const revision = other.revision + 1
      store.pages.put(tx, { ...other, isDefault: false, updatedAtMs: nowMs, revision }, nowMs)
    }
  }

  return {
    problems,
    labelProblems,

    /**
     * The page as it is to be written; another one is the default page no longer. An absent slug stays,
     * null derives one. Throws validation_failed, slug_taken, rate_limited.
     */
    settled(
      tx: Tx,
      page: StatusPage,
      changes: PageChanges,
      nowMs: number,
      isPublic?: (monitorId: MonitorId) => boolean,
    ): StatusPage {
      refuseInvalid([...problems(page.orgId, changes, isPublic), ...protectionProblems(page)])
      const { slug } = changes
      const settled = slug === undefined ? page : { ...page, slug: freeSlug(page, slug || null) }
      // A new page has no slug to leave.
      if (page.slug !== '' && settled.slug !== page.slug) addresses.take(page.orgId, 'slug', nowMs)
      if (settled.isDefault) unsetOtherDefaults(tx, settled, nowMs)
      return settled
    },

    /** Throws validation_failed, subdomain_taken, rate_limited if the page cannot have this label. */
    takeSubdomain(page: StatusPage, label: string, nowMs: number): void {
      refuseInvalid(labelProblems(label))
      const holder = store.pages.subdomainHolder(label)
      if (holder?.pageId === page.id) return
      const isOwnAgain = holder?.pageId === null && holder.orgId === page.orgId
      const releasedAtMs = holder?.pageId === null ? holder.releasedAtMs : null
      const isOver = releasedAtMs !== null && nowMs - releasedAtMs >= limits.subdomainQuarantineMs
      if (holder && !isOwnAgain && !isOver) {
        throw new Fault('subdomain_taken', `The subdomain ${label} is taken.`)
      }
      addresses.take(page.orgId, 'subdomain', nowMs)
    },
  }
}
